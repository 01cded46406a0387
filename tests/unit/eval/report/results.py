"""Results made by hand: ten questions with known ranks, refusals and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from eval.metrics.latency import latency
from eval.metrics.summarize import count, summarize
from eval.outcome.result import Result
from eval.outcome.row import Row
from eval.report.sides import Side

TAG = "<img src=x onerror=alert(1)>"
HINDI = "बटुए की दैनिक सीमा | कितनी है?"


def make_row(question_id: str = "q", **changes: Any) -> Row:
    """An English question with gold `a`, found first at every stage, and whatever is changed."""
    plain = Row(
        question_id=question_id,
        question=f"Question {question_id}?",
        kind="plain",
        language="en",
        answerable=True,
        gold={"a": 1},
        ranking=("a", "b"),
        stages={stage: {"a": 1} for stage in ("dense", "keyword", "fused", "reranked", "merged")},
        passages=(),
        abstained=False,
        gate_score=0.9,
        timings_ms={"retrieve": 4.0, "rerank": 20.0, "total": 25.0},
        metrics={"ndcg@10": 1.0, "hit@1": 1.0, "mrr": 1.0},
    )
    return replace(plain, **changes)


def ranked_at(dense: int | None, keyword: int | None, merged: int | None) -> Mapping[str, Any]:
    """Stages with gold `a` at these ranks."""
    return {"dense": {"a": dense}, "keyword": {"a": keyword}, "merged": {"a": merged}}


ROWS = (
    make_row("q1"),
    make_row("q2", timings_ms={"retrieve": 5.0, "rerank": 40.0, "total": 46.0}),
    # Second of two: DCG 1/log2(3) = 0.631 of 1.
    make_row(
        "q3",
        ranking=("b", "a"),
        stages=ranked_at(2, None, 2),
        metrics={"ndcg@10": 0.631, "hit@1": 0.0, "mrr": 0.5},
    ),
    make_row(
        "q4",
        question=TAG,
        kind="hostile | `kind`",
        ranking=("b|c", "*d*\n# e", "a"),
        stages=ranked_at(7, 15, 3),
        metrics={"ndcg@10": 0.5, "hit@1": 0.0, "mrr": 1 / 3},
    ),
    make_row(
        "q5",
        question=HINDI,
        language="hi",
        stages={"dense": {"a": None}, "merged": {"a": None}},
        ranking=("b", "c"),
        metrics={"ndcg@10": 0.0, "hit@1": 0.0, "mrr": 0.0},
    ),
    make_row("q6", error="ModelError: no weights", stages={}, ranking=(), timings_ms={}, abstained=None,
             gate_score=None, metrics={"ndcg@10": 0.0, "hit@1": 0.0, "mrr": 0.0}),
    make_row("q7", unscorable="the quote is nowhere", metrics={"ndcg@10": None}, abstained=True,
             gate_score=0.1),
    make_row("q8", kind="unanswerable", answerable=False, gold={}, stages={}, metrics={"ndcg@10": None},
             abstained=True, gate_score=0.1),
    make_row("q9", kind="unanswerable", answerable=False, gold={}, stages={}, metrics={"ndcg@10": None},
             abstained=False, gate_score=0.6),
    make_row("q10", abstained=True, gate_score=0.2),
)  # fmt: skip


def make_result(rows: Sequence[Row] = ROWS, **changes: Any) -> Result:
    """The result of these rows, its figures worked out from them."""
    plain = Result(
        name="handmade",
        commit="0123456789ab",
        dirty=True,
        date="2026-01-02T03:04:05+00:00",
        dataset="ten questions",
        unit="quote",
        fingerprint="f00d",
        settings={"retrieval.k": 8},
        settings_hash="beef",
        models={"embedder": "fake-embedder"},
        machine={"processor": "one of them", "cores": 2},
        libraries={"numpy": "2.4.6"},
        k=8,
        counts={**count(rows), "cut": 3},
        index={"leaves": 40, "cached": True},
        metrics=summarize(rows),
        latency_ms=latency(rows),
        rows=tuple(rows),
    )
    return replace(plain, **changes)


def alone(rows: Sequence[Row] = ROWS, **changes: Any) -> tuple[Side, ...]:
    """A result by itself."""
    return (Side("", 0, make_result(rows, **changes)),)


def pair(second: Result) -> tuple[Side, ...]:
    """The hand-made result with another beside it."""
    return (Side("A", 0, make_result()), Side("B", 1, second))
