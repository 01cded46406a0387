"""Is the record there? A folder whose catalogue is gone must not quietly become a new, empty one.

    <folder>/last_backup.json    where the last archive was written: a broken catalogue cannot say
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from prism.errors import StoreDamagedError

LAST_BACKUP_FILE = "last_backup.json"


def check_record(catalogue: Path) -> None:
    """Refuse to begin a new catalogue where there was one.

    Raises:
        StoreDamagedError: the catalogue is missing or empty, and what was derived from it is there.
    """
    folder = catalogue.parent
    if catalogue.exists() and catalogue.stat().st_size:
        return
    left = [name for name in ("originals", "keywords") if _holds_files(folder / name)]
    if left:
        state = "is empty" if catalogue.exists() else "is missing"
        raise StoreDamagedError(
            f"{catalogue}: the catalogue {state}, but {left[0]}/ is there. {way_back(folder)}"
        )


def way_back(folder: Path) -> str:
    """What to do about a lost or broken catalogue: which backup to restore, and how."""
    elsewhere = "prism --storage NEW_FOLDER restore"
    for archive in _archives(folder):
        return f"Restore the newest backup into another folder: {elsewhere} {archive}"
    copies = sorted(folder.glob("catalogue.format*.backup"), key=lambda copy: copy.stat().st_mtime)
    if copies:
        return f"Put {copies[-1].name}, the copy of the last migration, in its place (keep the broken file)."
    return (
        f"No backup was found. If you have an archive: {elsewhere} FILE. Otherwise ingest the files again "
        f"into another folder; {folder / 'originals'} holds them as they came."
    )


def note_backup(folder: Path, archive: Path) -> None:
    """Remember where an archive was written, whole or not at all."""
    draft = folder / f"{LAST_BACKUP_FILE}.new"
    draft.write_text(json.dumps({"archive": str(archive.resolve())}), encoding="utf-8")
    draft.replace(folder / LAST_BACKUP_FILE)


def _archives(folder: Path) -> Iterator[Path]:
    try:
        archive = Path(json.loads((folder / LAST_BACKUP_FILE).read_text(encoding="utf-8"))["archive"])
    except (OSError, ValueError, KeyError, TypeError):
        return  # Nothing noted, or what was noted cannot be read: there is no archive to name.
    if archive.is_file():
        yield archive


def _holds_files(folder: Path) -> bool:
    return any(path.is_file() for path in folder.rglob("*"))
