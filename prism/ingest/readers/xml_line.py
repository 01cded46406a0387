"""An XML element as one line of text: inline tags vanish, formulas are read as TeX, powers keep a sign."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from prism.ingest.readers.xml_tree import local_name

_SUPERSCRIPTS = ("sup", "superscript")
_BREAKS = ("lb", "br", "break", "pb", "hr")
_NOTES = ("footnote", "note")
_UNSEEN = ("object-id", "institution-id", "contrib-id", "indexterm", "anchor", "inline-graphic")
_TEX_PREAMBLE = re.compile(r"\A.*?\\begin\{document\}|\\end\{document\}.*\Z", re.S)


def has_own_text(element: Element) -> bool:
    """Whether text stands beside the elements in an element."""
    return bool((element.text or "").strip()) or any((inner.tail or "").strip() for inner in element)


def line_of(element: Element) -> str:
    """All text below an element on one line. Where no text stands between elements, a space does."""
    return " ".join(raw_line(element).split())


def raw_line(element: Element) -> str:
    """The same with its white space as written."""
    parts: list[str] = []
    stack: list[Element | str] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        kind = local_name(node)
        if kind in _BREAKS or kind in _UNSEEN:
            parts.append(" " if kind in _BREAKS else "")
            continue
        if (source := _tex(node, kind)) is not None:
            parts.append(source)
            continue
        if kind in _SUPERSCRIPTS and _ends_in_digit(parts) and (node.text or "").strip()[:1].isdigit():
            parts.append("^")
        opening, closing = (" (", ")") if kind in _NOTES and node is not element else ("", "")
        gap = "" if has_own_text(node) else " "
        inside: list[Element | str] = [opening, node.text or ""]
        for place, inner in enumerate(node, 1):
            inside += [inner, inner.tail or (gap if place < len(node) else "")]
        stack.extend(reversed([*inside, closing]))
    return "".join(parts)


def _ends_in_digit(parts: list[str]) -> bool:
    return next((part for part in reversed(parts) if part), "")[-1:].isdigit()


def _tex(element: Element, kind: str) -> str | None:
    """A formula's TeX source, where it is one and carries it; other forms of it are passed over."""
    if kind == "tex-math":
        return " ".join(_TEX_PREAMBLE.sub("", "".join(element.itertext())).split())
    if kind == "alternatives":
        source = next((inner for inner in element if local_name(inner) in ("tex-math", "textual-form")), None)
        return _tex(source, local_name(source)) if source is not None else None
    return None
