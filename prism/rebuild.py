"""Make the projections anew from the record: what they lack before a question, or all of it when asked."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from prism.errors import ModelError, StoreDamagedError, StoreError
from prism.ingest.index import embed_leaves, keyword_tokens
from prism.ingest.progress import OnProgress, Progress
from prism.models.protocols import Embedder
from prism.stores.storage import Storage
from prism.text.tokens import TOKENIZER_VERSION
from prism.types import LEAF_LEVEL, DocumentInfo, Node, Notice

INDEX_COMPLETED = "index_completed"
INDEX_INCOMPLETE = "index_incomplete"

_BATCH_LEAVES = 1000
_SAMPLE_LEAVES = 20
_UNFINISHED = "unfinished rebuild"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lacking:
    """A document of which vectors, token vectors, or both are to be made again."""

    info: DocumentInfo
    vectors: bool = True
    tokens: bool = False


def complete(
    storage: Storage, workspace: str, embedder: Embedder, token_recipe: str | None = None
) -> tuple[Notice, ...]:
    """Before a question: index again what the vectors of a workspace lack, all of them when they were damaged
    or deleted. Costs a glance once they were found whole. The keyword index completes itself when opened.

    Args:
        token_recipe: of the token vectors to be kept, which are completed too; None where none are wanted.

    Returns:
        what the asker should know: that it was done, or why it could not be (tried again next time).

    Raises:
        StoreError: the folder cannot be used at all.
    """
    storage.keep_tokens(token_recipe)
    active = storage.active(workspace)
    try:
        if active.is_whole and not active.may_lack_tokens:
            return ()
        leaves = _complete(storage, workspace, embedder)
    except (ModelError, StoreError) as error:
        logger.warning("%s: vectors are missing and could not be made again: %s", workspace, error)
        return (
            Notice(
                INDEX_INCOMPLETE,
                f"The search by meaning lacks some documents, and they could not be indexed again: {error} "
                "The next question tries again; 'prism doctor' says more.",
            ),
        )
    if not leaves:
        return ()
    logger.warning("%s: vectors of %d leaves were missing and are made again", workspace, leaves)
    return (
        Notice(
            INDEX_COMPLETED,
            f"The vectors of {leaves} leaves were missing or damaged; they were made again from the record "
            "before this question was searched.",
        ),
    )


def _complete(storage: Storage, workspace: str, embedder: Embedder) -> int:
    leaves = 0
    active = storage.active(workspace)
    may_lack = active.may_lack_vectors or active.may_lack_tokens
    state = active.token_state
    # The lock is asked for only where something is lacking: an ingest under way holds it to its end.
    if _damage(storage, workspace, embedder) or (may_lack and lacking(storage, workspace)):
        # Whoever held the lock may have completed this very workspace: it is looked at again.
        with storage.ingest_lock:
            if damage := _damage(storage, workspace, embedder):
                storage.projections.begin_vectors_anew(damage)
            state = storage.active(workspace).token_state
            leaves = embed_again(storage, lacking(storage, workspace), embedder)
    active = storage.active(workspace)
    active.is_whole = True
    active.note_tokens_whole(state)
    return leaves


def _damage(storage: Storage, workspace: str, embedder: Embedder) -> StoreDamagedError | None:
    try:
        check_vectors(storage, workspace, embedder)
        storage.active(workspace).vectors.leaf_sets()
    except StoreDamagedError as error:
        return error
    return None


def lacking(storage: Storage, workspace: str, *, anew: bool = False) -> list[Lacking]:
    """Documents of which the vectors are not those of the leaves in the record, or which lack token vectors
    that are to be kept. `anew`: read every id."""
    # The record first: what is live there now has its vectors, while what goes out of it loses them.
    infos = list(live(storage, workspace))
    recorded = storage.catalogue.nodes.live_leaf_sets(workspace)
    active = storage.active(workspace)
    stored, kept = active.vectors.leaf_sets(anew=anew), active.tokens.generations()
    found = []
    for info in infos:
        group = (info.document_id, info.generation)
        lacks_tokens = active.tokens.recipe is not None and group in recorded and group not in kept
        found.append(Lacking(info, stored.get(group) != recorded.get(group), lacks_tokens))
    return [item for item in found if item.vectors or item.tokens]


def check_vectors(storage: Storage, workspace: str, embedder: Embedder) -> None:
    """Have the vectors the embedder's dimension? And, where they were not closed properly, are a few of them
    found by themselves? Raises `StoreDamagedError`."""
    vectors = storage.active(workspace).vectors
    if vectors.dimension() not in (None, embedder.dimension):
        raise StoreDamagedError(
            f"{storage.folder}: vectors of {vectors.dimension()} numbers, while {embedder.name} makes "
            f"{embedder.dimension}. Make them anew: prism doctor --rebuild."
        )
    if not vectors.was_sealed:
        ids = [node_id for info in live(storage, workspace) for node_id in _leaf_ids(storage, info)]
        vectors.check_found(ids[:: max(1, len(ids) // _SAMPLE_LEAVES)])


def rebuild(
    storage: Storage,
    embedder: Embedder,
    on_progress: OnProgress | None = None,
    *,
    token_recipe: str | None = None,
) -> dict[str, int]:
    """Make the projections of every workspace anew, with today's tokenizer and embedder.

    A kill at any instant is made good by the next question, or by the next rebuild where it has to be one:
    the index then names itself unfinished.

    Args:
        token_recipe: of the token vectors to be kept; None where none are wanted.

    Returns:
        leaves indexed per workspace.

    Raises:
        ModelError: the embedder does not work; when it fails at once, nothing was dropped.
        StoreError: the folder cannot be used.
    """
    embedder.embed_query("Does the embedder work?")
    documents = {name: list(live(storage, name)) for name in storage.catalogue.workspaces()}
    every = [info for infos in documents.values() for info in infos]
    if storage.catalogue.meta("tokenizer") not in (None, TOKENIZER_VERSION):
        # Tokens of two tokenizers must not be taken for one's, if this ends in the middle.
        storage.catalogue.set_meta({"tokenizer": _UNFINISHED})
    tokenize_again(storage, every)
    storage.projections.drop(documents)
    # Before the first new vector: an embedder set back meanwhile must not search among them.
    storage.note_models(embedder.name)
    storage.keep_tokens(token_recipe)
    progress = Progress([info.leaves for info in every], on_progress)
    leaves: dict[str, int] = {}
    for workspace, infos in documents.items():
        tokens = storage.active(workspace).tokens.recipe is not None
        again = [Lacking(info, tokens=tokens) for info in infos]
        leaves[workspace] = embed_again(storage, again, embedder, progress)
        storage.active(workspace).keywords.save()
        storage.active(workspace).is_whole = True
    return leaves


def tokenize_again(storage: Storage, documents: Iterable[DocumentInfo]) -> None:
    """Write the keyword tokens of these documents' leaves anew."""
    for info in documents:
        text = storage.catalogue.text(info.document_id, info.generation)
        for leaves in _batches(storage, info):
            storage.catalogue.nodes.replace_tokens(keyword_tokens(leaves, text))


def embed_again(
    storage: Storage, documents: Sequence[Lacking], embedder: Embedder, progress: Progress | None = None
) -> int:
    """Make what these documents lack anew, in one pass over their leaves; returns how many leaves."""
    progress = progress or Progress([item.info.leaves for item in documents], None)
    total = 0
    for item in documents:
        progress.reading(item.info.document)
        done = _embed_again(storage, item, embedder, progress)
        progress.finished(done)
        total += done
    return total


def _embed_again(storage: Storage, item: Lacking, embedder: Embedder, progress: Progress) -> int:
    info, active = item.info, storage.active(item.info.workspace)
    if item.vectors:
        active.vectors.delete_generation(info.document_id, info.generation)
    if item.tokens:
        active.tokens.discard(info.document_id, info.generation)
    recipe = active.tokens.recipe if item.tokens else None
    done = 0
    for leaves in _batches(storage, info):
        ids = [leaf.node_id for leaf in leaves]
        made, token_vectors = embed_leaves(leaves, embedder, recipe, partial(_counted, progress, done))
        if item.vectors:
            count = len(leaves)
            active.vectors.upsert(ids, made, [info.document_id] * count, [info.generation] * count)
        if token_vectors is not None:
            active.tokens.add(info.document_id, info.generation, ids, token_vectors)
        done += len(leaves)
    active.tokens.finish(info.document_id, info.generation)
    return done


def _counted(progress: Progress, before: int, count: int) -> None:
    progress.embedding(before + count)


def live(storage: Storage, workspace: str) -> Iterator[DocumentInfo]:
    """Documents that are shown, or would be were they not deleted."""
    return (info for info in storage.catalogue.documents(workspace) if info.status in ("active", "deleted"))


def leaves_of(storage: Storage, info: DocumentInfo, node_ids: Sequence[str]) -> list[Node]:
    """These leaves of a document, in the order given; those the record lacks are left out."""
    found = storage.catalogue.nodes.get(node_ids, {info.document_id: info.generation})
    return [found[node_id].node for node_id in node_ids if node_id in found]


def _leaf_ids(storage: Storage, info: DocumentInfo) -> list[str]:
    return storage.catalogue.nodes.node_ids({info.document_id: info.generation}, level=LEAF_LEVEL)


def _batches(storage: Storage, info: DocumentInfo) -> Iterator[list[Node]]:
    ids = _leaf_ids(storage, info)
    for first in range(0, len(ids), _BATCH_LEAVES):
        yield leaves_of(storage, info, ids[first : first + _BATCH_LEAVES])
