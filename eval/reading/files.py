"""Files whose text is known: a folder with a `manifest.jsonl` that names a reference for some of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prism.errors import SourceError, UsageError
from prism.ingest.clean import clean
from prism.ingest.load import load, read
from prism.settings import ReadSettings
from prism.types import Source, SourceText

PASSWORD_FLAG: Final = "password:"  # noqa: S105
_PICTURE_FLAG: Final = "needs_ocr"


@dataclass(frozen=True, slots=True)
class Known:
    """A file and its reference in Markdown. `is_text_pdf`: a PDF that holds its words as text, not as
    pictures, which every reader should get in full."""

    path: Path
    reference: str
    password: str
    is_text_pdf: bool


def known_files(folder: Path) -> tuple[Known, ...]:
    """The files of the manifest that have a reference, by name.

    Raises:
        UsageError: there is no manifest, it cannot be read, or it names none.
    """
    try:
        known = sorted(_rows(folder), key=lambda file: file.path.name)
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"{folder}: no files with known text ({error}). Wanted: a folder with a manifest.jsonl whose "
            'rows have "file" and "groundtruth_md".'
        ) from None
    if not known:
        raise UsageError(f"{folder}: no row of manifest.jsonl has groundtruth_md.")
    return tuple(known)


def read_in(file: Known, settings: ReadSettings) -> SourceText:
    """A file's text as it would be stored. Raises `SourceError`."""
    source = Source(file.path, file.path.name)
    return clean(load(source, read(source, settings), settings, password=file.password))


def read_or_refused(file: Known, settings: ReadSettings) -> SourceText | str:
    """A file's text, or the words in which it was refused."""
    try:
        return read_in(file, settings)
    except SourceError as error:
        return str(error)


def _rows(folder: Path) -> Iterator[Known]:
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("groundtruth_md"):
            flags = row.get("flags", "")
            yield Known(
                path=folder / row["file"],
                reference=(folder / row["groundtruth_md"]).read_text(encoding="utf-8"),
                password=flags.removeprefix(PASSWORD_FLAG) if flags.startswith(PASSWORD_FLAG) else "",
                is_text_pdf=row["file"].lower().endswith(".pdf") and _PICTURE_FLAG not in flags,
            )
