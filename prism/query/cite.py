"""Cite: let only sound citation marks through, also while an answer is still being written."""

from __future__ import annotations

import regex

_MAX_MARK_CHARS = 32
_MARK = regex.compile(r"(\s*)[\[【]\^?([\d\s,;–—-]{1,30})[\]】]")
_UNFINISHED = regex.compile(r"\s*[\[【]\^?[\d\s,;–—-]*$|\s+$")
_RANGE = regex.compile(r"(\d+)\s*[–—-]\s*(\d+)|(\d+)")


class CitationFilter:
    """Feed it an answer piece by piece; it gives back text whose marks are all `[n]` with 1 ≤ n ≤ `last`.

    `[1, 2]`, `[1-3]` and `【1】` become `[1][2]…`; a number out of range is removed and kept in `removed`.
    An open `[` is held back until it is closed or cannot be a mark. The pieces returned join to the
    filtered answer.
    """

    def __init__(self, last: int) -> None:
        self._last = last
        self._held = ""
        self.removed: list[int] = []

    def feed(self, text: str) -> str:
        """What can be shown now."""
        pending = self._held + text
        unfinished = _UNFINISHED.search(pending)
        cut = len(pending)
        if unfinished and len(unfinished.group()) <= _MAX_MARK_CHARS:
            cut = unfinished.start()
        # A finished mark must not be parted from the blanks before it, which go when the mark goes.
        self._held = pending[cut:]
        return str(_MARK.sub(self._mend, pending[:cut]))

    def close(self) -> str:
        """What was still held back."""
        rest, self._held = self._held, ""
        return str(_MARK.sub(self._mend, rest))

    def _mend(self, match: regex.Match[str]) -> str:
        sound: list[int] = []
        for first, last, single in _RANGE.findall(match.group(2)):
            numbers = [int(single)] if single else range(int(first), min(int(last), int(first) + 20) + 1)
            for number in numbers:
                (sound if 1 <= number <= self._last else self.removed).append(number)
        if not sound:
            return ""
        return str(match.group(1)) + "".join(f"[{number}]" for number in dict.fromkeys(sound))


_SOUND_MARK = regex.compile(r"\[(\d+)\]")


def cited_numbers(text: str) -> tuple[int, ...]:
    """The numbers cited in a filtered text, in order of first appearance."""
    return tuple(dict.fromkeys(int(number) for number in _SOUND_MARK.findall(text)))


def without_marks(text: str) -> str:
    """The text without its marks and without the blanks before them."""
    return str(regex.sub(r"\s*\[\d+\]", "", text)).strip()


def disarm(text: str) -> str:
    """A document's own `[7]` written `(7)`, so that it cannot pass for a citation."""
    return str(regex.sub(r"[\[【](\^?[\d\s,;–—-]+)[\]】]", r"(\1)", text))
