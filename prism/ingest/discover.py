"""From what a person names (files, folders, uploads) to the sources to read, each with its key.

A key is the NFC path below the folder given, with `/` (of a pattern, below the folder it begins with: of
`docs/**/*.pdf` below `docs`); for a file given by itself, its name; for an
upload, the base name it came with. Where two things given in one call would get one key, all of them get
the names of the folders they lie in, as many as it takes to tell them apart: `a/policy.txt` and
`b/policy.txt`. Keys do not depend on the order in which things are given.

Nothing is dropped without a word: what is not read is returned with the reason.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from prism.errors import NotFoundError, UsageError
from prism.ingest.patterns import is_pattern, split
from prism.ingest.walk import Skipped, junk, walk
from prism.settings import ReadSettings
from prism.text.storable import storable
from prism.types import Source

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class _Found:
    """A file, its key so far, and the folder names that can be put before the key (innermost last)."""

    path: Path
    key: str
    folders: tuple[str, ...]


def discover(
    given: Sequence[str | Path | Source], settings: ReadSettings, own_folder: Path | None = None
) -> tuple[list[Source], list[Skipped]]:
    """Every source to read, in the order given (folders sorted by name), and everything skipped.

    Args:
        own_folder: Prism's storage folder, whose files are never documents.

    Raises:
        NotFoundError: a path does not exist, or nothing fits a pattern; nothing of the batch is read then.
        UsageError: a path is empty.
    """
    found: list[_Found] = []
    skipped: list[Skipped] = []
    for item in given:
        if isinstance(item, Source):
            found.append(_Found(item.path, source_key(item.name), ()))
            continue
        path = Path(item)
        if not str(item):  # an unset variable of a script; Path would read it as this folder
            raise UsageError("An empty path was given. Name a file or a folder ('.' is this one).")
        if not path.exists():
            if not is_pattern(str(item)):
                raise NotFoundError(f"{path}: no such file or folder. Check the path.")
            _add_pattern(str(item), settings, found, skipped)
        elif path.is_dir():
            if not _add_folder(path, settings, found, skipped):
                skipped.append(Skipped(path, "an empty folder"))
        elif not path.is_file():
            skipped.append(Skipped(path, "not a regular file"))
        elif reason := junk(path.name):
            skipped.append(Skipped(path, reason))
        else:
            found.append(_Found(path, _key(path.name), _folder_names(path.parent)))
    others, own = _without_own(found, own_folder)
    once, twice = _each_file_once(others)
    sources, clashing = _with_distinct_keys(once)
    return sources, [*skipped, *own, *twice, *clashing]


def _without_own(found: Sequence[_Found], own_folder: Path | None) -> tuple[list[_Found], list[Skipped]]:
    """What lies outside Prism's storage folder; what lies in it is said once, not file by file."""
    if own_folder is None:
        return list(found), []
    own = own_folder.resolve()
    others = [item for item in found if not item.path.resolve().is_relative_to(own)]
    if len(others) == len(found):
        return others, []
    return others, [Skipped(own_folder, "Prism's own storage folder")]


def source_key(name: str) -> str:
    """A source's own name as a key: a plain relative path stays, anything that climbs or is absolute is
    reduced to its base name."""
    key = _key(name)
    parts = key.split("/")
    is_plain = (
        "\\" not in key and not _DRIVE.match(key) and all(part not in ("", ".", "..") for part in parts)
    )
    return key if is_plain else safe_name(name)


def safe_name(name: str) -> str:
    """The base name of an upload, whatever path it claims: `../../x.txt`, `..\\\\x.txt` and `C:\\\\x.txt` are
    all `x.txt`. The name itself is kept as it is (spaces, brackets, any script)."""
    parts = [part.strip() for part in _DRIVE.sub("", _key(name).replace("\\", "/")).split("/")]
    names = [part for part in parts if part not in ("", ".", "..")]
    return names[-1] if names else "unnamed"


def _key(name: str) -> str:
    """NFC, without control characters; bytes that are not UTF-8 in a file name show as U+FFFD."""
    return unicodedata.normalize("NFC", _CONTROL.sub("", storable(name)))


def _folder_names(folder: Path) -> tuple[str, ...]:
    return tuple(_key(part) for part in folder.absolute().parts if part not in ("/", "", "..", "."))


def _add_folder(
    root: Path,
    settings: ReadSettings,
    found: list[_Found],
    skipped: list[Skipped],
    within: str | None = None,
) -> bool:
    """Add what is below a folder; whether there was anything."""
    before = len(found) + len(skipped)
    for path, reason in walk(root, settings, within):
        if reason:
            skipped.append(Skipped(path, reason))
        else:
            found.append(_Found(path, _key(path.relative_to(root).as_posix()), _folder_names(root)))
    return len(found) + len(skipped) > before


def _add_pattern(pattern: str, settings: ReadSettings, found: list[_Found], skipped: list[Skipped]) -> None:
    root, within = split(pattern)
    if not root.is_dir():
        raise NotFoundError(f"{root}: no such folder. Check the path.")
    if not _add_folder(root, settings, found, skipped, within):
        raise NotFoundError(f"{pattern}: no file fits this pattern. Check it.")


def _each_file_once(found: Sequence[_Found]) -> tuple[list[_Found], list[Skipped]]:
    """A file reached twice (`docs` and `docs/a.txt`) is read once, by its longest key. Uploads are separate
    things even when their bytes lie in one place."""
    longest: dict[Path, _Found] = {}
    for item in found:
        if item.folders:
            place = item.path.resolve()
            best = longest.get(place)
            longest[place] = item if best is None or len(item.key) > len(best.key) else best
    kept: list[_Found] = []
    skipped: list[Skipped] = []
    for item in found:
        if item.folders and longest[item.path.resolve()] is not item:
            key = longest[item.path.resolve()].key
            skipped.append(Skipped(item.path, f"given more than once; read as {key}"))
        else:
            kept.append(item)
    return kept, skipped


def _with_distinct_keys(found: Sequence[_Found]) -> tuple[list[Source], list[Skipped]]:
    sources: list[Source] = []
    skipped: list[Skipped] = []
    taken: dict[str, Path] = {}
    for item, key in zip(found, _told_apart(found), strict=True):
        if key in taken:
            skipped.append(
                Skipped(item.path, f"has the same name as {taken[key]} ({key}); rename one of them")
            )
        else:
            taken[key] = item.path
            sources.append(Source(item.path, key))
    return sources, skipped


def _told_apart(found: Sequence[_Found]) -> list[str]:
    """The keys, with as many folder names in front as it takes to part those of different folders."""
    keys = [item.key for item in found]
    depth = 0
    while clashes := [at for at in _clashes(found, keys) if depth < len(found[at].folders)]:
        depth += 1
        for at in clashes:
            keys[at] = "/".join((*found[at].folders[-depth:], found[at].key))
    return keys


def _clashes(found: Sequence[_Found], keys: Sequence[str]) -> list[int]:
    """Where one key stands for things of different folders."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        places[key].append(at)
    return [at for group in places.values() if len({found[at].folders for at in group}) > 1 for at in group]
