"""JSON values as lines that say what they are: `address.city: Pune`.

The objects of a list are records, each a page span of its own; a short one is one line (`name: Asha;
age: 31`), a long one a line per value. Lists of plain values are one value (`tags: a, b`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prism.ingest.readers.growing_text import GrowingText
from prism.ingest.readers.json_values import Path, Value
from prism.ingest.readers.protocol import SourceFile
from prism.types import PageSpan, SectionSpan, SourceText, TableSpan

_MAX_KEYS_ABOVE = 3
_MAX_LINE = 500


@dataclass(frozen=True, slots=True)
class Group:
    """Values that are read together: a record, or what stands under one name of the outermost object.

    `name` is the list a record is in or the outermost name; `number` is a record's place in its list from 1,
    0 of what is none.
    """

    name: str
    number: int
    values: Sequence[tuple[Path, str]]
    at: int


def groups_of(values: Iterable[Value], *, are_records: bool = False) -> Iterator[Group]:
    """Values in groups, in order. `are_records`: the values at the top are a list of records themselves."""
    key: tuple[Path, bool] | None = None
    kept: list[tuple[Path, str]] = []
    start = 0
    for value in values:
        path = (value.document, *value.path) if are_records else value.path
        found = _group_key(path)
        if found != key:
            if key is not None and kept:
                yield _group(key, kept, start)
            key, kept, start = found, [], value.at
        kept.append((path[len(found[0]) :] if found[1] else path, value.text))
    if key is not None and kept:
        yield _group(key, kept, start)


def _group_key(path: Path) -> tuple[Path, bool]:
    """A record's path, or the outermost name."""
    for place, step in enumerate(path[: _MAX_KEYS_ABOVE + 1]):
        if isinstance(step, int):
            return (path[: place + 1], True) if place + 1 < len(path) or place == 0 else (path[:1], False)
    return path[:1], False


def _group(key: tuple[Path, bool], kept: Sequence[tuple[Path, str]], start: int) -> Group:
    path, is_record = key
    number = int(path[-1]) + 1 if is_record else 0
    return Group(name_of(path[:-1] if is_record else path), number, kept, start)


def name_of(path: Path) -> str:
    """A path as people write it: `orders[2].price`."""
    name = ""
    for step in path:
        name += f"[{step}]" if isinstance(step, int) else f".{step}" if name else str(step)
    return name


def lines_of(values: Sequence[tuple[Path, str]]) -> list[str]:
    """A line per value; plain values of one list stand on one."""
    lines: list[tuple[str, list[str]]] = []
    last: Path | None = None
    for path, text in values:
        end = len(path)
        while end and isinstance(path[end - 1], int):
            end -= 1
        whole = path[:end]
        shown = "\n".join(text.strip().splitlines())
        if not shown:
            continue
        name = name_of(whole)
        if len(whole) < len(path) and whole == last:
            lines[-1][1].append(shown)
        else:
            lines.append((f"{name}: " if name else "", [shown]))
        last = whole if len(whole) < len(path) else None
    return [name + ", ".join(texts) for name, texts in lines]


class RecordText:
    """Puts groups together while noting what lies where."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._text = GrowingText(file)
        self._pages: list[PageSpan] = []
        self._sections: list[SectionSpan] = []
        self._tables: list[TableSpan] = []
        self._name = ""
        self._was_line = False
        self._has_records = False

    def add(self, group: Group, label: str) -> None:
        """Append a group. `label` names it in a citation."""
        lines = lines_of(group.values)
        if not lines:
            return
        self._open(group)
        whole = "; ".join(lines)
        is_line = group.number > 0 and len(whole) <= _MAX_LINE and "\n" not in whole
        text = whole if is_line else "\n".join(lines)
        start = self._text.append(
            text, "\n" if is_line == self._was_line and (is_line or not group.number) else "\n\n"
        )
        self._pages.append(PageSpan(1, label, start, self._text.length))
        self._has_records |= group.number > 0
        if is_line and self._was_line and self._tables:
            self._tables[-1] = TableSpan(self._tables[-1].start, self._text.length, "")
        elif is_line:
            self._tables.append(TableSpan(start, self._text.length, ""))
        self._was_line = is_line

    def loaded(self, media_type: str, warnings: Sequence[str]) -> SourceText:
        """The text; without records it is one page."""
        return SourceText(
            text=self._text.whole(),
            title=self._file.title,
            media_type=media_type,
            pages=tuple(self._pages) if self._has_records else (PageSpan(1, "1", 0, self._text.length),),
            sections=tuple(self._sections),
            tables=tuple(self._tables),
            warnings=tuple(warnings),
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing came."""
        return not self._text.length

    def _open(self, group: Group) -> None:
        """Begin a section where the outermost name changes; the name of a list of records is a heading."""
        if group.name == self._name:
            return
        self._name = group.name
        is_nested = group.number > 0 or len(group.values[0][0]) > 1
        if group.number and group.name:
            start = self._text.append(group.name, "\n\n")
            self._was_line = False
            self._pages.append(PageSpan(1, group.name, start, self._text.length))
            self._sections.append(SectionSpan(start, (group.name,)))
        elif group.name and (is_nested or self._sections):
            start = self._text.length + (1 if self._text.length else 0)
            self._sections.append(SectionSpan(start, (group.name,)))
