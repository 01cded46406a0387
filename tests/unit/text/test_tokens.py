from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.text.tokens import content_tokens, query_terms, query_tokens, question_languages, tokenize


def test_a_passage_gives_its_tokens_in_order_with_repeats_and_one_mark_per_language() -> None:
    tokens = tokenize("The banks and the bank: KYC नियम")
    assert tokens == (
        "bank",
        "bank",
        "kyc",
        "नियम",
        "lang:en",
        "lang:hi",
    )


@pytest.mark.parametrize("text", ["", " \n ", "what is the of and", "!?", "\ufeff"])
def test_ret_03_nothing_to_ask_for_gives_nothing(text: str) -> None:
    assert tokenize(text) == query_tokens(text) == ()


def test_numbers_without_words_need_no_language() -> None:
    assert tokenize("823") == ("=823", "823")


def test_a_question_has_each_term_once() -> None:
    assert query_terms("Bank of banks") == (("bank",),)


def test_a_question_gets_the_stems_of_the_languages_it_may_be_in() -> None:
    assert query_terms("Regelungen", {"de", "en"}) == (("regelungen", "regel"),)
    assert query_tokens("Regelungen", {"de", "en"}) == ("regelungen", "regel")


def test_the_language_of_a_document_may_be_given() -> None:
    assert tokenize("Regelungen", language="de") == ("regel", "lang:de")
    assert tokenize("नियम", language="de") == ("नियम", "lang:hi"), "only for its own script"


def test_ret_11_symbols_and_codes_keep_their_whole() -> None:
    tokens = set(tokenize("C++, C#, .NET, R&D, ₹1,25,000, 0x80070005, 7(b), user_name and a.b@x.org"))
    assert {"c++", "c#", ".net", "r&d", "₹125000", "0x80070005", "7(b)", "user_name", "a.b@x.org"} <= tokens


def test_ret_12_words_keep_their_vowel_signs() -> None:
    assert tokenize("हिन्दी में ऋण सीमा") == ("हिंद", "ऋण", "सीम", "lang:hi")


def test_dotted_initials_are_an_acronym() -> None:
    assert content_tokens("U.S. policy") == content_tokens("US policy") == {"US", "polici"}


def test_a_hyphen_parts_and_joins() -> None:
    assert query_tokens("e-mail") == ("e", "mail", "email")


def test_vietnamese_syllables_side_by_side_are_a_pair() -> None:
    assert "ngân hàng" in tokenize("quy định của ngân hàng")
    assert "định hàng" not in tokenize("quy định, hàng hóa")


def test_content_tokens_hold_no_language_mark() -> None:
    assert content_tokens("The bank") == {"bank"}


@given(st.text(max_size=200))
def test_any_text_gives_tokens_that_can_be_stored(text: str) -> None:
    for token in (*tokenize(text), *query_tokens(text, {"en", "hi"})):
        assert token
        token.encode("utf-8")


def test_a_question_tells_which_languages_its_words_are_read_in():
    indexed = {"de", "en", "es", "hi"}
    assert question_languages("How many days of leave do we have?", indexed) == {"en"}
    assert question_languages("Annual leave", indexed) == {"de", "en", "es"}
    assert question_languages("What does सीमा mean for us?", indexed) == {"en", "hi"}
    assert question_languages("?", indexed) == frozenset()


def test_emoji_and_signs_are_found_one_by_one_without_their_skin_tone() -> None:
    assert tokenize("👨🏽‍👩 ☸☿ 🇮🇳") == ("👨", "👩", "☸", "☿", "🇮🇳")
    assert query_tokens("👨") == ("👨",)


def test_bullets_arrows_and_ticks_of_a_list_are_no_tokens() -> None:
    assert tokenize("• ▪ ❖ ➢ ✓ → ©") == ()


def test_emoji_beside_the_words_of_a_question_are_ornament() -> None:
    assert query_tokens("Maple leafs 🙂") == ("mapl", "leaf")
