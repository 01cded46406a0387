"""Patterns of file names, as shells have them: `*.pdf`, `reports/**`, `**/old/*.docx`.

`*` and `?` stand for anything but `/`, `**` for any number of folders, `[ab]` for one of these. Capital and
small letters are alike, as people expect of `*.pdf`, and so are the ways to write an accent.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_MAGIC = re.compile(r"[*?\[]")
_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\]|.", re.S)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that a path below a folder fits or not. One without `/` fits the name at any depth, unless it
    is `anchored`."""

    text: str
    anchored: bool = False

    def fits(self, path: str) -> bool:
        """Whether this path below the folder fits, or a folder it lies in."""
        expression = re.compile(_expression(_tidy(self.text)), re.I | re.S)
        by_name = not self.anchored and "/" not in _tidy(self.text)
        places = [PurePosixPath(path), *PurePosixPath(path).parents[:-1]]
        return any(expression.fullmatch(_nfc(place.name if by_name else str(place))) for place in places)

    def may_fit_below(self, folder: str) -> bool:
        """Whether anything in this folder, which does not fit itself, can."""
        depth = len(PurePosixPath(folder).parts)
        return "**" in self.text or not self.anchored or depth < len(PurePosixPath(self.text).parts)


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a folder is wanted: what fits `within` (all where it is None) and one of `include` (all where
    there is none), and none of `exclude`."""

    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()
    within: Pattern | None = None

    @classmethod
    def of(cls, include: Sequence[str], exclude: Sequence[str], within: str | None = None) -> Selection:
        """Of patterns as they are written in the settings and, `within`, on the command line."""
        return cls(
            tuple(map(Pattern, include)),
            tuple(map(Pattern, exclude)),
            None if within is None else Pattern(within, anchored=True),
        )

    def is_within(self, path: str) -> bool:
        """Whether it is asked for at all."""
        return self.within is None or self.within.fits(path)

    def may_be_within(self, folder: str) -> bool:
        """Whether the folder, or anything in it, can be asked for."""
        return self.is_within(folder) or self.within is None or self.within.may_fit_below(folder)

    def refusal(self, path: str, *, is_folder: bool) -> str:
        """Why an entry is not wanted, or nothing."""
        for pattern in self.exclude:
            if pattern.fits(path):
                return f"excluded (read.exclude: {pattern.text})"
        if not is_folder and self.include and not any(pattern.fits(path) for pattern in self.include):
            return f"not included (read.include: {', '.join(pattern.text for pattern in self.include)})"
        return ""

    def wants(self, path: str) -> bool:
        """Whether a file would be read."""
        return self.is_within(path) and not self.refusal(path, is_folder=False)


def is_pattern(path: str) -> bool:
    """Whether a path holds signs of a pattern. It may be a plain name all the same: `report [final].pdf`."""
    return _MAGIC.search(path) is not None


def split(path: str) -> tuple[Path, str]:
    """The folder in which a pattern is looked for, and the pattern below it."""
    parts = Path(path).parts
    first = next(place for place, part in enumerate(parts) if is_pattern(part))
    return Path(*parts[:first]), "/".join(parts[first:])


def _tidy(pattern: str) -> str:
    return _nfc(pattern.removeprefix("./").strip("/"))


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _expression(pattern: str) -> str:
    return "".join(map(_piece, _PIECE.findall(pattern)))


def _piece(piece: str) -> str:
    match piece:
        case "**/":
            return "(?:[^/]+/)*"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
    if len(piece) > 2 and piece.startswith("["):
        letters = re.escape(piece[1:-1].removeprefix("!")).replace(r"\-", "-")
        return f"(?!/)[{'^' if piece[1] == '!' else ''}{letters}]"
    return re.escape(piece)
