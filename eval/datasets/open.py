"""Which form a labelled set has: a folder in one of three forms, or a file of a person's own questions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from eval.datasets.beir import is_beir, read_beir
from eval.datasets.dataset import Dataset
from eval.datasets.own import read_own
from eval.datasets.pages import is_paged, read_pages
from eval.datasets.quotes import is_quoted, read_quotes
from prism.errors import UsageError


def open_dataset(path: Path, work: Path, documents: Path | None = None) -> Dataset:
    """Read a labelled set.

    Args:
        path: a folder (BEIR form, judged pages, quoted spans), or a CSV or JSON file of questions.
        work: where a corpus that lies in one file is written out as documents.
        documents: for a file of questions, the folder of the documents they are about.

    Raises:
        UsageError: there is nothing there, or its form is none of these.
    """
    if path.is_file():
        if documents is None:
            raise UsageError(f"{path}: name the folder of the documents it asks about with --documents.")
        return read_own(path, documents)
    if not path.is_dir():
        raise UsageError(f"{path}: no such folder or file. Name a labelled set with --dataset.")
    if documents is not None:
        raise UsageError("--documents goes with a file of questions; a folder holds its documents itself.")
    if is_quoted(path):
        return read_quotes(path)
    if is_paged(path):
        return read_pages(path)
    if is_beir(path):
        return read_beir(path, work)
    raise UsageError(
        f"{path}: not a labelled set. Wanted: corpus.jsonl, queries.jsonl and qrels.tsv; or files.jsonl, "
        "pdfs/, queries.jsonl and qrels.tsv; or questions.jsonl and documents/; or a CSV file of questions."
    )


def part_of(dataset: Dataset, *, language: str | None = None, limit: int | None = None) -> Dataset:
    """The set with fewer questions and the whole corpus.

    Args:
        language: only questions in it.
        limit: at most so many, spread evenly over the file: kinds that stand together there are met in their
            proportion, rare ones perhaps not at all.

    Raises:
        UsageError: no question is left.
    """
    asked = [item for item in dataset.questions if language is None or item.language == language]
    if not dataset.questions:
        raise UsageError(f"{dataset.name}: it has no questions. Nothing can be asked.")
    if not asked:
        known = sorted({item.language for item in dataset.questions if item.language})
        raise UsageError(
            f"{dataset.name}: no question in {language!r}. Languages: {', '.join(known) or 'none'}."
        )
    if limit is not None and limit < len(asked):
        asked = [asked[place * len(asked) // limit] for place in range(limit)]
    return replace(dataset, questions=tuple(asked))
