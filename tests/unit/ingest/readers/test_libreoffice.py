import io
import time
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from prism.errors import TooLargeError
from prism.ingest.readers.legacy import read
from prism.ingest.readers.libreoffice import converted, program
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the system does not list processes in /proc"
)
def test_a_libreoffice_that_hangs_is_ended_with_what_it_started(tmp_path):
    office, started = tmp_path / "soffice", tmp_path / "started"
    office.write_text(f"#!/bin/sh\nsleep 60 &\necho $! > {started}\nwait\n")
    office.chmod(0o755)
    file = SourceFile(b"", "d.doc", "d", ReadSettings(timeout_s=1))
    with pytest.raises(TooLargeError, match=r"d\.doc: given up, since LibreOffice took longer than 0\.8 s"):
        converted(file, str(office), ".doc", ".docx")
    child = int(started.read_text())
    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)


def made(kind: str) -> bytes:
    """A small document in the new format of `kind`."""
    buffer = io.BytesIO()
    if kind == "doc":
        document = docx.Document()
        document.add_heading("Leave", 1)
        document.add_paragraph("Fifteen days.")
        document.save(buffer)
    elif kind == "xls":
        book = openpyxl.Workbook()
        for row in (("City", "Fee"), ("Pune", 20)):
            book.active.append(row)
        book.save(buffer)
    else:
        deck = pptx.Presentation()
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = "Leave", "Fifteen days."
        deck.save(buffer)
    return buffer.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(program() is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize(
    ("kind", "words"),
    [("doc", ["Leave", "Fifteen days."]), ("xls", ["Fee", "20"]), ("ppt", ["Leave", "Fifteen days."])],
)
def test_old_files_are_read_through_libreoffice(kind, words):
    settings = ReadSettings(timeout_s=120)
    new = SourceFile(made(kind), f"d.{kind}x", "d", settings)
    old = converted(new, program(), f".{kind}x", f".{kind}")
    loaded = read(SourceFile(old, f"d.{kind}", "d", settings))
    assert [word for word in words if word not in loaded.text] == []
    assert loaded.media_type in (
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
    )
