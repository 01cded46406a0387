"""Real files through load and clean: the RBI circulars and a cabinet of awkward files (PRISM_DATA)."""

import json
import os
import time
from pathlib import Path

import pytest

from prism.errors import SourceError
from prism.ingest.clean import clean
from prism.ingest.load import load, read
from prism.settings import ReadSettings
from prism.types import Source, SourceText

DATA = os.environ.get("PRISM_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="PRISM_DATA is not set")

READABLE = (".pdf", ".txt", ".md", ".csv", ".html", ".docx")
SECONDS_FOR_ALL_CIRCULARS = 60


def read_in(path: Path) -> SourceText:
    source, settings = Source(path, path.name), ReadSettings()
    return clean(load(source, read(source, settings), settings))


def files(folder: str) -> list[Path]:
    return sorted((Path(DATA or "") / folder).iterdir())


def real_files() -> list[dict]:
    lines = (Path(DATA or "") / "realfiles" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["ext"].lower() in READABLE]


def assert_structure_holds(loaded: SourceText) -> None:
    assert [page.sheet for page in loaded.pages] == sorted(page.sheet for page in loaded.pages)
    spans = [(span.start, span.end) for span in (*loaded.pages, *loaded.tables)]
    assert all(0 <= start <= end <= len(loaded.text) for start, end in spans)
    assert all(a.end <= b.start for a, b in zip(loaded.pages, loaded.pages[1:], strict=False))
    for section in loaded.sections:
        assert loaded.text[section.start :].startswith(section.path[-1][:10])
    assert not set("\x00\x02\ufeff\xa0") & set(loaded.text)


def test_every_circular_is_read_in_time_with_its_structure():
    started = time.monotonic()
    circulars = [path for path in files("rbi_circulars/pdfs") if path.suffix.lower() == ".pdf"]
    for path in circulars:
        loaded = read_in(path)
        assert len(loaded.text) > 1000, path.name
        assert_structure_holds(loaded)
    assert len(circulars) == 27
    assert time.monotonic() - started < SECONDS_FOR_ALL_CIRCULARS


def test_sentences_of_a_circular_are_whole_and_its_contents_table_is_rows():
    text = read_in(Path(DATA) / "rbi_circulars/pdfs/07MC0104202508D52A1219FA468D864D393D72C3CC4B.PDF").text
    assert (
        "4 | Calendar of Reviews – Matters to be placed before the Board of Directors | 8\n"
        "5 | Donations to trusts and institutions where directors or their relatives hold position or are "
        "interested | 8-9\n"
    ) in text
    assert "ensured that all circulars and other material relating to policies issued by the RBI are" in text
    assert "- 4 -" not in text


def test_every_real_file_is_read_with_its_expected_words_or_refused_plainly():
    missing: dict[str, object] = {}
    for entry in real_files():
        path = Path(DATA) / "realfiles" / entry["file"]
        try:
            loaded = read_in(path)
        except SourceError as error:
            may_fail = "password" in entry["flags"] or "needs_ocr" in entry["flags"] or not entry["expect"]
            if not may_fail or entry["file"] not in str(error):
                missing[entry["file"]] = str(error)
            continue
        assert_structure_holds(loaded)
        words = " ".join(loaded.text.split())
        absent = [expected for expected in entry["expect"] if expected not in words]
        if absent:
            missing[entry["file"]] = absent
    assert missing == {}
