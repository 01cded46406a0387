"""Reading the files of labelled sets: JSON lines, judgements, and a hash of all that was read."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from prism.errors import UsageError


def read_jsonl(file: Path) -> list[dict[str, Any]]:
    """The objects of a file with one JSON object a line; empty lines are passed over.

    Raises:
        UsageError: the file cannot be read, or a line is no JSON object.
    """
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(read_text(file).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(
                f"{file}, line {number}: not JSON ({error}). One object a line is wanted."
            ) from None
        if not isinstance(row, dict):
            raise UsageError(f"{file}, line {number}: a JSON object is wanted, not a {type(row).__name__}.")
        rows.append(row)
    return rows


def read_judgements(file: Path) -> Mapping[str, Mapping[str, int]]:
    """Grades by question and unit, of a file with a header and the columns question, unit, grade between tabs
    (BEIR; Thakur et al. 2021).

    Raises:
        UsageError: the file cannot be read, or a line has another form.
    """
    grades: dict[str, dict[str, int]] = {}
    lines = csv.reader(read_text(file).splitlines()[1:], delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, cells in enumerate(lines, start=2):
        if not cells:
            continue
        try:
            question_id, unit_id, grade = cells
            grades.setdefault(question_id, {})[unit_id] = int(float(grade))
        except ValueError:
            raise UsageError(
                f"{file}, line {number}: wanted question id, unit id and grade with tabs between, "
                f"found {cells}."
            ) from None
    return grades


def read_text(file: Path) -> str:
    """A UTF-8 file's text, without a byte order mark. Raises `UsageError` when it cannot be read."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from None


def fingerprint(files: Iterable[Path]) -> str:
    """A hash of the files' names and bytes, in the order given. Raises `UsageError`."""
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise UsageError(f"{file}: cannot be read ({error.strerror}).") from None
        digest.update(f"{file.name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def texts(value: object) -> tuple[str, ...]:
    """A list of strings, or one alone, as a tuple; None is an empty one."""
    if value is None or value == "":
        return ()
    values: Sequence[object] = value if isinstance(value, list) else [value]
    return tuple(str(item) for item in values)
