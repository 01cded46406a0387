from __future__ import annotations

import pytest

from prism.query.abstain import abstention, is_abstention


@pytest.mark.parametrize(
    ("language", "begins"),
    [
        ("en", "Insufficient information"),
        ("hi", "अपर्याप्त जानकारी"),
        ("zh", "信息不足"),
        ("xx", "Insufficient"),
    ],
)
def test_gen_11_not_found_is_said_in_the_questions_language(language: str, begins: str) -> None:
    assert abstention(language).startswith(begins)


@pytest.mark.parametrize(
    "language", ["en", "hi", "zh", "ja", "ko", "ar", "ru", "el", "th", "es", "fr", "de", "tr"]
)
def test_a_models_own_not_found_is_recognised_in_every_language(language: str) -> None:
    text = abstention(language)
    assert is_abstention(text)
    assert is_abstention(f"**{text}**")
    assert is_abstention(text.upper())


def test_a_not_found_with_other_words_after_it_counts_too() -> None:
    assert is_abstention("Insufficient information to say who signed it.")
    assert is_abstention('\n"Insufficient information"')


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "The cap is 10 [1].",
        "The court found insufficient information.",
        "Insufficient information was given [2].",
    ],
)
def test_an_answer_is_no_abstention(answer: str) -> None:
    assert not is_abstention(answer)
