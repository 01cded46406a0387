"""Where a document's structure lets it be cut."""

from __future__ import annotations

import pytest

from prism.ingest.chunkers.structure import divide, line_places, paragraph_places, sentence_places
from prism.text.division import Division
from prism.types import BlockSpan, PageSpan, SectionSpan, SourceText, TableSpan
from tests.chunked import plain, sheet, words


def division(source: SourceText, window_tokens: int = 30) -> Division:
    return divide(source, [sentence_places(source.text)], words, window_tokens)


def pieces(source: SourceText) -> list[str]:
    return [source.text[start:end].strip() for start, end in division(source).pieces()]


def finer(source: SourceText, part: str) -> list[str]:
    start = source.text.index(part)
    spans = division(source).finer(start, start + len(part))
    return [source.text[begin:end].strip() for begin, end in spans]


def test_places_are_the_first_visible_characters() -> None:
    text = "One.\n\n  Two. Three\nfour."
    assert [text[place:] for place in paragraph_places(text)] == ["Two. Three\nfour."]
    assert [text[place:] for place in line_places(text)] == ["Two. Three\nfour.", "four."]
    assert [text[place:] for place in sentence_places(text)] == ["Two. Three\nfour.", "Three\nfour."]


def test_a_heading_is_one_with_the_sentence_under_it() -> None:
    text = "Scope\n\nAll staff. Others not."
    assert pieces(plain(text, sections=(SectionSpan(0, ("Scope",)),))) == [
        "Scope\n\nAll staff.",
        "Others not.",
    ]


def test_headings_in_a_row_are_one_with_what_follows() -> None:
    text = "Part I\n\nScope\n\nAll staff."
    sections = (SectionSpan(0, ("Part I",)), SectionSpan(8, ("Part I", "Scope")))
    assert pieces(plain(text, sections=sections)) == [text]
    # Too long together, they are parted between headings, and the last stays with its text.
    assert finer(plain(text, sections=sections), text) == ["Part I", "Scope\n\nAll", "staff."] or finer(
        plain(text, sections=sections), text
    ) == ["Part I\n\nScope\n\nAll", "staff."]


def test_a_heading_of_two_lines_is_known_by_its_words() -> None:
    text = "Rules on leave and\nnotice\n\nAll staff. Others not."
    source = plain(text, sections=(SectionSpan(0, ("Rules on leave and notice",)),))
    assert pieces(source)[0].endswith("All staff.")


@pytest.mark.parametrize("name", ["Elsewhere", ""])
def test_a_section_whose_name_does_not_stand_there_holds_nothing_together(name: str) -> None:
    text = "All staff. Others not."
    assert pieces(plain(text, sections=(SectionSpan(0, (name,)),))) == ["All staff.", "Others not."]


def test_a_heading_with_nothing_under_it_is_a_piece() -> None:
    text = "All staff.\n\nAnnex"
    assert pieces(plain(text, sections=(SectionSpan(12, ("Annex",)),))) == ["All staff.", "Annex"]


def test_a_table_is_rows_whatever_stops_are_in_its_cells() -> None:
    text = "Before it.\n\nStep. One. | Pay. Now.\nStep. Two. | Wait.\n\nAfter it."
    start, end = text.index("Step"), text.index("\n\nAfter")
    source = plain(text, tables=(TableSpan(start, end, "a | b"),))
    assert pieces(source) == ["Before it.", "Step. One. | Pay. Now.", "Step. Two. | Wait.", "After it."]


def test_a_row_is_kept_whole_up_to_what_the_embedder_reads_beside_the_header() -> None:
    text = "one two three four | five six seven"
    source = plain(text, tables=(TableSpan(0, len(text), "a b | c"),))
    for window_tokens, expected in ((12, True), (11, False)):
        found = divide(source, [sentence_places(text)], words, window_tokens)
        assert found.keeps_whole(0, len(text), words(text)) is expected


def test_a_row_too_long_is_cut_between_cells_then_sentences_then_words() -> None:
    text = "alpha beta | gamma delta. Epsilon zeta | eta"
    source = plain(text, tables=(TableSpan(0, len(text), ""),))
    assert finer(source, text) == ["alpha beta |", "gamma delta. Epsilon zeta |", "eta"]
    assert finer(source, "gamma delta. Epsilon zeta |") == ["gamma delta.", "Epsilon zeta |"]
    assert finer(source, "alpha beta |") == ["alpha", "beta", "|"]


def test_a_row_of_a_sheet_is_cut_where_a_label_begins_and_not_at_a_semicolon_of_a_value() -> None:
    source = sheet(["name: Ada; note: first; second | third; age: 36"])
    assert finer(source, source.text) == ["name: Ada;", "note: first; second | third;", "age: 36"]


def test_rows_of_a_sheet_are_pages_by_their_label() -> None:
    source = sheet(["name: Ada. Of London", "name: Bob. Of Pune"])
    assert pieces(source) == ["name: Ada. Of London", "name: Bob. Of Pune"]
    pages = tuple(PageSpan(1, f"p{page.label}", page.start, page.end) for page in source.pages)
    assert len(pieces(plain(source.text, pages=pages))) > 2


def test_a_list_is_one_piece_then_items_then_sentences() -> None:
    items = ["- Pay now. In full.", "- Wait a week."]
    text = "Then:\n" + "\n".join(items) + "\n\nDone."
    start = text.index("- Pay")
    source = plain(text, blocks=(BlockSpan(start, text.index("\n\nDone"), "list"),))
    assert pieces(source) == ["Then:", "\n".join(items), "Done."]
    assert finer(source, "\n".join(items)) == items
    assert finer(source, items[0]) == ["- Pay now.", "In full."]


def test_code_is_one_piece_then_lines_and_never_sentences() -> None:
    code = "x = 1. # One. Two.\n\ny = 2"
    source = plain(f"Before.\n\n{code}", blocks=(BlockSpan(9, 9 + len(code), "code"),))
    assert pieces(source) == ["Before.", code]
    assert finer(source, code) == ["x = 1. # One. Two.", "y = 2"]


def test_structure_noted_within_a_grapheme_cuts_nothing() -> None:
    text = "a\u0301b. Next."
    source = plain(text, blocks=(BlockSpan(1, len(text), "code"),))
    assert pieces(source) == [text]
    source = plain(text, sections=(SectionSpan(1, ("\u0301b. Next.",)),))
    assert pieces(source) == ["a\u0301b.", "Next."]
