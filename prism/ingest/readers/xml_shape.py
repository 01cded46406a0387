"""What kind of XML this is: prose with markup in it, or data whose tags name its values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from prism.ingest.readers.html import plain_text
from prism.ingest.readers.xml_tree import local_name

PROSE_TAGS: Final = frozenset(("p", "para", "simpara", "paragraph"))
MAX_ROW_CHARS: Final = 3000
"""A repeated element with more text than this is a part of the document, not a row of it."""

_MACHINE_ATTRIBUTES = ("schemalocation", "nonamespaceschemalocation", "nil", "space")


def is_prose(root: Element) -> bool:
    """Whether text stands beside elements anywhere, or in elements that are called paragraphs."""
    for element in root.iter():
        if local_name(element) in PROSE_TAGS:
            return True
        if len(element) and _has_text(element.text) and not _is_markup(element.text):
            return True
        if any(_has_text(inner.tail) for inner in element) and element is not root:
            return True
    return False


def is_group(element: Element) -> bool:
    """Whether all an element holds is single values: a row though nothing like it comes again."""
    return len(element) > 1 and not any(len(inner) for inner in element) and is_row(element)


def is_row(element: Element) -> bool:
    """Whether an element is small enough to be one line, and says anything."""
    size = 0
    for inner in element.iter():
        size += len(inner.text or "")
        if size > MAX_ROW_CHARS:
            return False
    return True


def row(element: Element, around: str = "") -> str:
    """A row as `name: France; capital: Paris`; names of values deeper inside carry those around them."""
    cells: list[str] = []
    stack: list[tuple[Element, str]] = [(element, around)]
    while stack:
        at, around = stack.pop()
        for name, text in values_of(at):
            named = f"{around} {name}".strip() if name else around or local_name_as_written(at)
            cells.append(f"{named}: {text}")
        stack.extend(
            (inner, f"{around} {local_name_as_written(inner)}".strip()) for inner in reversed(list(at))
        )
    return "; ".join(cells)


def values_of(element: Element) -> Iterator[tuple[str, str]]:
    """An element's own values: its attributes by name, then its text (under no name)."""
    for key, value in element.items():
        name = key.rpartition("}")[2].rpartition(":")[2]
        is_machine = name.lower() in _MACHINE_ATTRIBUTES or key.lower().startswith("xmlns")
        if value.strip() and not is_machine:
            yield name, " ".join(value.split())
    if text := own_text(element):
        yield "", text


def own_text(element: Element) -> str:
    """Text of an element that is not in those inside it, on one line; HTML packed in it is unpacked."""
    parts = [element.text or "", *(inner.tail or "" for inner in element)]
    text = " ".join(" ".join(parts).split())
    return plain_text(text) if _is_markup(text) else text


def local_name_as_written(element: Element) -> str:
    """A tag's name without its namespace."""
    return element.tag.rpartition("}")[2].rpartition(":")[2]


def _is_markup(text: str | None) -> bool:
    return text is not None and text.lstrip().startswith("<") and "</" in text


def _has_text(text: str | None) -> bool:
    return bool(text and text.strip())
