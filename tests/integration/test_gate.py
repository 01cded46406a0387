"""The gate on the real engine: green as committed, red when a structural fault is planted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.gate.command import BASELINE, SAMPLE, measure
from eval.outcome.result import read_result
from prism.query import pipeline
from prism.query.legs import weigh_legs
from prism.types import LegKind

pytestmark = pytest.mark.slow


def test_the_gate_is_green_as_committed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate"]) == 0, capsys.readouterr().out
    assert "The gate is green" in capsys.readouterr().out


def test_evl_05_two_runs_on_the_same_data_give_the_same_figures() -> None:
    first, second = measure(), measure()
    assert second.metrics == first.metrics
    for before, now in zip(first.rows, second.rows, strict=True):
        assert replace(now, timings_ms={}) == replace(before, timings_ms={})


def test_the_baseline_is_of_the_questions_that_are_there() -> None:
    lines = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(read_result(BASELINE).rows) == len(lines)


def test_swapped_legs_turn_the_gate_red_in_figures_and_traces(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def keyword_alone(*given: object, **named: object) -> Mapping[LegKind, float]:
        weights = weigh_legs(*given, **named)  # type: ignore[arg-type]
        return {leg: weight if leg == "keyword" else weight * 1e-6 for leg, weight in weights.items()}

    monkeypatch.setattr(pipeline, "weigh_legs", keyword_alone)
    assert main(["gate"]) == 1
    text = capsys.readouterr().out
    assert "worse beyond chance: nDCG in the first 10" in text
    assert "fused, rank" in text
    assert "The gate is red" in text


def test_without_a_baseline_the_gate_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gate", "--baseline", str(tmp_path / "none.json")]) == 2
    assert "not a result" in capsys.readouterr().err
