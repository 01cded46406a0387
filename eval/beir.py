"""Labelled sets in BEIR form: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prism.types import Source


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question, the ids of the corpus entries that answer it, and answers as they are written there."""

    question_id: str
    text: str
    gold: frozenset[str]
    answers: tuple[str, ...]
    language: str


def read_questions(folder: Path) -> list[LabelledQuestion]:
    """The questions of a set, in file order."""
    gold: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question_id, corpus_id, score = line.split("\t")
        if int(score) > 0:
            gold.setdefault(question_id, set()).add(corpus_id)
    return [
        LabelledQuestion(
            row["_id"],
            row["text"],
            frozenset(gold.get(row["_id"], ())),
            tuple(row.get("answers", ())),
            row.get("lang", "en"),
        )
        for row in _rows(folder / "queries.jsonl")
    ]


def write_corpus(folder: Path, target: Path) -> tuple[list[Source], Mapping[str, str]]:
    """The corpus as one text file an entry: sources to ingest, and corpus id by source name."""
    target.mkdir(parents=True, exist_ok=True)
    sources, ids = [], {}
    for number, row in enumerate(_rows(folder / "corpus.jsonl")):
        name = f"{number:06}.txt"
        title = f"{row['title']}\n\n" if row.get("title") else ""
        (target / name).write_text(title + row["text"], encoding="utf-8")
        sources.append(Source(target / name, name))
        ids[name] = row["_id"]
    return sources, ids


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
