"""Find a result by its path, or by its name among those that are kept."""

from __future__ import annotations

import json
from pathlib import Path

from prism.errors import UsageError

ENDING = ".json"


def find_result(name_or_path: str, folder: Path) -> Path:
    """The file of a result.

    A path to a file is taken as it is. Else it is a file of `folder`, with or without its `.json`; else the
    newest result of that name in `folder`, by the date that stands in it (the date of a file says when it was
    checked out). Of two equal dates the later file name counts.

    Raises:
        UsageError: there is none.
    """
    for file in (Path(name_or_path), folder / name_or_path, folder / (name_or_path + ENDING)):
        if file.is_file():
            return file
    files = sorted(folder.glob(f"*{ENDING}"))
    dated = [(date, file) for file in files if (date := _date(file, name_or_path)) is not None]
    if dated:
        return max(dated)[1]
    held = ", ".join(file.stem for file in files) or "nothing"
    raise UsageError(
        f"{name_or_path}: no such file, and no result of that name in {folder}, which holds: {held}. "
        "Give one of these, or a path; 'python -m eval retrieval' makes results."
    )


def _date(file: Path, name: str) -> str | None:
    """The date of a result that bears the name, else None. Files of another form are no results."""
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        return str(body["date"]) if body["name"] == name and "rows" in body else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
