from __future__ import annotations

import pytest

from prism.ingest.contextualize import contextualize
from prism.types import Node, PageSpan, SectionSpan, SourceText, TableSpan

TEXT = "intro. rules here. 7(b) cap. | a | 1"
#       0      7           19        29


def node(start: int, end: int, *, level: int = 0) -> Node:
    return Node(f"n{start}", "doc", 1, level, 0, None, start, end, TEXT[start:end])


def words(text: str) -> int:
    return len(text.split())


def contexts(loaded: SourceText, *nodes: Node, max_tokens: int = 48) -> list[str]:
    found = contextualize(nodes, loaded, max_tokens=max_tokens, count_tokens=words)
    return [item.context for item in found]


def loaded(title: str = "Leave", **parts) -> SourceText:
    return SourceText(TEXT, title, "text/plain", **{"pages": (PageSpan(1, "1", 0, len(TEXT)),), **parts})


SECTIONS = (SectionSpan(7, ("Rules",)), SectionSpan(19, ("Rules", "7(b) Caps")))
TWO_PAGES = (PageSpan(1, "iv", 0, 19), PageSpan(2, "1", 19, len(TEXT)))


def test_a_leaf_is_told_title_section_path_and_page() -> None:
    document = loaded(sections=SECTIONS, pages=TWO_PAGES)
    assert contexts(document, node(0, 6), node(7, 18), node(19, 28)) == [
        "Leave > p. iv",
        "Leave > Rules > p. iv",
        "Leave > Rules > 7(b) Caps > p. 1",
    ]


def test_the_only_page_goes_without_saying() -> None:
    assert contexts(loaded(), node(0, 6)) == ["Leave"]


def test_a_section_named_like_the_title_is_said_once() -> None:
    assert contexts(loaded(sections=(SectionSpan(0, ("Leave", "Caps")),)), node(0, 6)) == ["Leave > Caps"]


def test_parents_get_no_context_and_text_is_never_touched() -> None:
    document = loaded(sections=SECTIONS)
    parent, leaf = contextualize(
        [node(0, 36, level=1), node(7, 18)], document, max_tokens=48, count_tokens=words
    )
    assert parent.context == ""
    assert leaf.text == TEXT[7:18]
    assert leaf.indexed_text == "Leave > Rules\nrules here."


def test_ing_05_a_node_that_touches_a_table_carries_its_column_names_at_every_level() -> None:
    document = loaded(tables=(TableSpan(29, 36, "Name | Days"),))
    found = contextualize(
        [node(0, 36, level=1), node(19, 29), node(29, 36)], document, max_tokens=0, count_tokens=words
    )
    assert [item.header for item in found] == ["Name | Days", "", "Name | Days"]
    assert found[2].indexed_text == "Name | Days\n| a | 1"


def test_two_tables_of_one_heading_give_it_once() -> None:
    tables = (TableSpan(0, 6, "A | B"), TableSpan(7, 18, "A | B"), TableSpan(19, 28, "C"))
    (found,) = contextualize([node(0, 36)], loaded(tables=tables), max_tokens=0, count_tokens=words)
    assert found.header == "A | B\nC"


def test_no_tokens_allowed_means_no_context() -> None:
    assert contexts(loaded(), node(0, 6), max_tokens=0) == [""]


def test_a_long_context_loses_its_middle_sections_first() -> None:
    document = loaded(sections=(SectionSpan(0, ("Part one", "Chapter two", "Rule three")),))
    # Whole: 10 words. Without the outer section: 7. Without both: 4.
    assert contexts(document, node(0, 6), max_tokens=9) == ["Leave > Chapter two > Rule three"]
    assert contexts(document, node(0, 6), max_tokens=4) == ["Leave > Rule three"]


def test_chk_01_a_title_longer_than_allowed_loses_its_end() -> None:
    document = loaded(title="one two three four five six seven eight")
    # 8 words > 5: three quarters are 6, still too many; three quarters of 6 are 4.
    assert contexts(document, node(0, 6), max_tokens=5) == ["one two three four"]


@pytest.mark.parametrize("title", ["x" * 500, "दस्तावेज़" * 60, ""])
def test_a_title_that_cannot_be_cut_at_a_blank_goes(title: str) -> None:
    found = contextualize([node(0, 6)], loaded(title=title), max_tokens=8, count_tokens=len)
    assert found[0].context == ""


@pytest.mark.parametrize("title", ["-", "…", "--- !"])
def test_a_name_without_a_letter_or_digit_says_nothing(title: str) -> None:
    assert contexts(loaded(title, sections=SECTIONS), node(0, 6), node(7, 18)) == ["", "Rules"]


def test_a_name_of_digits_or_in_another_script_says_something() -> None:
    assert contexts(loaded("2024"), node(0, 6)) == ["2024"]
    assert contexts(loaded("सूचना"), node(0, 6)) == ["सूचना"]


def test_a_leaf_is_told_the_other_forms_of_the_abbreviations_in_it() -> None:
    text = "Small Finance Banks (SFBs). For SFBs 60%. Small finance banks report."
    document = SourceText(text, "Targets", "text/plain", pages=(PageSpan(1, "1", 0, len(text)),))
    cuts = [(0, 27), (28, 41), (42, 69)]
    leaves = [Node(f"n{a}", "doc", 1, 0, 0, None, a, b, text[a:b]) for a, b in cuts]
    found = contextualize(leaves, document, max_tokens=48, count_tokens=words)
    plain = [leaf.plain_context for leaf in found]
    assert plain == ["Targets", "Targets > Small Finance Banks", "Targets > SFB"]
    assert found[1].indexed_text == "Targets > Small Finance Banks\nFor SFBs 60%."
    # They are no headings: a list item that is such a name may be quoted.
    assert [leaf.place for leaf in found] == [("Targets",)] * 3
    assert not any(leaf.context for leaf in contextualize(leaves, document, max_tokens=0, count_tokens=words))


def test_other_forms_stand_alone_where_there_is_no_place() -> None:
    text = "Small Finance Banks (SFBs). For SFBs 60%."
    document = SourceText(text, "-", "text/plain", pages=(PageSpan(1, "1", 0, len(text)),))
    leaf = Node("n28", "doc", 1, 0, 0, None, 28, 41, text[28:41])
    (found,) = contextualize([leaf], document, max_tokens=48, count_tokens=words)
    assert (found.place, found.plain_context) == ((), "Small Finance Banks")


def test_a_node_is_told_the_headers_of_the_tables_it_touches_and_of_no_other() -> None:
    tables = tuple(TableSpan(at, at + 3, f"h{at}") for at in (0, 7, 19, 24, 29))
    document = loaded(tables=tables)
    found = contextualize(
        [node(0, 2), node(3, 7), node(8, 26), node(32, 36)], document, max_tokens=48, count_tokens=words
    )
    assert [item.header for item in found] == ["h0", "", "h7\nh19\nh24", ""]
    # One table in another, as a layout table holds one: the outer goes on after the inner has ended.
    nested = loaded(tables=(TableSpan(0, 30, "outer"), TableSpan(3, 6, "inner")))
    (found_in,) = contextualize([node(20, 25)], nested, max_tokens=48, count_tokens=words)
    assert found_in.header == "outer"
