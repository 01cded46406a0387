"""A person's own questions: one CSV, JSON or JSON lines file, and the folder of the documents they are about.

One row a question. Only `question` is needed; every other column says more about where the answer stands. A
row is judged by the most exact of what it gives: quote, then page, then document, then keyword.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from eval.datasets.columns import EXPLAINED, chosen_columns
from eval.datasets.dataset import Dataset, LabelledQuestion, PageName, Quote, Unit, in_conversations
from eval.datasets.files import fingerprint
from eval.datasets.match import match
from eval.datasets.own_row import OwnRow, own_row
from eval.datasets.quotes import sources_of
from eval.datasets.table_file import read_table
from prism.errors import UsageError


def read_own(file: Path, documents: Path) -> Dataset:
    """Read a person's questions.

    Raises:
        UsageError: the file cannot be read, has no column of questions or a row that cannot be understood;
            the folder has no documents.
    """
    titles, found = read_table(file)
    if not titles:
        raise UsageError(f"{file}: it is empty. Wanted: a row of titles, then one row a question.")
    title_of, ignored = chosen_columns(titles, file)
    rows = tuple(row for item in found if (row := own_row(item, title_of, file)) is not None)
    if not rows:
        raise UsageError(f"{file}: no questions under its titles. Wanted: one row a question.")
    # The questions may lie beside the documents, and are none.
    sources = tuple(source for source in sources_of(documents) if not source.path.samefile(file))
    if not sources:
        raise UsageError(f"{documents}: no documents beside the questions. Put them there.")
    names = [source.name for source in sources]
    ids = _ids(rows, file)
    questions = in_conversations(
        [_question(row, question_id, names) for row, question_id in zip(rows, ids, strict=True)],
        {question_id: row.follows for row, question_id in zip(rows, ids, strict=True) if row.follows},
        file,
    )
    return Dataset(
        name=file.stem,
        sources=sources,
        questions=questions,
        key_of={name: name for name in names},
        fingerprint=fingerprint([file], sources),
        notes=tuple(_notes(tuple(title_of), ignored, questions, len(sources))),
    )


def _ids(rows: Sequence[OwnRow], file: Path) -> list[str]:
    """The rows' ids; one without gets its number among the questions."""
    place_of: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        question_id = row.question_id or str(number)
        if question_id in place_of:
            raise UsageError(
                f"{file}: {place_of[question_id]} and {row.place} both have the id {question_id!r}. Give "
                "each its own; a row without one is called by its number."
            )
        place_of[question_id] = row.place
    return list(place_of)


def _question(row: OwnRow, question_id: str, names: Sequence[str]) -> LabelledQuestion:
    if row.answerable is False:
        # What it names besides, such as the document one would look into, is no answer.
        return LabelledQuestion(
            question_id,
            row.question,
            kind=row.kind,
            language=row.language,
            answerable=False,
            answers=row.answers,
        )
    matches = [match(name, names) for name in row.sources]
    documents = tuple(dict.fromkeys(name for found in matches for name in found.documents))
    if row.pages and not row.sources and len(names) == 1:
        documents = tuple(names)
    unit = _unit(row, documents)
    pages, unclear = _pages(row.pages, documents) if unit == "page" else ((), "")
    problems = [found.problem for found in matches if found.problem]
    has_gold = bool(row.sources or row.pages or row.quotes or row.keywords or row.answers)
    return LabelledQuestion(
        question_id=question_id,
        text=row.question,
        unit=unit,
        kind=row.kind,
        language=row.language,
        answerable=True if has_gold else row.answerable,
        grades=dict.fromkeys(documents, 1) if unit == "document" else {},
        pages=pages,
        quotes=tuple(Quote(documents[0] if len(documents) == 1 else "", text) for text in row.quotes),
        sources=documents,
        keywords=row.keywords,
        answers=row.answers,
        unscorable=next(iter(problems), "") or unclear or _why_not(row, documents),
    )


def _unit(row: OwnRow, documents: Sequence[str]) -> Unit:
    if row.quotes:
        return "quote"
    if documents:
        return "page" if row.pages else "document"
    return "keyword"


def _pages(pages: Sequence[str], documents: Sequence[str]) -> tuple[tuple[PageName, ...], str]:
    """The pages of the documents they are in, or why that is unclear."""
    if len(documents) == len(pages):
        return tuple(map(PageName, documents, pages)), ""
    if 1 in (len(documents), len(pages)):
        return tuple(PageName(document, page) for document in documents for page in pages), ""
    return (), (
        f"{len(documents)} sources and {len(pages)} pages: which page is of which? Name one for each source"
    )


def _why_not(row: OwnRow, documents: Sequence[str]) -> str:
    if documents or row.quotes or row.keywords:
        return ""
    if row.pages:
        return "it names a page but not of which document; fill in its source"
    return "it says neither source nor quote nor keyword, so a passage cannot be told right from wrong"


def _notes(
    read: Sequence[str], ignored: Sequence[str], questions: Sequence[LabelledQuestion], documents: int
) -> list[str]:
    judged = Counter(
        question.unit
        for question in questions
        if not question.unscorable and question.answerable is not False
    )
    notes = [f"{len(questions)} questions about {documents} documents; columns read: {', '.join(read)}."]
    if ignored:
        notes.append(f"Columns passed over: {', '.join(ignored)}. Known are: {EXPLAINED}.")
    if judged:
        shares = ", ".join(f"{count} by {unit}" for unit, count in judged.items())
        notes.append(f"A passage is told right from wrong: {shares}.")
    return notes
