"""What is kept of a run, and how it is written."""

from __future__ import annotations

import json
from pathlib import Path

from eval.machine import Code
from eval.survey.outcome import Outcome, write_outcomes
from tests.unit.eval.rows import make_result, make_row
from tests.unit.eval.survey.outcomes import make_outcome

RESULT = make_result(
    [
        make_row("1", ranking=("a",)),
        # Gold at rank 2: nDCG is 1 / log2(3) = 0.6309297…
        make_row("2", ranking=("x", "a")),
        make_row("3", unscorable="its document is gone"),
    ],
    index={"leaves": 9},
    latency_ms={"total": {"p50": 7.256, "p95": 9.0, "p99": 9.5}},
)


def test_an_outcome_is_what_a_run_came_to() -> None:
    outcome = Outcome.of("sample", "dense", RESULT)
    assert (outcome.set, outcome.choice, outcome.questions, outcome.leaves) == ("sample", "dense", 2, 9)
    assert (outcome.search_p50_ms, outcome.search_p95_ms) == (7.26, 9.0)
    assert outcome.ndcg == (1.0, 0.63093, None)
    assert outcome.metrics["hit@1"].mean == 0.5
    assert "abstain_rate" not in outcome.metrics, "the gate judged nothing"


def test_a_run_in_which_every_question_failed_has_no_times() -> None:
    outcome = Outcome.of("sample", "dense", make_result([make_row(error="SearchError: x")]))
    assert (outcome.search_p50_ms, outcome.search_p95_ms, outcome.ndcg) == (None, None, (0.0,))


def test_outcomes_are_written_with_what_they_depend_on(tmp_path: Path) -> None:
    code = Code("0123456789ab", True, "c4a9")
    file = write_outcomes(tmp_path / "results", [make_outcome("सेट")], code, {"limit": 200})
    assert file.name == "survey-0123456789ab.json"
    text = file.read_text(encoding="utf-8")
    body = json.loads(text)
    assert (body["schema_version"], body["commit"], body["dirty"]) == (1, "0123456789ab", True)
    assert body["parameters"] == {"limit": 200}
    assert body["machine"]["cores"]
    (outcome,) = body["outcomes"]
    assert (outcome["set"], outcome["ndcg"]) == ("सेट", [1.0, 0.0])
    assert outcome["metrics"]["ndcg@10"] == {"mean": 0.5, "low": 0.0, "high": 1.0, "questions": 2}
    assert "सेट" in text
