"""Where the nodes of a collection stand, as pieces that gold can be compared with."""

from __future__ import annotations

from collections.abc import Iterable

from eval.runs.collection import Collection
from eval.runs.locate import Piece
from prism.query.assemble import page_refs
from prism.types import PageSpan


class Places:
    """Pieces by node id, and texts by document name; what was looked up once is remembered."""

    def __init__(self, collection: Collection) -> None:
        self._catalogue = collection.storage.catalogue
        infos = collection.prism.documents()
        self._name_of = {info.document_id: info.document for info in infos}
        self._generation_of = {info.document: (info.document_id, info.generation) for info in infos}
        self._active = {info.document_id: info.generation for info in infos if info.status == "active"}
        self._pieces: dict[str, Piece] = {}

    def text_of(self, document: str) -> str:
        """A document's stored text; empty when it is not in the collection."""
        found = self._generation_of.get(document)
        return self._catalogue.text(*found) if found else ""

    def pages_of(self, document: str) -> tuple[PageSpan, ...]:
        """A document's pages; none when it is not in the collection."""
        found = self._generation_of.get(document)
        return self._catalogue.pages(*found) if found else ()

    def of_nodes(self, node_ids: Iterable[str]) -> list[Piece]:
        """The pieces of leaves and parents, in the order given. Raises `KeyError` when one
        is not active."""
        ids = list(node_ids)
        stored = self._catalogue.nodes.get(set(ids) - self._pieces.keys(), self._active)
        for node_id, item in stored.items():
            node = item.node
            pages = self._catalogue.pages_between(node.document_id, node.generation, node.start, node.end)
            text = f"{node.header}\n{node.text}"
            self._pieces[node_id] = Piece(
                self._name_of[node.document_id], page_refs(pages), node.start, node.end, text
            )
        return [self._pieces[node_id] for node_id in ids]
