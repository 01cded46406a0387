"""The seal of the vector store's folder: what its files were, and which leaves they held, when it was closed.

    <folder>/seal.json
        {"format": 2, "files": {name: [bytes, crc32, written_ns]}, "workspaces": {name: [group…]}}

Chroma believes its files: garbled ones give wrong neighbours, or end the process. So they are compared with
the seal before Chroma opens them. The seal is broken at every opening, since Chroma writes at each; a folder
without one was not closed properly, or comes from an older Prism.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from prism.stores.checksums import FileSum, changes, file_sums
from prism.stores.chroma import DATABASE_FILE
from prism.stores.leaf_sets import LeafSet

SEAL_FILE = "seal.json"
GRAPH_IDS_FILE = "index_metadata.pickle"
"""Ids of a graph on the disk. Without it Chroma takes no notice of the graph's other files."""

_FORMAT = 2

Group = tuple[str, int]
LeafSets = Mapping[Group, LeafSet]


@dataclass(frozen=True, slots=True)
class Seal:
    """`files` by path within the folder, `workspaces` what each held by (document_id, generation)."""

    files: Mapping[str, FileSum]
    workspaces: Mapping[str, LeafSets] = field(default_factory=dict)


def read_seal(folder: Path) -> Seal | None:
    """The seal; None when there is none, or it cannot be read and so vouches for nothing."""
    try:
        body = json.loads((folder / SEAL_FILE).read_text(encoding="utf-8"))
        if body["format"] != _FORMAT:
            return None
        return Seal(
            {str(name): FileSum(*map(int, numbers)) for name, numbers in body["files"].items()},
            {
                str(workspace): {
                    (str(document_id), int(generation)): LeafSet(int(count), str(checksum))
                    for document_id, generation, count, checksum in groups
                }
                for workspace, groups in body["workspaces"].items()
            },
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write_seal(folder: Path, workspaces: Mapping[str, LeafSets], before: Seal | None = None) -> None:
    """Seal a folder that Chroma has let go of. Raises `OSError`.

    Args:
        before: the seal that was broken; files that bear the time noted there are not read again.
    """
    sums = file_sums(folder, _files(folder), before.files if before else None)
    body = {
        "format": _FORMAT,
        "files": {name: [item.size, item.crc32, item.written_ns] for name, item in sums.items()},
        "workspaces": {
            workspace: [[*group, held.count, held.checksum] for group, held in sorted(groups.items())]
            for workspace, groups in workspaces.items()
        },
    }
    draft = folder / f"{SEAL_FILE}.new"
    with draft.open("w", encoding="utf-8") as stream:
        json.dump(body, stream)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(folder / SEAL_FILE)


def break_seal(folder: Path) -> None:
    """Take the seal off before anything is written. Raises `OSError`."""
    (folder / SEAL_FILE).unlink(missing_ok=True)


def broken_parts(folder: Path, seal: Seal, *, read_all: bool = False) -> list[str]:
    """What is not as the seal says, in words. `read_all`: whatever the files' times say.

    Raises:
        OSError: a file cannot be read.
    """
    return changes(folder, seal.files, read_all=read_all)


def remove_journals(folder: Path) -> None:
    """Remove journals of SQLite that appeared beside a sealed database: it was complete without one, and
    SQLite would play them into it. Raises `OSError`."""
    for journal in folder.glob(f"{DATABASE_FILE}-*"):
        journal.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[Path]:
    if (folder / DATABASE_FILE).is_file():
        yield folder / DATABASE_FILE
    for ids in sorted(folder.glob(f"*/{GRAPH_IDS_FILE}")):
        yield from sorted(file for file in ids.parent.iterdir() if file.is_file())
