"""Assemble: turn ranked nodes into numbered passages with their document, pages and header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from prism.types import Merged, Node, PageRef, PageSpan, Passage


def assemble(
    ranked: Sequence[Merged],
    *,
    nodes: Mapping[str, Node],
    names: Mapping[str, str],
    pages_of: Callable[[Node], Sequence[PageSpan]],
    k: int,
) -> tuple[Passage, ...]:
    """The first k passages, numbered by relevance from 1.

    Args:
        nodes: by id; a node that is gone meanwhile is passed over.
        names: document name by document id.
    """
    passages: list[Passage] = []
    for item in ranked:
        if len(passages) == k:
            break
        node = nodes.get(item.node_id)
        if node is None or node.document_id not in names:
            continue
        passages.append(
            Passage(
                rank=len(passages) + 1,
                node_id=node.node_id,
                leaf_ids=item.leaf_ids,
                document=names[node.document_id],
                document_id=node.document_id,
                generation=node.generation,
                pages=page_refs(pages_of(node)),
                start=node.start,
                end=node.end,
                text=node.text,
                score=item.score,
                legs=item.legs,
                header=node.header,
            )
        )
    return tuple(passages)


def page_refs(spans: Sequence[PageSpan]) -> tuple[PageRef, ...]:
    """One reference per sheet; several spans of a sheet (rows of a table) become a range of labels."""
    refs: list[PageRef] = []
    for sheet, group in groupby(spans, key=lambda span: span.sheet):
        labels = [span.label for span in group]
        label = labels[0] if labels[0] == labels[-1] else f"{labels[0]} – {labels[-1]}"
        refs.append(PageRef(label, sheet))
    return tuple(refs)


def print_order(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """[1] first, [2] last, the rest between by rank: models read the ends of a long context best
    (Liu et al. 2023, "Lost in the Middle")."""
    if len(passages) < 3:
        return tuple(passages)
    first, second, *rest = passages
    return (first, *rest, second)
