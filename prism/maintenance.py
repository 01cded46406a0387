"""Counts of a workspace, and showing a page."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from prism.errors import NotFoundError, UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.pdf import render_page
from prism.ingest.readers.pdf_boxes import place_words, printed_characters
from prism.ingest.readers.pictures import shown
from prism.query.assemble import page_refs
from prism.stores.storage import Storage
from prism.types import DocumentInfo, PageContent, Status

_REBUILD_LEAVES = 1000


logger = logging.getLogger(__name__)


def take_status(
    storage: Storage, workspace: str, models: Mapping[str, str], token_recipe: str | None = None
) -> Status:
    """Counts of a workspace; consistent when record and projections hold the same leaves.

    Args:
        token_recipe: of the token vectors that are wanted; None where none are.
    """
    catalogue = storage.catalogue
    active = storage.active(workspace)
    documents = catalogue.documents(workspace)
    leaves = catalogue.leaf_count(workspace, active_only=False)
    vectors, keyword_docs = active.vectors.count(), len(active.keywords)
    wanted = {group for group, count in catalogue.live_leaf_counts(workspace).items() if count}
    lacks_tokens = token_recipe is not None and not wanted <= active.tokens.generations(token_recipe)
    is_even = leaves == vectors == keyword_docs and not lacks_tokens
    answers, abstained = storage.history.answer_counts(workspace)
    return Status(
        documents=sum(info.status == "active" for info in documents),
        leaves=leaves,
        active_leaves=catalogue.leaf_count(workspace, active_only=True),
        vectors=vectors,
        keyword_docs=keyword_docs,
        consistent=is_even and storage.models_match(models["embedder"]),
        models=models,
        answers=answers,
        abstained=abstained,
        bytes=storage.size_bytes(),
    )


def show_page(storage: Storage, info: DocumentInfo, sheet: int) -> PageContent:
    """A page of an active document; as text alone where its file is locked. Raises `NotFoundError`."""
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
    boxes = storage.catalogue.unread.boxes(info.document_id, info.generation, sheet)
    media_type = storage.catalogue.media_type(info.document_id, info.generation)
    file = _original(storage, info)
    if media_type == Kind.IMAGE.value:
        image = shown(file.read_bytes(), info.document, sheet - 1)
    elif media_type == Kind.PDF.value:
        try:
            image = render_page(file, sheet)
            boxes = boxes or place_words(text, start, printed_characters(file, sheet))
        except UnreadableError as error:
            # Passwords are never kept: a locked document is shown as text.
            logger.info("page %d of %s is shown without its picture: %s", sheet, info.document, error)
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
