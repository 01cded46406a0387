"""Read every file whose text is known and compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from eval.reading.files import Known, read_or_refused
from eval.reading.overlap import Overlap, missing_words, overlap
from eval.reading.words import reference_words, words_of
from prism.settings import ReadSettings

KEPT_MISSING = 50


@dataclass(frozen=True, slots=True)
class Measured:
    """One file: what its text and its reference share, and the words lost. A file that was refused has the
    reason instead, and shares nothing."""

    file: str
    is_text_pdf: bool
    overlap: Overlap
    missing: tuple[tuple[str, int], ...] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Means:
    """Unweighted means over some files."""

    title: str
    files: int
    precision: float
    recall: float
    in_order: float


def measure(files: Sequence[Known], settings: ReadSettings) -> Iterator[Measured]:
    """Read and compare one after another."""
    for file in files:
        found, reference = read_or_refused(file, settings), reference_words(file.reference)
        if isinstance(found, str):
            nothing = Overlap(0, len(reference), 0, 0.0)
            yield Measured(file.path.name, file.is_text_pdf, nothing, refused=found)
            continue
        words = words_of(found.text)
        yield Measured(
            file.path.name,
            file.is_text_pdf,
            overlap(words, reference),
            tuple(missing_words(words, reference, KEPT_MISSING)),
        )


def means(measured: Sequence[Measured]) -> tuple[Means, ...]:
    """Means of the PDFs with a text layer, and of all files that were read."""
    read = [file for file in measured if not file.refused]
    groups = {
        "PDFs with a text layer": [file for file in measured if file.is_text_pdf],
        "all that were read": read,
    }
    return tuple(_means(title, files) for title, files in groups.items() if files)


def _means(title: str, files: Sequence[Measured]) -> Means:
    found = [file.overlap for file in files]
    return Means(
        title,
        len(found),
        mean(each.precision for each in found),
        mean(each.recall for each in found),
        mean(each.in_order for each in found),
    )
