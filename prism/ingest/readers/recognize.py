"""Text recognition (OCR) of one picture of a page: turned upright, read, and freed of what is only debris.

Thresholds are by measure (docs/reading.md): lines of a clean scan have a confidence of 88 to 97, of a bad
copy 50 to 90; what Tesseract makes of a script it has no data for, of a page on its side, or of a photograph
stays below 50, but for single lines.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import regex
from PIL import Image, ImageChops, ImageFilter, ImageStat

from prism.errors import UnreadableError
from prism.ingest.readers.recognized_page import PageState, RecognizedLine, RecognizedPage
from prism.ingest.readers.skew import straightening
from prism.ingest.readers.tesseract import (
    DEBIAN_PACKAGE,
    ReadWord,
    RecognitionError,
    Tesseract,
    TookTooLongError,
    find_tesseract,
    orientation,
    package_of,
    read_words,
)
from prism.settings import ReadSettings

_SURE = 80.0
"""A page that reads with this confidence stands upright: no need to look."""

_MIN_PAGE = 60.0
_MIN_LINE = 50.0
_MIN_SHORT_LINE = 70.0
_SHORT_CHARS = 3
_MIN_MARK = 60.0
_MIN_SIGN_LINE = 85.0
_MIN_SIGN_LETTERS = 8
_MAX_LOST_SHARE = 0.15
_MIN_TURN_SURENESS = 2.0
_LONG_WORD = 4
_AS_MUCH = 0.9
"""Set straight, a page may lose a word at its edge; a picture that was straight loses more."""

_MIN_GRAIN = 5.0
"""Grey levels by which a dot differs from its neighbours on the mean; a clean scan has under 1."""
_MIN_TURN_CHARS = 30
"""A photograph is taken for a few letters; a page on its side for many."""

_DEVANAGARI_DIGITS = {0x0966 + digit: str(digit) for digit in range(10)} | {0x0964: "|"}
_DEVANAGARI_LETTER = regex.compile(r"[\p{Script=Deva}&&\p{L}]", regex.V1)
_LATIN = regex.compile(r"\p{Script=Latin}")


@dataclass(frozen=True, slots=True)
class Recognizer:
    """Text recognition under the settings. `tesseract` is None where it cannot or must not run, `obstacle`
    says why and what to do; `missing` are languages set that are not installed."""

    tesseract: Tesseract | None
    languages: tuple[str, ...]
    missing: tuple[str, ...]
    timeout_s: float
    obstacle: str = ""

    @property
    def signature(self) -> str:
        """Changes when what could not be read may be readable; empty where nothing is recognized."""
        if self.tesseract is None:
            return ""
        return f"tesseract {self.tesseract.version} {'+'.join(self.languages)} {self.timeout_s:g} s"

    @property
    def lacking(self) -> str:
        """A warning about languages that are set and not installed; empty where there are none."""
        if not self.missing or self.tesseract is None:
            return ""
        packages = " ".join(map(package_of, self.missing))
        return f"text recognition has no data for {', '.join(self.missing)} (Debian: {packages})"

    def read(self, picture: Image.Image) -> RecognizedPage:
        """Read one grey picture of a page. What cannot be read is said in the page's state."""
        assert self.tesseract is not None, "asked only where it can run"  # noqa: S101
        attempts = _Attempts(self.tesseract, self.languages, self.timeout_s)
        try:
            page = _judged(*_best(attempts, picture), picture)
            if degrees := straightening(picture):
                straight = picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)
                level = _judged(*_best(attempts, straight), straight)
                if _page_chars(level) > _AS_MUCH * _page_chars(page):
                    page = replace(level, straightened=degrees)
            if page.state in ("blank", "unsure") and _is_grainy(picture):
                smooth = picture.filter(ImageFilter.MedianFilter(3))
                page = _judged(*_best(attempts, smooth), smooth)
            return _signs(attempts, picture) if page.state == "unsure" else page
        except TookTooLongError:
            reason = f"text recognition took over {self.timeout_s:g} s (read.ocr_timeout_s)"
            return RecognizedPage("failed", (), picture.width, picture.height, reason=reason)
        except RecognitionError as error:
            return RecognizedPage("failed", (), picture.width, picture.height, reason=str(error))


class _Attempts:
    """Reads of one page, which have its time together."""

    def __init__(self, tesseract: Tesseract, languages: Sequence[str], timeout_s: float) -> None:
        self._tesseract = tesseract
        self._languages = languages
        self._deadline = time.monotonic() + timeout_s

    def words(self, picture: Image.Image, *, scattered: bool = False) -> list[ReadWord]:
        """Words of the picture as given. Raises `RecognitionError`, also when the time is up."""
        return read_words(self._tesseract, picture, self._languages, self._time_left(), scattered=scattered)

    def orientation(self, picture: Image.Image) -> tuple[int, float]:
        """By how much to turn it and how sure that is. Raises as `words`."""
        return orientation(self._tesseract, picture, self._time_left())

    def _time_left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TookTooLongError
        return left


def _best(attempts: _Attempts, picture: Image.Image) -> tuple[list[ReadWord], int]:
    """The words as they read best, and by how many degrees the picture was turned for it."""
    upright = attempts.words(picture)
    if not upright or (_confidence(upright) >= _SURE and not _run_down(upright)):
        return upright, 0
    best, best_turn = upright, 0
    for tried in _turns(attempts, picture, upright):
        words = attempts.words(_turned(picture, tried))
        if _sure_chars(words) > _sure_chars(best):
            best, best_turn = words, tried
        if _confidence(best) >= _MIN_PAGE and not _run_down(best):
            break
    return best, best_turn


def _turns(attempts: _Attempts, picture: Image.Image, upright: Sequence[ReadWord]) -> Sequence[int]:
    """By how many degrees to try turning: as the program says; when it is not sure, to every side, unless the
    picture reads as it is or holds too little to tell."""
    turn, sureness = attempts.orientation(picture)
    if _run_down(upright):
        return (270, 90) if turn == 270 else (90, 270)
    if sureness >= _MIN_TURN_SURENESS:
        return (turn,) if turn else ()
    if _confidence(upright) >= _MIN_PAGE or _chars(upright) < _MIN_TURN_CHARS:
        return ()
    return tuple(dict.fromkeys((turn or 90, 90, 270, 180)))


def _signs(attempts: _Attempts, picture: Image.Image) -> RecognizedPage:
    """What stands in a picture here and there, a name on a cover: only what is read with certainty."""
    words = attempts.words(picture, scattered=True)
    signs = [word for line in _lines(words) if _is_sign(line) for word in line]
    page = _judged(signs, 0, picture)
    return replace(page, state="partly" if page.lines else "unsure")


def recognizer(settings: ReadSettings, name: str) -> Recognizer:
    """Text recognition as the settings want it.

    Raises:
        UnreadableError: `read.ocr` is `on` and it cannot run; `name` is the file's.
    """
    made = _made(settings)
    if made.obstacle and settings.ocr == "on":
        raise UnreadableError(f"{name}: {made.obstacle}.")
    return made


def signature(settings: ReadSettings) -> str:
    """`Recognizer.signature` as it would be now."""
    return _made(settings).signature


def obstacle(settings: ReadSettings) -> str:
    """Why nothing is recognized now, and what to do; empty where it is."""
    return _made(settings).obstacle


def _made(settings: ReadSettings) -> Recognizer:
    found = find_tesseract() if settings.ocr != "off" else None
    have = tuple(language for language in settings.ocr_languages if found and language in found.languages)
    missing = tuple(language for language in settings.ocr_languages if language not in have)
    why = ""
    if settings.ocr == "off":
        why = "text recognition is off (read.ocr)"
    elif found is None:
        packages = " ".join([DEBIAN_PACKAGE, *map(package_of, settings.ocr_languages)])
        why = (
            f"text recognition needs Tesseract (Debian: {packages}); install it, then run prism ingest again"
        )
    elif not have:
        packages = " ".join(map(package_of, settings.ocr_languages))
        why = (
            f"text recognition has no data for {', '.join(settings.ocr_languages) or 'any language'} "
            f"(read.ocr_languages; Debian: {packages}); install it, then run prism ingest again"
        )
    return Recognizer(None if why else found, have, missing, settings.ocr_timeout_s, why)


def _judged(words: Sequence[ReadWord], turn: int, picture: Image.Image) -> RecognizedPage:
    """The page with its debris left out."""
    width, height = picture.size if turn in (0, 180) else picture.size[::-1]
    if not any(map(_has_letter, words)):
        return RecognizedPage("blank", (), width, height, turn)
    kept = [line for line in _lines(words) if _is_sure(line)]
    total, sure = _chars(words), sum(map(_chars, kept))
    if not kept or (_confidence(words) < _MIN_PAGE and 2 * sure < total):
        return RecognizedPage("unsure", (), width, height, turn)
    state: PageState = "partly" if total - sure > _MAX_LOST_SHARE * total else "read"
    return RecognizedPage(state, tuple(_numbered(map(_without_debris, kept))), width, height, turn)


def _lines(words: Sequence[ReadWord]) -> list[list[ReadWord]]:
    return [list(line) for _, line in groupby(words, key=lambda word: word.line)]


def _is_sure(line: Sequence[ReadWord]) -> bool:
    limit = _MIN_SHORT_LINE if _chars(line) <= _SHORT_CHARS else _MIN_LINE
    return any(map(_has_letter, line)) and _confidence(line) >= limit


def _is_sign(line: Sequence[ReadWord]) -> bool:
    letters = sum(sum(map(str.isalpha, word.text)) for word in line)
    return letters >= _MIN_SIGN_LETTERS and _confidence(line) >= _MIN_SIGN_LINE


def _without_debris(line: list[ReadWord]) -> list[ReadWord]:
    """A line without the single signs that rules and specks are taken for, and with digits of its script."""
    kept = [word for word in line if _has_letter(word) or word.confidence >= _MIN_MARK]
    text = " ".join(word.text for word in kept)
    if _LATIN.search(text) and not _DEVANAGARI_LETTER.search(text):
        return [replace(word, text=word.text.translate(_DEVANAGARI_DIGITS)) for word in kept]
    return kept


def _numbered(lines: Iterable[list[ReadWord]]) -> Iterator[RecognizedLine]:
    paragraphs: dict[tuple[int, int], int] = {}
    for line in lines:
        yield RecognizedLine(tuple(line), paragraphs.setdefault(line[0].line[:2], len(paragraphs)))


def _turned(picture: Image.Image, turn: int) -> Image.Image:
    """The picture turned clockwise."""
    return picture.transpose(
        {
            90: Image.Transpose.ROTATE_270,
            180: Image.Transpose.ROTATE_180,
            270: Image.Transpose.ROTATE_90,
        }[turn]
    )


def _confidence(words: Sequence[ReadWord]) -> float:
    """Of the words together, each counted by its length."""
    return sum(word.confidence * len(word.text) for word in words) / max(_chars(words), 1)


def _is_grainy(picture: Image.Image) -> bool:
    """Whether next dots differ all over the picture, as where a scanner or a dark room made noise."""
    grain = ImageChops.difference(picture, picture.filter(ImageFilter.MedianFilter(3)))
    return ImageStat.Stat(grain).mean[0] >= _MIN_GRAIN


def _run_down(words: Sequence[ReadWord]) -> bool:
    """Whether the words run from top to bottom, as on a page on its side: Tesseract reads some such lines and
    passes over others. Words of a script that is written so have no letters in a row to tell it by."""
    long = [word for word in words if len(word.text) >= _LONG_WORD and word.text.isascii()]
    return 2 * sum(word.bottom - word.top > word.right - word.left for word in long) > len(long) > 0


def _sure_chars(words: Sequence[ReadWord]) -> int:
    return sum(len(word.text) for word in words if word.confidence >= _MIN_PAGE)


def _page_chars(page: RecognizedPage) -> int:
    return _chars(list(page.words))


def _chars(words: Sequence[ReadWord]) -> int:
    return sum(len(word.text) for word in words)


def _has_letter(word: ReadWord) -> bool:
    return any(map(str.isalnum, word.text))
