"""What holds whatever the fitted coefficients are."""

from __future__ import annotations

import pytest

from prism.query.gate import gate, missing_codes


@pytest.mark.parametrize("cosine", [None, 0.4])
def test_more_of_the_questions_terms_never_lowers_the_score(cosine: float | None) -> None:
    scores = [gate(top_cosine=cosine, coverage=share / 10, threshold=0.5).score for share in range(11)]
    assert scores == sorted(scores)
    assert all(0 < score < 1 for score in scores)


def test_a_nearer_passage_never_lowers_the_score() -> None:
    scores = [gate(top_cosine=cosine / 10, coverage=0.5, threshold=0.5).score for cosine in range(-10, 11)]
    assert scores == sorted(scores)


def test_it_abstains_below_the_threshold_alone() -> None:
    score = gate(top_cosine=0.5, coverage=0.5, threshold=0.5).score
    assert not gate(top_cosine=0.5, coverage=0.5, threshold=score).abstain
    assert gate(top_cosine=0.5, coverage=0.5, threshold=min(1.0, score + 0.01)).abstain


def test_nothing_found_is_weak_and_everything_found_is_strong_evidence() -> None:
    assert gate(top_cosine=None, coverage=0.0, threshold=0.5).abstain
    assert gate(top_cosine=0.0, coverage=0.0, threshold=0.5).abstain
    assert not gate(top_cosine=None, coverage=1.0, threshold=0.5).abstain
    assert not gate(top_cosine=0.9, coverage=1.0, threshold=0.5).abstain


def test_a_threshold_of_0_never_abstains() -> None:
    assert not gate(top_cosine=-1.0, coverage=0.0, threshold=0.0, unknown_codes=("X-999",)).abstain


def test_a_code_nothing_mentions_is_not_answered_from_its_neighbours() -> None:
    verdict = gate(top_cosine=0.9, coverage=0.9, threshold=0.5, unknown_codes=("LQT-6312",))
    assert verdict.abstain
    assert verdict.unknown_codes == ("LQT-6312",)


def test_a_code_that_is_held_is_evidence() -> None:
    without = gate(top_cosine=0.3, coverage=0.3, threshold=0.5)
    assert gate(top_cosine=0.3, coverage=0.3, threshold=0.5, names_one_thing=True).score > without.score


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
