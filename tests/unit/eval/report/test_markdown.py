"""The Markdown, read by an independent parser: structure kept, dataset text only text."""

from __future__ import annotations

from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from eval.report.blocks import (
    Bullets,
    Definitions,
    Figure,
    Heading,
    Paragraph,
    QuestionDetails,
    Ranked,
    Report,
    Section,
    Table,
)
from eval.report.build import build_report
from eval.report.markdown import to_markdown
from tests.unit.eval.report.results import HINDI, TAG, make_result


def seen(markdown: str) -> BeautifulSoup:
    """What a viewer that lets HTML through makes of it."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    return BeautifulSoup(parser.render(markdown), "lxml")


def written(*blocks: object) -> BeautifulSoup:
    return seen(to_markdown(Report("A report", (Section("A section", blocks),))))  # type: ignore[arg-type]


def test_titles_and_headings_have_their_levels() -> None:
    soup = written(Heading("B: other"))
    assert [soup.h1.get_text(), soup.h2.get_text(), soup.h3.get_text()] == [
        "A report",
        "A section",
        "B: other",
    ]


def test_table_keeps_rows_cells_and_alignment() -> None:
    soup = written(Table("Its caption", ("measure", "mean"), (("a|b", "0.5"), ("c\nd", "1"))))
    assert soup.strong.get_text() == "Its caption"
    assert [[cell.get_text() for cell in row.find_all("td")] for row in soup.select("tbody tr")] == [
        ["a|b", "0.5"],
        ["c d", "1"],
    ]
    assert "right" in soup.select("th")[1]["style"]
    assert not soup.select("th")[0].has_attr("style")


def test_lists_definitions_and_warnings_are_what_they_are() -> None:
    soup = written(
        Bullets(("one", "- two")), Paragraph("Beware", True), Definitions((("recall", "the share"),))
    )
    assert [item.get_text() for item in soup.find_all("li")] == ["one", "- two", "recall: the share"]
    assert soup.blockquote.get_text().strip() == "Note. Beware"


def test_drawings_are_left_out() -> None:
    assert "svg" not in to_markdown(Report("t", (Section("s", (Figure("c", "<svg></svg>"),)),)))


def test_question_unfolds_with_its_ranking_marked() -> None:
    ranking = (Ranked("1. first", False), Ranked("a_b", True))
    soup = written(QuestionDetails("0.500", TAG, "", (("gold", "a|b"),), ranking))
    details = soup.details
    assert details.summary.get_text() == f"0.500 {TAG}"
    assert [item.get_text() for item in details.ol.find_all("li")] == ["1. first", "a_b ★ gold"]
    assert details.ul.get_text().strip() == "gold: a|b"


def test_question_without_a_ranking_says_so() -> None:
    assert "Nothing was found." in written(QuestionDetails("0.000", "q", "", (), ())).get_text()


def test_whole_report_holds_no_markup_of_its_dataset() -> None:
    soup = seen(to_markdown(build_report([make_result()])))
    assert soup.find("img") is None
    assert TAG in soup.get_text()
    assert HINDI in soup.get_text()
    for table in soup.find_all("table"):
        assert len({len(row.find_all(["td", "th"])) for row in table.find_all("tr")}) == 1
