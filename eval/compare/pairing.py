"""The same questions in two results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from eval.outcome.result import Result
from eval.outcome.row import Row
from prism.errors import UsageError


@dataclass(frozen=True, slots=True)
class Pair:
    """A question as two results have it."""

    a: Row
    b: Row


@dataclass(frozen=True, slots=True)
class Pairing:
    """Questions asked in both results, in the order of the first, and ids of those that one alone has."""

    pairs: tuple[Pair, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]


def pair(a: Result, b: Result) -> Pairing:
    """Pair two results by question id. Each may have asked a part of the dataset (`--limit`, `--language`).

    Raises:
        UsageError: they are of different datasets, have no question in common, or one has a question
            twice.
    """
    if a.fingerprint != b.fingerprint:
        raise UsageError(
            f"A ({a.name}) and B ({b.name}) cannot be compared: A asked {_dataset(a)}, B {_dataset(b)}. Run "
            "one of them again on the other's dataset: python -m eval retrieval."
        )
    rows_a, rows_b = _by_id(a, "A"), _by_id(b, "B")
    if not rows_a.keys() & rows_b.keys():
        raise UsageError(
            f"A ({a.name}) and B ({b.name}) have no question in common. Run both with the same --limit"
            " and --language."
        )
    return Pairing(
        pairs=tuple(Pair(row, rows_b[name]) for name, row in rows_a.items() if name in rows_b),
        only_a=tuple(name for name in rows_a if name not in rows_b),
        only_b=tuple(name for name in rows_b if name not in rows_a),
    )


def _by_id(result: Result, letter: str) -> Mapping[str, Row]:
    (name, times), *_ = Counter(row.question_id for row in result.rows).most_common(1) or [("", 0)]
    if times > 1:
        raise UsageError(
            f"{letter} ({result.name}) has the question {name!r} {times} times; which one to compare is not "
            "clear. Give every question of the dataset an id of its own and run it again."
        )
    return {row.question_id: row for row in result.rows}


def _dataset(result: Result) -> str:
    return f"{result.dataset} (fingerprint {result.fingerprint})"
