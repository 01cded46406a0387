from __future__ import annotations

import pytest

from prism.text.words import is_function_word, word_terms


def terms(word: str, *languages: str, as_typed: bool = True, **place: bool) -> tuple[tuple[str, ...], ...]:
    return word_terms(word, languages, as_typed=as_typed, **place)


def test_a_word_is_one_term_with_a_stem_for_each_language() -> None:
    assert terms("Regelungen", "de", "en") == (("regel", "regelungen"),)


def test_function_words_go_unless_they_are_acronyms() -> None:
    assert terms("it", "en") == terms("It", "en") == ()
    assert terms("IT", "en", as_typed=False) == (("IT",),)
    assert terms("AND", "en", in_capitals=True) == ()
    assert terms("IT", "en", as_typed=False, in_capitals=True) == (("IT",),)


def test_a_letter_after_a_word_is_a_label() -> None:
    assert terms("A", "en", as_typed=False, after_content_word=True) == (("A",),)
    assert terms("A", "en") == ()


def test_acronyms_keep_their_form_beside_their_stem() -> None:
    assert terms("AIDS", "en") == (("aid",), ("aids",))


def test_camel_case_has_its_pieces() -> None:
    assert terms("getUserName", "en")[1:] == (("get",), ("user",), ("name",))


def test_vietnamese_passages_are_found_without_marks_and_questions_mean_theirs() -> None:
    assert terms("Nghỉ", "vi", as_typed=False) == (("nghỉ",), ("nghi",))
    assert terms("Nghỉ", "vi") == (("nghỉ",),)


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("l'eau", "fr", "eau"),
        ("Ankara'nın", "tr", "ankar"),
        ("bank's", "en", "bank"),
        ("O'Neill", "en", "oneil"),
    ],
)
def test_clitics_are_cut(word: str, language: str, expected: str) -> None:
    assert terms(word, language)[0] == (expected,)


def test_a_function_word_with_a_clitic_is_one() -> None:
    assert is_function_word("c'est", "fr")
    assert is_function_word("What's", "en")
    assert is_function_word("İÇİN", "tr")
