from __future__ import annotations

from dataclasses import replace

from eval.bootstrap import Difference, Estimate
from eval.rerank_speed.figures import Figures, Quality, Reference
from eval.rerank_speed.ingest import Disk
from eval.rerank_speed.table import speed_table

ALONE = Quality(
    "late interaction alone",
    1.0,
    54,
    Estimate(0.8004, 0.75, 0.85),
    (
        Reference(
            "projected, in float32", Estimate(0.8021, 0.76, 0.86), Difference(-0.0017, -0.004, 0.0009, 0.3)
        ),
        Reference("the states themselves", Estimate(0.7, 0.65, 0.75), Difference(0.1, 0.05, 0.15, 0.01)),
    ),
)
FIGURES = Figures(
    questions=60,
    pool_leaves=40,
    stored_ms=4.123,
    fresh_ms=1234.4,
    times_faster=Estimate(299.44, 250.0, 351.26),
    largest_gap=0.00321,
    qualities=(ALONE,),
    disk=Disk(leaves=10, tokens=1187, bytes=78_000),
    embedded_leaves=1024,
    leaf_without_ms=9.87,
    leaf_with_ms=10.2,
    leaf_written_ms=10.4,
    with_tokens=Estimate(1.0333, 1.01, 1.05),
    with_tokens_written=Estimate(1.05, 1.02, 1.08),
)


def test_every_figure_has_a_row() -> None:
    assert speed_table(FIGURES).splitlines() == [
        "| reranking 40 leaves, 60 questions | |",
        "|---|---|",
        "| from stored token vectors, median | 4.12 ms |",
        "| by a fresh model pass, median | 1,234 ms |",
        "| times faster (95 %) | 299.4 (250.0 to 351.3) |",
        "| largest gap between their scores | 0.0032 |",
        "| nDCG@10, late interaction alone, 54 questions: stored | 0.800 (0.750 to 0.850) |",
        "| … projected, in float32 | 0.802 (0.760 to 0.860) |",
        "| … … stored less that (95 %) | −0.002 (−0.004 to +0.001) |",
        "| … the states themselves | 0.700 (0.650 to 0.750) |",
        "| … … stored less that (95 %) | +0.100 (+0.050 to +0.150) |",
        "| bytes a leaf | 7,800 (119 tokens) |",
        "| embedding a leaf, of 1,024 | 9.87 ms |",
        "| … with token vectors, times as long (95 %) | 1.033 (1.010 to 1.050) |",
        "| … and written to the disk | 1.050 (1.020 to 1.080) |",
    ]


def test_without_gold_there_is_a_dash() -> None:
    nothing = replace(ALONE, questions=0, stored=None, references=())
    lines = speed_table(replace(FIGURES, qualities=(nothing,))).splitlines()
    assert "| nDCG@10, late interaction alone, 0 questions | – |" in lines
