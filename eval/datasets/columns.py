"""The columns of a person's own questions: which names they may have, and what they say."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from prism.errors import UsageError

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "question": ("question", "query", "prompt", "user_input", "प्रश्न"),
    "id": ("id", "question_id", "_id", "nr", "no"),
    "source": (
        "source",
        "sources",
        "document",
        "documents",
        "document_name",
        "file",
        "filename",
        "file_name",
        "expected_source",
    ),
    "page": ("page", "pages", "sheet"),
    "quote": ("quote", "quotes", "passage", "evidence", "context", "reference_contexts", "gold"),
    "keyword": ("keyword", "keywords", "expected_keyword", "must_contain"),
    "answer": ("answer", "expected_answer", "reference", "reference_answer", "ground_truth"),
    "answerable": ("answerable",),
    "kind": ("kind", "category", "type"),
    "language": ("language", "lang"),
    "follows": ("follows", "after"),
}
"""Names a column may have, by what it says; capitals, spaces and hyphens do not matter. Of several that say
the same the one named first here is read."""

EXPLAINED: Final = (
    "question (the only one needed), id, source (file name), page (as printed on it, else counted from the "
    "file's first), quote (word for word; | between several), keyword (; between several), answer, "
    "answerable (yes or no), kind, language, follows (an id)"
)

_OURS: Final = {name: column for column, names in COLUMNS.items() for name in names}


def column_of(title: str) -> str | None:
    """What a column of this title says; None when the title is none of ours."""
    return _OURS.get(_plain(title))


def chosen_columns(titles: Sequence[str], file: Path) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """What is read: titles by what they say; and the titles that are passed over.

    Raises:
        UsageError: no column holds questions, or two have one title.
    """
    for title in titles:
        if column_of(title) and [_plain(other) for other in titles].count(_plain(title)) > 1:
            raise UsageError(f"{file}: two columns are called {title!r}. Join them, or rename one.")
    title_of: dict[str, str] = {}
    for column, names in COLUMNS.items():
        known = {_plain(title): title for title in titles}
        for name in names:
            if name in known:
                title_of.setdefault(column, known[name])
    if "question" not in title_of:
        found = ", ".join(titles) or "none"
        raise UsageError(f"{file}: no column 'question' (found: {found}). Columns: {EXPLAINED}.")
    return title_of, tuple(title for title in titles if title not in title_of.values())


def _plain(title: str) -> str:
    return re.sub(r"[\s_-]+", "_", unicodedata.normalize("NFC", title).strip().casefold())
