"""What OpenDocument's styles say of text: titles, raised and hidden text, numbers of lists and headings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from prism.ingest.readers.numbering import BULLET, spell_number
from prism.ingest.readers.wordxml import attribute, child, local, whole

MAX_DEPTH = 9
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "1": "decimal"}


@dataclass(frozen=True, slots=True)
class _Level:
    """How one level of a list counts; `form` is empty where it shows no number."""

    form: str
    is_bullet: bool
    prefix: str
    suffix: str
    start: int
    shown: int


class Styles:
    """The styles of a document, its own and automatic ones."""

    def __init__(self, *roots: Element | None) -> None:
        self._styles: dict[str, Element] = {}
        self._lists: dict[str, dict[int, _Level]] = {}
        for element in (part for root in roots if root is not None for part in _definitions(root)):
            kind, name = local(element), attribute(element, "name")
            if kind == "style":
                self._styles[name] = element
            elif kind == "list-style":
                self._lists[name] = dict(_levels(element))
            elif kind == "outline-style":
                self._lists[OUTLINE] = dict(_levels(element))

    def is_title(self, name: str) -> bool:
        """Whether a paragraph's style is that of titles, or derived from it."""
        return any(style in ("Title", "title") for style in self._chain(name))

    def is_raised(self, name: str) -> bool:
        """Whether a text style writes above the line."""
        return self._property(name, "text-position").split(" ")[0] not in ("", "sub", "0%") and not (
            self._property(name, "text-position").startswith("-")
        )

    def is_hidden(self, name: str) -> bool:
        """Whether a style hides its text."""
        return self._property(name, "display") == "none"

    def is_hidden_page(self, name: str) -> bool:
        """Whether a slide is left out of the show."""
        return attribute(child(self._styles.get(name), "drawing-page-properties"), "visibility") == "hidden"

    def list_of(self, name: str) -> str:
        """The list style of a paragraph style."""
        found = (attribute(self._styles.get(style), "list-style-name") for style in self._chain(name))
        return next(filter(None, found), "")

    def level(self, list_style: str, depth: int) -> _Level | None:
        """How a level of a list counts, from 1."""
        return self._lists.get(list_style, {}).get(depth)

    def _property(self, name: str, wanted: str) -> str:
        found = (
            attribute(child(self._styles.get(one), "text-properties"), wanted) for one in self._chain(name)
        )
        return next(filter(None, found), "")

    def _chain(self, name: str) -> Iterator[str]:
        for _ in range(10):
            if not name:
                return
            yield name
            name = attribute(self._styles.get(name), "parent-style-name")


OUTLINE = "\x00outline"
"""The name under which the numbering of headings is kept; no list style can have it."""


def _definitions(root: Element) -> Iterator[Element]:
    for group in root:
        if local(group) in ("styles", "automatic-styles"):
            yield from group


def _levels(style: Element) -> Iterator[tuple[int, _Level]]:
    for element in style:
        yield (
            whole(attribute(element, "level"), 1),
            _Level(
                form=attribute(element, "num-format"),
                is_bullet=local(element).endswith(("bullet", "image")),
                prefix=attribute(element, "num-prefix"),
                suffix=attribute(element, "num-suffix"),
                start=whole(attribute(element, "start-value"), 1),
                shown=min(max(whole(attribute(element, "display-levels"), 1), 1), MAX_DEPTH),
            ),
        )


class ListCounter:
    """Counts the items of lists and the headings of a document."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._counts: dict[str, dict[int, int]] = {}

    def restart(self, list_style: str) -> None:
        """A list that does not go on from an earlier one."""
        self._counts.pop(list_style, None)

    def mark(self, list_style: str, depth: int, start: str = "") -> str:
        """What stands before an item: a number, or a bullet where the style is unknown or has one."""
        level = self._styles.level(list_style, depth)
        if level is None or level.is_bullet:
            return "" if list_style == OUTLINE else BULLET
        counts = self._counts.setdefault(list_style, {})
        for deeper in [inner for inner in counts if inner > depth]:
            del counts[deeper]
        counts[depth] = whole(start, counts.get(depth, level.start - 1) + 1)
        if not level.form:
            return ""
        numbers = []
        for outer in range(max(depth - level.shown + 1, 1), depth + 1):
            above = self._styles.level(list_style, outer)
            if above is not None and above.form:
                form = _FORMS.get(above.form[:1], "decimal")
                numbers.append(spell_number(counts.get(outer, above.start), form))
        return f"{level.prefix}{'.'.join(numbers)}{level.suffix}".strip() + " "
