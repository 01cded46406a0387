"""The labelled sets that the gate is calibrated on. It is judged on others: the sample set, circulars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.datasets.dataset import Dataset
from eval.datasets.open import open_dataset, part_of
from prism.errors import UsageError

DEFAULTS: Final = ("squad2", "xquad/en", "scifact")
"""Folders below the one that PRISM_DATA names."""

FAMILIES: Final = {
    "squad2": "encyclopedia",
    "xquad": "encyclopedia",
    "scifact": "medicine",
    "pubmedqa": "medicine",
}
"""Sets about the same things: a question of one may well be answered by another. A set that is not named is
of a family of its own."""


@dataclass(frozen=True, slots=True)
class CalibrationSet:
    """A set with its name in tables (its path below PRISM_DATA where it lies there) and its family."""

    name: str
    family: str
    dataset: Dataset


def calibration_sets(
    folders: Sequence[Path], data: Path | None, work: Path, *, language: str | None = None
) -> list[CalibrationSet]:
    """Open the sets named, or the default ones.

    Args:
        data: the folder that PRISM_DATA names.
        work: where a corpus that lies in one file is written out as documents.
        language: only questions in it.

    Raises:
        UsageError: there is none, or one is not there.
    """
    chosen = list(folders) or [data / name for name in DEFAULTS if data and (data / name).is_dir()]
    if not chosen:
        raise UsageError(
            "Nothing to calibrate on. Name labelled sets with --dataset, or set PRISM_DATA to the folder of "
            f"{', '.join(DEFAULTS)}."
        )
    return [_opened(folder, data, work, language) for folder in chosen]


def _opened(folder: Path, data: Path | None, work: Path, language: str | None) -> CalibrationSet:
    name = folder.name
    if data is not None and folder.resolve().is_relative_to(data.resolve()):
        name = folder.resolve().relative_to(data.resolve()).as_posix()
    dataset = part_of(open_dataset(folder, work), language=language)
    return CalibrationSet(name, FAMILIES.get(name.partition("/")[0], name), dataset)
