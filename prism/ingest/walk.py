"""Everything below a folder, and why an entry of it is not read."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from prism.ingest.patterns import Selection
from prism.settings import ReadSettings

IGNORED = (
    ".DS_Store", "._*", "Thumbs.db", "ehthumbs.db", "desktop.ini", "~$*", ".~lock.*#", "__MACOSX",
    ".git", ".hg", ".svn", "__pycache__", "*.part", "*.crdownload",
)  # fmt: skip
"""Names that are never documents: what systems, editors and downloads leave behind."""

CANNOT_BE_OPENED = "cannot be opened"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something given or found that is not read, and why."""

    path: Path
    reason: str

    @property
    def is_unreadable(self) -> bool:
        """Whether it could not even be looked at, so that nobody knows what is there."""
        return CANNOT_BE_OPENED in self.reason


def junk(name: str) -> str:
    """Why a file of this name is never read, or nothing."""
    return f"ignored ({name} is never a document)" if any(fnmatch(name, each) for each in IGNORED) else ""


def walk(root: Path, settings: ReadSettings, within: str | None = None) -> Iterator[tuple[Path, str]]:
    """Every file below `root` with the reason it is skipped, or an empty one; sorted, folders in place.

    Args:
        within: a pattern; what does not fit it is passed over without a word.
    """
    inside = root.resolve()
    selection = Selection.of(settings.include, settings.exclude, within)
    waiting = [root]
    while waiting:
        path = waiting.pop()
        below = "" if path is root else path.relative_to(root).as_posix()
        if below and not selection.may_be_within(below):
            continue
        if below and (reason := _reason(path, below, inside, settings, selection)):
            # What cannot be looked into may hold what is asked for.
            if selection.is_within(below) or Skipped(path, reason).is_unreadable:
                yield path, reason
        elif path.is_dir():
            try:
                entries = sorted(path.iterdir(), key=_by_name, reverse=True)
            except OSError as error:
                yield path, f"the folder {CANNOT_BE_OPENED} ({error.strerror})"
                continue
            waiting.extend(entries)
        elif selection.is_within(below):
            yield path, ""


def _by_name(path: Path) -> str:
    return unicodedata.normalize("NFC", path.name)


def _reason(path: Path, below: str, inside: Path, settings: ReadSettings, selection: Selection) -> str:
    """Why an entry of a folder is not read, or nothing."""
    if ignored := junk(path.name):
        return ignored
    if path.name.startswith(".") and not settings.include_hidden:
        return "hidden (set read.include_hidden to read it)"
    if path.is_symlink():
        return _link_reason(path, inside)
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return f"{CANNOT_BE_OPENED} ({error.strerror})"
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return "not a regular file (a pipe, socket or device)"
    return selection.refusal(below, is_folder=stat.S_ISDIR(mode))


def _link_reason(path: Path, inside: Path) -> str:
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(inside):
        return "a link that leads out of the folder"
    if not target.exists():
        return "a link to nothing"
    return f"a link to {target.relative_to(inside).as_posix()} in the same folder"
