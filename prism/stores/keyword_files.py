"""The keyword index's folder: numbered bases, and a small file that names the one in force.

    <folder>/current.json      {"base": "base-3", "tokenizer_version": …, "format_version": …}
    <folder>/base-3/           one segment (`prism.stores.bm25.save_segment`)

A base is written under a new name and comes into force by replacing `current.json`, so a kill at any
instant leaves the old base or the new one.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from prism.errors import StoreDamagedError, StoreMismatchError
from prism.stores.bm25 import Segment, load_segment, save_segment
from prism.stores.boundary import Reached, unwatched

FORMAT_VERSION = 1

_CURRENT_FILE = "current.json"
_BASE_PREFIX = "base-"


def read_base(folder: Path, tokenizer_version: str) -> Segment | None:
    """The base in force, its arrays memory-mapped; None when nothing was ever saved.

    Raises:
        StoreMismatchError: saved with another tokenizer or format.
        StoreDamagedError: a file is missing or broken.
    """
    file = folder / _CURRENT_FILE
    if not file.exists():
        return None
    try:
        current = json.loads(file.read_text(encoding="utf-8"))
        name, version, layout = current["base"], current["tokenizer_version"], current["format_version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreDamagedError(f"{file}: cannot be read. Rebuild it: prism doctor --rebuild.") from error
    if (version, layout) != (tokenizer_version, FORMAT_VERSION):
        raise StoreMismatchError(
            f"{folder}: keyword index of tokenizer {version}, format {layout}; this Prism has tokenizer "
            f"{tokenizer_version}, format {FORMAT_VERSION}. Rebuild it: prism doctor --rebuild."
        )
    segment = load_segment(folder / str(name))
    _delete_other_bases(folder, keep=str(name))
    return segment


def write_base(
    folder: Path, segment: Segment, tokenizer_version: str, reached: Reached = unwatched
) -> Segment:
    """Save `segment` as the base in force; returns it as read back from the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    name = _next_name(folder)
    reached("keywords: before writing a new base")
    save_segment(segment, folder / name)
    for file in (folder / name).iterdir():
        _sync(file)
    _sync(folder / name)
    reached("keywords: after writing a new base")
    saved = load_segment(folder / name)
    draft = folder / f"{_CURRENT_FILE}.new"
    current = {"base": name, "tokenizer_version": tokenizer_version, "format_version": FORMAT_VERSION}
    draft.write_text(json.dumps(current), encoding="utf-8")
    _sync(draft)
    reached("keywords: before a new base comes into force")
    draft.replace(folder / _CURRENT_FILE)
    _sync(folder)
    reached("keywords: after a new base came into force")
    _delete_other_bases(folder, keep=name)
    reached("keywords: after deleting the base before")
    return saved


def _next_name(folder: Path) -> str:
    numbers = (path.name.removeprefix(_BASE_PREFIX) for path in folder.glob(f"{_BASE_PREFIX}*"))
    return f"{_BASE_PREFIX}{max((int(number) for number in numbers if number.isdigit()), default=0) + 1}"


def _delete_other_bases(folder: Path, keep: str) -> None:
    # Views still reading an old base keep its pages: a mapped file outlives its name. Where the system
    # refuses to delete a mapped file, the next reading does it.
    for path in folder.glob(f"{_BASE_PREFIX}*"):
        if path.name != keep:
            shutil.rmtree(path, ignore_errors=True)


def _sync(path: Path) -> None:
    """Have the system write a file, or a folder's list of names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
