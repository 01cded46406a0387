"""Limit: keep copies of one passage, and a single document, from filling the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def limit(
    ranked: Sequence[Item],
    *,
    document_of: Callable[[Item], str],
    text_of: Callable[[Item], str],
    max_per_document: int,
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """(kept, dropped), both in rank order.

    Within a document a passage that reads like one before it is dropped; the same clause in two documents
    stays twice, since each is a citation of its own. `max_per_document` = 0 sets no bound.
    """
    seen: set[tuple[str, str]] = set()
    count: Counter[str] = Counter()
    kept: list[Item] = []
    dropped: list[Item] = []
    for item in ranked:
        document = document_of(item)
        key = (document, " ".join(text_of(item).casefold().split()))
        flooded = bool(max_per_document) and count[document] >= max_per_document
        if key in seen or flooded:
            dropped.append(item)
            continue
        seen.add(key)
        count[document] += 1
        kept.append(item)
    return tuple(kept), tuple(dropped)
