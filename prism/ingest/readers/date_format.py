"""Dates, times and durations of spreadsheets: days since 1900 (or 1904) as the text a format shows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, Protocol

DATE_TOKENS: Final = r"AM/PM|A/P|y+|m+|d+|h+|s+(?:\.0+)?|a{3,4}|b+|g+|e+"
"""What stands for a part of a date in a format. `a` (weekday), `b` (Buddhist year), `g` and `e` (era) are
East Asian."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LAST_DAY = 2_958_466
"""The day after 9999-12-31, where spreadsheets end."""

_FALSE_LEAP_DAY = 60
_DAYS_TO_1904 = 1462
_BUDDHIST_YEARS = 543


class Token(Protocol):
    """A piece of a format."""

    @property
    def kind(self) -> str:
        """What it is."""

    @property
    def text(self) -> str:
        """As written in the format."""


def date_text(days: Decimal, tokens: Sequence[Token], *, from_1904: bool = False) -> str | None:
    """The moment `days` after the start, in a format of `tokens`; None where no date is so far away."""
    if not 0 <= days < _LAST_DAY:
        return None
    places = max((len(token.text.partition(".")[2]) for token in tokens if token.kind == "date"), default=0)
    seconds = round(days * 86400, min(places, 3))
    moment = _moment(seconds, from_1904=from_1904)
    is_half_day = any(token.kind == "date" and "/" in token.text for token in tokens)
    if moment is None:
        return None
    written = []
    for at, token in enumerate(tokens):
        if token.kind == "elapsed":
            unit = {"h": 3600, "m": 60, "s": 1}[token.text[0]]
            written.append(f"{int(seconds // unit):0{len(token.text)}d}")
        elif token.kind == "date":
            text = token.text.lower()
            is_minute = text in ("m", "mm") and _is_minute(tokens, at)
            written.append(_part(moment, text, is_minute=is_minute, is_half_day=is_half_day))
        else:
            written.append(token.text)
    return " ".join("".join(written).split())


def _moment(seconds: Decimal, *, from_1904: bool) -> datetime | None:
    days = seconds // 86400
    if from_1904:
        days += _DAYS_TO_1904
    elif days < _FALSE_LEAP_DAY:
        # The first spreadsheets took 1900 for a leap year, and all others keep to it.
        days += 1
    try:
        return datetime(1899, 12, 30) + timedelta(days=int(days), milliseconds=int(seconds % 86400 * 1000))
    except OverflowError:
        return None


def _is_minute(tokens: Sequence[Token], at: int) -> bool:
    """An `m` means minutes after hours and before seconds, else the month."""

    def is_time(token: Token, letters: str) -> bool:
        return token.kind in ("date", "elapsed") and token.text[0].lower() in letters

    before = next((token for token in reversed(tokens[:at]) if token.kind in ("date", "elapsed")), None)
    after = next((token for token in tokens[at + 1 :] if token.kind in ("date", "elapsed")), None)
    return (before is not None and is_time(before, "h")) or (after is not None and is_time(after, "s"))


def _part(moment: datetime, text: str, *, is_minute: bool, is_half_day: bool) -> str:
    letter, length = text[0], len(text)
    if "/" in text:
        half = "AM" if moment.hour < 12 else "PM"
        return half if length > 3 else half[0]
    if letter in "ye":
        return f"{moment.year % 100:02d}" if letter == "y" and length <= 2 else str(moment.year)
    if letter == "b":
        return str(moment.year + _BUDDHIST_YEARS)
    if letter == "h":
        hour = (moment.hour + 11) % 12 + 1 if is_half_day else moment.hour
        return f"{hour:0{min(length, 2)}d}"
    if letter == "s":
        whole, point, fraction = text.partition(".")
        thousandths = f"{moment.microsecond // 1000:03d}"[: len(fraction)]
        return f"{moment.second:0{min(len(whole), 2)}d}{point}{thousandths}"
    if is_minute:
        return f"{moment.minute:0{min(length, 2)}d}"
    if letter == "m":
        return _named(_MONTHS[moment.month - 1], moment.month, length)
    if letter == "d":
        return _named(_DAYS[moment.weekday()], moment.day, length)
    return _DAYS[moment.weekday()][: 3 if length < 4 else None] if letter == "a" else ""


def _named(name: str, number: int, length: int) -> str:
    """One or two letters ask for the number, three for the short name, five for its first letter."""
    if length <= 2:
        return f"{number:0{length}d}"
    return name[:3] if length == 3 else name[0] if length == 5 else name
