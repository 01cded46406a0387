"""Sets whose gold are quoted spans: `questions.jsonl` beside `documents/`. They work with any chunking.

A line: {"id", "question", "kind", "answerable", "gold": [{"document", "quote"}], "needs_all", "answer",
"follows", "language", "sources": […], "keywords": […]}; `question` is needed and, when answerable, `gold`.
Any one of the gold quotes answers, unless `needs_all`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.datasets.dataset import Dataset, LabelledQuestion, Quote, in_conversations
from eval.datasets.files import fingerprint, read_jsonl, required, texts, yes_or_no
from prism.errors import UsageError
from prism.ingest.discover import source_key
from prism.types import Source

QUESTIONS, DOCUMENTS = "questions.jsonl", "documents"


def is_quoted(folder: Path) -> bool:
    """Whether the folder is a set in this form."""
    return (folder / QUESTIONS).is_file() and (folder / DOCUMENTS).is_dir()


def read_quotes(folder: Path) -> Dataset:
    """Read a set. Raises `UsageError` when a file is missing or has another form."""
    sources = sources_of(folder / DOCUMENTS)
    names = {source.name: source.name for source in sources}
    file = folder / QUESTIONS
    rows = read_jsonl(file)
    questions = in_conversations(
        [_question(row, number, file, names) for number, row in enumerate(rows, start=1)],
        {_id(row, number): str(row["follows"]) for number, row in enumerate(rows, 1) if row.get("follows")},
        file,
    )
    identity = fingerprint([file], sources)
    return Dataset(folder.name, sources, questions, names, identity)


def sources_of(folder: Path) -> tuple[Source, ...]:
    """The files below a folder, named by their place in it as the engine does; hidden ones are left out.

    Raises:
        UsageError: there is no such folder, or no file in it.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()] if folder.is_dir() else []
    names = [path.relative_to(folder) for path in paths]
    shown = [
        Source(path, source_key(name.as_posix()))
        for path, name in zip(paths, names, strict=True)
        if not any(part.startswith(".") for part in name.parts)
    ]
    if not shown:
        raise UsageError(f"{folder}: no documents there. Name the folder that holds them with --documents.")
    return tuple(shown)


def _id(row: Mapping[str, Any], number: int) -> str:
    return str(row.get("id") or number)


def _question(row: Mapping[str, Any], number: int, file: Path, names: Mapping[str, str]) -> LabelledQuestion:
    try:
        text = required(row, "question")
        quotes = tuple(
            Quote(required(gold, "document"), required(gold, "quote")) for gold in row.get("gold") or ()
        )
        answerable = yes_or_no(row.get("answerable", bool(quotes)))
        needs_all = yes_or_no(row.get("needs_all", False))
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"{file}: row {number} lacks {error}. Wanted: question, and gold as document and quote."
        ) from None
    present = tuple(quote for quote in quotes if quote.document in names)
    unscorable = ""
    if answerable and (not present or (needs_all and len(present) < len(quotes))):
        unscorable = "its documents are not in this collection" if quotes else "it has no gold quote"
    gold_documents = tuple(dict.fromkeys(quote.document for quote in quotes))
    return LabelledQuestion(
        question_id=_id(row, number),
        text=text,
        unit="quote",
        kind=str(row.get("kind") or ""),
        language=str(row.get("language") or ""),
        answerable=answerable,
        quotes=present,
        any_quote=not needs_all,
        sources=texts(row.get("sources")) or gold_documents,
        keywords=texts(row.get("keywords")),
        answers=texts(row.get("answer")),
        unscorable=unscorable,
    )
