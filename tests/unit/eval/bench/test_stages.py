"""Stages of both builds side by side, worked by hand."""

from __future__ import annotations

import pytest

from eval.bench.log import Record
from eval.bench.stages import READ_MERGE, REST, STAGES, compare_stages, stages_of_trace
from tests.unit.eval.bench.records import RECORDS

TIMINGS_MS = {
    "retrieve": 6.0,
    "retrieve.dense": 4.0,
    "retrieve.keyword": 2.0,
    "fuse": 0.5,
    "climb": 1.0,
    "rerank": 2.0,
    "merge": 0.5,
    "gate": 1.5,
    "assemble": 0.5,
    "total": 13.0,
}


def test_the_question_is_taken_out_of_the_search_by_meaning() -> None:
    stages = stages_of_trace(TIMINGS_MS, embed_ms=3.0, total_ms=14.0)
    assert (stages["embed"], stages["dense"], stages["keyword"]) == (3.0, 1.0, 2.0)


def test_stages_and_the_rest_are_what_the_asker_waited() -> None:
    stages = dict(stages_of_trace(TIMINGS_MS, embed_ms=3.0, total_ms=14.0))
    assert stages.pop(READ_MERGE) == stages["climb"] + stages["merge"] == 1.5
    assert stages[REST] == 2.0
    assert sum(stages.values()) == pytest.approx(14.0)


def test_a_search_that_was_left_out_took_no_time() -> None:
    stages = stages_of_trace({"retrieve": 1.0, "retrieve.keyword": 1.0}, embed_ms=0.0, total_ms=2.0)
    assert (stages["dense"], stages["gate"], stages[REST]) == (0.0, 0.0, 1.0)


def test_both_builds_have_a_ratio_and_one_alone_has_its_median() -> None:
    found = {(each.leaves, each.stage.name): each for each in compare_stages(RECORDS)}
    dense, gate, merged = (found[1000, name] for name in ("dense", "gate", READ_MERGE))
    assert (dense.prism_ms, dense.plain_ms) == (4.0, 8.0)
    assert dense.ratio is not None
    assert (dense.ratio.mean, dense.ratio.low) == pytest.approx((2.0, 2.0))
    assert (gate.prism_ms, gate.plain_ms, gate.ratio) == (1.5, None, None)
    assert (merged.prism_ms, merged.plain_ms, merged.ratio) == (None, 2.0, None)


def test_the_whole_is_the_quantity_itself() -> None:
    (total,) = (each for each in compare_stages(RECORDS) if each.stage.name == "total")
    assert (total.prism_ms, total.plain_ms) == (7.5, 7.5)
    assert total.ratio is not None
    assert total.ratio.mean == pytest.approx(1.0)


def test_embedding_is_read_where_it_was_done() -> None:
    details = {"stages_p50_ms": {"embed": 9.0, "dense": 1.0}}
    records = [Record(1000, 1, "prism", "query_embedded_p50", 20.0, details)]
    titles = [each.stage.title for each in compare_stages(records)]
    assert titles == ["embedding the question", "query with its embedding"]


def test_no_time_at_all_has_no_ratio() -> None:
    records = [
        Record(1000, 1, build, "query_p50", 5.0, {"stages_p50_ms": {"fuse": value}})
        for build, value in (("prism", 0.0), ("plain", 1.0))
    ]
    fuse = compare_stages(records)[0]  # type: ignore[arg-type]
    assert (fuse.prism_ms, fuse.plain_ms, fuse.ratio) == (0.0, 1.0, None)


def test_no_two_rows_are_called_the_same() -> None:
    assert (
        len({stage.title for stage in STAGES}) == len({(s.name, s.quantity) for s in STAGES}) == len(STAGES)
    )
