from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from prism.text.stems import fold_accents, stem


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["policy", "policies"]),
        ("en", ["resume", "résumé"]),
        ("de", ["haus", "häuser"]),
        ("fr", ["réglement", "règlements"]),
        ("es", ["información", "informacion", "informaciones"]),
        ("pt", ["informação", "informacao", "informações", "informacoes"]),
        ("ro", ["angajat", "angajaţilor", "angajaţii"]),
        ("tr", ["ülke", "ülkenin", "ülkeler"]),
        ("ru", ["правительство", "правительства", "прави\u0301тельством"]),
        ("ru", ["расчёт", "расчет", "расчёты"]),
        ("el", ["πολιτική", "πολιτικές", "πολιτικη"]),
        ("hi", ["सीमा", "सीमाओं"]),
        ("hi", ["हिन्दी", "हिंदी"]),
        ("hi", ["क़लम", "कलम"]),
        ("ar", ["حكومة", "الحكومة", "حكومات", "والحكومة", "حُكُومَة"]),
        ("ar", ["إجازة", "اجازة", "الإجازات"]),
        ("fa", ["کتاب", "كتاب"]),
        ("ko", ["휴가는", "휴가를", "휴가에서"]),
        ("he", ["מדיניות", "מְדִינִיּוּת"]),
    ],
)
def test_forms_of_one_word_meet(language: str, words: list[str]) -> None:
    assert len({stem(word, language) for word in words}) == 1


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("vi", "ma", "má"),
        ("vi", "năm", "nam"),
        ("ru", "й", "и"),
        ("hi", "सीमा", "समा"),
        ("ko", "휴가", "휴"),
        ("en", "policy", "police"),
    ],
)
def test_words_that_differ_in_meaning_stay_apart(language: str, one: str, other: str) -> None:
    assert stem(one, language) != stem(other, language)


def test_an_unknown_language_keeps_the_word_but_for_its_accents() -> None:
    assert stem("łódź", "pl") == "lodz"
    assert stem("সীমা", None) == "সীমা"


def test_accents_fold_in_latin_and_greek_but_not_where_marks_are_letters() -> None:
    assert fold_accents("çœur ışık ρώμη") == "coeur isik ρωμη"
    assert fold_accents("सीमा й が") == "सीमा й が"


def test_threads_share_no_stemmer() -> None:
    words = [f"organization{'al' * (at % 3)}{at}s" for at in range(400)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda word: stem.__wrapped__(word, "en"), words * 5))
    assert together == [stem.__wrapped__(word, "en") for word in words] * 5
