"""Finding one's way in WordprocessingML by local names, which both of its dialects share."""

from __future__ import annotations

from xml.etree.ElementTree import Element


def local(element: Element) -> str:
    """A tag's name without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def child(element: Element | None, *names: str) -> Element | None:
    """The element reached by following local names, or None."""
    for name in names:
        if element is None:
            return None
        element = next((inner for inner in element if local(inner) == name), None)
    return element


def attribute(element: Element | None, name: str) -> str:
    """An attribute by its local name, or nothing."""
    if element is None:
        return ""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def value(element: Element | None) -> str:
    """The `val` attribute, where Word keeps most settings."""
    return attribute(element, "val")


def is_on(element: Element | None) -> bool:
    """Whether a switch such as `w:vanish` is set: it is there, and not `val="0"`."""
    return element is not None and value(element).lower() not in ("0", "false", "off")


def whole(text: str, default: int = 0) -> int:
    """A whole number as Office writes it, `default` for anything else (damage, or more than nine digits)."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default
