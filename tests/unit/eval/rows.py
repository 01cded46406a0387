"""Rows and results made by hand; what a test is not about has a plain value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.metrics.score import score
from eval.metrics.summarize import count, summarize
from eval.outcome.result import Result
from eval.outcome.row import Row, Seen


def make_row(question_id: str = "q1", **values: Any) -> Row:
    """A row with one gold unit, `a`, of which nothing was found."""
    plain: dict[str, Any] = {
        "question": f"What does {question_id} ask?",
        "kind": "",
        "language": "en",
        "answerable": None,
        "gold": {"a": 1},
        "ranking": (),
        "stages": {},
        "passages": (),
        "abstained": None,
        "gate_score": None,
        "timings_ms": {},
    }
    return Row(question_id, **{**plain, **values})


def make_passage(rank: int, *units: str, expected: bool | None = None) -> Seen:
    """A passage that holds these relevant units."""
    return Seen(rank, "doc.txt", (), 0, 100, 20, units, expected)


def make_passages(*held: str) -> tuple[Seen, ...]:
    """Passages in order of rank, each with the relevant units that a string names by its letters."""
    return tuple(make_passage(rank, *units) for rank, units in enumerate(held, start=1))


def make_result(rows: Sequence[Row], **values: Any) -> Result:
    """A result whose rows are scored and whose metrics are those of its rows."""
    scored = score(rows)
    plain: dict[str, Any] = {
        "name": "base",
        "commit": "0123456789ab",
        "dirty": False,
        "date": "2024-05-01T10:00:00+00:00",
        "dataset": "letters",
        "unit": "document",
        "fingerprint": "f00d",
        "settings": {},
        "settings_hash": "5e77",
        "models": {"embedder": "letters"},
        "machine": {"processor": "abacus", "cores": 2},
        "libraries": {"numpy": "2.0"},
        "k": 5,
        "counts": count(scored),
        "index": {"leaves": 100},
        "metrics": summarize(scored),
        "latency_ms": {},
    }
    return Result(**{**plain, **values}, rows=scored)
