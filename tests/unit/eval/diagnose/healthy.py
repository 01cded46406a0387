"""A result in which nothing stands out, for tests to spoil in one way each."""

from __future__ import annotations

from typing import Any

from eval.diagnose.diagnose import diagnose
from eval.outcome.row import Row
from tests.unit.eval.rows import make_passages, make_result, make_row

ANSWERABLE, UNANSWERABLE = 60, 10
STAGES = ("dense", "keyword", "fused", "reranked", "merged")


def stages_at(*ranks: int | None, gold: str = "a") -> dict[str, dict[str, int | None]]:
    """Ranks of every unit of `gold` (a letter each) at dense, keyword, fused, reranked and merged."""
    return {stage: dict.fromkeys(gold, rank) for stage, rank in zip(STAGES, ranks, strict=True)}


def found_row(number: int, **values: Any) -> Row:
    """A question whose gold comes first at every stage; answered, in 20 ms."""
    plain: dict[str, Any] = {
        "answerable": True,
        "ranking": ("a", "x", "y"),
        "stages": stages_at(1, 1, 1, 1, 1),
        "passages": make_passages("a", "", ""),
        "abstained": False,
        "timings_ms": {"retrieve": 15.0, "rerank": 4.0, "total": 20.0},
    }
    return make_row(f"q{number}", **{**plain, **values})


def missed_row(number: int, *ranks: int | None, **values: Any) -> Row:
    """A question whose gold no passage holds, with its rank at each stage."""
    plain: dict[str, Any] = {
        "ranking": ("x", "y"),
        "stages": stages_at(*ranks),
        "passages": make_passages("", ""),
    }
    return found_row(number, **{**plain, **values})


def healthy_rows() -> list[Row]:
    """Sixty questions answered from gold that comes first, ten without an answer refused."""
    refused: dict[str, Any] = {"answerable": False, "gold": {}, "stages": {}, "abstained": True}
    return [
        *(found_row(number) for number in range(ANSWERABLE)),
        *(found_row(ANSWERABLE + number, **refused) for number in range(UNANSWERABLE)),
    ]


def names_of(rows: list[Row], **values: Any) -> list[str]:
    """The names of what stands out."""
    return [finding.name for finding in diagnose(make_result(rows, **values))]
