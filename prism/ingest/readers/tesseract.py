"""Tesseract, the program that recognizes text in pictures: whether it is here, which languages it reads, and
reading one picture with it.

It runs as a process of its own, so that a picture it stumbles over costs that picture and no more.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

PROGRAM = "tesseract"
ORIENTATION_DATA = "osd"
DEBIAN_PACKAGE = "tesseract-ocr"

_LIST_TIMEOUT_S = 20.0
_LANGUAGES_IN = re.compile(r'^List of available languages in "(.*)" \(\d+\):$')
_WORD_LEVEL = "5"
_TSV_COLUMNS = 12
_ROTATE = re.compile(r"^Rotate: (\d+)$", re.M)
_SURENESS = re.compile(r"^Orientation confidence: ([\d.]+)$", re.M)


class RecognitionError(Exception):
    """Tesseract could not read one picture; the message says why, as the end of a sentence."""


class TookTooLongError(RecognitionError):
    """The time that was given is up."""


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program that is installed. `languages` are those it has data for; `data` is where they lie and
    `stamp` when that folder was last changed."""

    program: str
    version: str
    languages: frozenset[str]
    data: str
    stamp: int


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word as recognized. `confidence` is Tesseract's, 0 to 100; `line` says in which block, paragraph and
    line it stands; places in pixels from the picture's top left."""

    text: str
    confidence: float
    line: tuple[int, int, int]
    left: int
    top: int
    right: int
    bottom: int


_found: dict[str, Tesseract] = {}


def find_tesseract() -> Tesseract | None:
    """The program on the PATH, None where there is none. Asked for its languages once, and again when its
    data folder changes: somebody may install a language while Prism runs."""
    program = shutil.which(PROGRAM)
    if program is None:
        return None
    known = _found.get(program)
    if known is None or known.stamp != _changed(known.data):
        known = _look_at(program)
        if known is not None:
            _found[program] = known
    return known


def package_of(language: str) -> str:
    """The Debian package with a language's data."""
    return f"{DEBIAN_PACKAGE}-{language.lower().replace('_', '-').replace('/', '-')}"


def read_words(
    found: Tesseract,
    picture: Image.Image,
    languages: Sequence[str],
    timeout_s: float,
    *,
    scattered: bool = False,
) -> list[ReadWord]:
    """The words of a grey picture in Tesseract's reading order; `scattered`: not as a page with columns and
    paragraphs, but wherever some stand. Raises `RecognitionError`."""
    how = ("--psm", "11") if scattered else ()
    return list(_words(_run(found, picture, (*how, "-l", "+".join(languages), "tsv"), timeout_s)))


def orientation(found: Tesseract, picture: Image.Image, timeout_s: float) -> tuple[int, float]:
    """By how many degrees a picture is to be turned clockwise to stand upright, and how sure that is (over 1
    is likely, 15 certain; 0 when it cannot be told). Raises `RecognitionError` when it takes too long."""
    if ORIENTATION_DATA not in found.languages:
        return 0, 0.0
    try:
        said = _run(found, picture, ("--psm", "0", "-l", ORIENTATION_DATA), timeout_s)
    except _FailedError:  # too few letters to tell
        return 0, 0.0
    turn, sure = _ROTATE.search(said), _SURENESS.search(said)
    return (int(turn[1]), float(sure[1])) if turn and sure else (0, 0.0)


class _FailedError(RecognitionError):
    """Tesseract ended with an error."""


def _look_at(program: str) -> Tesseract | None:
    """What a program says of itself; None when it does not run."""
    try:
        version = _said(program, "--version").split("\n", 1)[0].removeprefix(PROGRAM).strip()
        first, *languages = _said(program, "--list-langs").strip().splitlines()
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    place = _LANGUAGES_IN.match(first)
    data = place[1] if place else ""
    return Tesseract(program, version, frozenset(map(str.strip, languages)), data, _changed(data))


def _said(program: str, argument: str) -> str:
    ran = subprocess.run(  # noqa: S603
        [program, argument], capture_output=True, timeout=_LIST_TIMEOUT_S, check=True, text=True
    )
    return ran.stdout or ran.stderr  # version 3 wrote both to stderr


def _changed(data: str) -> int:
    try:
        return Path(data).stat().st_mtime_ns
    except OSError:
        return 0


def _run(found: Tesseract, picture: Image.Image, arguments: Collection[str], timeout_s: float) -> str:
    # Tesseract's own threads make it slower on few cores; pages are read side by side instead.
    environment = os.environ | {"OMP_THREAD_LIMIT": "1"}
    head = f"P5 {picture.width} {picture.height} 255\n".encode()
    try:
        ran = subprocess.run(  # noqa: S603
            [found.program, "stdin", "stdout", *arguments],
            input=head + picture.tobytes(),
            capture_output=True,
            timeout=timeout_s,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TookTooLongError from None
    except OSError as error:
        raise RecognitionError(f"text recognition could not be run ({error.strerror})") from None
    if ran.returncode:
        raise _FailedError(f"text recognition failed (Tesseract ended with {ran.returncode})")
    return ran.stdout.decode("utf-8", "replace")


def _words(tsv: str) -> Iterator[ReadWord]:
    for row in tsv.split("\n")[1:]:
        level, _, block, paragraph, line, _, left, top, width, height, confidence, text = (
            [*row.split("\t"), *[""] * _TSV_COLUMNS][:_TSV_COLUMNS]
        )  # fmt: skip
        if level == _WORD_LEVEL and text.strip():
            yield ReadWord(
                text.strip(),
                max(float(confidence), 0.0),
                (int(block), int(paragraph), int(line)),
                int(left),
                int(top),
                int(left) + int(width),
                int(top) + int(height),
            )
