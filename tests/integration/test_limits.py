"""Every limit: a refusal that names file, limit, setting and what to do; and the next file comes in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.crash import open_folder

FAULTY_READERS = Path(__file__).parents[1] / "faulty_readers"


def pages(count: int) -> bytes:
    data = io.BytesIO()
    canvas = Canvas(data)
    for number in range(count):
        canvas.drawString(72, 720, f"Page {number} says this.")
        canvas.showPage()
    canvas.save()
    return data.getvalue()


def document(paragraphs: int) -> bytes:
    data, made = io.BytesIO(), docx.Document()
    for number in range(paragraphs):
        made.add_paragraph(f"Rule {number} of the berth book sets the fee at {number * 7919} crowns.")
    made.save(data)
    return data.getvalue()


def bomb(megabytes: int) -> bytes:
    """A document one part of which is packed far better than any text."""
    data = io.BytesIO(document(1))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/zero.bin", bytes(megabytes * 1_000_000))
    return data.getvalue()


LIMITS: dict[str, tuple[str, Callable[[], bytes], dict[str, Any], str, str]] = {
    "size": ("big.txt", lambda: b"word " * 400_000, {"max_file_mb": 1.5}, "1.5 MB", "read.max_file_mb"),
    "pages": ("long.pdf", lambda: pages(12), {"max_pages": 11}, "11", "read.max_pages"),
    "unpacked": ("wide.docx", lambda: document(5_000), {"max_unpacked_mb": 0.5}, "0.5 MB",
                 "read.max_unpacked_mb"),
    "characters": ("much.txt", lambda: b"word " * 1_000, {"max_chars": 4_000}, "4,000", "read.max_chars"),
    "seconds": ("slow.txt", lambda: b"FAULT for_ever", {"timeout_s": 1.0}, "1 s", "read.timeout_s"),
    "memory": ("greedy.txt", lambda: b"FAULT eat_memory", {"memory_mb": 300.0}, "300 MB", "read.memory_mb"),
}  # fmt: skip


@pytest.mark.parametrize("limit", LIMITS)
def test_ing_38_a_file_over_a_limit_is_refused_by_name_and_the_next_one_comes_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.syspath_prepend(FAULTY_READERS)
    name, content, settings, said, setting = LIMITS[limit]
    (folder := tmp_path / "docs").mkdir()
    (folder / name).write_bytes(content())
    (folder / "zz.txt").write_text("The berth fee is 40 crowns.")
    with open_folder(tmp_path / "store", read=settings) as prism:
        refused, taken = prism.ingest(folder).files
        assert (refused.status, taken.status) == ("failed", "added")
        for part in (name, said, f"Raise {setting}", "split the file"):
            assert part in refused.reason, refused.reason
        assert prism.status().consistent


def test_within_its_limits_the_same_file_comes_in(tmp_path: Path) -> None:
    (folder := tmp_path / "docs").mkdir()
    (folder / "long.pdf").write_bytes(pages(12))
    (folder / "wide.docx").write_bytes(document(300))
    (folder / "much.txt").write_bytes(b"word " * 900)
    limits = {"max_pages": 12, "max_unpacked_mb": 5, "max_chars": 50_000, "memory_mb": 300}
    with open_folder(tmp_path / "store", read=limits) as prism:
        assert prism.ingest(folder).count("added") == 3


def test_a_part_packed_like_no_text_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "bomb.docx").write_bytes(bomb(60))
    with open_folder(tmp_path / "store") as prism:
        (refused,) = prism.ingest(tmp_path / "bomb.docx").files
    assert refused.status == "failed"
    assert "word/media/zero.bin unpacks to 60 MB, over 500 times its packed size" in refused.reason


def test_ing_38_eighty_megabytes_of_text_are_over_the_limit_as_it_comes(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("wb") as file:
        for _ in range(80):
            file.write(b"The berth fee is forty crowns.. " * 31_250)
    with open_folder(tmp_path / "store") as prism:
        (refused,) = prism.ingest(tmp_path / "big.txt").files
    assert refused.reason == (
        "big.txt: 80.0 MB is over the limit of 50 MB. Raise read.max_file_mb or split the file."
    )
