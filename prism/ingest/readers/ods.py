"""ODS: every worksheet as rows whose cells carry their column's name, read as the cells show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.container import Container, opened
from prism.ingest.readers.ods_sheet import OdsStyles, read_sheet
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.sheet import Sheet
from prism.ingest.readers.sheet_omitted import Omitted
from prism.ingest.readers.sheet_text import text_of
from prism.ingest.readers.wordxml import attribute, local
from prism.types import SourceText

_CONTENT = "content.xml"


def read(file: SourceFile) -> SourceText:
    """Read an ODS workbook.

    Raises:
        UnreadableError: damaged, or locked.
        TooLargeError: over `read.max_chars`, or it unpacks to more than `read.max_unpacked_mb`.
    """
    with opened(file) as container:
        if _CONTENT not in container:
            raise UnreadableError(f"{file.name}: damaged (it holds no workbook). Save it again.")
        _refuse_locked(container, file.name)
        styles = OdsStyles()
        omitted = Omitted()
        visible, hidden = _tabs(container, styles)
        omitted.hidden_sheets = hidden
        loaded = text_of(
            _sheets(container, visible, styles, file, omitted),
            visible,
            file,
            title=_title(container) or file.title,
            media_type=Kind.ODS.value,
        )
    return replace(loaded, warnings=tuple(omitted.warnings()))


def _refuse_locked(container: Container, name: str) -> None:
    manifest = container.xml("META-INF/manifest.xml")
    if manifest is not None and any(local(element) == "encryption-data" for element in manifest.iter()):
        raise UnreadableError(f"{name}: password protected. Remove the password and add the file again.")


def _tabs(container: Container, styles: OdsStyles) -> tuple[list[str], list[str]]:
    """The names of the sheets that are shown and of those that are not."""
    visible: list[str] = []
    hidden: list[str] = []
    for element in container.elements(_CONTENT, "style", "table"):
        if local(element) == "style":
            styles.add(element)
        else:
            name = attribute(element, "name") or f"Sheet{len(visible) + len(hidden) + 1}"
            (hidden if styles.is_hidden(element) else visible).append(name)
    return visible, hidden


def _sheets(
    container: Container, visible: list[str], styles: OdsStyles, file: SourceFile, omitted: Omitted
) -> Iterator[Sheet]:
    number = 0
    for element in container.elements(_CONTENT, "table"):
        if not styles.is_hidden(element):
            number += 1
            file.on_page(number, len(visible))
            yield read_sheet(element, visible[number - 1], styles, file, omitted)


def _title(container: Container) -> str:
    meta = container.xml("meta.xml")
    found = (
        element.text or ""
        for element in (meta.iter() if meta is not None else ())
        if local(element) == "title"
    )
    return " ".join(next(found, "").split())
