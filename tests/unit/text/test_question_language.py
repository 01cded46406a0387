from __future__ import annotations

import pytest

from prism.text.question_language import language_name, question_language


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("What is the cap on transfers?", "en"),
        ("ऋण की सीमा क्या है?", "hi"),
        ("年假有多少天？", "zh"),
        ("年次休暇は何日ですか？", "ja"),
        ("カード", "ja"),
        ("연차는 며칠입니까?", "ko"),
        ("วันลาพักร้อนมีกี่วัน", "th"),
        ("Каков лимит на переводы?", "ru"),
        ("Ποιο είναι το όριο;", "el"),
        ("¿Cuál es el límite de la transferencia?", "es"),
        ("Wie hoch ist das Limit für die Überweisung?", "de"),
        ("Quelle est la limite de virement ?", "fr"),
        ("0x80070005?", "en"),
        ("", "en"),
        ("???", "en"),
    ],
)
def test_a_question_is_answered_in_its_language(question: str, code: str) -> None:
    assert question_language(question) == code


def test_a_code_in_a_question_does_not_change_its_language() -> None:
    assert question_language("त्रुटि 0x80070005 का क्या अर्थ है?") == "hi"


def test_a_prompt_names_the_language_in_english() -> None:
    assert language_name("hi") == "Hindi"
    assert language_name("xx") == "the language of the question"
