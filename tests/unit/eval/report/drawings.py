"""Read drawings: as XML, which they must be well-formed for."""

from __future__ import annotations

from lxml import etree


def parsed(svg: str) -> etree._Element:
    """The root of a drawing."""
    return etree.fromstring(svg.encode("utf-8"))


def words(root: etree._Element) -> list[str]:
    """All its texts, from first to last."""
    return [element.text or "" for element in root.iter("text")]


def percent_of(element: etree._Element, name: str) -> float:
    """An attribute in per cent of the width."""
    value = element.attrib[name]
    assert value.endswith("%")
    return float(value[:-1])


def hints(root: etree._Element) -> list[str]:
    """What markers and bars say when pointed at."""
    own, *others = [element.text or "" for element in root.iter("title")]
    assert own, "the drawing itself has a title"
    return others
