from __future__ import annotations

import unicodedata

import pytest

from prism.text.question_language import language_name, question_language, told_language


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


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("What is the cap on transfers?", "en"),
        ("¿Cuál es el límite de la transferencia?", "es"),
        ("¿Quiénes propusieron la creación de la Feria de Abril?", "es"),
        ("Quelle est la limite de virement ?", "fr"),
        ("Wie hoch ist das Limit für die Überweisung?", "de"),
        ("Qual é o limite da transferência?", "pt"),
        ("Hạn mức của tài khoản là bao nhiêu?", "vi"),
        ("ऋण की सीमा क्या है?", "hi"),
        ("年假有多少天？", "zh"),
        ("연차는 며칠입니까?", "ko"),
        ("Where does the Rio de la Plata end?", "en"),
        ("What does el niño mean?", "en"),
    ],
)
def test_function_words_or_a_script_of_its_own_tell_a_language(question: str, code: str) -> None:
    assert told_language(question) == code


@pytest.mark.parametrize(
    "question",
    [
        "Thomas Müntzer",
        "São Paulo population",
        "Los Angeles hotel tax",
        "naïve Bayes classifier",
        "requisitos contrato",
        "leave ka rule kya hai",
        "0x80070005?",
        "ဘဏ်",
        "",
    ],
)
def test_names_and_search_terms_tell_no_language(question: str) -> None:
    assert told_language(question) is None


def test_letters_typed_with_their_accents_apart_tell_the_same() -> None:
    assert told_language(unicodedata.normalize("NFD", "¿Quién fundó Lima y Quito?")) == "es"
