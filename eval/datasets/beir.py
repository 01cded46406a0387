"""Sets in BEIR form (Thakur et al. 2021), where whole documents are judged: `corpus.jsonl`, `queries.jsonl`,
`qrels.tsv`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from eval.datasets.dataset import Dataset, LabelledQuestion, Unit
from eval.datasets.files import fingerprint, read_jsonl, read_judgements, required, texts, yes_or_no
from prism.errors import UsageError
from prism.ingest.discover import source_key
from prism.types import Source

MAX_TITLE_CHARS: Final = 120
"""Of a title, in the name of its file: longer ones say nothing more."""


def is_beir(folder: Path) -> bool:
    """Whether the folder has a corpus in this form."""
    return (folder / "corpus.jsonl").is_file() and (folder / "queries.jsonl").is_file()


def read_beir(folder: Path, work: Path) -> Dataset:
    """Read a set, and write its corpus as text files under `work`, one an entry.

    An entry's title is the name of its file, as it would be on a person's disk, and the first line of its
    text (as BEIR's own baselines read it), unless the text begins with it already.

    Raises:
        UsageError: a file is missing or has another form.
    """
    judged = _judgements_file(folder)
    files = [folder / "corpus.jsonl", folder / "queries.jsonl", judged]
    identity = fingerprint(files)
    target = work / f"{folder.name}-{identity}"
    sources, key_of = _write_corpus(read_jsonl(files[0]), target, files[0])
    grades = read_judgements(judged)
    known = frozenset(key_of.values())
    questions = tuple(
        labelled(row, files[1], grades, known, missing="its documents are not in this corpus")
        for row in read_jsonl(files[1])
    )
    return Dataset(folder.name, sources, questions, key_of, identity)


def labelled(
    row: Mapping[str, Any],
    file: Path,
    grades: Mapping[str, Mapping[str, int]],
    known: frozenset[str],
    *,
    missing: str,
    unit: Unit = "document",
) -> LabelledQuestion:
    """One line of `queries.jsonl` with its judgements.

    Args:
        known: units that are there; the others count neither as gold nor as missed.
        missing: why a question cannot be scored when none of its gold is there.

    Raises:
        UsageError: the line lacks `_id` or `text`.
    """
    try:
        question_id, text = required(row, "_id"), required(row, "text")
        answerable = None if row.get("answerable") is None else yes_or_no(row["answerable"])
    except KeyError as error:
        raise UsageError(f"{file}: a question lacks {error}. Wanted: _id and text.") from None
    judged = grades.get(question_id, {})
    relevant = {unit_id for unit_id, grade in judged.items() if grade > 0}
    unscorable = ""
    if answerable is not False:
        unscorable = "" if relevant & known else missing if relevant else "nothing is judged relevant to it"
    return LabelledQuestion(
        question_id=question_id,
        text=text,
        unit=unit,
        kind=str(row.get("type") or row.get("kind") or ""),
        language=str(row.get("lang") or row.get("language") or ""),
        answerable=bool(relevant) or None if answerable is None else answerable,
        grades={unit_id: grade for unit_id, grade in judged.items() if unit_id in known},
        answers=texts(row.get("answers")),
        about=str(row.get("context_id") or ""),
        unscorable=unscorable,
    )


def _judgements_file(folder: Path) -> Path:
    candidates = [folder / "qrels.tsv", folder / "qrels" / "test.tsv"]
    for file in candidates:
        if file.is_file():
            return file
    raise UsageError(f"{folder}: no judgements. Wanted: {' or '.join(map(str, candidates))}.")


def _write_corpus(
    rows: list[dict[str, Any]], target: Path, file: Path
) -> tuple[tuple[Source, ...], Mapping[str, str]]:
    sources: list[Source] = []
    key_of: dict[str, str] = {}
    target.mkdir(parents=True, exist_ok=True)
    for number, row in enumerate(rows):
        try:
            key, text = required(row, "_id"), required(row, "text")
        except KeyError as error:
            raise UsageError(f"{file}: an entry lacks {error}. Wanted: _id and text.") from None
        title = str(row.get("title") or "")
        whole = text if not title or text.startswith(title) else f"{title}\n\n{text}"
        path = target / f"{number:06}.txt"
        if not path.is_file() or path.read_text(encoding="utf-8") != whole:
            path.write_text(whole, encoding="utf-8")
        name = source_key(f"{number:06}/{_file_name(title)}.txt")
        sources.append(Source(path, name))
        key_of[name] = key
    return tuple(sources), key_of


def _file_name(title: str) -> str:
    """A title as the name of a file; one that says nothing where there is none."""
    cleaned = "".join(" " if letter in "/\\" or not letter.isprintable() else letter for letter in title)
    return " ".join(cleaned.split())[:MAX_TITLE_CHARS].strip() or "-"
