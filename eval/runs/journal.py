"""Questions asked so far, one row a line, written at once: a run that was stopped goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path

from eval.outcome.row import Row, from_json, to_json


def append(file: Path, row: Row) -> None:
    """Add a row to the end of the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(to_json(row), ensure_ascii=False, allow_nan=False) + "\n")


def read(file: Path) -> dict[str, Row]:
    """The rows by question id. From a line on that a crash cut short or spoiled, the questions are asked
    again, so the file is cut there."""
    if not file.is_file():
        return {}
    rows: dict[str, Row] = {}
    sound = 0
    for line in file.read_bytes().splitlines(keepends=True):
        try:
            row = from_json(json.loads(line)) if line.endswith(b"\n") else None
        except (ValueError, TypeError, KeyError):
            row = None
        if row is None:
            with file.open("r+b") as stream:
                stream.truncate(sound)
            break
        rows[row.question_id] = row
        sound += len(line)
    return rows
