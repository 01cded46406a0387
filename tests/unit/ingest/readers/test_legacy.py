import shutil
import struct

import pytest

from prism.errors import UnreadableError, UnsupportedError
from prism.ingest.kinds import Kind, kind_of
from prism.ingest.readers.legacy import read
from prism.ingest.readers.protocol import SourceFile
from tests.unit.ingest.readers.compound import compound_file

WORD = b"\xec\xa5\xc1\x00" + bytes(7)
"""A Word document's first bytes, up to the byte that says whether it is encrypted."""


def record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def old(name: str, streams: dict) -> SourceFile:
    return SourceFile(
        compound_file({stream: data.ljust(64, b"\0") for stream, data in streams.items()}), name, "d"
    )


FILES = [
    ("d.doc", {"WordDocument": WORD + b"\x00"}, "Word", ".docx"),
    ("d.xls", {"Workbook": record(0x0809, bytes(16)) + record(0x000A)}, "Excel", ".xlsx"),
    (
        "d.ppt",
        {"PowerPoint Document": b"", "Current User": bytes(12) + b"\x5f\xc0\x91\xe3"},
        "PowerPoint",
        ".pptx",
    ),
]


@pytest.mark.parametrize(("name", "streams", "program", "ending"), FILES)
def test_without_libreoffice_old_files_are_refused_with_what_to_do(
    name, streams, program, ending, monkeypatch, tmp_path
):
    monkeypatch.setenv("PATH", str(tmp_path))
    if shutil.which("/Applications/LibreOffice.app/Contents/MacOS/soffice"):
        pytest.skip("LibreOffice is installed outside the PATH")
    with pytest.raises(UnsupportedError) as refusal:
        read(old(name, streams))
    says = f"{name}: an old {program} file. Install LibreOffice, or save it as {ending}."
    assert str(refusal.value) == says


@pytest.mark.parametrize(
    ("name", "streams"),
    [
        ("d.doc", {"WordDocument": WORD + b"\x01"}),
        ("d.xls", {"Workbook": record(0x0809, bytes(16)) + record(0x002F, bytes(54)) + record(0x000A)}),
        ("d.xls", {"Book": record(0x0809, bytes(8)) + record(0x002F, bytes(4))}),
        ("d.ppt", {"PowerPoint Document": b"", "Current User": bytes(12) + b"\xdf\xc4\xd1\xf3"}),
    ],
)
def test_an_encrypted_old_file_is_password_protected(name, streams):
    with pytest.raises(UnreadableError, match=rf"{name}: password protected"):
        read(old(name, streams))


def test_a_file_that_libreoffice_cannot_open_is_damaged(monkeypatch, tmp_path):
    office = tmp_path / "soffice"
    office.write_text("#!/bin/sh\necho 'Error: source file could not be loaded'\n")
    office.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    file = old("d.doc", {"WordDocument": WORD + b"\x00"})
    assert kind_of(file.data, file.name) is Kind.DOC
    with pytest.raises(UnreadableError, match=r"d\.doc: damaged, or password protected"):
        read(file)
