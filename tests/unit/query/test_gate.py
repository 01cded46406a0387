"""The gate over a curve worked by hand: the logit of x is 4 · x - 2, so .5 scores .5."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from prism.query.calibration import BY_COVERAGE, Calibration, Curve
from prism.query.gate import NAMED_BONUS, gate, missing_codes
from prism.types import Verdict

CALIBRATION = Calibration((Curve({"x": 4.0}, -2.0),), threshold=0.4, made_under=None, provenance={})
CERTAIN = {0.0: -1e9, 1.0: 1e9}
"""Values of x that score exactly these."""


def judged(x: float | None, **options: Any) -> Verdict:
    return gate({"x": x}, CALIBRATION, **options)


def test_the_score_is_the_calibrated_probability_and_the_features_are_kept() -> None:
    verdict = gate({"x": 0.75, "other": None}, CALIBRATION)
    assert verdict.score == pytest.approx(1 / (1 + math.exp(-1)))
    assert verdict.features == {"x": 0.75, "other": None}


@pytest.mark.parametrize("cosine", [None, 0.4])
def test_more_of_the_questions_terms_never_lowers_the_score(cosine: float | None) -> None:
    def score(coverage: float) -> float:
        return gate({"cosine": cosine, "coverage": coverage}, BY_COVERAGE).score

    scores = [score(share / 10) for share in range(11)]
    assert scores == sorted(scores)
    assert all(0 < score < 1 for score in scores)


@pytest.mark.parametrize("features", [{"coverage": 0.0}, {"coverage": 0.0, "cosine": 0.9}])
def test_words_alone_turn_away_what_no_document_speaks_of(features: Mapping[str, float]) -> None:
    assert gate(features, BY_COVERAGE).abstain
    assert not gate({**features, "coverage": 1.0}, BY_COVERAGE).abstain


def test_without_a_threshold_the_calibrations_own_decides() -> None:
    # ln(2/3) = 4 x - 2: a score of .4.
    edge = (math.log(2 / 3) + 2) / 4
    below, above = judged(edge - 0.001), judged(edge + 0.001)
    assert (below.threshold, below.abstain, above.abstain) == (0.4, True, False)


def test_a_threshold_of_the_settings_is_stronger_than_the_calibrations() -> None:
    assert not judged(0.5).abstain
    strict = judged(0.5, threshold=0.6)
    assert (strict.threshold, strict.abstain) == (0.6, True)


def test_a_score_at_the_threshold_passes() -> None:
    assert not judged(0.5, threshold=0.5).abstain
    assert judged(0.5, threshold=0.5001).abstain


def test_a_threshold_of_0_never_abstains() -> None:
    verdict = judged(None, threshold=0.0, unknown_codes=("X-999",))
    assert (verdict.score, verdict.threshold, verdict.abstain) == (0.0, 0.0, False)


def test_a_threshold_of_1_passes_certainty_alone() -> None:
    assert judged(0.99, threshold=1.0).abstain
    assert not judged(CERTAIN[1.0], threshold=1.0).abstain


def test_with_no_evidence_that_a_curve_needs_it_abstains() -> None:
    assert judged(None).abstain


def test_a_code_nothing_mentions_is_not_answered_from_its_neighbours() -> None:
    verdict = judged(0.9, unknown_codes=("LQT-6312",))
    assert verdict.abstain
    assert verdict.unknown_codes == ("LQT-6312",)
    assert judged(CERTAIN[1.0], names_one_thing=True, unknown_codes=("LQT-6312",)).abstain


def test_a_code_that_is_held_raises_the_logit() -> None:
    # x = .5 has the logit 0.
    assert judged(0.5, names_one_thing=True).score == pytest.approx(1 / (1 + math.exp(-NAMED_BONUS)))
    assert judged(0.25, names_one_thing=True).score == pytest.approx(1 / (1 + math.exp(1 - NAMED_BONUS)))
    assert judged(0.25).abstain
    assert not judged(0.25, names_one_thing=True).abstain


def test_a_code_that_is_held_never_lowers_the_score_nor_takes_it_out_of_0_to_1() -> None:
    for tenth in range(-200, 201):
        plain, raised = judged(tenth / 10).score, judged(tenth / 10, names_one_thing=True).score
        assert 0.0 <= plain <= raised <= 1.0
    for score, x in CERTAIN.items():
        assert judged(x).score == judged(x, names_one_thing=True).score == score


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("How to fix 0x80070005?", "Error 0X80070005 means denied", ()),
        ("How to fix 0x80070005?", "Error 0x80070006 means denied", ("0x80070005",)),
        ("What is LQT-6312?", "part LQT 6312", ()),
        ("What is LQT-6312?", "part LQT-2051", ("LQT-6312",)),
        ("Limits in FY2024 of 500kg?", "none", ()),
        ("What is section 7(b)?", "none", ()),
        ("No code at all?", "none", ()),
    ],
)
def test_codes_no_passage_mentions_are_named(question: str, text: str, missing: tuple[str, ...]) -> None:
    assert missing_codes(question, [text]) == missing


def test_a_code_needs_one_passage_alone() -> None:
    assert missing_codes("LQT-6312?", ["nothing", "here: lqt6312"]) == ()
    assert missing_codes("LQT-6312?", []) == ("LQT-6312",)
