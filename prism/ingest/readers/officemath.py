"""Formulas of Office files (OMML) on one line, as one would type them: `(a+b)/c`, `x^2`, `√(y)`."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from prism.ingest.readers.wordxml import child, local, value

_PROPERTIES = frozenset(("rPr", "ctrlPr", "fPr", "radPr", "dPr", "naryPr", "accPr", "mPr"))


def linear(element: Element) -> str:
    """The text of a formula or of a part of one."""
    return "".join(_part(part) for part in element)


def _part(part: Element) -> str:
    kind = local(part)
    if kind == "t":
        return part.text or ""
    if kind in _PROPERTIES:
        return ""
    if kind == "f":
        return f"{_of(part, 'num')}/{_of(part, 'den')}"
    if kind == "sSup":
        return f"{_of(part, 'e')}^{_of(part, 'sup')}"
    if kind == "sSub":
        return f"{_of(part, 'e')}_{_of(part, 'sub')}"
    if kind == "sSubSup":
        return f"{_of(part, 'e')}_{_of(part, 'sub')}^{_of(part, 'sup')}"
    if kind == "rad":
        return f"{linear_of(part, 'deg')}√({linear_of(part, 'e')})"
    if kind == "d":
        return f"({', '.join(linear(one) for one in part if local(one) == 'e')})"
    if kind == "nary":
        return _sum(part)
    if kind == "m":
        rows = (one for one in part if local(one) == "mr")
        return "[" + "; ".join(", ".join(linear(cell) for cell in row) for row in rows) + "]"
    return linear(part)


def _sum(part: Element) -> str:
    """Sums, products and integrals with their bounds."""
    sign = value(child(part, "naryPr", "chr")) or "∫"
    lower, upper = _of(part, "sub"), _of(part, "sup")
    bounds = (f"_{lower}" if lower else "") + (f"^{upper}" if upper else "")
    return f"{sign}{bounds} {linear_of(part, 'e')}"


def linear_of(part: Element, name: str) -> str:
    """The text of a named part of a formula, nothing where it has none."""
    found = child(part, name)
    return "" if found is None else linear(found)


def _of(part: Element, name: str) -> str:
    """The same, in brackets where it is more than a number, a name or a letter."""
    text = linear_of(part, name)
    return text if text.isalnum() or not text else f"({text})"
