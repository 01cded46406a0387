from __future__ import annotations

import pytest

from prism.text.languages import candidate_languages, language_of


@pytest.mark.parametrize(
    ("text", "script", "expected"),
    [
        ("the limit of the account is set by the bank", "Latin", "en"),
        ("die grenze für das konto wird von der bank festgelegt", "Latin", "de"),
        ("la limite du compte est fixée par la banque", "Latin", "fr"),
        ("el límite de la cuenta lo fija el banco", "Latin", "es"),
        ("il limite del conto è fissato dalla banca", "Latin", "it"),
        ("o limite da conta é fixado pelo banco e não muda", "Latin", "pt"),
        ("de limiet van de rekening wordt door de bank bepaald", "Latin", "nl"),
        ("limita contului este stabilită de către bancă", "Latin", "ro"),
        ("hesap sınırı banka tarafından belirlenir ve değişmez", "Latin", "tr"),
        ("hạn mức của tài khoản do ngân hàng quy định", "Latin", "vi"),
        ("gränsen för kontot bestäms av banken och ändras inte", "Latin", "sv"),
        ("предел счёта устанавливает банк и он не меняется", "Cyrillic", "ru"),
        ("ліміт рахунку встановлює банк і він не змінюється", "Cyrillic", "uk"),
        ("खाते की सीमा बैंक तय करता है", "Devanagari", "hi"),
        ("खात्याची मर्यादा बँक ठरवते आणि ती बदलत नाही", "Devanagari", "mr"),
        ("حد الحساب يحدده البنك في كل سنة", "Arabic", "ar"),
        ("سقف حساب را بانک تعیین می کند و این است", "Arabic", "fa"),
        ("کھاتے کی حد بینک طے کرتا ہے", "Arabic", "ur"),
        ("το όριο του λογαριασμού", "Greek", "el"),
    ],
)
def test_a_sentence_is_recognized(text: str, script: str, expected: str) -> None:
    assert language_of(text.split(), script) == expected


def test_without_a_sign_the_first_language_of_the_script_is_assumed() -> None:
    assert language_of(["leave", "policy"], "Latin") == "en"
    assert language_of([], "Devanagari") == "hi"
    assert language_of(["ဘဏ်"], "Myanmar") is None


def test_initials_and_a_stray_foreign_word_do_not_turn_english_around() -> None:
    assert language_of(["r", "d", "l", "s"], "Latin") == "en"
    assert language_of(["the", "café", "of", "the", "town"], "Latin") == "en"


def test_a_clear_question_is_read_in_its_language_alone() -> None:
    assert candidate_languages(["what", "is", "the", "limit", "of"], "Latin", {"en", "de"}) == ("en",)


def test_an_unclear_question_is_read_in_every_indexed_language_of_its_script() -> None:
    assert candidate_languages(["regelung"], "Latin", {"en", "de", "hi"}) == ("en", "de")


def test_a_question_in_a_language_that_is_not_indexed_is_read_as_that_and_as_the_indexed() -> None:
    assert candidate_languages(["was", "ist", "die", "grenze", "für", "das"], "Latin", {"en"}) == ("de", "en")


def test_an_empty_index_leaves_the_likeliest_language() -> None:
    assert candidate_languages(["limit"], "Latin", set()) == ("en",)
    assert candidate_languages(["ဘဏ်"], "Myanmar", set()) == ()
