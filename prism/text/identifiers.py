"""Identifiers as search tokens: whole and in parts.

`LQT-6312`, `7(b)`, `RBI/2025-26/01`, `K_TRN_BX_07`, `0x80070005`, `v2.3.1`, `01.04.2025`, addresses. The
whole comes first and twice, once marked exact, so that an identifier outweighs its siblings, and a number of
its own outweighs the same number inside a longer identifier.
"""

from __future__ import annotations

from datetime import date

import regex

from prism.text.amounts import EXACT, plain_number

ADDRESS = regex.compile(
    r"(?:https?://|ftp://|www\.)[^\s<>\"'）)\]，。]+|[\w.+%-]+@[\w-]+(?:\.[\w-]+)+", regex.IGNORECASE
)
"""A web or mail address."""

_TRAILING = regex.compile(r"[.,;:!?/)]+$")
_SCHEME = regex.compile(r"^(?:https?://|ftp://)?(?:www\.)?", regex.IGNORECASE)
_SEPARATORS = tuple(map(regex.compile, (r"[/:,\\]+", r"[-_&+~@=%?]+")))
_DOTS = regex.compile(r"\.+")
_LIST_MARKS = regex.compile(r"\(([^()]*)\)")
_DOTTED_NUMBER = regex.compile(r"\d+(?:\.\d+){2,}")
_DAY_FIRST = regex.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_YEAR_FIRST = regex.compile(r"(\d{4})([./-])(\d{1,2})\2(\d{1,2})")
_HEXADECIMAL = regex.compile(r"0x([0-9a-f]+)")
_VERSION = regex.compile(r"v(\d+(?:\.\d+)*)")
_ORDINAL = regex.compile(r"(\d+)(?:st|nd|rd|th|s|er|ère|eme|º|ª|-й|-я)")
_LETTERS_THEN_DIGITS = regex.compile(r"([\p{L}\p{M}]{2,})(\d+)|(\d+)([\p{L}\p{M}]+)")
_KOREAN_COUNT = regex.compile(r"(\d+)(\p{Hangul}?)")
_JOINABLE = regex.compile(r"\p{L}+[-_/.]\d+|\d+[-_/.]\p{L}+|\d+\(\p{L}\)")
_NOT_ALPHANUMERIC = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


def identifier_tokens(identifier: str) -> tuple[str, ...]:
    """The tokens of one identifier, casefolded: exact whole, whole, then its parts from the largest down.

    Parts that are plain words come unstemmed; `prism.text.tokens` gives them their search form.
    """
    whole = identifier.casefold()
    number = plain_number(whole)
    return tuple(
        dict.fromkeys(
            (EXACT + whole, whole, *_other_spellings(whole), *([number] if number else _parts(whole)))
        )
    )


def address_tokens(address: str) -> tuple[str, ...]:
    """The tokens of a web or mail address: the whole without scheme, then host, path and name parts."""
    whole = _SCHEME.sub("", _TRAILING.sub("", address)).casefold()
    return tuple(dict.fromkeys((EXACT + whole, whole, *_parts(whole))))


def _other_spellings(whole: str) -> list[str]:
    spellings = [_NOT_ALPHANUMERIC.sub("", whole)] if _JOINABLE.fullmatch(whole) else []
    return spellings + _iso_dates(whole)


def _parts(code: str) -> list[str]:
    """What `code` consists of, recursively: slashes part first, then hyphens, then dots, then list marks."""
    for separator in _SEPARATORS:
        pieces = [piece for piece in separator.split(code) if piece]
        if len(pieces) > 1:
            return [token for piece in pieces for token in (piece, *_parts(piece))]
    if _LIST_MARKS.search(code):
        return _list_mark_parts(code)
    if _DOTTED_NUMBER.fullmatch(code):
        return _dotted_number_parts(code)
    version = _VERSION.fullmatch(code)
    if version:
        return [version[1], *_parts(version[1])]
    if "." in code and not plain_number(code):
        return [token for piece in _DOTS.split(code) if piece for token in (piece, *_parts(piece))]
    return _atom_parts(code)


def _list_mark_parts(code: str) -> list[str]:
    """`4.2.1(a)(iii)` -> `4.2.1(a)`, `4.2.1`, `4.2`, `a`, `iii`."""
    marks = list(_LIST_MARKS.finditer(code))
    base = code[: marks[0].start()]
    prefixes = [code[: mark.end()] for mark in marks[:-1]]
    inner = [mark.group(1) for mark in marks if mark.group(1)]
    return [*reversed(prefixes), *([base, *_parts(base)] if base else []), *inner]


def _dotted_number_parts(code: str) -> list[str]:
    numbers = code.split(".")
    prefixes = [".".join(numbers[:length]) for length in range(len(numbers) - 1, 1, -1)]
    return numbers if _DAY_FIRST.fullmatch(code) or _YEAR_FIRST.fullmatch(code) else prefixes


def _atom_parts(code: str) -> list[str]:
    """`0x80070005` -> `80070005`; `10th` -> `10`; `LQT6312` -> `lqt`, `6312`; `제7조에` -> `7`, `7조`."""
    if regex.search(r"\p{Hangul}", code):
        return [part for count in _KOREAN_COUNT.finditer(code) for part in (count[1], count.group())]
    for pattern in (_HEXADECIMAL, _ORDINAL, _LETTERS_THEN_DIGITS):
        found = pattern.fullmatch(code)
        if found:
            return [part for part in found.groups() if part]
    return []


def _iso_dates(code: str) -> list[str]:
    """ISO forms of a numeric date; `01/04/2025` may be read day first or month first, so it has two."""
    day_first, year_first = _DAY_FIRST.fullmatch(code), _YEAR_FIRST.fullmatch(code)
    readings: list[tuple[str, str, str]] = []
    if day_first:
        first, separator, second, year = day_first.groups()
        readings = [(year, second, first)] + ([(year, first, second)] if separator == "/" else [])
    elif year_first:
        readings = [(year_first[1], year_first[3], year_first[4])]
    return [iso for iso in map(_iso_date, readings) if iso]


def _iso_date(reading: tuple[str, str, str]) -> str | None:
    year, month, day = map(int, reading)
    try:
        return date(year, month, day).isoformat()
    except ValueError:  # not a date after all, such as 45.13.2025
        return None
