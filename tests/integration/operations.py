"""Everything that changes a storage folder, with what goes before it and how it is finished after a cut."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from prism import NotFoundError, Prism, Source, UsageError
from tests.crash import UNEMBEDDABLE
from tests.shelf import write


def prose(subject: str, words: int) -> str:
    """Sentences about a subject, enough for several leaves."""
    sentences = (f"Rule {n} of the {subject} sets the fee of quay {n} at {n * 3} crowns." for n in range(999))
    text = ""
    while len(text.split()) < words:
        text += next(sentences) + " "
    return text.strip()


PURGED_WORD = "tonnage"
"""Only the document that is purged says it."""

HELD = {
    "berths.txt": prose("berth book", 300),
    "cargo.txt": prose(f"{PURGED_WORD} list", 150),
    "rates.txt": prose("rates table", 40),
    "हिन्दी.txt": "दैनिक सीमा दो लाख रुपये है। " * 30,
}
UPDATED = {"berths.txt": prose("new berth book", 420), "rates.txt": UNEMBEDDABLE}
NEW = {
    **HELD,
    **UPDATED,
    "fuel.txt": prose("fuel ledger", 200),
    "no.pdf": b"%PDF-",
    "odd.txt": f"An {UNEMBEDDABLE} file.",
}


@dataclass(frozen=True)
class Operation:
    """`begin` makes the folder as it was; `act` is the operation; `finish` brings a cut one to its end."""

    name: str
    begin: Callable[[Prism, Path], None]
    act: Callable[[Prism, Path], object]
    finish: Callable[[Prism, Path], object]


def sources(folder: Path, files: dict[str, str | bytes]) -> list[Source]:
    return write(folder / "files", files)


def hold(prism: Prism, folder: Path) -> None:
    report = prism.ingest(sources(folder, dict(HELD)))
    assert report.count("added") == len(HELD), report
    prism.delete(prism.document("cargo.txt").document_id)
    prism.undo(prism.document("cargo.txt").document_id)


def hold_deleted(prism: Prism, folder: Path) -> None:
    hold(prism, folder)
    prism.delete("cargo.txt")


def nothing(prism: Prism, folder: Path) -> None:
    """An empty folder."""


def ingest_new(prism: Prism, folder: Path) -> object:
    return prism.ingest(sources(folder, dict(NEW)))


def purge(prism: Prism, folder: Path) -> None:
    with suppress(NotFoundError):
        prism.purge("cargo.txt")


def back_up(prism: Prism, folder: Path) -> None:
    for number in range(9):
        file = folder / f"{number}.zip"
        if not file.exists():
            prism.backup(file)
            return


def lose_vectors_and_repair(prism: Prism, folder: Path) -> None:
    info = prism.document("cargo.txt")
    prism._storage.active("default").vectors.delete_generation(info.document_id, info.generation)
    prism.doctor()


def restore(prism: Prism, folder: Path) -> None:
    prism.restore(folder / "held.zip")


def restore_again(prism: Prism, folder: Path) -> None:
    try:
        prism.restore(folder / "held.zip")
    except UsageError:  # The record is in; what is derived from it may not be.
        prism.doctor()


def make_archive(prism: Prism, folder: Path) -> None:
    """Leaves the folder empty and `held.zip` beside it."""
    hold(prism, folder)
    prism.backup(folder / "held.zip")
    for info in prism.documents():
        prism.purge(info.document_id)


OPERATIONS = (
    Operation("ingest into an empty folder", nothing, ingest_new, ingest_new),
    Operation("ingest with an update and a failure", hold, ingest_new, ingest_new),
    Operation("delete", hold, lambda p, _: p.delete("cargo.txt"), lambda p, _: p.delete("cargo.txt")),
    Operation("undo", hold_deleted, lambda p, _: p.undo("cargo.txt"), lambda p, _: p.undo("cargo.txt")),
    Operation("purge", hold, purge, purge),
    Operation(
        "rebuild", hold, lambda p, _: p.doctor(rebuild_index=True), lambda p, _: p.doctor(rebuild_index=True)
    ),
    Operation("repair", hold, lose_vectors_and_repair, lambda p, _: p.doctor()),
    Operation("backup", hold, back_up, back_up),
    Operation("restore", make_archive, restore, restore_again),
    Operation("close", hold, lambda p, _: p.close(), lambda p, _: None),
)
