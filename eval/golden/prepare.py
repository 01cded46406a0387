"""Prepare: an index with a past, so that what should have gone has a chance to show.

First the sample documents are brought in, two of them in an older wording, and one document more. Then come
the documents as they are, as updates, and the one too many is deleted.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.golden.places import look, places_of
from eval.golden.types import Place
from prism import IngestReport, Prism, Settings, UsageError
from prism.models.protocols import Embedder

DOCUMENTS: Final = Path(__file__).parents[1] / "datasets" / "sample" / "documents"


@dataclass(frozen=True, slots=True)
class Edit:
    """A passage of a document as it reads now, and as it read before."""

    document: str
    now: str
    before: str


EDITS: Final = (
    Edit(
        "wallet-circular-2024-09.txt",
        "The balance of a small wallet may at no time be more than ₹1,00,000.",
        "The most a small wallet may hold today is ₹75,000, and its balance may at no time be more.",
    ),
    Edit(
        "wallet-circular-2024-09.txt",
        "waits for a cooling period of 12 hours.",
        "waits for a cooling period of 18 hours.",
    ),
    Edit(
        "terminal-troubleshooting.md",
        "choose *Restore rights of the update account*.",
        "choose *Erase the registry*, which fixes error 0x80070005 for good.",
    ),
)

EXTRA_NAME: Final = "night-credit.txt"
EXTRA_TEXT: Final = """\
Night credit of the Network

Date: 2 February 2023

The Umra Agrarian Bank lends the Network money at night. Each night the bank lends up to ₹2,00,00,000 against
treasury paper, and the Network pays the money back before the first window of the morning closes.
"""
"""Answers a question that the documents which remain leave open."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An open index, and where each of its nodes stands or stood."""

    prism: Prism
    places: Mapping[str, Place]


@contextmanager
def prepared(folder: Path, settings: Settings, *, embedder: Embedder | None = None) -> Iterator[Prepared]:
    """The index with its past, open.

    Args:
        folder: an empty one, for the older wordings.
        settings: they name the storage folder, which is to be empty too.
        embedder: one that is loaded already; None loads the one of the settings.

    Raises:
        UsageError: the sample documents are not those that `EDITS` was written for.
    """
    write_older(folder)
    with Prism.open(settings, embedder=embedder) as prism:
        _expect(prism.ingest(folder), added=_count(folder))
        seen = look(prism)
        edited = len({edit.document for edit in EDITS})
        _expect(prism.ingest(DOCUMENTS), updated=edited, unchanged=_count(DOCUMENTS) - edited)
        prism.delete(prism.document(EXTRA_NAME).document_id)
        seen |= look(prism)
        yield Prepared(prism, places_of(seen, prism.documents()))


def write_older(folder: Path) -> None:
    """Fill a folder with the documents as they were before. Raises `UsageError`, see `prepared`."""
    shutil.copytree(DOCUMENTS, folder, dirs_exist_ok=True)
    for edit in EDITS:
        path = folder / edit.document
        text = path.read_text(encoding="utf-8")
        if text.count(edit.now) != 1:
            raise UsageError(
                f"{edit.document} does not hold {edit.now!r} once. Change EDITS in eval/golden/prepare.py to "
                "its present wording, then run 'python -m eval golden --record'."
            )
        path.write_text(text.replace(edit.now, edit.before), encoding="utf-8")
    (folder / EXTRA_NAME).write_text(EXTRA_TEXT, encoding="utf-8")


def _count(folder: Path) -> int:
    return sum(not path.name.startswith(".") for path in folder.iterdir())


def _expect(report: IngestReport, **expected: int) -> None:
    found = {status: report.count(status) for status in ("added", "updated", "unchanged", "failed")}
    if {status: count for status, count in found.items() if count} != expected:
        reasons = "; ".join(f"{file.document}: {file.reason}" for file in report.files if file.reason)
        raise UsageError(
            f"The sample documents came in as {found}, not as {expected} ({reasons or 'no reason given'}). "
            f"Try 'prism ingest {DOCUMENTS}' to see why."
        )
