"""The page, read by parsers: it needs nothing else, its drawings are well-formed, its text is only text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup

from eval.outcome.result import Result
from eval.report.blocks import Paragraph, QuestionDetails, Ranked, Report, Section, Table
from eval.report.build import build_report
from eval.report.page import to_html
from tests.unit.eval.report.drawings import parsed
from tests.unit.eval.report.results import HINDI, ROWS, TAG, make_result, make_row

UNSCORED = [make_row(f"q{place}", unscorable="nowhere", metrics={}, abstained=None) for place in range(3)]
FAILED = make_row(error="no weights", stages={}, ranking=(), timings_ms={}, metrics={"ndcg@10": 0.0})
CASES = {
    "hand-made": [make_result()],
    "two": [make_result(), make_result(name=TAG)],
    "one without a value": [make_result([*ROWS, make_row("q11", metrics={"ndcg@10": None})])],
    "empty": [make_result(())],
    "all unscorable": [make_result(UNSCORED)],
    "all failed": [make_result([FAILED])],
}
# Quality, ranks and latency; unscorable questions have times, failed ones a mean of 0.
DRAWINGS = dict(zip(CASES, (3, 3, 3, 0, 1, 1), strict=True))


def soup_of(results: Sequence[Result]) -> BeautifulSoup:
    return BeautifulSoup(to_html(build_report(results)), "lxml")


def written(*blocks: object) -> BeautifulSoup:
    return BeautifulSoup(to_html(Report("t", (Section("A section", blocks),))), "lxml")  # type: ignore[arg-type]


@pytest.mark.parametrize("results", CASES.values(), ids=CASES.keys())
def test_page_loads_nothing_and_runs_nothing(results: Sequence[Result]) -> None:
    text = to_html(build_report(results))
    soup = BeautifulSoup(text, "lxml")
    loading = ["script", "img", "link", "iframe", "object", "embed", "video", "audio", "image", "use", "base"]
    assert soup.find(loading) is None
    for element in soup.find_all():
        assert not [name for name in element.attrs if name.startswith("on") or name == "src"]
        assert element.get("href", "#").startswith("#")
        for value in element.attrs.values():
            assert all(place.startswith("url(#") for place in re.findall(r"url\([^)]*", str(value)))
    assert "url(" not in soup.style.get_text()
    assert "@import" not in soup.style.get_text()
    policy = soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize("results", CASES.values(), ids=CASES.keys())
def test_no_report_speaks_of_nan(results: Sequence[Result]) -> None:
    soup = soup_of(results)
    attributes = [str(value) for element in soup.find_all() for value in element.attrs.values()]
    shown = " ".join([soup.main.get_text(" "), *attributes])
    assert re.search(r"\b(nan|inf|None)\b", shown) is None


@pytest.mark.parametrize("name", CASES)
def test_drawings_are_well_formed_and_named(name: str) -> None:
    page = to_html(build_report(CASES[name]))
    drawings = re.findall(r'<svg class="plot".*?\n</svg>', page, re.DOTALL)
    assert len(drawings) == DRAWINGS[name]
    for drawing in drawings:
        root = parsed(drawing)
        assert root.attrib["aria-label"]
        assert root.findtext("title")


@pytest.mark.parametrize("name", ["empty", "all unscorable"])
def test_result_without_figures_is_told_in_words(name: str) -> None:
    assert "No question could be scored" in soup_of(CASES[name]).main.get_text()


def test_numbers_of_the_table_are_those_of_the_result() -> None:
    result = make_result()
    summary = result.metrics["ndcg@10"]
    (cells,) = [
        [cell.get_text() for cell in row.find_all("td")]
        for row in soup_of([result]).select("section[aria-labelledby=quality] tbody tr")
        if row.th.get_text() == "nDCG in the first 10"
    ]
    assert cells == [f"{summary.mean:.3f} ({summary.low:.3f} to {summary.high:.3f})", "7/10"]


def test_dataset_text_stays_text() -> None:
    soup = soup_of([make_result()])
    assert soup.find("img") is None
    summaries = [item.get_text() for item in soup.find_all("summary")]
    assert f"0.500 {TAG}" in summaries
    assert f"0.000 {HINDI}" in summaries
    assert soup_of(CASES["two"]).title.get_text().endswith(TAG)


def test_question_tells_its_language_and_marks_gold_in_words() -> None:
    ranking = (Ranked("b", False), Ranked("a", True))
    soup = written(QuestionDetails("0.500", HINDI, "hi", (("gold", "a"),), ranking))
    assert soup.summary.span["lang"] == "hi"
    assert [item.get_text() for item in soup.select(".ranking li")] == ["b", "a ★ gold"]
    assert [item.get("class") for item in soup.select(".ranking li")] == [None, ["gold"]]
    assert "lang" not in written(QuestionDetails("0.500", "q", "", (), ())).summary.span.attrs


def test_table_has_caption_scopes_and_a_box_to_scroll_in() -> None:
    soup = written(Table("Its caption", ("measure", "why", "mean"), (("a", "b", "1"),), text_columns=2))
    assert soup.caption.get_text() == "Its caption"
    assert [cell["scope"] for cell in soup.find_all("th")] == ["col", "col", "col", "row"]
    assert [cell.get("class") for cell in soup.find_all("td")] == [None, ["number"]]
    box = soup.table.parent
    assert (box["class"], box["tabindex"], box["aria-label"]) == (["scroll"], "0", "Its caption")


def test_contents_lead_to_every_section() -> None:
    soup = soup_of([make_result()])
    targets = [link["href"][1:] for link in soup.nav.find_all("a")]
    assert targets == [heading["id"] for heading in soup.find_all("h2")]
    assert len(set(targets)) == len(targets)
    assert [section["aria-labelledby"] for section in soup.find_all("section")] == targets


def test_ids_are_there_once() -> None:
    ids = [element["id"] for element in soup_of(CASES["two"]).find_all(id=True)]
    assert len(ids) == len(set(ids))


def test_headings_skip_no_level() -> None:
    levels = [int(item.name[1]) for item in soup_of(CASES["two"]).find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_warning_stands_out() -> None:
    soup = written(Paragraph("Beware", is_warning=True), Paragraph("Go on"))
    assert [item.get("class") for item in soup.find_all("p")] == [["warning"], None]
