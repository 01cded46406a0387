"""Every file of `$PRISM_DATA/realfiles` in one batch, and what a person may expect of it afterwards.

82 files. A file ends as its flags in the manifest say (`expected_end`); 44 have strings that must be
found in their text and by words alone, 3 more have some once Tesseract has read them. No string is
excepted. Two files end otherwise than their flags say (`EXCEPTIONS`, each with its reason); without
LibreOffice the three of old Office are refused, without Tesseract the scans and pictures. Nodes under
every strategy: `test_chunking_realfiles.py`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prism import Prism
from prism.types import FileStatus
from tests.integration.ingest_measured import open_light, run_measured
from tests.shelf import KEYWORD_ALONE

DATA = Path(os.environ.get("PRISM_DATA", "")) / "realfiles"
pytestmark = [
    pytest.mark.skipif("PRISM_DATA" not in os.environ, reason="PRISM_DATA is not set"),
    pytest.mark.slow,
]

FILES, WITH_EXPECTATION = 82, 44
SECONDS_A_FILE = 60.0
PEAK_MB = 1500.0

HAS_TESSERACT = shutil.which("tesseract") is not None
HAS_LIBREOFFICE = shutil.which("soffice") is not None or shutil.which("libreoffice") is not None
OLD_OFFICE = (".doc", ".xls", ".ppt")

Ends = tuple[tuple[FileStatus, ...], str]
"""The statuses a file may end with, and a pattern for the reason given, or the warning of a file added."""

OTHER_LANGUAGES = "Tesseract looks for English and Hindi by default (read.ocr_languages), and finds neither"
EXCEPTIONS: dict[str, tuple[Ends, str]] = {
    "chi_sim_image.jpeg": ((("failed",), r"no readable text"), OTHER_LANGUAGES),
    "jpn-vert.jpeg": ((("failed",), r"no readable text"), OTHER_LANGUAGES),
}
"""How files end whose flags say otherwise, and why."""

LONGEST_LABEL = 80
WIDER_CHARS = 600
"""How far around a leaf found a person looks for the words: about a leaf to either side."""


@dataclass(frozen=True)
class Entry:
    """A row of the manifest."""

    file: str
    flags: str
    expect: tuple[str, ...]
    expect_ocr: tuple[str, ...]

    @property
    def path(self) -> Path:
        return DATA / self.file

    @property
    def password(self) -> str | None:
        password = self.flags.partition("password:")[2]
        return password if password not in ("", "unknown") else None


def entries() -> tuple[Entry, ...]:
    rows = map(json.loads, (DATA / "manifest.jsonl").read_text(encoding="utf-8").splitlines())
    return tuple(
        Entry(row["file"], row["flags"], tuple(row["expect"]), tuple(row.get("expect_ocr", ())))
        for row in rows
    )


def expected_end(entry: Entry) -> Ends:
    """How a file ends at its first coming, without a password."""
    ending = entry.path.suffix.lower()
    if entry.flags == "needs_ocr" and not HAS_TESSERACT:
        return ("failed",), r"Tesseract"
    if entry.file in EXCEPTIONS:
        return EXCEPTIONS[entry.file][0]
    if "password" in entry.flags:
        return ("failed",), r"password protected"
    if entry.flags == "empty":
        return ("skipped",), r"empty"
    if entry.flags == "encrypted":
        return ("added",), r"encrypted: only its headers were read"
    if entry.flags == "odd":  # no text, no picture
        return ("failed",), r"no readable text"
    if entry.flags == "malformed" and not entry.expect:
        return ("added", "failed"), r""
    if ending in OLD_OFFICE and not HAS_LIBREOFFICE:
        return ("failed",), r"LibreOffice"
    return ("added",), r""


@dataclass(frozen=True)
class Cabinet:
    """All files brought in, without passwords (`first`) and then, those that have one, with it (`second`)."""

    prism: Prism
    first: dict[str, dict[str, Any]]
    second: dict[str, dict[str, Any]]
    peak_mb: float


@pytest.fixture(scope="module")
def cabinet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cabinet]:
    folder = tmp_path_factory.mktemp("cabinet")
    storage = folder / "storage"
    first = measured(folder, storage, entries())
    second: dict[str, dict[str, Any]] = {}
    for entry in entries():
        if entry.password is not None:
            second |= files_of(measured(folder, storage, (entry,), password=entry.password))
    with open_light(storage, **KEYWORD_ALONE, **{"retrieval.retrieve_k": 1000}) as prism:
        yield Cabinet(prism, files_of(first), second, first["peak_mb"])


def measured(folder: Path, storage: Path, wanted: tuple[Entry, ...], **options: str) -> dict[str, Any]:
    """One batch in a process of its own, whose memory is measured."""
    request = folder / "request.json"
    request.write_text(
        json.dumps(
            {
                "storage": str(storage),
                "sources": [(str(entry.path), entry.file) for entry in wanted],
                "options": options,
            }
        )
    )
    return run_measured(request)


def files_of(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {file["document"]: file for file in answer["files"]}


def stored(prism: Prism, name: str) -> str:
    """A document's whole stored text."""
    info = prism.document(name)
    return prism._storage.catalogue.text(info.document_id, info.generation)


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_cabinet_is_whole() -> None:
    assert len(entries()) == FILES
    assert sum(bool(entry.expect) for entry in entries()) == WITH_EXPECTATION


def test_every_file_ends_as_its_flags_say_for_a_reason_a_person_understands(cabinet: Cabinet) -> None:
    wrong = {}
    for entry in entries():
        report = cabinet.first[entry.file]
        statuses, pattern = expected_end(entry)
        said = " ".join((report["reason"], *report["warnings"]))
        if report["status"] not in statuses or not re.search(pattern, said):
            wrong[entry.file] = (report["status"], said)
    assert wrong == {}


def test_no_reason_names_a_class_a_path_or_a_stack(cabinet: Cabinet) -> None:
    said = {
        name: text
        for name, report in cabinet.first.items()
        for text in (report["reason"], *report["warnings"])
        if re.search(r"\w(?:Error|Exception)\b|Traceback|0x[0-9a-f]{6,}|unexpected|/realfiles/", text)
        or (report["status"] == "failed" and name not in report["reason"])
        or (report["status"] == "failed" and not report["reason"].endswith("."))
    }
    assert said == {}


def test_no_file_takes_long_and_all_of_them_little_memory(cabinet: Cabinet) -> None:
    slow = {name: file["seconds"] for name, file in cabinet.first.items() if file["seconds"] > SECONDS_A_FILE}
    assert slow == {}
    assert cabinet.peak_mb < PEAK_MB


def test_a_locked_file_opens_with_its_password(cabinet: Cabinet) -> None:
    locked = {entry.file for entry in entries() if entry.password is not None}
    assert locked
    assert {name: cabinet.first[name]["status"] for name in locked} == dict.fromkeys(locked, "failed")
    assert {name: cabinet.second[name]["status"] for name in locked} == dict.fromkeys(locked, "added")


def strings() -> Iterator[tuple[Entry, str]]:
    for entry in entries():
        for text in (*entry.expect, *(entry.expect_ocr if HAS_TESSERACT else ())):
            yield entry, text


def test_what_must_stand_in_a_file_stands_in_its_stored_text(cabinet: Cabinet) -> None:
    missing = [
        (entry.file, text)
        for entry, text in strings()
        if in_one_line(text) not in in_one_line(stored(cabinet.prism, entry.file))
    ]
    assert missing == []


def test_what_must_stand_in_a_file_is_found_there_by_words_alone(cabinet: Cabinet) -> None:
    lost = []
    for entry, text in strings():
        found = cabinet.prism.retrieve(text, k=1000, leaves=True).passages
        here = [passage for passage in found if passage.document == entry.file]
        whole = stored(cabinet.prism, entry.file)
        around = (whole[max(0, leaf.start - WIDER_CHARS) : leaf.end + WIDER_CHARS] for leaf in here)
        if not any(in_one_line(text) in in_one_line(part) for part in around):
            lost.append((entry.file, text, len(found), len(here)))
    assert lost == []


@pytest.mark.skipif(not HAS_TESSERACT, reason="Tesseract is not installed")
def test_what_stands_in_a_scan_is_found_with_tesseract(cabinet: Cabinet) -> None:
    scans = [entry for entry in entries() if entry.expect_ocr]
    assert len(scans) == 3
    for entry in scans:
        assert all(text in in_one_line(stored(cabinet.prism, entry.file)) for text in entry.expect_ocr)


def test_every_passage_names_pages_that_a_reader_can_open(cabinet: Cabinet) -> None:
    wrong = []
    for info in cabinet.prism.documents():
        if info.status != "active":
            continue
        spans = cabinet.prism._storage.catalogue.pages(info.document_id, info.generation)
        for span in spans:
            label = span.label
            if not (label.strip() == label and 0 < len(label) <= LONGEST_LABEL and label.isprintable()):
                wrong.append((info.document, span))
        sheets = {span.sheet for span in spans}
        if sheets != set(range(1, info.page_count + 1)):
            wrong.append((info.document, sorted(sheets), info.page_count))
    assert wrong == []


def test_every_stored_node_is_its_text(cabinet: Cabinet) -> None:
    nodes = 0
    for info in cabinet.prism.documents():
        if info.status != "active":
            continue
        text = stored(cabinet.prism, info.document)
        generations = {info.document_id: info.generation}
        store = cabinet.prism._storage.catalogue.nodes
        for level in range(1 + len(cabinet.prism.settings.chunk.parent_tokens)):
            for item in store.get(store.node_ids(generations, level), generations).values():
                assert text[item.node.start : item.node.end] == item.node.text
                nodes += 1
    assert nodes > 4000
