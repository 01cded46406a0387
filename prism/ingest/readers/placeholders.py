"""What a slide's shape takes from its layout and master: where it stands, which of its lines are bullets."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from prism.ingest.readers.drawing import level_of
from prism.ingest.readers.numbering import BULLET, spell_number
from prism.ingest.readers.parts import Parts
from prism.ingest.readers.slide_order import Frame
from prism.ingest.readers.wordxml import attribute, child, local, whole

TITLES = frozenset(("title", "ctrTitle"))
FURNITURE = frozenset(("dt", "ftr", "hdr", "sldNum", "sldImg"))
"""Dates, footers, headers and numbers: the same on every slide."""

_NOT_BULLETED = TITLES | FURNITURE
_BULLETS = frozenset(("buChar", "buBlip", "buAutoNum", "buNone"))
_FORMS = {
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}


def placeholder(shape: Element) -> Element | None:
    """A shape's `p:ph`, None for a shape that takes nothing from its layout."""
    properties = next((part for part in shape if local(part).startswith("nv")), None)
    return child(properties, "nvPr", "ph")


def placeholder_type(shape: Element) -> str:
    """`title`, `body`, `obj`…, nothing for a shape of its own."""
    found = placeholder(shape)
    return "" if found is None else attribute(found, "type") or "obj"


class Inheritance:
    """A slide's layout and master, as far as they are there."""

    def __init__(self, parts: Parts, slide: str) -> None:
        layouts = parts.of_kind(slide, "slideLayout")
        layout = parts.xml_or_none(layouts[0]) if layouts else None
        master = parts.first(layouts[0], "slideMaster") if layouts else None
        self._layout, self._master = _placeholders(layout), _placeholders(master)
        self._body_style = child(master, "txStyles", "bodyStyle")

    def frame(self, shape: Element) -> Frame | None:
        """Where a shape stands."""
        return next((found for one in self._chain(shape) if (found := _frame(one)) is not None), None)

    def bullet(self, shape: Element, paragraph: Element) -> Element | None:
        """The bullet or number of a paragraph; None where it has none."""
        name = f"lvl{level_of(child(paragraph, 'pPr')) + 1}pPr"
        styles = [child(paragraph, "pPr")]
        styles.extend(child(one, "txBody", "lstStyle", name) for one in self._chain(shape))
        kind = placeholder_type(shape)
        if kind and kind not in _NOT_BULLETED:
            styles.append(child(self._body_style, name))
        for style in styles:
            found = (
                next((part for part in style if local(part) in _BULLETS), None) if style is not None else None
            )
            if found is not None:
                return None if local(found) == "buNone" else found
        return None

    def _chain(self, shape: Element) -> Iterator[Element]:
        yield shape
        own = placeholder(shape)
        if own is None:
            return
        kind, index = placeholder_type(shape), attribute(own, "idx")
        by_index = (one for one in self._layout if index and attribute(placeholder(one), "idx") == index)
        same = next(by_index, None)
        if same is None:
            same = next((one for one in self._layout if placeholder_type(one) == kind), None)
        if same is not None:
            yield same
            kind = placeholder_type(same)
        wanted = "title" if kind in TITLES else kind if kind in FURNITURE else "body"
        yield from (one for one in self._master if placeholder_type(one) == wanted)


def _placeholders(part: Element | None) -> list[Element]:
    tree = child(part, "cSld", "spTree")
    return [shape for shape in tree.iter() if placeholder_type(shape)] if tree is not None else []


def _frame(shape: Element) -> Frame | None:
    transform = child(shape, "xfrm")
    for properties in ("spPr", "grpSpPr"):
        transform = child(shape, properties, "xfrm") if transform is None else transform
    at, size = child(transform, "off"), child(transform, "ext")
    try:
        left, top = float(attribute(at, "x")), float(attribute(at, "y"))
        return Frame(left, top, left + float(attribute(size, "cx")), top + float(attribute(size, "cy")))
    except ValueError:
        return None


class BulletCounter:
    """Counts the numbered lines of one text body."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[str, int]] = {}

    def mark(self, bullet: Element | None, level: int) -> str:
        """What stands before a line, indented to its level; nothing before one without bullet."""
        self._counts = {depth: count for depth, count in self._counts.items() if depth <= level}
        if bullet is None:
            self._counts.pop(level, None)
            return ""
        if local(bullet) != "buAutoNum":
            self._counts.pop(level, None)
            return "  " * level + BULLET
        form, start = attribute(bullet, "type"), attribute(bullet, "startAt")
        before, count = self._counts.get(level, ("", 0))
        count = count + 1 if before == form else whole(start, 1)
        self._counts[level] = (form, count)
        spelt = spell_number(count, next((name for key, name in _FORMS.items() if form.startswith(key)), ""))
        shape = "({})" if form.endswith("ParenBoth") else "{})" if form.endswith("ParenR") else "{}."
        return "  " * level + shape.format(spelt) + " "
