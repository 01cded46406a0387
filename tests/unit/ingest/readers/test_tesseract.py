import os
from pathlib import Path

import pytest
from PIL import Image

from prism.ingest.readers.tesseract import (
    RecognitionError,
    TookTooLongError,
    find_tesseract,
    orientation,
    package_of,
    read_words,
)
from tests.scans import needs_tesseract, picture_of

STAND_IN = """#!/bin/sh
case "$1" in
--version) echo "tesseract 9.9" ;;
--list-langs) printf 'List of available languages in "%s" (1):\\neng\\n' "$DATA" ;;
*) {} ;;
esac
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A program of the name on the PATH that does what it is told."""

    def made(does: str) -> Path:
        program = tmp_path / "tesseract"
        program.write_text(STAND_IN.format(does))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
        monkeypatch.setenv("DATA", str(tmp_path / "data"))
        return program

    (tmp_path / "data").mkdir()
    return made


def test_without_the_program_there_is_none(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_tesseract() is None


def test_a_program_that_does_not_run_is_none(stand_in):
    program = stand_in("exit 1")
    program.write_text("#!/bin/sh\nexit 3\n")
    assert find_tesseract() is None


def test_a_language_installed_meanwhile_is_known(stand_in, tmp_path):
    program = stand_in("exit 1")
    found = find_tesseract()
    assert found is not None
    assert (found.version, found.languages) == ("9.9", {"eng"})
    program.write_text(program.read_text().replace("\\neng", "\\neng\\nhin"))
    assert find_tesseract() is found  # asked once
    os.utime(tmp_path / "data", (1, 1))
    again = find_tesseract()
    assert again is not None
    assert again.languages == {"eng", "hin"}


def test_a_recognition_that_takes_too_long_is_ended(stand_in):
    stand_in("exec sleep 60")
    found = find_tesseract()
    assert found is not None
    with pytest.raises(TookTooLongError):
        read_words(found, Image.new("L", (10, 10)), ("eng",), 0.3)


def test_a_recognition_that_fails_is_told(stand_in):
    stand_in("exit 7")
    found = find_tesseract()
    assert found is not None
    with pytest.raises(RecognitionError, match="ended with 7"):
        read_words(found, Image.new("L", (10, 10)), ("eng",), 5)


def test_a_program_that_reads_nothing_and_says_much_does_no_harm(stand_in):
    stand_in("head -c 100000 /dev/zero >&2; echo 5")
    found = find_tesseract()
    assert found is not None
    assert read_words(found, Image.new("L", (3000, 3000)), ("eng",), 5) == []


@pytest.mark.parametrize(
    ("language", "package"),
    [("hin", "tesseract-ocr-hin"), ("chi_sim", "tesseract-ocr-chi-sim"),
     ("script/Devanagari", "tesseract-ocr-script-devanagari")],
)  # fmt: skip
def test_a_language_has_a_package(language, package):
    assert package_of(language) == package


@needs_tesseract
def test_words_come_with_their_places():
    found = find_tesseract()
    assert found is not None
    words = read_words(found, picture_of(["Wharf rates rise", "on Monday"]), ("eng",), 30)
    assert [word.text for word in words] == ["Wharf", "rates", "rise", "on", "Monday"]
    first, last = words[0], words[-1]
    assert 95 <= first.left <= 110
    assert 100 <= first.top < first.bottom <= 160
    assert first.line != last.line
    assert last.top > first.bottom


@needs_tesseract
def test_too_few_letters_have_no_orientation():
    found = find_tesseract()
    assert found is not None
    assert orientation(found, picture_of(["a"]), 30) == (0, 0.0)


def test_arguments_are_never_a_shell_command(stand_in, tmp_path):
    stand_in('echo "$@" > "$DATA/said"')
    found = find_tesseract()
    assert found is not None
    read_words(found, Image.new("L", (4, 4)), ("eng", "$(touch x)"), 5)
    assert (tmp_path / "data" / "said").read_text().strip() == "stdin stdout -l eng+$(touch x) tsv"
