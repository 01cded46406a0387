"""What has been measured so far, one JSON object a line, appended at once: a run that was stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from eval.bench.quantities import BuildName
from prism.errors import UsageError


@dataclass(frozen=True, slots=True)
class Record:
    """One value. `details` holds what explains it (stages in ms, single values), never compared itself.

    `leaves` is the size asked for, 0 for what does not depend on it.
    """

    leaves: int
    repetition: int
    build: BuildName
    quantity: str
    value: float
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> tuple[int, int, str, str]:
        """What was measured when; the last record of a key counts."""
        return self.leaves, self.repetition, self.build, self.quantity


def append(file: Path, record: Record) -> None:
    """Add a record to the end of the file."""
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(asdict(record)) + "\n")


def read(file: Path) -> tuple[Record, ...]:
    """All records, the last one of each key; a line cut short by a crash is passed over.

    Raises:
        UsageError: a line before the last is not a record.
    """
    if not file.is_file():
        return ()
    found: dict[tuple[int, int, str, str], Record] = {}
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            record = Record(**json.loads(line))
        except (ValueError, TypeError) as error:
            if number == len(lines):
                break
            raise UsageError(f"{file}, line {number}: not a record ({error}). Give another --log.") from None
        found[record.key] = record
    return tuple(found.values())


def repair(file: Path) -> None:
    """Cut off a last line that a crash left unfinished, so that the next record begins on its own."""
    if file.is_file():
        data = file.read_bytes()
        if data and not data.endswith(b"\n"):
            file.write_bytes(data[: data.rfind(b"\n") + 1])
