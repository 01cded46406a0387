"""Where the words of a stored page stand on the printed one, for highlighting.

The stored text is not the PDF's: hyphens were joined, running lines taken out, columns and rows put together.
So the page's characters are read again with their places and matched with the stored ones: first in order,
then what was moved as a whole, longest first, then words that a line end splits.
"""

from __future__ import annotations

import ctypes
import unicodedata
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import regex

from prism.ingest.readers.pdf import opened_page
from prism.ingest.readers.pdf_lines import BULLETS
from prism.types import Box

_DEVICE = 1_000_000
_WORD = regex.compile(r"\S+")
_TOKEN = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{M}]+|\d+|[^\s\p{L}\p{M}\d]", regex.VERSION1
)
_HYPHENS = frozenset("-\u2010\xad\x02\ufffe")
_LONG_RUN = 3


@dataclass(frozen=True, slots=True)
class PrintedCharacter:
    """A character on a page and its place, in fractions of the page's width and height from the top left.
    White space stands where words end."""

    text: str
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


@dataclass(frozen=True, slots=True)
class _Token:
    """A run of letters or digits, or one sign; `places` are the numbers of the characters it is made of."""

    text: str
    places: tuple[int, ...]


def printed_characters(source: Path | bytes, sheet: int) -> tuple[PrintedCharacter, ...]:
    """The characters of a page in the PDF's own order.

    Args:
        sheet: physical page, from 1.

    Raises:
        NotFoundError: there is no such sheet.
        UnreadableError: the file cannot be opened as a PDF.
    """
    with opened_page(source, sheet) as page:
        text_page = page.get_textpage()
        try:
            return tuple(_characters(page, text_page))
        finally:
            text_page.close()


def place_words(text: str, start: int, printed: Sequence[PrintedCharacter]) -> tuple[Box, ...]:
    """Boxes for the words of a stored page that are found on the printed one, in text order. A word that a
    line end splits has a box for each part.

    Args:
        text: the page's stored text.
        start: its offset in the document.
    """
    place_of = _places(text, [character.text for character in printed])
    boxes: list[Box] = []
    for word in _WORD.finditer(text):
        found = [(at, printed[place_of[at]]) for at in range(*word.span()) if at in place_of]
        if found:
            boxes += _word_boxes(start, word.span(), found)
    return tuple(boxes)


def _tokens(characters: Sequence[str], pattern: regex.Pattern[str]) -> list[_Token]:
    """The tokens of a text, in which letters that Unicode writes in several ways are alike."""
    letters: list[str] = []
    places: list[int] = []
    for at, character in enumerate(characters):
        plain = character if character.isascii() else unicodedata.normalize("NFKD", character)
        letters += plain or " "
        places += [at] * (len(plain) or 1)
    return [
        _Token(found[0], tuple(places[found.start() : found.end()]))
        for found in pattern.finditer("".join(letters))
    ]


def _places(text: str, printed: Sequence[str]) -> dict[int, int]:
    """The printed character of each stored character that has one: whole words first, then their parts."""
    place_of: dict[int, int] = {}
    for pattern in (_WORD, _TOKEN):
        used = set(place_of.values())
        stored = [token for token in _tokens(text, pattern) if place_of.keys().isdisjoint(token.places)]
        shown = [token for token in _tokens(printed, pattern) if used.isdisjoint(token.places)]
        partner = _partners([token.text for token in stored], [token.text for token in shown])
        for mine, its in partner.items():
            for at, place in zip(stored[mine].places, shown[its].places, strict=True):
                place_of.setdefault(at, place)
    lost = [token for at, token in enumerate(stored) if at not in partner]
    taken = set(partner.values())
    return place_of | _split_words(
        lost, [token for at, token in enumerate(shown) if at not in taken], place_of
    )


def _partners(stored: Sequence[str], shown: Sequence[str]) -> dict[int, int]:
    """Which stored tokens are which printed ones: those in the same order, then those moved."""
    partner: dict[int, int] = {}
    for block in SequenceMatcher(a=stored, b=shown, autojunk=False).get_matching_blocks():
        # A short run may be chance: what was moved as a whole is looked for first.
        if block.size >= _LONG_RUN:
            partner.update(zip(_span(block.a, block.size), _span(block.b, block.size), strict=True))
    for shortest in (_LONG_RUN, 1):
        _match_moved(stored, shown, partner, shortest)
    return partner


def _span(start: int, size: int) -> range:
    return range(start, start + size)


def _match_moved(stored: Sequence[str], shown: Sequence[str], partner: dict[int, int], shortest: int) -> None:
    """Match runs of at least `shortest` tokens that stand in another order; of equally long ones the nearest
    to what the stored token before is matched with."""
    used = set(partner.values())
    places: dict[str, list[int]] = {}
    for its, name in enumerate(shown):
        if its not in used:
            places.setdefault(name, []).append(its)

    def length(mine: int, its: int) -> int:
        size = 0
        while (
            mine + size < len(stored)
            and its + size < len(shown)
            and mine + size not in partner
            and its + size not in used
            and stored[mine + size] == shown[its + size]
        ):
            size += 1
        return size

    expected = 0
    for mine, name in enumerate(stored):
        if mine not in partner:
            runs = [(length(mine, its), -abs(its - expected), its) for its in places.get(name, ())]
            size, _, its = max(runs, default=(0, 0, 0))
            if size >= shortest:
                partner.update(zip(_span(mine, size), _span(its, size), strict=True))
                used.update(_span(its, size))
        expected = partner.get(mine, expected) + 1


def _split_words(lost: Sequence[_Token], free: Sequence[_Token], place_of: dict[int, int]) -> dict[int, int]:
    """Places of words that the print splits: their letters stand in tokens that follow each other."""
    found: dict[int, int] = {}
    used: set[int] = set()
    before = sorted(place_of)
    for token in lost:
        at = bisect(before, token.places[0])
        expected = place_of[before[at - 1]] if at else 0
        starts = [
            its for its in range(len(free)) if its not in used and token.text.startswith(free[its].text)
        ]
        for its in sorted(starts, key=lambda its: abs(free[its].places[0] - expected)):
            if parts := _parts(token.text, free, its, used):
                letters = [place for part in parts for place in free[part].places]
                found.update(zip(token.places, letters, strict=True))
                used.update(parts)
                break
    return found


def _parts(word: str, shown: Sequence[_Token], first: int, used: set[int]) -> list[int]:
    """The printed tokens that make up a word, from the one given on; hyphens between them do not count."""
    parts: list[int] = []
    rest = word
    for its in range(first, len(shown)):
        text = shown[its].text
        if its not in used and rest.startswith(text):
            parts.append(its)
            rest = rest[len(text) :]
        elif text not in _HYPHENS:
            return []
        if not rest:
            return parts
    return []


def _word_boxes(
    offset: int, word: tuple[int, int], found: Sequence[tuple[int, PrintedCharacter]]
) -> list[Box]:
    """One box around a word's characters, or one for each line it stands on."""
    lines: list[list[tuple[int, PrintedCharacter]]] = []
    for at, character in found:
        if lines and _is_beside(lines[-1][-1][1], character):
            lines[-1].append((at, character))
        else:
            lines.append([(at, character)])
    starts = [word[0], *(line[0][0] for line in lines[1:])]
    return [
        Box(
            offset + start,
            offset + end,
            min(character.left for _, character in line),
            min(character.top for _, character in line),
            max(character.right for _, character in line),
            max(character.bottom for _, character in line),
        )
        for line, start, end in zip(lines, starts, [*starts[1:], word[1]], strict=True)
    ]


def _is_beside(before: PrintedCharacter, after: PrintedCharacter) -> bool:
    """Whether two characters stand on one line, or in one where words run from top to bottom."""
    height = max(before.bottom - before.top, after.bottom - after.top)
    width = max(before.right - before.left, after.right - after.left)
    is_row = before.top < after.bottom + height / 2 and after.top < before.bottom + height / 2
    is_column = before.left < after.right and after.left < before.right
    near_across = before.left < after.right + 6 * width and after.left < before.right + 6 * width
    near_down = before.top < after.bottom + 6 * height and after.top < before.bottom + 6 * height
    return (is_row and near_across) or (is_column and near_down and width > height)


def _characters(page: pdfium.PdfPage, text_page: pdfium.PdfTextPage) -> Iterator[PrintedCharacter]:
    for index in range(text_page.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(text_page.raw, index)
        letter = chr(code).translate(BULLETS) if code and not 0xD800 <= code < 0xE000 else ""
        if not letter.strip():
            yield PrintedCharacter(letter)
            continue
        left, bottom, right, top = text_page.get_charbox(index)
        corners = (_fraction(page, left, top), _fraction(page, right, bottom))
        across, down = [x for x, _ in corners], [y for _, y in corners]
        yield PrintedCharacter(letter, min(across), min(down), max(across), max(down))


def _fraction(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
    """A point of the page's own space as seen: rotation and crop applied, from the top left."""
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDF_PageToDevice(page.raw, 0, 0, _DEVICE, _DEVICE, 0, x, y, across, down)
    return across.value / _DEVICE, down.value / _DEVICE
