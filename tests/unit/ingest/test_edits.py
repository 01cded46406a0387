from itertools import pairwise

from prism.ingest.edits import Edit, apply_edits
from prism.types import PageSpan, SectionSpan, SourceText, TableSpan


def document(text: str, *cuts: int) -> SourceText:
    bounds = (0, *cuts, len(text))
    pages = tuple(
        PageSpan(sheet, str(sheet), start, end) for sheet, (start, end) in enumerate(pairwise(bounds), 1)
    )
    return SourceText(text, "t", "text/plain", pages)


def test_spans_move_with_the_words_they_cover():
    text = "aa--bb--cc"
    loaded = SourceText(
        text,
        "t",
        "text/plain",
        (PageSpan(1, "1", 0, 4), PageSpan(2, "2", 4, 10)),
        (SectionSpan(4, ("B",)),),
        (TableSpan(8, 10, "C"),),
    )
    edited = apply_edits(loaded, [Edit(2, 4, ""), Edit(6, 8, "++++")])
    assert edited.text == "aabb++++cc"
    assert [edited.text[p.start : p.end] for p in edited.pages] == ["aa", "bb++++cc"]
    assert edited.text[edited.sections[0].start :].startswith("bb")
    assert edited.text[edited.tables[0].start : edited.tables[0].end] == "cc"


def test_an_edit_over_a_page_border_leaves_the_pages_side_by_side():
    edited = apply_edits(document("ab\n\n\ncd", 3), [Edit(2, 5, "\n\n")])
    first, second = edited.pages
    assert edited.text == "ab\n\ncd"
    assert first.end == second.start
    assert edited.text[second.start :].strip() == "cd"


def test_no_edit_gives_the_same_object():
    loaded = document("abc")
    assert apply_edits(loaded, [Edit(0, 1, "a")]) is loaded
