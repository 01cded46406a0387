"""Big files: a table of 10,000 rows, a PDF of 500 pages, a text of 80 MB. Each is brought in by a process
of its own with an embedder that counts letters, so that what is measured is Prism's memory and no
model's. (That the text is refused under the default limit: `test_limits.py`.)"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism import Prism
from tests.integration.ingest_measured import open_light, run_measured
from tests.shelf import KEYWORD_ALONE, first

pytestmark = pytest.mark.slow

ROWS = 10_000
CSV_PEAK_MB = 400.0

PAGES = 500
PDF_PEAK_MB = 500.0

TEXT_MB = 80
TEXT_PEAK_MB = 1_200.0
LARGE_LEAVES = {"chunk.leaf_tokens": 2048, "chunk.parent_tokens": [4096, 8192]}
"""Leaves as long as can be: with those of the default size most of the time goes into storing half a million
of them."""


LONG_WORDS = (
    "Administrative responsibilities notwithstanding, internationally recognised organisations "
    "systematically documented extraordinary circumstances throughout representative neighbourhoods. "
)
"""Of the time half goes into keyword tokens, so the words are few and long."""


def brought_in(folder: Path, path: Path, **overlay: Any) -> dict[str, Any]:
    """The report of one file, the peak of the memory in MB, and what progress told."""
    request = folder / "request.json"
    request.write_text(
        json.dumps(
            {"storage": str(folder / "storage"), "sources": [(str(path), path.name)], "overlay": overlay}
        )
    )
    return run_measured(request)


def searched(folder: Path) -> Prism:
    return open_light(folder / "storage", **KEYWORD_ALONE)


def test_ing_05_a_row_among_ten_thousand_is_found_with_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "orders.csv"
    lines = (f"R-{row},Customer {row % 97},{row * 3 % 1000},{row % 28 + 1} May" for row in range(1, ROWS + 1))
    file.write_text("\n".join(("order_id,customer,quantity,delivery_day", *lines)))
    done = brought_in(tmp_path, file)
    assert done["files"][0]["status"] == "added"
    assert done["peak_mb"] < CSV_PEAK_MB
    assert rises(done["leaves"])
    with searched(tmp_path) as prism:
        found = first(prism.retrieve("R-7431", k=1, leaves=True))
    (row,) = (line for line in found.text.splitlines() if "R-7431" in line)
    assert row == "order_id: R-7431; customer: Customer 59; quantity: 293; delivery_day: 12 May"
    assert any("row" in page.label for page in found.pages)


@pytest.fixture(scope="module")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "handbook.pdf"
    canvas = Canvas(str(path))
    for page in range(1, PAGES + 1):
        for line in range(40):
            words = " ".join(f"word{(page * 41 + line * 7 + place) % 5000}" for place in range(10))
            canvas.drawString(72, 760 - 17 * line, f"{words}.")
        canvas.drawString(72, 40, f"The seal of page {page} is K-{page * 17}.")
        canvas.showPage()
    canvas.save()
    return path


def test_ing_38_a_pdf_of_five_hundred_pages_needs_little_memory_and_tells_its_pages(
    long_pdf: Path, tmp_path: Path
) -> None:
    # Reading takes seconds, but a machine that does ten other things must not turn this red.
    done = brought_in(tmp_path, long_pdf, **{"read.timeout_s": 600})
    (report,) = done["files"]
    assert (report["status"], report["page_count"]) == ("added", PAGES), report["reason"]
    assert done["peak_mb"] < PDF_PEAK_MB
    pages = [page for page, _ in done["pages"]]
    assert {total for _, total in done["pages"]} == {PAGES}
    assert rises(pages)
    assert len(set(pages)) > 10
    assert rises(done["leaves"])
    with searched(tmp_path) as prism:
        found = first(prism.retrieve("K-6732", k=1, leaves=True))
        assert [page.sheet for page in found.pages][-1:] == [396]


@pytest.fixture(scope="module")
def long_text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "log.txt"
    with path.open("w") as stream:
        written = 0
        while written < TEXT_MB * 1_000_000:
            written += stream.write(f"Part {written}. {LONG_WORDS * 8}\n\n")
    return path


def test_ing_38_a_text_over_the_default_limit_comes_in_with_bounded_memory_once_it_is_raised(
    long_text: Path, tmp_path: Path
) -> None:
    done = brought_in(tmp_path, long_text, **{"read.max_file_mb": 100, "read.timeout_s": 600, **LARGE_LEAVES})
    (report,) = done["files"]
    assert report["status"] == "added", report["reason"]
    assert report["chunks"] > 4_000
    assert done["peak_mb"] < TEXT_PEAK_MB
    assert rises(done["leaves"])


def rises(numbers: list[int]) -> bool:
    """Whether progress moves, and never back."""
    return len(set(numbers)) > 2 and numbers == sorted(numbers)
