"""Text from a dataset stays text: in HTML, in SVG, in Markdown's tables, lists and paragraphs."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt

from eval.wording.escape import as_html, as_markdown, one_line
from tests.unit.eval.report.results import HINDI, TAG

MARKDOWN = MarkdownIt("commonmark").enable("table")
HARD = (
    TAG,
    HINDI,
    "a | b || c",
    "`code` ``more``",
    "line\none\r\ntwo\u2028three",
    "**bold** _it_ __b__ ~~no~~ snake_case_name _lead trail_",
    "[link](http://x) ![img](x) <http://x> <b>",
    "&amp; &lt; &#35; $x$",
    "back\\slash \\| \\",
    "# heading",
    "- item",
    "--- ",
    "+ item",
    "12. item",
    "3) item",
    "0.779",
    "-0.5",
    "> quote",
    "===",
    "1.",
    "+",
)


def paragraph(text: str) -> str:
    """What a reader of the Markdown sees of the text as a paragraph."""
    soup = BeautifulSoup(MARKDOWN.render(as_markdown(text)), "lxml")
    assert {tag.name for tag in soup.find_all()} <= {"html", "body", "p"}
    return soup.get_text().strip()


def cells(text: str) -> list[str]:
    """What a reader sees of a table's row with the text between two words."""
    table = f"| a | b | c |\n|---|---|---|\n| before | {as_markdown(text)} | after |\n"
    soup = BeautifulSoup(MARKDOWN.render(table), "lxml")
    (row,) = soup.select("tbody tr")
    assert all(cell.find() is None for cell in row.find_all("td"))
    return [cell.get_text() for cell in row.find_all("td")]


@pytest.mark.parametrize("text", HARD)
def test_markdown_shows_the_text_as_it_is(text: str) -> None:
    assert paragraph(text) == one_line(text)
    assert cells(text) == ["before", one_line(text), "after"]


@given(st.text(st.sampled_from("|`*_[]<>()#+-=.!~&$\\ \n1aक"), max_size=12))
def test_no_mixture_of_marks_means_anything_to_markdown(text: str) -> None:
    assert paragraph(text) == one_line(text)
    assert cells(text) == ["before", one_line(text), "after"]


def test_numbers_and_names_are_readable_as_they_stand() -> None:
    for plain in ("0.713 (0.690 to 0.740)", "9/10", "retrieval.retrieve_k", "-0.5", "नमूना"):
        assert as_markdown(plain) == plain


@pytest.mark.parametrize("text", [*HARD, "nul\x00 bell\x07", "half \ud800 pair", "quote \" and '"])
def test_html_and_xml_show_the_text_as_it_is(text: str) -> None:
    element = etree.fromstring(f'<t a="{as_html(text)}">{as_html(text)}</t>')
    assert len(element) == 0
    assert (element.text or "") == element.get("a") == one_line(text)
    one_line(text).encode("utf-8")


def test_what_cannot_be_written_is_shown_as_replaced() -> None:
    assert one_line("a\x00b\ud800c\uffffd") == "a\ufffdb\ufffdc\ufffdd"
    assert one_line(" two \n\t lines ") == "two lines"
