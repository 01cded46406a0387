"""Compare: two sets of golden traces, and in words what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from eval.golden.types import Cited, Golden, Leg, Row

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as recorded. `rank` counts from 1, and is None where a stage has no ranks."""

    question_id: str
    stage: str
    rank: int | None
    expected: str
    found: str

    def __str__(self) -> str:
        where = self.stage if self.rank is None else f"{self.stage}, rank {self.rank}"
        return f"{self.question_id}: {where}: expected {self.expected}, found {self.found}"


def compare(expected: Iterable[Golden], found: Iterable[Golden]) -> list[Difference]:
    """What differs, question by question in the order recorded, stage by stage in the order they run, so that
    the first difference of a question is the nearest to its cause."""
    recorded = {golden.question_id: golden for golden in expected}
    seen = {golden.question_id: golden for golden in found}
    differences: list[Difference] = []
    for question_id in dict.fromkeys([*recorded, *seen]):
        before, now = recorded.get(question_id), seen.get(question_id)
        if before is None or now is None:
            presences = ["no trace" if golden is None else "a trace" for golden in (before, now)]
            differences.append(Difference(question_id, "question", None, *presences))
        else:
            differences += compare_question(before, now)
    return differences


def compare_question(expected: Golden, found: Golden) -> Iterator[Difference]:
    """What differs in one question's stages. When another question was asked, that alone is said."""

    def values(stage: str, before: object, now: object) -> Iterator[Difference]:
        if before != now:
            yield Difference(expected.question_id, stage, None, str(before), str(now))

    def rows(stage: str, before: Sequence[Row], now: Sequence[Row]) -> Iterator[Difference]:
        places_before, places_now = _by_rank(before), _by_rank(now)
        for rank in sorted({*places_before, *places_now}):
            if places_before.get(rank) != places_now.get(rank):
                yield Difference(
                    expected.question_id,
                    stage,
                    rank,
                    places_before.get(rank, NOTHING),
                    places_now.get(rank, NOTHING),
                )

    asked = [f"{golden.question!r} under {golden.variant} settings" for golden in (expected, found)]
    if asked[0] != asked[1]:
        yield from values("question", *asked)
        return
    kinds_before, kinds_now = _kinds(expected.legs), _kinds(found.legs)
    yield from values("legs", ", ".join(kinds_before), ", ".join(kinds_now))
    now_by_name = dict(zip(kinds_now, found.legs, strict=True))
    for name, leg in zip(kinds_before, expected.legs, strict=True):
        if name in now_by_name:
            yield from values(f"{name}, text sent", repr(leg.query), repr(now_by_name[name].query))
            yield from rows(name, leg.hits, now_by_name[name].hits)
    yield from rows("fused", expected.fused, found.fused)
    if (expected.reranked is None) == (found.reranked is None):
        yield from rows("reranked", expected.reranked or (), found.reranked or ())
    else:
        lists = ["no list" if golden.reranked is None else "a list" for golden in (expected, found)]
        yield from values("reranked", *lists)
    yield from rows("merged", expected.merged, found.merged)
    yield from rows("passages", expected.passages, found.passages)
    yield from values("gate", *(_verdict(golden) for golden in (expected, found)))
    for before, now in zip_longest(expected.citations, found.citations):
        yield from values("citations", _cited(before), _cited(now))
    yield from values("answer", repr(expected.answer), repr(found.answer))


def _by_rank(rows: Iterable[Row]) -> dict[int, str]:
    return {rank: " and ".join(map(str, tied)) for rank, tied in groupby(rows, key=lambda row: row.rank)}


def _kinds(legs: Sequence[Leg]) -> list[str]:
    """`keyword leg`, and `keyword leg 2` for a second phrasing."""
    names: list[str] = []
    for leg in legs:
        place = 1 + sum(name.startswith(leg.kind) for name in names)
        names.append(f"{leg.kind} leg" if place == 1 else f"{leg.kind} leg {place}")
    return names


def _verdict(golden: Golden) -> str:
    return "an abstention" if golden.abstained else "an answer"


def _cited(citation: Cited | None) -> str:
    return NOTHING if citation is None else str(citation)
