"""The labelled sets that the projection learns from, with only those questions that it may learn from.

Of squad2 four articles are left out, to choose the recipe by. Of a set with questions of its own for training
(`queries_train.jsonl`) all others are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from eval.datasets.beir import labelled
from eval.datasets.dataset import Dataset, LabelledQuestion
from eval.datasets.files import fingerprint, read_jsonl, read_judgements
from eval.datasets.open import open_dataset, part_of
from prism.errors import UsageError

DEFAULTS: Final = ("squad2", "scifact", "pubmedqa")
"""Folders below the one that PRISM_DATA names."""

HELD_OUT: Final = frozenset({"Force", "Immune_system", "Imperialism", "Warsaw"})
"""Articles of squad2 that are not learnt from. A paragraph's id is its article and a number (`Warsaw_3`)."""

WITH_SPANS: Final = frozenset({"squad2"})
"""Sets whose answers stand word for word in their documents. Those of pubmedqa are yes, no and maybe."""


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """The whole corpus of a set, and its questions to learn from. `has_spans`: their answers stand word for
    word in the documents that are judged relevant."""

    dataset: Dataset
    has_spans: bool

    @property
    def name(self) -> str:
        """Name of its folder."""
        return self.dataset.name


def training_sets(
    folders: Sequence[Path], data: Path | None, work: Path, *, limit: int | None = None
) -> list[TrainingSet]:
    """Open the sets named, or the default ones.

    Args:
        data: the folder that PRISM_DATA names.
        work: where a corpus that lies in one file is written out as documents.
        limit: at most so many questions of each set, spread evenly.

    Raises:
        UsageError: a set is not there, or no question is left to learn from.
    """
    if not folders and data is None:
        raise UsageError(
            "Nothing to learn from. Name labelled sets with --dataset, or set PRISM_DATA to the folder of "
            f"{', '.join(DEFAULTS)}."
        )
    # All of the default sets: a matrix made from fewer must not pass for the packaged one.
    chosen = list(folders) or [data / name for name in DEFAULTS if data]
    return [_opened(folder, work, limit) for folder in chosen]


def _opened(folder: Path, work: Path, limit: int | None) -> TrainingSet:
    dataset = _trainable(folder, open_dataset(folder, work))
    questions = tuple(item for item in dataset.questions if _may_teach(item, dataset.name))
    if not questions:
        raise UsageError(
            f"{folder}: no question has an answer to learn from. Name another set with --dataset."
        )
    return TrainingSet(
        part_of(replace(dataset, questions=questions), limit=limit), dataset.name in WITH_SPANS
    )


def _trainable(folder: Path, dataset: Dataset) -> Dataset:
    """The set with its questions for training, where it has such."""
    asked, judged = folder / "queries_train.jsonl", folder / "qrels_train.tsv"
    if not asked.is_file():
        return dataset
    grades, known = read_judgements(judged), frozenset(dataset.key_of.values())
    questions = tuple(
        labelled(row, asked, grades, known, missing="its documents are not in this corpus")
        for row in read_jsonl(asked)
    )
    return replace(
        dataset, questions=questions, fingerprint=fingerprint([folder / "corpus.jsonl", asked, judged])
    )


def _may_teach(question: LabelledQuestion, name: str) -> bool:
    """Whether it has an answer and asks about nothing that is held out. Follow-ups are no questions by
    themselves."""
    if question.answerable is False or question.unscorable or question.earlier:
        return False
    articles = {unit.rpartition("_")[0] for unit in question.grades} if name == "squad2" else frozenset()
    return not articles & HELD_OUT
