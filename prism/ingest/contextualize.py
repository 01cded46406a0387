"""Contextualize: tell each leaf where it sits, and in which table.

The context (title > section path > page) is embedded and keyword-indexed with the leaf, so that "the cap"
in section "7(b) Penalties" can be found by its section. So are the other forms of the abbreviations in it
(`prism/text/short_forms.py`): a leaf on UCBs is found by "urban co-operative banks". It is not part of the
text and never quoted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from prism.text.short_forms import Glossary
from prism.types import (
    CONTEXT_SEPARATOR,
    FORMS_MARK,
    LEAF_LEVEL,
    Node,
    PageSpan,
    SectionSpan,
    SourceText,
    TableSpan,
)

CONTEXT_VERSION = "3"

MAX_FORMS: Final = 4
"""Other forms of abbreviations that a leaf is told; more would say less of each. About 24 tokens."""


def contextualize(
    nodes: Sequence[Node], loaded: SourceText, *, max_tokens: int, count_tokens: Callable[[str], int]
) -> tuple[Node, ...]:
    """Nodes with `header` (every level) and `context` (leaves), in the order given.

    Args:
        max_tokens: of the place; a longer one loses its middle sections first, then the end of its title. 0
            means no context at all.
        count_tokens: the embedder's count.
    """
    trimmed: dict[tuple[str, ...], str] = {}
    glossary = Glossary(loaded.text)
    has_pages = loaded.page_count > 1
    ends = list(accumulate((table.end for table in loaded.tables), max))

    def context_of(node: Node) -> str:
        parts = _place(node, loaded, has_pages=has_pages)
        if parts not in trimmed:
            trimmed[parts] = _trim(parts, max_tokens, count_tokens)
        part = loaded.text[node.start : node.end]
        others = glossary.other_forms(part, node.start, most=MAX_FORMS)
        place = trimmed[parts]
        if not others:
            return place
        before = place + CONTEXT_SEPARATOR if place else ""
        return before + FORMS_MARK + CONTEXT_SEPARATOR.join(others)

    return tuple(
        replace(
            node,
            header=_header(node, loaded.tables, ends),
            context=context_of(node) if node.level == LEAF_LEVEL and max_tokens else "",
        )
        for node in nodes
    )


def _place(node: Node, loaded: SourceText, *, has_pages: bool) -> tuple[str, ...]:
    """Where a node sits, from the outside in. A name without a letter or digit (`-.txt`) tells nothing."""
    section = _section_at(loaded.sections, node.start)
    parts = [loaded.title, *section]
    if has_pages:
        parts.append(_page_label(loaded.pages, node.start))
    return tuple(
        part
        for part, before in zip(parts, ["", *parts], strict=False)
        if part != before and any(letter.isalnum() for letter in part)
    )


def _section_at(sections: Sequence[SectionSpan], position: int) -> tuple[str, ...]:
    index = bisect_right(sections, position, key=lambda section: section.start) - 1
    return sections[index].path if index >= 0 else ()


def _page_label(pages: Sequence[PageSpan], position: int) -> str:
    index = bisect_right(pages, position, key=lambda page: page.start) - 1
    return f"p. {pages[index].label}" if index >= 0 else ""


def _header(node: Node, tables: Sequence[TableSpan], ends: Sequence[int]) -> str:
    """Of the tables that a node touches. `ends`: how far the tables up to each one reach."""
    last = bisect_left(tables, node.end, key=lambda table: table.start)
    touched = [
        table.header for table in tables[bisect_right(ends, node.start) : last] if table.end > node.start
    ]
    return "\n".join(dict.fromkeys(header for header in touched if header))


def _trim(parts: tuple[str, ...], max_tokens: int, count_tokens: Callable[[str], int]) -> str:
    kept = list(parts)
    while len(kept) > 2 and count_tokens(CONTEXT_SEPARATOR.join(kept)) > max_tokens:
        del kept[1]
    while kept and count_tokens(CONTEXT_SEPARATOR.join(kept)) > max_tokens:
        longest = max(range(len(kept)), key=lambda index: len(kept[index]))
        words = kept[longest].split()
        if len(words) > 1:
            kept[longest] = " ".join(words[: len(words) * 3 // 4])
        else:
            del kept[longest]
    return CONTEXT_SEPARATOR.join(kept)
