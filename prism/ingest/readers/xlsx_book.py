"""What the parts of an XLSX workbook share: its sheets in order, texts, and formats of cells.

The parts are read as they stand, in the transitional or the strict dialect, whose local names are the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element

from prism.errors import UnreadableError, UnsupportedError
from prism.ingest.readers.container import Container
from prism.ingest.readers.number_format import BUILT_IN, is_date
from prism.ingest.readers.office_properties import document_title
from prism.ingest.readers.parts import Parts, relation_id
from prism.ingest.readers.wordxml import attribute, child, local

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BOOK = "xl/workbook.xml"
_TRUE = ("1", "true", "on")


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell shows its number."""

    code: str = "General"
    is_date: bool = False
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A tab of the workbook and the part that holds it."""

    name: str
    part: str
    kind: Literal["worksheet", "chart", "macro"]
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Book:
    """A workbook without its cells."""

    sheets: Sequence[SheetPart]
    texts: Sequence[str]
    styles: Sequence[Style]
    from_1904: bool
    title: str


def read_book(container: Container, parts: Parts, name: str) -> Book:
    """The workbook of a container.

    Raises:
        UnreadableError: damaged, or no workbook in it.
        UnsupportedError: a binary workbook.
    """
    main = parts.main(_BOOK)
    if main.endswith(".bin"):
        raise UnsupportedError(f"{name}: a binary workbook (XLSB). Save it as an Excel workbook (.xlsx).")
    root = parts.xml(main)
    if root is None:
        raise UnreadableError(f"{name}: damaged (it holds no workbook). Save it again.")
    shared = next(map(parts.member, parts.of_kind(main, "sharedStrings")), "")
    return Book(
        sheets=_sheets(parts, main, root),
        texts=[text_of(item) for item in container.elements(shared, "si")] if shared else [],
        styles=_styles(parts.first(main, "styles")),
        from_1904=attribute(child(root, "workbookPr"), "date1904") in _TRUE,
        title=document_title(parts),
    )


def text_of(item: Element) -> str:
    """The text of a string with its runs, without readings printed above it; on one line."""
    parts = []
    for element in item:
        kind = local(element)
        if kind == "t":
            parts.append(element.text or "")
        elif kind == "r":
            parts += [run.text or "" for run in element if local(run) == "t"]
    return tidy("".join(parts))


def tidy(text: str) -> str:
    """A cell's text on one line, with characters that the format escapes (`_x000D_`) as they are."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return " ".join(text.split())


def is_true(element: Element | None, name: str) -> bool:
    """Whether an attribute says yes."""
    return attribute(element, name).lower() in _TRUE


def number(element: Element | None, name: str, default: int = 0) -> int:
    """An attribute as a number."""
    text = attribute(element, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else default


def _sheets(parts: Parts, main: str, root: Element) -> list[SheetPart]:
    kinds: Mapping[str, Literal["worksheet", "chart", "macro"]] = {
        "worksheet": "worksheet",
        "chartsheet": "chart",
    }
    related = parts.related(main)
    sheets = []
    tabs = child(root, "sheets")
    for place, sheet in enumerate(tabs if tabs is not None else (), 1):
        found = related.get(relation_id(sheet))
        sheets.append(
            SheetPart(
                name=tidy(attribute(sheet, "name")) or f"Sheet{place}",
                part=found.target if found else "",
                kind=kinds.get(found.kind if found else "", "macro"),
                is_hidden=attribute(sheet, "state") in ("hidden", "veryHidden"),
            )
        )
    return sheets


def _styles(root: Element | None) -> list[Style]:
    codes = dict(BUILT_IN)
    for element in _items(root, "numFmts"):
        codes[number(element, "numFmtId")] = attribute(element, "formatCode") or "General"
    bold = [_is_bold(font) for font in _items(root, "fonts")]
    styles = []
    for element in _items(root, "cellXfs"):
        code = codes.get(number(element, "numFmtId"), "General")
        font = number(element, "fontId")
        styles.append(Style(code, is_date(code), font < len(bold) and bold[font]))
    return styles


def _items(root: Element | None, name: str) -> Sequence[Element]:
    found = child(root, name)
    return list(found) if found is not None else []


def _is_bold(font: Element) -> bool:
    mark = child(font, "b")
    return mark is not None and (attribute(mark, "val") or "1") in _TRUE
