"""Which units a passage holds, by offsets worked out by hand."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import pytest

from eval.datasets.dataset import LabelledQuestion, PageName, Quote, Unit
from eval.runs.locate import KEYWORD_UNIT, Gold, Piece, find_quote, gold_of, is_expected, rank_units
from prism.types import PageRef, PageSpan

#                0         1         2         3         4
#                0123456789012345678901234567890123456789012345
TEXTS = {"a.txt": "Fees are due in ten days. Late fees: two rupees.", "b.txt": "It takes ten days."}
PAGES = {"a.txt": (PageSpan(1, "iv", 0, 26), PageSpan(2, "1", 26, 48))}


def piece(document: str, start: int, end: int, *sheets: int, text: str = "") -> Piece:
    pages = tuple(PageRef(str(sheet), sheet) for sheet in sheets)
    return Piece(document, pages, start, end, text or TEXTS.get(document, "")[start:end])


def question(unit: Unit, **values: object) -> LabelledQuestion:
    return LabelledQuestion("q", "?", unit=unit, **values)  # type: ignore[arg-type]


def gold(
    asked: LabelledQuestion, texts: Mapping[str, str] = TEXTS, key_of: Mapping[str, str] | None = None
) -> Gold:
    keys = {name: name for name in texts} if key_of is None else key_of
    return gold_of(asked, keys, lambda name: texts.get(name, ""), lambda name: PAGES.get(name, ()))


# ── quotes in a text ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("quote", "text", "spans"),
    [
        ("ten days", "in ten days", [(3, 11)]),
        ("ten days", "in ten\n  days", [(3, 13)]),
        ("ten \n  days", "in ten days", [(3, 11)]),
        ("ten days", "tendays", [(0, 7)]),
        (" ten ", "ten or ten", [(0, 3), (7, 10)]),
        ("a+b (c)", "is a+b (c).", [(3, 10)]),
        ("ten\u00addays", "tendays", [(0, 7)]),
        ("ten\u00a0days", "ten days", [(0, 8)]),
        ("दस दिन", "यह दस दिन में", [(3, 9)]),
        ("nothing", "ten days", []),
        ("", "ten days", []),
        (" \n", "ten days", []),
        ("ten", "", []),
    ],
)
def test_a_quote_is_found_whatever_the_white_space(
    quote: str, text: str, spans: list[tuple[int, int]]
) -> None:
    assert list(find_quote(quote, text)) == spans


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_quote_is_found_whatever_its_normal_form(form: str) -> None:
    assert find_quote(unicodedata.normalize(form, "résumé"), "the résumé") == ((4, 10),)
    # क़ has no composed form: NFC takes it apart.
    assert find_quote(unicodedata.normalize(form, "क़लम"), unicodedata.normalize("NFC", "क़लम")) == ((0, 4),)


def test_places_inside_other_words_count_only_where_there_are_no_whole_words() -> None:
    assert find_quote("5 days", "15 days or 5 days") == ((11, 17),)
    assert find_quote("5 days", "15 days") == ((1, 7),)
    assert find_quote("दिन", "प्रतिदिन या दिन") == ((12, 15),)
    # A vowel sign goes on with the word.
    assert find_quote("दिन", "दिनों या दिन") == ((9, 12),)


def test_signs_at_the_end_of_a_quote_are_no_words() -> None:
    assert find_quote("days.", "ten days.Then") == ((4, 9),)


# ── gold by quotes ──────────────────────────────────────────────────────────────────────────────


def test_a_quote_is_named_by_its_first_place() -> None:
    found = gold(question("quote", quotes=(Quote("a.txt", "ten days"),)))
    assert (found.grades, found.missing) == ({"a.txt@16-24": 1}, ())


@pytest.mark.parametrize(
    ("start", "end", "holds"),
    [
        (0, 48, True),
        (16, 24, True),
        # The quote is 16 to 24, eight letters: four of them are half.
        (0, 20, True),
        (0, 19, False),
        (20, 48, True),
        (21, 48, False),
        (24, 48, False),
        (0, 16, False),
    ],
)
def test_a_passage_holds_a_quote_that_it_covers_by_half(start: int, end: int, holds: bool) -> None:
    units = gold(question("quote", quotes=(Quote("a.txt", "ten days"),))).units_of(piece("a.txt", start, end))
    assert units == (("a.txt@16-24",) if holds else (f"a.txt@{start}-{end}",))


@pytest.mark.parametrize(
    ("start", "end", "holds"),
    [
        # The quote is 0 to 25; a passage of ten letters is half covered with five.
        (10, 20, True),
        (20, 30, True),
        (21, 31, False),
    ],
)
def test_a_passage_shorter_than_the_quote_is_covered_by_half(start: int, end: int, holds: bool) -> None:
    found = gold(question("quote", quotes=(Quote("a.txt", "Fees are due in ten days."),)))
    assert (found.units_of(piece("a.txt", start, end)) == ("a.txt@0-25",)) is holds


def test_the_same_place_of_another_document_is_not_held() -> None:
    found = gold(question("quote", quotes=(Quote("a.txt", "ten days"),)))
    assert found.units_of(piece("b.txt", 16, 18)) == ("b.txt@16-18",)


def test_a_quote_that_stands_twice_is_held_by_either_place() -> None:
    texts = {"a.txt": "ten days here, ten days there"}
    found = gold(question("quote", quotes=(Quote("a.txt", "ten days"),)), texts)
    assert found.grades == {"a.txt@0-8": 1}
    assert found.units_of(piece("a.txt", 0, 8)) == found.units_of(piece("a.txt", 15, 23)) == ("a.txt@0-8",)


def test_all_quotes_are_wanted_each_a_unit_of_its_own() -> None:
    quotes = (Quote("a.txt", "ten days"), Quote("a.txt", "two rupees"))
    found = gold(question("quote", quotes=quotes))
    assert found.grades == {"a.txt@16-24": 1, "a.txt@37-47": 1}
    assert found.units_of(piece("a.txt", 0, 48)) == ("a.txt@16-24", "a.txt@37-47")
    assert found.units_of(piece("a.txt", 26, 48)) == ("a.txt@37-47",)


def test_any_quote_answers_where_the_set_says_so() -> None:
    quotes = (Quote("a.txt", "ten days"), Quote("b.txt", "ten days"), Quote("b.txt", "not there"))
    found = gold(question("quote", quotes=quotes, any_quote=True))
    assert found.grades == {"a.txt@16-24": 1}
    assert found.units_of(piece("b.txt", 0, 18)) == ("a.txt@16-24",)
    assert found.missing == (), "what is found answers by itself"


def test_a_quote_that_is_nowhere_is_told() -> None:
    quotes = (Quote("a.txt", "ten days"), Quote("a.txt", "no such words"), Quote("gone.txt", "ten days"))
    found = gold(question("quote", quotes=quotes))
    assert found.missing == (
        "its quote does not stand in the document as read: 'no such words'",
        "its quote does not stand in the document as read: 'ten days'",
    )
    none = gold(question("quote", quotes=quotes[1:], any_quote=True))
    assert none.grades == {}
    assert len(none.missing) == 2


def test_a_quote_without_document_is_looked_for_in_the_sources_or_everywhere() -> None:
    anywhere = gold(question("quote", quotes=(Quote("", "ten days"),)))
    assert anywhere.units_of(piece("b.txt", 0, 18)) == ("a.txt@16-24",)
    in_b = gold(question("quote", quotes=(Quote("", "ten days"),), sources=("b.txt",)))
    assert in_b.grades == {"b.txt@9-17": 1}
    assert in_b.units_of(piece("a.txt", 0, 48)) == ("a.txt@0-48",)


# ── gold by pages, documents, keywords ──────────────────────────────────────────────────────────


def test_a_passage_over_two_pages_is_of_both() -> None:
    found = gold(question("page", grades={"A#p2": 1, "A#p9": 0}), key_of={"a.txt": "A"})
    assert found.grades == {"A#p2": 1}
    assert found.units_of(piece("a.txt", 20, 30, 1, 2)) == ("A#p1", "A#p2")


def test_a_page_is_found_by_what_is_printed_on_it() -> None:
    found = gold(question("page", pages=(PageName("a.txt", "1"), PageName("a.txt", "iv"))))
    assert found.grades == {"a.txt#p2": 1, "a.txt#p1": 1}
    assert found.units_of(piece("a.txt", 30, 40, 2)) == ("a.txt#p2",)


def test_of_two_pages_with_one_label_either_answers() -> None:
    spans = [PageSpan(1, "1", 0, 5), PageSpan(2, "2", 5, 9), PageSpan(3, "1", 9, 15)]
    asked = question("page", pages=(PageName("a.txt", "1"),))
    found = gold_of(asked, {}, lambda name: "", lambda name: spans)
    assert found.grades == {"a.txt#p1": 1}
    assert found.units_of(piece("a.txt", 9, 15, 3)) == ("a.txt#p1",)
    assert found.units_of(piece("a.txt", 0, 15, 1, 2, 3)) == ("a.txt#p1", "a.txt#p2")


def test_a_page_that_is_not_there_is_told_with_those_that_are() -> None:
    pages = (PageName("a.txt", "v"), PageName("b.txt", "1"), PageName("a.txt", "1"))
    found = gold(question("page", pages=pages))
    assert found.missing == (
        "there is no page 'v' in 'a.txt' as read (its pages: iv, 1)",
        "there is no page '1' in 'b.txt' as read (its pages: none)",
    )


def test_a_document_is_one_unit_by_its_judged_id() -> None:
    found = gold(question("document", grades={"A": 2, "B": 0}), key_of={"a.txt": "A"})
    assert found.grades == {"A": 2}
    assert found.units_of(piece("a.txt", 0, 3)) == ("A",)
    assert found.units_of(piece("unlisted.txt", 0, 3)) == ("unlisted.txt",)


def test_a_keyword_is_held_whatever_its_case_and_white_space() -> None:
    found = gold(question("keyword", keywords=("TEN  Days", "दस दिन")))
    assert found.grades == {KEYWORD_UNIT: 1}
    assert found.units_of(piece("a.txt", 0, 25, text="in ten\ndays")) == (KEYWORD_UNIT,)
    assert found.units_of(piece("a.txt", 0, 5, text="केवल दस  दिन")) == (KEYWORD_UNIT,)
    assert found.units_of(piece("a.txt", 0, 5)) == ("a.txt@0-5",)


def test_nothing_known_is_no_gold() -> None:
    assert gold(question("keyword")).grades == {}
    assert gold(question("document")).grades == {}
    assert gold(question("quote")).grades == {}


@pytest.mark.parametrize(
    "asked",
    [
        question("quote", answerable=False, quotes=(Quote("a.txt", "ten days"), Quote("a.txt", "none"))),
        question("page", answerable=False, grades={"a.txt#p1": 1}),
        question("document", answerable=False, grades={"a.txt": 1}),
        question("keyword", answerable=False, keywords=("ten",)),
    ],
    ids=lambda asked: str(asked.unit),
)
def test_an_unanswerable_question_has_no_gold(asked: LabelledQuestion) -> None:
    found = gold(asked)
    assert (found.grades, found.missing) == ({}, ())
    assert found.units_of(piece("a.txt", 0, 48, 1)) != ()


# ── what is expected ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (question("quote"), None),
        (question("quote", sources=("a.txt",)), True),
        (question("quote", sources=("b.txt",)), False),
        (question("quote", keywords=("ten days",)), True),
        # Keywords decide: the right document is not yet the right place, nor the wrong one the wrong place.
        (question("quote", sources=("a.txt",), keywords=("rupees",)), False),
        (question("quote", sources=("b.txt",), keywords=("rupees", "TEN")), True),
    ],
)
def test_keywords_decide_before_sources(asked: LabelledQuestion, expected: bool | None) -> None:
    assert is_expected(asked, piece("a.txt", 0, 25)) is expected



def test_a_unit_ranks_where_it_comes_first() -> None:
    assert rank_units([("b", "a"), ("a",), (), ("c", "b")]) == ("b", "a", "c")
    assert rank_units([]) == ()


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("fifteen days’ notice", "with fifteen days' notice only"),
        ("the “cap” rule", 'of the "cap" rule'),
        ("12-15 May", "from 12–15 May on"),
        ("8 EUROS a night", "costs 8 euros a night"),
    ],
)
def test_marks_of_another_shape_and_capitals_keep_no_quote_from_being_found(quote: str, text: str) -> None:
    ((start, end),) = find_quote(quote, text)
    assert len(text[start:end]) == len(quote)


def test_where_a_quote_stands_with_its_own_capitals_other_places_do_not_count() -> None:
    assert find_quote("May", "may we meet in May") == ((15, 18),)


def test_a_keyword_stands_as_whole_words_only() -> None:
    question = LabelledQuestion("q", "?", unit="keyword", keywords=("15 rupees",))
    texts = {"a.txt": "115 rupees a day", "b.txt": "a fee of 15 rupees"}
    gold = gold_of(question, {name: name for name in texts}, texts.__getitem__, lambda name: ())
    pieces = [Piece(name, (), 0, len(text), text) for name, text in texts.items()]
    assert [KEYWORD_UNIT in gold.units_of(piece) for piece in pieces] == [False, True]
    assert [is_expected(question, piece) for piece in pieces] == [False, True]


def test_a_keyword_that_stands_nowhere_is_missing() -> None:
    question = LabelledQuestion("q", "?", unit="keyword", keywords=("16 rupees",))
    gold = gold_of(question, {"a.txt": "a.txt"}, lambda name: "15 rupees", lambda name: ())
    assert gold.grades == {}
    assert gold.missing == ("none of its keywords stands in any document as read: '16 rupees'",)
