"""Cite: let only sound citation marks through, also while an answer is still being written."""

from __future__ import annotations

import re

_MAX_INSIDE_CHARS = 200
"""Longest list of numbers read as one mark; what is longer in brackets is text."""

_MAX_RANGE = 20
"""Most numbers a range such as `[1-5]` stands for."""

_OPEN, _CLOSE = r"[\[【［]\^?", r"[\]】］]"
_INSIDE = r"[\d\s,;、，–—-]"
_MARK = re.compile(rf"(\s*+)({_OPEN}(?=[^\d\]】］]*\d)({_INSIDE}{{1,{_MAX_INSIDE_CHARS}}}){_CLOSE})")
_UNFINISHED = re.compile(rf"\s*+{_OPEN}({_INSIDE}*)$|\s++$")
_DANGLING = re.compile(rf"{_OPEN}{_INSIDE}*$")
_NUMBERS = re.compile(r"(\d+)(?:\s*[–—-]\s*(\d+))?")
_SOUND_MARK = re.compile(r"\[(\d{1,9})\]")


class CitationFilter:
    """Feed it an answer piece by piece; it gives back text whose marks are all `[n]` with 1 ≤ n ≤ `last`.

    `[1, 2]`, `[1-3]` and `【1】` become `[1][2]…`; a number out of range is removed and kept in `removed`.
    Brackets without a number are text. An open `[` is held back until it is closed or cannot be a mark.
    The pieces returned join to the filtered answer, however the answer was cut into pieces.
    """

    def __init__(self, last: int) -> None:
        self._last = last
        self._held = ""
        self._blanks_before_removed = ""
        self._tail = ""
        self.removed: list[int] = []

    def feed(self, text: str) -> str:
        """What can be shown now."""
        pending = self._held + text
        unfinished = _UNFINISHED.search(pending)
        cut = len(pending)
        if unfinished and len(unfinished[1] or "") <= _MAX_INSIDE_CHARS:
            # The blanks before a mark are held with it, since they go when the mark goes.
            cut = unfinished.start()
        self._held = pending[cut:]
        return self._filter(pending[:cut])

    def close(self) -> str:
        """What was still held back."""
        rest, self._held = self._held, ""
        return self._filter(rest)

    def _filter(self, text: str) -> str:
        shown: list[str] = []
        at = 0
        for match in _MARK.finditer(text):
            self._show(text[at : match.start()], shown)
            # A sound mark right after a removed one stands where that one stood: `a [9][1]` is `a [1]`.
            blanks = match[1] or self._blanks_before_removed
            marks = self._sound(match[3])
            if marks:
                self._show(blanks + marks, shown)
            elif _DANGLING.search(self._tail):
                # Without it the brackets around would close to a mark of their own: `[9[9]]`.
                self._show(f"{match[1]}({match[3]})", shown)
            else:
                self._blanks_before_removed = blanks
            at = match.end()
        self._show(text[at:], shown)
        return "".join(shown)

    def _show(self, text: str, shown: list[str]) -> None:
        if text:
            shown.append(text)
            self._blanks_before_removed = ""
            self._tail = (self._tail + text)[-_MAX_INSIDE_CHARS - 3 :]

    def _sound(self, inside: str) -> str:
        sound: list[int] = []
        for first, last in _NUMBERS.findall(inside):
            for number in _range(int(first), int(last or first)):
                (sound if 1 <= number <= self._last else self.removed).append(number)
        return "".join(f"[{number}]" for number in dict.fromkeys(sound))


def cited_numbers(text: str) -> tuple[int, ...]:
    """The numbers cited in a filtered text, in order of first appearance."""
    return tuple(dict.fromkeys(int(number) for number in _SOUND_MARK.findall(text)))


def without_marks(text: str) -> str:
    """The text without its marks and without the blanks before them."""
    return str(re.sub(r"\s*\[\d+\]", "", text)).strip()


def disarm(text: str) -> str:
    """A document's own `[7]` written `(7)`, so that it cannot pass for a citation."""
    return str(_MARK.sub(lambda match: f"{match[1]}({match[2][1:-1]})", text))


def _range(first: int, last: int) -> tuple[int, ...]:
    """The numbers of `first-last`; a range that falls or is very long is its two ends."""
    if first <= last < first + _MAX_RANGE:
        return tuple(range(first, last + 1))
    return (first, last)
