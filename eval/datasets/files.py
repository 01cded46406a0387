"""Reading the files of labelled sets: JSON lines, judgements, and a hash of all that was read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from prism.errors import UsageError
from prism.types import Source

TRUTHS: Final = frozenset({"yes", "no", "true", "false", "y", "n"})


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
    """Grades by question and unit, of a file with the columns question, unit, grade between tabs (BEIR;
    Thakur et al. 2021). The first line may be titles: three, the last of which is no attempt at a grade.

    Raises:
        UsageError: the file cannot be read, or a line has another form.
    """
    grades: dict[str, dict[str, int]] = {}
    for number, line in enumerate(read_text(file).split("\n"), start=1):
        cells = line.rstrip().split("\t")
        if not line.strip() or (number == 1 and _are_titles(cells)):
            continue
        if len(cells) != 3 or not _is_grade(cells[2]):
            raise UsageError(
                f"{file}, line {number}: wanted question id, unit id and a whole number as grade, with tabs "
                f"between, found {cells}."
            )
        question_id, unit_id, grade = cells
        grades.setdefault(question_id, {})[unit_id] = int(float(grade))
    return grades


def _are_titles(cells: Sequence[str]) -> bool:
    last = cells[-1].strip().casefold()
    return len(cells) == 3 and not any(letter.isdigit() for letter in last) and last not in TRUTHS


def _is_grade(text: str) -> bool:
    try:
        return float(text).is_integer()
    except ValueError:
        return False


def read_text(file: Path) -> str:
    """A UTF-8 file's text, without a byte order mark. Raises `UsageError` when it cannot be read."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from None


def fingerprint(files: Iterable[Path], sources: Iterable[Source] = ()) -> str:
    """A hash of files' names and bytes, in the order given, and of documents', by the names they go by.

    Raises:
        UsageError: one cannot be read.
    """
    digest = hashlib.blake2b(digest_size=8)
    named = [*((file.name, file) for file in files), *((source.name, source.path) for source in sources)]
    for name, file in named:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise UsageError(f"{file}: cannot be read ({error.strerror}).") from None
        digest.update(f"{name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def texts(value: object) -> tuple[str, ...]:
    """A list of strings, or one alone, as a tuple without empty ones; None is an empty one."""
    values = value if isinstance(value, list) else [value]
    return tuple(str(item) for item in values if item is not None and str(item).strip())


def required(row: Mapping[str, Any], key: str) -> str:
    """A text or number that must be there. Raises `KeyError` when it is not, or is null."""
    value = row[key]
    if value is None or isinstance(value, list | dict):
        raise KeyError(key)
    return str(value)


def yes_or_no(value: object) -> bool:
    """A truth value, however it was written. Raises `KeyError` for what is none."""
    said = str(value).strip().casefold()
    if said in ("true", "yes", "1"):
        return True
    if said in ("false", "no", "0"):
        return False
    raise KeyError(f"yes or no instead of {value!r}")
