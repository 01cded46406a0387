"""Where the time of a query goes: the same stages of both builds set side by side.

Prism's come from its trace, the plain build's from stopwatches around its searches. They are cut alike but
for one: the plain build gets the leaves' texts with its searches and reads parents while it merges; Prism
reads both at once, in a stage of its own. So reading and merging are told apart for Prism, and together for
both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from eval.bench.log import Record
from eval.bench.quantities import BUILDS
from eval.bench.statistics import Ratio, advantage

TOTAL: Final = "total"
EMBED: Final = "embed"
READ_MERGE: Final = "read_merge"
REST: Final = "rest"
OF_TRACE: Final = ("fuse", "climb", "rerank", "merge", "gate", "assemble")
"""Prism's stages that are taken over as they are."""

LOOKED_UP: Final = "query_p50"
EMBEDDED: Final = "query_embedded_p50"
"""Quantities whose details hold stages: the question's vector looked up, or made by the model."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A row of the table. `name` and `quantity`: where its milliseconds are in the details of records."""

    name: str
    title: str
    quantity: str = LOOKED_UP


STAGES: Final = (
    Stage("dense", "search by meaning"),
    Stage("keyword", "search by words"),
    Stage("fuse", "joining both"),
    Stage("climb", "reading leaves and parents"),
    Stage("rerank", "reranking (late interaction)"),
    Stage("merge", "merging into parents, cutting to five"),
    Stage(READ_MERGE, "reading and merging together"),
    Stage("gate", "gate"),
    Stage("assemble", "names and pages"),
    Stage(EMBED, "looking the question's vector up"),
    Stage(REST, "the rest: setting up, keeping the trace"),
    Stage(TOTAL, "query"),
    Stage(EMBED, "embedding the question", EMBEDDED),
    Stage(TOTAL, "query with its embedding", EMBEDDED),
)


@dataclass(frozen=True, slots=True)
class StageComparison:
    """One stage at one size: the median over the repetitions of its median over the questions, in
    milliseconds; None where a build has no such stage, and the ratio where both have it."""

    leaves: int
    stage: Stage
    prism_ms: float | None
    plain_ms: float | None
    ratio: Ratio | None


def stages_of_trace(
    timings_ms: Mapping[str, float], *, embed_ms: float, total_ms: float
) -> Mapping[str, float]:
    """Prism's stages of one question, in milliseconds.

    Args:
        timings_ms: of the trace.
        embed_ms: what of the search by meaning went into the question's vector.
        total_ms: what the caller waited.
    """
    dense_ms = timings_ms.get("retrieve.dense", 0.0)
    own = {
        EMBED: embed_ms,
        "dense": max(0.0, dense_ms - embed_ms),
        "keyword": timings_ms.get("retrieve.keyword", 0.0),
        **{name: timings_ms.get(name, 0.0) for name in OF_TRACE},
    }
    return {**own, REST: total_ms - sum(own.values()), READ_MERGE: own["climb"] + own["merge"]}


def compare_stages(records: Sequence[Record]) -> tuple[StageComparison, ...]:
    """Every stage that a build has told of, by size and in the order of `STAGES`."""
    sizes = sorted({record.leaves for record in records})
    found = (_compare(records, leaves, stage) for leaves in sizes for stage in STAGES)
    return tuple(each for each in found if each is not None)


def _compare(records: Sequence[Record], leaves: int, stage: Stage) -> StageComparison | None:
    prism, plain = (dict(_spent_ms(records, leaves, build, stage)) for build in BUILDS)
    if not prism and not plain:
        return None
    both = sorted(prism.keys() & plain.keys())
    pairs = [(prism[repetition], plain[repetition]) for repetition in both]
    ratio = None
    # What took no time that a clock can tell has no ratio.
    if pairs and min(map(min, pairs)) > 0:
        ratio = advantage([pair[0] for pair in pairs], [pair[1] for pair in pairs], "lower")
    return StageComparison(
        leaves,
        stage,
        median(prism.values()) if prism else None,
        median(plain.values()) if plain else None,
        ratio,
    )


def _spent_ms(
    records: Sequence[Record], leaves: int, build: str, stage: Stage
) -> Iterator[tuple[int, float]]:
    """Repetition and milliseconds."""
    for record in records:
        if (record.leaves, record.build, record.quantity) != (leaves, build, stage.quantity):
            continue
        told = record.details.get("stages_p50_ms")
        if stage.name == TOTAL:
            yield record.repetition, record.value
        elif isinstance(told, Mapping) and stage.name in told:
            yield record.repetition, told[stage.name]
