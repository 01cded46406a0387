import os

import pytest

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.clean import clean
from prism.ingest.load import load
from prism.settings import ReadSettings
from prism.types import Source

SETTINGS = ReadSettings()


def read(tmp_path, name: str, data: bytes, settings=SETTINGS):
    path = tmp_path / "stored"
    path.write_bytes(data)
    return load(Source(path, name), settings)


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.txt", b""), ("a.md", b" \n\t \n"), ("a.csv", b"\xef\xbb\xbf"), ("a.pdf", b""), ("a.html", b"")],
)
def test_ing_08_empty_files_give_an_empty_text(tmp_path, name, data):
    assert clean(read(tmp_path, name, data)).text == ""


def test_ing_25_a_nul_in_a_text_file_is_stripped(tmp_path):
    loaded = read(tmp_path, "a.txt", b"ab\x00cd total 900")
    assert loaded.text == "abcd total 900"
    assert "1 character was removed" in loaded.warnings[0]


def test_a_file_over_the_limit_is_refused_with_limit_and_setting(tmp_path):
    with pytest.raises(
        TooLargeError, match=r"big\.txt: 2\.0 MB is over the limit of 1 MB.*read\.max_file_mb"
    ):
        read(tmp_path, "big.txt", b"x" * 2_000_000, ReadSettings(max_file_mb=1))


def test_a_missing_file_is_a_plain_error(tmp_path):
    with pytest.raises(UnreadableError, match=r"gone\.txt"):
        load(Source(tmp_path / "gone", "gone.txt"), SETTINGS)


def test_a_pipe_is_never_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableError, match="not a regular file"):
        load(Source(tmp_path / "pipe", "pipe.txt"), SETTINGS)


def test_the_title_is_the_name_without_its_ending(tmp_path):
    assert read(tmp_path, "sub/Leave policy.txt", b"x").title == "Leave policy"
