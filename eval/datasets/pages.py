"""Sets of files whose pages or documents are judged: a table of files with keys, the files, questions.

files.jsonl       {"key", "file", …}   qrels.tsv names pages by KEY#pN, N the sheet from 1
documents.jsonl   {"_id", "file", …}   qrels_docs.tsv names documents by their _id
pdfs/             the files; those that are not there are left out, and questions about them unscorable
queries.jsonl     {"_id", "text", …}
"""

from __future__ import annotations

from pathlib import Path

from eval.datasets.beir import labelled
from eval.datasets.dataset import Dataset
from eval.datasets.files import fingerprint, read_jsonl, read_judgements
from prism.errors import UsageError
from prism.ingest.discover import source_key
from prism.types import Source

FORMS = (("files.jsonl", "key", "qrels.tsv"), ("documents.jsonl", "_id", "qrels_docs.tsv"))
FILES = "pdfs"


def is_paged(folder: Path) -> bool:
    """Whether the folder is a set in this form."""
    return (folder / FILES).is_dir() and any((folder / table).is_file() for table, _, _ in FORMS)


def read_pages(folder: Path) -> Dataset:
    """Read a set.

    Raises:
        UsageError: a file is missing or has another form.
    """
    table, key, judged = next(form for form in FORMS if (folder / form[0]).is_file())
    rows = read_jsonl(folder / table)
    try:
        key_of = {str(row["file"]): str(row[key]) for row in rows}
    except KeyError as error:
        raise UsageError(f"{folder / table}: a file lacks {error}. Wanted: {key} and file.") from None
    there = {name: key_of[name] for name in key_of if (folder / FILES / name).is_file()}
    if not there:
        raise UsageError(f"{folder / FILES}: none of the files that {table} names is there.")
    files = [folder / table, folder / "queries.jsonl", folder / judged]
    sources = tuple(Source(folder / FILES / name, source_key(name)) for name in there)
    grades = read_judgements(folder / judged)
    keys = frozenset(there.values())
    units = frozenset(
        unit
        for units in grades.values()
        for unit in units
        if unit in keys or unit.rpartition("#p")[0] in keys
    )
    missing = "the files that answer it are not in this collection"
    questions = tuple(
        labelled(row, files[1], grades, units, missing=missing, unit="page" if key == "key" else "document")
        for row in read_jsonl(files[1])
    )
    notes: tuple[str, ...] = ()
    if len(there) < len(key_of):
        notes = (f"{len(key_of) - len(there)} of {len(key_of)} files are not there.",)
    identity = fingerprint(files, sources)
    key_of_source = {source_key(name): key for name, key in there.items()}
    return Dataset(folder.name, sources, questions, key_of_source, identity, notes)
