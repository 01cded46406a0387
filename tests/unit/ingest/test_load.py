import io
import os
import zipfile

import pytest

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.clean import clean
from prism.ingest.load import load, read
from prism.settings import ReadSettings
from prism.types import Source

SETTINGS = ReadSettings()


def read_in(tmp_path, name: str, data: bytes, settings=SETTINGS):
    path = tmp_path / "stored"
    path.write_bytes(data)
    source = Source(path, name)
    return load(source, read(source, settings), settings)


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.txt", b""), ("a.md", b" \n\t \n"), ("a.csv", b"\xef\xbb\xbf"), ("a.pdf", b""), ("a.html", b"")],
)
def test_ing_08_empty_files_give_an_empty_text(tmp_path, name, data):
    assert clean(read_in(tmp_path, name, data)).text == ""


def test_ing_25_a_nul_in_a_text_file_is_stripped(tmp_path):
    loaded = read_in(tmp_path, "a.txt", b"ab\x00cd total 900")
    assert loaded.text == "abcd total 900"
    assert "1 character was removed" in loaded.warnings[0]


def test_a_file_over_the_limit_is_refused_with_limit_and_setting(tmp_path):
    with pytest.raises(
        TooLargeError, match=r"big\.txt: 2\.0 MB is over the limit of 1 MB.*read\.max_file_mb"
    ):
        read_in(tmp_path, "big.txt", b"x" * 2_000_000, ReadSettings(max_file_mb=1))


def test_a_missing_file_is_a_plain_error(tmp_path):
    with pytest.raises(UnreadableError, match=r"gone\.txt"):
        read(Source(tmp_path / "gone", "gone.txt"), SETTINGS)


def test_a_pipe_is_never_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableError, match="not a regular file"):
        read(Source(tmp_path / "pipe", "pipe.txt"), SETTINGS)


def test_the_title_is_the_name_without_its_ending(tmp_path):
    assert read_in(tmp_path, "sub/Leave policy.txt", b"x").title == "Leave policy"


def test_ing_38_eighty_megabytes_are_refused_by_default_without_being_read(tmp_path, monkeypatch):
    path = tmp_path / "big.txt"
    with path.open("wb") as file:
        file.truncate(80_000_000)
    monkeypatch.setattr("pathlib.Path.open", lambda *_: pytest.fail("the file was opened"))
    with pytest.raises(TooLargeError, match=r"big\.txt: 80\.0 MB is over the limit of 50 MB"):
        read(Source(path, "big.txt"), SETTINGS)


def test_ing_38_a_file_that_grows_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "log.txt"
    path.write_bytes(b"x" * 1000)
    opened = type(path).open

    def grown(self, mode):
        with opened(self, "ab") as file:
            file.write(b"y" * 2_000_000)
        return opened(self, mode)

    monkeypatch.setattr("pathlib.Path.open", grown)
    with pytest.raises(TooLargeError, match=r"log\.txt: 1\.0 MB is over the limit of 1 MB"):
        read(Source(path, "log.txt"), ReadSettings(max_file_mb=1))


def test_a_document_nested_beyond_all_measure_is_damaged(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "<a>" * 20_000 + "</a>" * 20_000)
    with pytest.raises(UnreadableError, match=r"deep\.docx: damaged \(nested"):
        read_in(tmp_path, "deep.docx", packed.getvalue())
