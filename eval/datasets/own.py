"""A person's own questions: one CSV, JSON or JSON lines file, and the folder of the documents they are about.

One row a question. Only `question` is needed; every other column says more about where the answer stands. A
row is judged by the most exact of what it gives: quote, then page, then document, then keyword.
"""

from __future__ import annotations

import csv
import difflib
import io
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from eval.datasets.dataset import Dataset, LabelledQuestion, Quote, Unit, in_conversations, page_id
from eval.datasets.files import fingerprint, read_jsonl, texts
from eval.datasets.quotes import sources_of
from prism.errors import SourceError, UsageError
from prism.ingest.readers.encoding import decode

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "question": ("question", "query", "prompt", "user_input", "प्रश्न"),
    "id": ("id", "question_id", "_id", "nr", "no"),
    "source": ("source", "sources", "document", "documents", "file", "filename", "expected_source"),
    "page": ("page", "pages", "sheet"),
    "quote": ("quote", "quotes", "passage", "evidence", "context", "reference_contexts", "gold"),
    "keyword": ("keyword", "keywords", "expected_keyword", "must_contain"),
    "answer": ("answer", "expected_answer", "reference", "reference_answer", "ground_truth"),
    "answerable": ("answerable",),
    "kind": ("kind", "category", "type"),
    "language": ("language", "lang"),
    "follows": ("follows", "after"),
}
"""Names a column may have, by what it says; capitals, spaces and hyphens do not matter."""

EXPLAINED: Final = (
    "question (the only one needed), id, source (file name), page (counted from the file's first), quote "
    "(word for word), keyword, answer, answerable (yes or no), kind, language, follows (an id)"
)
SEPARATORS: Final = {"quote": r"[|\n]"}
"""What stands between several values of a cell; `;` may stand within a quote."""

NO: Final = frozenset({"no", "false", "0", "n", "nein", "नहीं"})


def read_own(file: Path, documents: Path) -> Dataset:
    """Read a person's questions.

    Raises:
        UsageError: the file cannot be read or has no column of questions; the folder has no documents.
    """
    rows, ignored = _columns(_rows(file), file)
    if not rows:
        raise UsageError(f"{file}: no questions in it. Wanted: a header and one row a question.")
    sources = sources_of(documents)
    names = [source.name for source in sources]
    ids = Counter(row["id"] for row in rows if row.get("id"))
    if repeated := [name for name, times in ids.items() if times > 1]:
        raise UsageError(f"{file}: the id {repeated[0]!r} stands in several rows. Give each row its own.")
    questions = in_conversations(
        [_question(row, number, names) for number, row in enumerate(rows, start=1)],
        {
            _id(row, number): str(row["follows"]).strip()
            for number, row in enumerate(rows, start=1)
            if "follows" in row
        },
    )
    return Dataset(
        name=file.stem,
        sources=sources,
        questions=questions,
        key_of={name: name for name in names},
        fingerprint=fingerprint([file, *(source.path for source in sources)]),
        notes=tuple(_notes(rows, ignored, questions, len(sources))),
    )


def _rows(file: Path) -> list[dict[str, Any]]:
    ending = file.suffix.lower()
    if ending in (".jsonl", ".ndjson"):
        return read_jsonl(file)
    try:
        data = file.read_bytes()
        text = decode(data, file.name).text if data else ""
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror}).") from None
    except SourceError as error:
        raise UsageError(f"{file}: {error}") from None
    if ending == ".json":
        return _json_rows(text, file)
    if ending not in (".csv", ".tsv", ".txt"):
        raise UsageError(f"{file}: questions come as .csv, .tsv, .json or .jsonl. Save it as one of these.")
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    try:
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise UsageError(f"{file}: not a table ({error}). Is every quotation mark closed?") from None


def _json_rows(text: str, file: Path) -> list[dict[str, Any]]:
    try:
        rows = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{file}: not JSON ({error}).") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(f"{file}: a list of objects is wanted, one for each question.")
    return rows


def _columns(found: Sequence[Mapping[Any, Any]], file: Path) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Rows by our names for the columns, without empty cells and empty rows; and the columns passed over."""
    ours = {name: column for column, names in COLUMNS.items() for name in names}
    titles = dict.fromkeys(title for row in found for title in row if title is not None)
    known = {title: ours[_plain(title)] for title in titles if _plain(title) in ours}
    if found and "question" not in known.values():
        raise UsageError(f"{file}: no column 'question' (found: {', '.join(titles)}). Columns: {EXPLAINED}.")
    rows = [
        {column: row[title] for title, column in known.items() if row.get(title) not in (None, "")}
        for row in found
    ]
    kept = [row for row in rows if str(row.get("question", "")).strip()]
    ignored = tuple(title for title in titles if title not in known)
    return kept, ignored


def _plain(title: str) -> str:
    return re.sub(r"[\s-]+", "_", title.strip().lower())


def _question(row: Mapping[str, Any], number: int, names: Sequence[str]) -> LabelledQuestion:
    wanted = _values(row, "source")
    matched = [_match(name, names) for name in wanted]
    documents = tuple(name for name in matched if name is not None)
    quotes = _values(row, "quote")
    keywords = _values(row, "keyword")
    pages = [int(page) for page in _values(row, "page") if page.isdecimal()]
    answerable = _answerable(row, bool(wanted or quotes or keywords or row.get("answer")))
    unit: Unit = (
        "quote" if quotes else "page" if pages and documents else "document" if documents else "keyword"
    )
    graded = [page_id(name, page) for name in documents for page in pages] if unit == "page" else documents
    return LabelledQuestion(
        question_id=_id(row, number),
        text=str(row["question"]).strip(),
        unit=unit,
        kind=str(row.get("kind", "")).strip(),
        language=str(row.get("language", "")).strip(),
        answerable=answerable,
        grades=dict.fromkeys(graded, 1) if unit in ("page", "document") else {},
        quotes=tuple(Quote(name, text) for text in quotes for name in documents[:1] or ("",)),
        sources=documents,
        keywords=keywords,
        answers=_values(row, "answer"),
        unscorable=_why_not(wanted, matched, names, quotes, keywords) if answerable is not False else "",
    )


def _id(row: Mapping[str, Any], number: int) -> str:
    return str(row.get("id") or number).strip()


def _why_not(
    wanted: Sequence[str],
    matched: Sequence[str | None],
    names: Sequence[str],
    quotes: Sequence[str],
    keywords: Sequence[str],
) -> str:
    for name, found in zip(wanted, matched, strict=True):
        if found is None:
            near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
            meant = f" Is {near[0]!r} meant?" if near else ""
            return f"there is no document {name!r}.{meant}"
    if not (wanted or quotes or keywords):
        return "it says neither source nor quote nor keyword, so a passage cannot be told right from wrong"
    return ""


def _match(wanted: str, names: Sequence[str]) -> str | None:
    """The document meant: by its path, or by its name or stem when one document alone has it."""
    if wanted in names:
        return wanted
    folded = PurePosixPath(wanted.replace("\\", "/").casefold())
    for part in ("name", "stem"):
        same = [name for name in names if getattr(PurePosixPath(name.casefold()), part) == folded.name]
        if len(same) == 1:
            return same[0]
    return None


def _answerable(row: Mapping[str, Any], has_gold: bool) -> bool | None:
    said = str(row.get("answerable", "")).strip().casefold()
    if said:
        return said not in NO
    return True if has_gold else None


def _values(row: Mapping[str, Any], column: str) -> tuple[str, ...]:
    value = row.get(column)
    if isinstance(value, list):
        return texts(value)
    if column == "answer":
        return texts(value)
    parts = re.split(SEPARATORS.get(column, r"[;|\n]"), str(value or ""))
    return tuple(part.strip() for part in parts if part.strip())


def _notes(
    rows: Sequence[Mapping[str, Any]],
    ignored: Sequence[str],
    questions: Sequence[LabelledQuestion],
    documents: int,
) -> list[str]:
    read = dict.fromkeys(column for row in rows for column in row)
    judged = Counter(question.unit for question in questions if not _is_unjudged(question))
    notes = [f"{len(rows)} questions about {documents} documents; columns read: {', '.join(read)}."]
    if ignored:
        notes.append(f"Columns passed over: {', '.join(ignored)}. Known are: {EXPLAINED}.")
    if judged:
        shares = ", ".join(f"{count} by {unit}" for unit, count in judged.items())
        notes.append(f"A passage is told right from wrong: {shares}.")
    return notes


def _is_unjudged(question: LabelledQuestion) -> bool:
    return bool(question.unscorable) or question.answerable is False
