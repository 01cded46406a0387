"""From files to indexed, visible documents: load > clean > chunk > contextualize > index > show."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from prism.errors import PrismError, SourceError, UnreadableError
from prism.ingest.chunk import CHUNKER_VERSION, chunk
from prism.ingest.clean import CLEANER_VERSION, clean
from prism.ingest.contextualize import CONTEXT_VERSION, contextualize
from prism.ingest.identify import bytes_hash, document_id, recipe_hash, version_id
from prism.ingest.index import index
from prism.ingest.load import READER_VERSION, load, read
from prism.ingest.progress import Cancelled, Progress
from prism.ingest.readers.protocol import OnPage
from prism.ingest.readers.recognize import signature
from prism.ingest.size import chunk_tools
from prism.models.protocols import Embedder
from prism.settings import ReadSettings, Settings
from prism.stores.active import ActiveSet
from prism.stores.catalogue import Catalogue, Live
from prism.stores.originals import Originals
from prism.text.tokens import TOKENIZER_VERSION
from prism.types import FileReport, FileStatus, Source, SourceText

logger = logging.getLogger(__name__)


class Load(Protocol):
    """Makes a text of a file's bytes: here (`load.py`) or in a process that can be killed (`reading.py`)."""

    def __call__(
        self, source: Source, data: bytes, settings: ReadSettings, *, password: str, on_page: OnPage
    ) -> SourceText:
        """Raises `SourceError`."""
        ...


@dataclass(frozen=True, slots=True)
class IngestParts:
    """What ingesting needs: where to write, what to read and embed with. `password` is tried on locked files;
    it is stored nowhere and stands in no message."""

    catalogue: Catalogue
    originals: Originals
    active: ActiveSet
    embedder: Embedder
    settings: Settings
    load: Load = load
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class _Outcome:
    status: FileStatus
    reason: str = ""
    chunks: int = 0
    page_count: int = 0
    warnings: tuple[str, ...] = ()


def ingest_source(source: Source, parts: IngestParts, progress: Progress) -> FileReport:
    """Bring one file in. A file that cannot be read is reported, never raised; what was visible before
    stays visible until the new version is complete."""
    began = time.perf_counter()
    identity = document_id(parts.active.workspace, source.name)
    progress.reading(source.name)
    try:
        outcome = _ingest(source, identity, parts, progress)
    except Cancelled:
        outcome = _Outcome("cancelled", "cancelled before it was complete")
    except SourceError as error:
        outcome = _Outcome("failed", str(error))
    except OSError as error:
        reason = f"{error.filename or source.path}: {error.strerror or error}."
        outcome = _Outcome("failed", f"{reason} Check that it is a file, its permissions and the free space.")
    except PrismError as error:
        logger.warning("%s could not be indexed: %s", source.name, error)
        outcome = _Outcome("failed", str(error))
    except Exception as error:  # whatever one file does to a reader, the batch goes on
        logger.exception("%s could not be indexed", source.name)
        outcome = _Outcome("failed", f"unexpected {type(error).__name__}: {error}")
    progress.finished(outcome.chunks)
    return FileReport(
        path=str(source.path),
        document=source.name,
        document_id=identity if outcome.status in ("added", "updated", "unchanged") else None,
        status=outcome.status,
        reason=outcome.reason,
        chunks=outcome.chunks,
        page_count=outcome.page_count,
        warnings=outcome.warnings,
        seconds=round(time.perf_counter() - began, 3),
    )


def recipe(parts: IngestParts) -> str:
    """Hash of everything that shapes nodes and vectors."""
    return recipe_hash(
        {
            "reader": READER_VERSION,
            "cleaner": CLEANER_VERSION,
            "chunker": CHUNKER_VERSION,
            "context": CONTEXT_VERSION,
            "tokenizer": TOKENIZER_VERSION,
            "embedder": parts.embedder.name,
            "max_tokens": parts.embedder.max_tokens,
            "chunk": parts.settings.chunk.model_dump(),
        }
    )


def _ingest(source: Source, identity: str, parts: IngestParts, progress: Progress) -> _Outcome:
    data = read(source, parts.settings.read)
    hashed = bytes_hash(data)
    version = version_id(hashed, recipe(parts))
    live = parts.catalogue.live(identity)
    if live is not None and live.version == version and not _reads_more(live, parts):
        # The copy kept may have been lost since.
        parts.originals.keep(identity, hashed, data)
        return _already_there(identity, parts, is_active=live.is_active)

    loaded = clean(
        parts.load(source, data, parts.settings.read, password=parts.password, on_page=progress.page)
    )
    if not loaded.text.strip() and loaded.unread_sheets:
        raise _remembered(source, identity, version, hashed, len(data), loaded, parts)
    if not loaded.text.strip():
        return _nothing_in(identity, loaded, parts, was_active=live is not None and live.is_active)

    generation = parts.catalogue.begin(
        identity,
        workspace=parts.active.workspace,
        source_key=source.name,
        version=version,
        content_hash=hashed,
        size_bytes=len(data),
        loaded=loaded,
        recognizer=signature(parts.settings.read) if loaded.unread_sheets else "",
    )
    try:
        # First of all, so that an upload can be gone on with when its temporary file is no longer there.
        parts.originals.keep(identity, hashed, data)
        del data
        parts.active.discard(identity, generation)
        nodes = contextualize(
            chunk(
                loaded,
                document_id=identity,
                version=version,
                generation=generation,
                settings=parts.settings.chunk,
                tools=chunk_tools(parts.embedder, parts.settings.chunk, progress.check),
            ),
            loaded,
            max_tokens=parts.settings.chunk.context_tokens,
            count_tokens=parts.embedder.token_count,
        )
        leaves = index(
            nodes,
            loaded.text,
            catalogue=parts.catalogue,
            active=parts.active,
            embedder=parts.embedder,
            on_leaves=progress.embedding,
        )
        progress.storing()
        was_shown = live is not None and live.is_active
        parts.active.show(identity, generation, unless_hidden=was_shown)
    except BaseException as error:
        _give_up(source, identity, generation, hashed, error, parts)
        raise
    _tidy(identity, hashed, parts)
    is_new = live is None or not live.is_active
    return _Outcome(
        "added" if is_new else "updated",
        chunks=leaves,
        page_count=loaded.page_count,
        warnings=loaded.warnings,
    )


def _reads_more(live: Live, parts: IngestParts) -> bool:
    """Whether pages that could not be read are to be tried again: text recognition has come or changed since.
    Documents without such pages stay as they are."""
    tried = parts.catalogue.unread.recognizer(live.document_id, live.generation)
    return tried is not None and signature(parts.settings.read) not in ("", tried)


def _remembered(
    source: Source,
    identity: str,
    version: str,
    hashed: str,
    size_bytes: int,
    loaded: SourceText,
    parts: IngestParts,
) -> UnreadableError:
    """What to raise for a file that is nothing but pages that could not be read, which are kept on record."""
    reason = f"{source.name}: no readable text (scanned?). {_sentences(loaded.warnings)}"
    generation = parts.catalogue.begin(
        identity,
        workspace=parts.active.workspace,
        source_key=source.name,
        version=version,
        content_hash=hashed,
        size_bytes=size_bytes,
        loaded=replace(loaded, warnings=()),
        recognizer=signature(parts.settings.read),
    )
    parts.catalogue.fail(identity, generation, reason)
    return UnreadableError(reason)


def _sentences(parts: Sequence[str]) -> str:
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def _nothing_in(identity: str, loaded: SourceText, parts: IngestParts, *, was_active: bool) -> _Outcome:
    """An empty file has no leaves; what it said before it was emptied must not answer any longer."""
    reason = "empty, skipped"
    if was_active:
        parts.active.hide(identity)
        reason = "empty now, skipped; the version before is deleted (undo brings it back)"
    return _Outcome("skipped", reason, warnings=loaded.warnings)


def _give_up(
    source: Source, identity: str, generation: int, hashed: str, error: BaseException, parts: IngestParts
) -> None:
    """Drop what a build wrote. The record comes first; what stays in the projections nobody sees. The file
    kept stays when the build was stopped, or was itself made from it: a resumed job may need it."""
    live = parts.catalogue.live(identity)
    if live is not None and live.generation == generation:
        # It was shown: whatever was interrupted came after the commit.
        _tidy(identity, hashed, parts)
        return
    if isinstance(error, Exception):
        parts.catalogue.fail(identity, generation, f"{type(error).__name__}: {error}")
        is_needed = source.path == parts.originals.path(identity, hashed)
    else:
        is_needed = parts.catalogue.fail(
            identity, generation, "stopped before it was complete", "interrupted"
        )
    is_live = live is not None and parts.catalogue.content_hash(identity, live.generation) == hashed
    if not (is_needed or is_live):
        parts.originals.remove(identity, hashed)
    try:
        parts.active.discard(identity, generation)
    except PrismError as error:
        logger.warning("leftovers of an unfinished build stay until the next clean-up: %s", error)


def _tidy(identity: str, hashed: str, parts: IngestParts) -> None:
    """Remove what was replaced. The new version is shown already: what cannot go now goes later."""
    try:
        parts.active.clean()
        parts.originals.remove_others(identity, hashed)
    except PrismError as error:
        logger.warning("what was replaced stays on the disk until the next opening: %s", error)


def _already_there(identity: str, parts: IngestParts, *, is_active: bool) -> _Outcome:
    if not is_active:
        parts.active.unhide(identity)
    info = parts.catalogue.document(identity)
    assert info is not None, "a live version has a document"  # noqa: S101
    return _Outcome(
        "unchanged" if is_active else "added",
        "already indexed" if is_active else "was deleted; shown again",
        info.leaves,
        info.page_count,
        info.warnings,
    )
