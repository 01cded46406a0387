"""Which documents have lost their file, so that `--prune` may delete them.

A document goes when the place its file came from lies in a folder that was looked through now, would have
been read there, and holds nothing any longer. Everything else stays: uploads, whose temporary file is always
gone; what other folders brought in; files that are there but excluded, locked or broken; and documents of
which it is no longer known where they came from (jobs are remembered up to `ingest.keep_jobs`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prism.ingest.patterns import Selection, is_pattern, split
from prism.settings import ReadSettings
from prism.types import DocumentInfo, Source


@dataclass(frozen=True, slots=True)
class LookedThrough:
    """A folder given, and what of it was wanted."""

    folder: Path
    selection: Selection

    def covers(self, path: Path) -> bool:
        """Whether a file at this place would have been read."""
        real = _real(path)
        if not real.is_relative_to(self.folder):
            return False
        return self.selection.wants(real.relative_to(self.folder).as_posix())


def looked_through(given: Iterable[str | Path | Source], settings: ReadSettings) -> list[LookedThrough]:
    """The folders among what was given; files and uploads say nothing of what is gone."""
    found = []
    for item in given:
        if isinstance(item, Source):
            continue
        folder, within = Path(item), None
        if not folder.exists() and is_pattern(str(item)):
            folder, within = split(str(item))
        if folder.is_dir():
            selection = Selection.of(settings.include, settings.exclude, within)
            found.append(LookedThrough(folder.resolve(), selection))
    return found


def without_file(
    documents: Iterable[DocumentInfo],
    paths: Mapping[str, Path],
    seen: set[str],
    folders: Sequence[LookedThrough],
) -> list[DocumentInfo]:
    """The active documents whose file is gone.

    Args:
        paths: where the file of each document was when it was last brought in, by source key.
        seen: source keys that were found now.
        folders: what was looked through now.
    """
    return [
        info
        for info in documents
        if info.status == "active"
        and info.document not in seen
        and info.document in paths
        and any(folder.covers(paths[info.document]) for folder in folders)
        and _is_gone(paths[info.document])
    ]


def _is_gone(path: Path) -> bool:
    """Whether nothing is there. What cannot be looked at is not gone."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _real(path: Path) -> Path:
    """Where a file lies, whatever links lead to its folder."""
    return Path(os.path.realpath(path.parent)) / path.name
