"""The numbers Word shows before list paragraphs (`2.1`, `(b)`, `iv.`), which its XML does not spell out.

They matter: a rule is cited as 7(b). Counters run per list and level; a level restarts when an outer one
moves on, as in ECMA-376 part 1, section 17.9.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from prism.ingest.readers.wordxml import attribute, child, local, value, whole

BULLET = "- "
_MAX_DEPTH = 8
_MAX_LETTERED = 780  # Word itself goes on in digits after 30 times the alphabet.
_PLACEHOLDER = re.compile(r"%([1-9])")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_HAN = ("", "一", "二", "三", "四", "五", "六", "七", "八", "九")
_HAN_FORMS = frozenset(("chineseCounting", "chineseCountingThousand", "japaneseCounting", "taiwaneseCounting",
                        "taiwaneseCountingThousand", "ideographDigital", "koreanCounting"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list counts: `pattern` such as `%1.%2`, `form` such as `lowerRoman`."""

    form: str
    pattern: str
    start: int


class Numbering:
    """Counts list paragraphs in document order."""

    def __init__(
        self,
        levels: Mapping[str, Mapping[int, Level]],
        lists: Mapping[str, str],
        style_places: Mapping[str, tuple[str, int]],
        starts: Mapping[str, Mapping[int, int]] | None = None,
    ) -> None:
        self._levels = levels
        self._lists = lists
        self._style_places = style_places
        self._starts = starts or {}
        self._begun: set[tuple[str, int]] = set()
        self._counters: defaultdict[str, dict[int, int]] = defaultdict(dict)

    def mark(self, paragraph: Element, style: str) -> tuple[str, bool]:
        """What stands before this paragraph (ending in a space), and whether it is a list item."""
        list_id, depth = self._place(paragraph, style)
        if list_id in ("", "0"):
            return "", False
        abstract = self._lists.get(list_id, "")
        levels = self._levels.get(abstract, {})
        level = levels.get(depth)
        if level is None or level.form == "bullet":
            return "  " * depth + BULLET, True
        counters = self._counters[abstract]
        if depth in self._starts.get(list_id, ()) and (list_id, depth) not in self._begun:
            # A list of the same form that begins anew.
            counters[depth] = self._starts[list_id][depth] - 1
        self._begun.add((list_id, depth))
        counters[depth] = counters.get(depth, level.start - 1) + 1
        for deeper in [inner for inner in counters if inner > depth]:
            del counters[deeper]
        mark = _PLACEHOLDER.sub(
            lambda found: self._number(levels, counters, int(found[1]) - 1), level.pattern
        )
        return (f"{mark} " if mark.strip() else ""), True

    def _place(self, paragraph: Element, style: str) -> tuple[str, int]:
        """The list and level of a paragraph: its own, or those of its style."""
        properties = child(paragraph, "pPr", "numPr")
        list_id, depth = self._style_places.get(style, ("", 0))
        if properties is not None:
            list_id = value(child(properties, "numId")) or list_id
            depth = whole(value(child(properties, "ilvl")), depth)
        return list_id, min(depth, _MAX_DEPTH)

    @staticmethod
    def _number(levels: Mapping[int, Level], counters: Mapping[int, int], depth: int) -> str:
        level = levels.get(depth)
        form, start = (level.form, level.start) if level else ("decimal", 1)
        return spell_number(counters.get(depth, start), form)


def spell_number(number: int, form: str) -> str:
    """A number in one of Word's forms; an unknown form counts in digits."""
    if form in ("lowerLetter", "upperLetter") and 0 < number <= _MAX_LETTERED:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter if form == "lowerLetter" else letter.upper()
    if form in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        roman = ""
        for value, sign in _ROMAN:
            roman += sign * (number // value)
            number %= value
        return roman if form == "lowerRoman" else roman.upper()
    if form == "decimalZero":
        return f"{number:02}"
    if form == "ordinal":
        return f"{number}{_ordinal_ending(number)}"
    if form in _HAN_FORMS and 0 < number < 100:
        tens, ones = divmod(number, 10)
        return ("" if tens < 2 else _HAN[tens]) + ("十" if tens else "") + _HAN[ones]
    if form == "decimalEnclosedCircle" and 0 < number <= 20:
        return chr(ord("①") + number - 1)
    return "" if form == "none" else str(number)


def _ordinal_ending(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def read_numbering(part: Element | None, styles: Element | None) -> Numbering:
    """The lists of `word/numbering.xml`, and the styles of `word/styles.xml` that belong to one."""
    levels: dict[str, dict[int, Level]] = {}
    lists: dict[str, str] = {}
    links: dict[str, str] = {}
    starts: dict[str, dict[int, int]] = {}
    depth_of_style: dict[str, int] = {}
    for element in part if part is not None else ():
        if local(element) == "abstractNum":
            levels[attribute(element, "abstractNumId")] = dict(_read_levels(element))
            links[attribute(element, "abstractNumId")] = value(child(element, "numStyleLink"))
            depth_of_style |= {
                value(child(inner, "pStyle")): whole(attribute(inner, "ilvl"))
                for inner in element
                if child(inner, "pStyle") is not None
            }
        elif local(element) == "num":
            identifier = attribute(element, "numId")
            lists[identifier] = value(child(element, "abstractNumId"))
            starts[identifier] = dict(_read_starts(element))
    places: dict[str, tuple[str, int]] = {}
    for style in styles if styles is not None else ():
        properties = child(style, "pPr", "numPr")
        if properties is not None:
            style_id, depth = attribute(style, "styleId"), value(child(properties, "ilvl"))
            places[style_id] = (
                value(child(properties, "numId")),
                whole(depth, depth_of_style.get(style_id, 0)),
            )
    for style in styles if styles is not None else ():
        style_id, base = attribute(style, "styleId"), value(child(style, "basedOn"))
        if style_id not in places and base in places:
            places[style_id] = places[base]
    for list_id, abstract in lists.items():
        # A list may be defined by a style, which names another list.
        styled = places.get(links.get(abstract, ""), ("", 0))[0]
        lists[list_id] = lists.get(styled, abstract)
    return Numbering(levels, lists, places, starts)


def _read_starts(element: Element) -> list[tuple[int, int]]:
    """Where the levels of a list begin, as far as it has its own starts."""
    starts = ((attribute(one, "ilvl"), child(one, "startOverride")) for one in element)
    return [(whole(depth), whole(value(start), 1)) for depth, start in starts if start is not None]


def _read_levels(abstract: Element) -> list[tuple[int, Level]]:
    found = []
    for element in abstract:
        depth = attribute(element, "ilvl")
        if local(element) == "lvl" and depth:
            form = value(child(element, "numFmt")) or "decimal"
            pattern = value(child(element, "lvlText"))
            found.append((whole(depth), Level(form, pattern, whole(value(child(element, "start")), 1))))
    return found
