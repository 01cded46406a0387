"""The keyword index's folder: numbered bases, and a small file that names the one in force.

    <folder>/current.json      {"base": "base-3", "tokenizer_version": …, "format_version": …, "files": …}
    <folder>/base-3/           one segment (`prism.stores.bm25.save_segment`)

A base is written under a new name and comes into force by replacing `current.json`, so a kill at any
instant leaves the old base or the new one. `files` holds size and CRC-32 of each of its files: a number
garbled in the middle of an array would only give other ranks.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from prism.errors import StoreDamagedError, StoreMismatchError
from prism.stores.bm25 import Segment, load_segment, save_segment
from prism.stores.boundary import Reached, unwatched
from prism.stores.checksums import FileSum, changes, file_sums

FORMAT_VERSION = 2

_CURRENT_FILE = "current.json"
_BASE_PREFIX = "base-"


def read_base(folder: Path, tokenizer_version: str) -> Segment | None:
    """The base in force, its arrays memory-mapped; None when nothing was ever saved.

    Raises:
        StoreMismatchError: saved with another tokenizer or format.
        StoreDamagedError: a file is missing or broken.
    """
    file = folder / _CURRENT_FILE
    if any(path.exists() and not path.is_dir() for path in (folder.parent, folder)):
        raise StoreDamagedError(f"{folder}: is no folder. Rebuild it: prism doctor --rebuild.")
    try:
        if not file.exists():
            return None
        current = json.loads(file.read_text(encoding="utf-8"))
        name, version, layout = current["base"], current["tokenizer_version"], current["format_version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreDamagedError(f"{file}: cannot be read. Rebuild it: prism doctor --rebuild.") from error
    if (version, layout) != (tokenizer_version, FORMAT_VERSION):
        raise StoreMismatchError(
            f"{folder}: keyword index of tokenizer {version}, format {layout}; this Prism has tokenizer "
            f"{tokenizer_version}, format {FORMAT_VERSION}. Rebuild it: prism doctor --rebuild."
        )
    base = folder / Path(str(name)).name
    _check_sums(base, current.get("files"))
    segment = load_segment(base)
    _delete_other_bases(folder, keep=base.name)
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
    sums = file_sums(folder / name, sorted((folder / name).iterdir()))
    current = {
        "base": name,
        "tokenizer_version": tokenizer_version,
        "format_version": FORMAT_VERSION,
        "files": {file: [item.size, item.crc32] for file, item in sums.items()},
    }
    draft.write_text(json.dumps(current), encoding="utf-8")
    _sync(draft)
    reached("keywords: before a new base comes into force")
    draft.replace(folder / _CURRENT_FILE)
    _sync(folder)
    reached("keywords: after a new base came into force")
    _delete_other_bases(folder, keep=name)
    reached("keywords: after deleting the base before")
    return saved


def _check_sums(base: Path, files: Any) -> None:
    """Raise `StoreDamagedError` unless the files of `base` are those that were written."""
    try:
        found = changes(base, {str(name): FileSum(size, crc) for name, (size, crc) in files.items()})
    except (OSError, ValueError, TypeError, AttributeError) as error:
        found = [str(error)]
    if found:
        raise StoreDamagedError(
            f"{base}: the keyword index cannot be read ({'; '.join(found[:3])}). Rebuild it: prism doctor "
            "--rebuild."
        )


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
