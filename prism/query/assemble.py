"""Assemble: turn ranked nodes into numbered passages with their document, pages and header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from prism.types import Copy, Merged, Node, PageRef, PageSpan, Passage


def assemble(
    ranked: Sequence[Merged],
    *,
    nodes: Mapping[str, Node],
    names: Mapping[str, str],
    pages_of: Callable[[Node], Sequence[PageSpan]],
) -> tuple[Passage, ...]:
    """The passages, numbered by relevance from 1.

    Args:
        ranked: best first.
        nodes: by id; a node that is gone meanwhile is passed over.
        names: document name by document id.
    """

    def is_there(node_id: str) -> bool:
        return node_id in nodes and nodes[node_id].document_id in names

    passages: list[Passage] = []
    rank_of: dict[str, int] = {}
    for item in ranked:
        if not is_there(item.node_id):
            continue
        node = nodes[item.node_id]
        elsewhere = [
            copy for copy in map(nodes.__getitem__, filter(is_there, item.copies)) if not _lies_in(copy, node)
        ]
        rank_of |= {copy.node_id: len(passages) + 1 for copy in elsewhere}
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
                copies=tuple(_copy(copy, names, pages_of) for copy in elsewhere),
                copy_of=rank_of.get(node.node_id),
            )
        )
    return tuple(passages)


def _lies_in(copy: Node, node: Node) -> bool:
    """Whether the copy is a stretch of the passage itself, which grew over both."""
    same_text = (copy.document_id, copy.generation) == (node.document_id, node.generation)
    return same_text and node.start <= copy.start and copy.end <= node.end


def _copy(node: Node, names: Mapping[str, str], pages_of: Callable[[Node], Sequence[PageSpan]]) -> Copy:
    return Copy(
        node_id=node.node_id,
        document=names[node.document_id],
        document_id=node.document_id,
        generation=node.generation,
        pages=page_refs(pages_of(node)),
        start=node.start,
        end=node.end,
    )


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
