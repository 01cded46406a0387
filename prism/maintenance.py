"""Looking after a storage folder: status, doctor, rebuild, and showing a page."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from prism.errors import ModelError, NotFoundError, StoreError
from prism.ingest.index import keyword_tokens
from prism.ingest.readers.pdf import render_page
from prism.ingest.readers.pdf_boxes import place_words, printed_words
from prism.models.protocols import Embedder
from prism.query.assemble import page_refs
from prism.stores.storage import Storage
from prism.types import LEAF_LEVEL, Box, DocumentInfo, Node, PageContent, Status

PDF = "application/pdf"
_REBUILD_LEAVES = 1000


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something `doctor` saw, and what it did about it (empty: nothing to do)."""

    workspace: str
    problem: str
    repair: str


def take_status(storage: Storage, workspace: str, models: Mapping[str, str]) -> Status:
    """Counts of a workspace; consistent when record and both projections hold the same leaves."""
    catalogue = storage.catalogue
    active = storage.active(workspace)
    documents = catalogue.documents(workspace)
    leaves = catalogue.leaf_count(workspace, active_only=False)
    vectors, keyword_docs = active.vectors.count(), len(active.keywords)
    answers, abstained = storage.history.answer_counts(workspace)
    return Status(
        documents=sum(info.status == "active" for info in documents),
        leaves=leaves,
        active_leaves=catalogue.leaf_count(workspace, active_only=True),
        vectors=vectors,
        keyword_docs=keyword_docs,
        consistent=leaves == vectors == keyword_docs and storage.models_match(models["embedder"]),
        models=models,
        answers=answers,
        abstained=abstained,
        bytes=storage.size_bytes(),
    )


def examine(storage: Storage, embedder: Embedder) -> list[Finding]:
    """Compare record and projections generation by generation, and mend what differs."""
    findings: list[Finding] = []
    storage.remove_leftovers()
    for workspace in storage.catalogue.workspaces():
        active = storage.active(workspace)
        removed = active.clean() + active.remove_strays()
        if removed:
            findings.append(Finding(workspace, f"{removed} unfinished or replaced builds", "removed"))
        findings += _complete_documents(storage, workspace, embedder)
        findings += [
            Finding(workspace, f"{info.document}: its original is gone", "ingest it again to see its pages")
            for info in _live(storage, workspace)
            if not _original(storage, info).is_file()
        ]
    return findings


def complete(storage: Storage, workspace: str, embedder: Embedder) -> None:
    """Index again what the vectors of a workspace have lost: all of them, when their folder was deleted. The
    keyword index completes itself when it is opened. What cannot be completed is left to 'doctor', and
    questions are answered from what there is."""
    active = storage.active(workspace)
    leaves = storage.catalogue.leaf_count(workspace, active_only=False)
    try:
        if active.vectors.count() < leaves:
            with storage.ingest_lock:
                findings = _complete_documents(storage, workspace, embedder)
            logger.warning("%s: vectors were missing; %d documents indexed again", workspace, len(findings))
    except (ModelError, StoreError) as error:
        logger.warning("%s: vectors may be missing and could not be indexed again: %s", workspace, error)


def _complete_documents(storage: Storage, workspace: str, embedder: Embedder) -> list[Finding]:
    findings: list[Finding] = []
    active = storage.active(workspace)
    for info in _live(storage, workspace):
        wanted = {leaf.node_id for leaf in _leaves(storage, info)}
        stored = active.vectors.ids(info.document_id, info.generation)
        indexed = active.keywords.leaf_counts().get((info.document_id, info.generation), 0)
        if wanted != set(stored) or len(wanted) != indexed:
            _index_again(storage, info, embedder)
            problem = (
                f"{info.document}: {len(wanted)} leaves in the catalogue, {len(stored)} vectors, "
                f"{indexed} in keyword search"
            )
            findings.append(Finding(workspace, problem, "indexed again from the catalogue"))
    active.refresh()
    return findings


def rebuild(storage: Storage, embedder: Embedder) -> list[Finding]:
    """Make both projections of every workspace anew from the catalogue, with today's models."""
    findings: list[Finding] = []
    storage.drop_projections(storage.catalogue.workspaces())
    for workspace in storage.catalogue.workspaces():
        active = storage.active(workspace)
        leaves = 0
        for info in _live(storage, workspace):
            leaves += _index_again(storage, info, embedder)
        active.clean()
        active.refresh()
        findings.append(Finding(workspace, "rebuild asked for", f"{leaves} leaves indexed again"))
    storage.note_models(embedder.name)
    return findings


def show_page(storage: Storage, info: DocumentInfo, sheet: int) -> PageContent:
    """A page of an active document. Raises `NotFoundError`."""
    if info.status != "active":
        raise NotFoundError(f"{info.document} is {info.status}; its pages are shown once it is active again.")
    spans = [
        span for span in storage.catalogue.pages(info.document_id, info.generation) if span.sheet == sheet
    ]
    if not spans:
        raise NotFoundError(f"{info.document} has no page {sheet}; it has {info.page_count}.")
    start, end = spans[0].start, spans[-1].end
    text = storage.catalogue.text(info.document_id, info.generation)[start:end]
    image: bytes | None = None
    boxes: tuple[Box, ...] = ()
    if storage.catalogue.media_type(info.document_id, info.generation) == PDF:
        file = _original(storage, info)
        image = render_page(file, sheet)
        boxes = place_words(text, start, printed_words(file, sheet))
    return PageContent(
        document_id=info.document_id,
        document=info.document,
        page=page_refs(spans)[0],
        start=start,
        end=end,
        text=text,
        image_png=image,
        boxes=boxes,
    )


def _original(storage: Storage, info: DocumentInfo) -> Path:
    hashed = storage.catalogue.content_hash(info.document_id, info.generation)
    return storage.originals.path(info.document_id, hashed)


def _live(storage: Storage, workspace: str) -> Iterator[DocumentInfo]:
    shown = ("active", "deleted")
    return (info for info in storage.catalogue.documents(workspace) if info.status in shown)


def _leaves(storage: Storage, info: DocumentInfo) -> list[Node]:
    generations = {info.document_id: info.generation}
    ids = storage.catalogue.nodes.node_ids(generations, level=LEAF_LEVEL)
    found = storage.catalogue.nodes.get(ids, generations)
    return [found[node_id].node for node_id in ids]


def _index_again(storage: Storage, info: DocumentInfo, embedder: Embedder) -> int:
    storage.active(info.workspace).discard(info.document_id, info.generation)
    leaves = _leaves(storage, info)
    text = storage.catalogue.text(info.document_id, info.generation)
    for first in range(0, len(leaves), _REBUILD_LEAVES):
        batch = leaves[first : first + _REBUILD_LEAVES]
        tokens = keyword_tokens(batch, text)
        storage.catalogue.nodes.replace_tokens(tokens)
        vectors = embedder.embed([leaf.indexed_text for leaf in batch])
        storage.active(info.workspace).store_leaves(batch, vectors, tokens)
    return len(leaves)
