"""The labelled sets of the survey, below the folder that PRISM_DATA names, and the sample set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.machine import REPOSITORY
from prism.errors import UsageError

SAMPLE: Final = REPOSITORY / "eval" / "datasets" / "sample"


@dataclass(frozen=True, slots=True)
class SurveyedSet:
    """A set: its name in the table, where it lies, and which of its questions are asked."""

    name: str
    folder: Path
    language: str | None = None


def surveyed_sets(data: Path | None, names: Sequence[str] = ()) -> list[SurveyedSet]:
    """The sets that are there, of those named; all of them when none is.

    Raises:
        UsageError: one that is named is not there.
    """
    everywhere = [SurveyedSet("sample", SAMPLE)]
    if data is not None:
        everywhere += [
            SurveyedSet("XQuAD en", data / "xquad" / "en"),
            SurveyedSet("XQuAD hi", data / "xquad" / "hi"),
            SurveyedSet("RBI English", data / "rbi_circulars", "en"),
            SurveyedSet("Cranfield", data / "cranfield"),
            SurveyedSet("anthropic_contextual", data / "anthropic_contextual"),
            SurveyedSet("SciFact", data / "scifact"),
        ]
    there = {item.name: item for item in everywhere if item.folder.is_dir()}
    for name in names:
        if name not in there:
            raise UsageError(
                f"--set {name!r}: no such set. There are: {', '.join(there)}. PRISM_DATA names the folder of "
                "labelled sets; 'sample' is always there."
            )
    return [item for item in there.values() if not names or item.name in names]
