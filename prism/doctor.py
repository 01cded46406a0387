"""The doctor: looks at everything in a storage folder, mends what it can, and says what is left to do."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from prism.errors import StoreDamagedError, StoreError
from prism.ingest.identify import content_hash
from prism.models.protocols import Embedder, Vectors
from prism.rebuild import Lacking, check_vectors, embed_again, lacking, leaves_of, live, tokenize_again
from prism.stores.active import ActiveSet
from prism.stores.leaf_sets import LeafSet
from prism.stores.record import way_back
from prism.stores.record_faults import RecordFault
from prism.stores.storage import CATALOGUE_FILE, Storage
from prism.types import LEAF_LEVEL, DocumentInfo

logger = logging.getLogger(__name__)

Outcome = Literal["mended", "left", "noted"]

SAMPLE_LEAVES = 32
"""Leaves of a workspace that are embedded again to compare with what is stored."""

SAME_VECTOR = 0.99
"""Cosine from which two embeddings of a text are the same; other batches change the last digits."""

SPARE_BYTES = 200_000_000
"""Free space under which the next ingest, backup or rebuild is likely to fail."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the doctor saw, and what became of it.

    `outcome`: `mended`; `left`, as only a person can mend it; or `noted`, which is no damage. `workspace` is
    empty where it concerns the whole folder.
    """

    workspace: str
    problem: str
    repair: str
    outcome: Outcome = "mended"


def examine(storage: Storage, embedder: Embedder, token_recipe: str | None = None) -> list[Finding]:
    """Look at the record, the files kept, the projections and the disk. Hold the ingest lock meanwhile.

    Args:
        token_recipe: of the token vectors to be kept; None where none are wanted.

    Raises:
        StoreDamagedError: the record cannot even be read.
        ModelError: the embedder does not work.
        StoreError: the folder cannot be read or written.
    """
    storage.projections.reads_all = True
    faults = storage.record_faults()
    if any(fault.kind == "file" for fault in faults):
        # Nothing that is read from it can be relied on, and nothing must be made from it.
        return [_broken_record(storage, fault) for fault in faults if fault.kind == "file"]
    findings = [_record_finding(storage, fault) for fault in faults]
    findings += _leftovers(storage)
    models_match = storage.models_match(embedder.name)
    if models_match:
        storage.keep_tokens(token_recipe)
    else:
        findings.append(_other_models(storage, embedder))
    for workspace in storage.catalogue.workspaces():
        findings += _strays(storage, workspace)
        findings += _keywords(storage, workspace)
        if models_match:
            findings += _vectors(storage, workspace, embedder)
            findings += _tokens(storage, workspace, embedder)
        findings += _originals(storage, workspace)
        findings += _unfinished(storage, workspace)
        findings += _waiting(storage, workspace)
        findings += [
            Finding(workspace, item, "prism doctor --rebuild applies it", "noted")
            for item in storage.active(workspace).vectors.outdated
        ]
    return findings + _unknown_files(storage) + _disk(storage)


# ── the record ──────────────────────────────────────────────────────────────────────────────────


def _broken_record(storage: Storage, fault: RecordFault) -> Finding:
    return Finding(
        "", f"{CATALOGUE_FILE}: the file is damaged ({fault.what})", way_back(storage.folder), "left"
    )


def _record_finding(storage: Storage, fault: RecordFault) -> Finding:
    problem = f"{fault.document or CATALOGUE_FILE}: {fault.what}"
    if fault.kind == "tokens":
        info = storage.catalogue.document(fault.document_id)
        tokenize_again(storage, [info] if info else [])
        return Finding(fault.workspace, problem, "its words were read again from its stored text")
    if fault.document_id and fault.kind != "no_version":
        again = f"remove it and ingest it again: prism purge {fault.document_id[:12]}, then prism ingest"
        return Finding(fault.workspace, problem, again, "left")
    return Finding(fault.workspace, problem, way_back(storage.folder), "left")


def _other_models(storage: Storage, embedder: Embedder) -> Finding:
    was = storage.catalogue.meta("embedder")
    return Finding(
        "",
        f"the index was built with other models (embedder {was!r}; now {embedder.name!r}), so no question "
        "can be answered from it",
        "prism doctor --rebuild makes it anew with today's, or set models.embedder back",
        "left",
    )


# ── the projections ─────────────────────────────────────────────────────────────────────────────


def _strays(storage: Storage, workspace: str) -> list[Finding]:
    active = storage.active(workspace)
    removed = active.clean() + active.remove_strays()
    if not removed:
        return []
    return [Finding(workspace, f"{_count(removed, 'build')} nobody sees: unfinished or replaced", "removed")]


def _keywords(storage: Storage, workspace: str) -> list[Finding]:
    active = storage.active(workspace)
    held, recorded = active.keywords.leaf_sets(), storage.catalogue.nodes.live_leaf_sets(workspace)
    wrong = [
        info
        for info in live(storage, workspace)
        if held.get(group := (info.document_id, info.generation)) != recorded.get(group)
    ]
    if not wrong:
        return []
    storage.projections.complete_keywords(active)
    problem = f"{_names(wrong)}: missing words in the keyword index"
    return [Finding(workspace, problem, "added from the record")]


def _vectors(storage: Storage, workspace: str, embedder: Embedder) -> list[Finding]:
    try:
        missing = [item.info for item in lacking(storage, workspace, anew=True) if item.vectors]
        wrong = [info for info in _wrong_vectors(storage, workspace, embedder) if info not in missing]
    except StoreDamagedError as error:
        storage.projections.begin_vectors_anew(error)
        # They shared one folder.
        others = [item for name in storage.catalogue.workspaces() for item in lacking(storage, name)]
        leaves = embed_again(storage, others, embedder)
        return [Finding(workspace, str(error), f"{_count(leaves, 'vector')} made again from the record")]
    findings = []
    for infos, what in ((missing, "missing or foreign vectors"), (wrong, "vectors that are not its text's")):
        if infos:
            leaves = embed_again(storage, [Lacking(info) for info in infos], embedder)
            repair = f"{_count(leaves, 'vector')} made again from the record"
            findings.append(Finding(workspace, f"{_names(infos)}: {what}", repair))
    storage.active(workspace).is_whole = True
    return findings


def _tokens(storage: Storage, workspace: str, embedder: Embedder) -> list[Finding]:
    """Token vectors that are lacking, or not as they were written: every file is read against its sums."""
    active = storage.active(workspace)
    if active.tokens.recipe is None:
        return []
    state = active.token_state
    recorded, wrong = storage.catalogue.nodes.live_leaf_sets(workspace), []
    for info in live(storage, workspace):
        group = (info.document_id, info.generation)
        if group in recorded and _token_leaves(active, group) != recorded[group]:
            wrong.append(info)
    findings = []
    if wrong:
        leaves = embed_again(storage, [Lacking(info, vectors=False, tokens=True) for info in wrong], embedder)
        repair = f"those of {_count(leaves, 'passage')} made again from the record"
        findings.append(Finding(workspace, f"{_names(wrong)}: missing or damaged token vectors", repair))
    active.note_tokens_whole(state)
    return findings


def _token_leaves(active: ActiveSet, group: tuple[str, int]) -> LeafSet | None:
    try:
        return active.tokens.check(group) if group in active.tokens.generations() else None
    except StoreDamagedError as error:
        logger.warning("%s", error)
        return None


def _wrong_vectors(storage: Storage, workspace: str, embedder: Embedder) -> list[DocumentInfo]:
    """Documents with a vector that is no numbers, or (of a sample) not that of its text.

    Raises:
        StoreDamagedError: the vectors are of another dimension, or a sample is not found by itself.
    """
    check_vectors(storage, workspace, embedder)
    vectors, nodes = storage.active(workspace).vectors, storage.catalogue.nodes
    owner = {
        node_id: info
        for info in live(storage, workspace)
        for node_id in nodes.node_ids({info.document_id: info.generation}, level=LEAF_LEVEL)
    }
    ids = list(owner)
    sample = ids[:: max(1, len(ids) // SAMPLE_LEAVES)][:SAMPLE_LEAVES]
    stored = vectors.vectors(ids)
    bad = [key for key, row in stored.items() if not np.isfinite(row).all()]
    leaves = [leaf for key in sample for leaf in leaves_of(storage, owner[key], [key])]
    fresh = embedder.embed([leaf.indexed_text for leaf in leaves])
    bad += [
        leaf.node_id
        for leaf, row in zip(leaves, fresh, strict=True)
        if leaf.node_id in stored and _cosine(stored[leaf.node_id], row) < SAME_VECTOR
    ]
    if not bad:
        vectors.check_found(sample)
    return list({owner[key].document_id: owner[key] for key in bad}.values())


def _cosine(one: Vectors, other: Vectors) -> float:
    lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else float(not one.any() and not other.any())


# ── the files and the disk ──────────────────────────────────────────────────────────────────────


def _originals(storage: Storage, workspace: str) -> Iterator[Finding]:
    for info in live(storage, workspace):
        hashed = storage.catalogue.content_hash(info.document_id, info.generation)
        file = storage.originals.path(info.document_id, hashed)
        try:
            is_right = content_hash(file) == hashed
        except FileNotFoundError:
            problem = f"{info.document}: the copy kept of the file is gone; its pages cannot be shown"
            yield Finding(workspace, problem, "ingest the file again", "left")
        except OSError as error:
            problem = f"{info.document}: the copy kept of the file cannot be read ({error})"
            yield Finding(workspace, problem, "check the disk and permissions", "left")
        else:
            if not is_right:
                problem = f"{info.document}: the copy kept of the file was changed ({file})"
                repair = "ingest the same file again, which puts it right"
                yield Finding(workspace, problem, repair, "left")


def _unfinished(storage: Storage, workspace: str) -> Iterator[Finding]:
    for info in storage.catalogue.documents(workspace):
        if info.status == "interrupted":
            problem = f"{info.document}: it was being indexed when the program stopped"
            yield Finding(workspace, problem, "prism resume goes on, or ingest it again", "noted")
        elif info.status == "failed":
            reason = f" ({info.warnings[-1]})" if info.warnings else ""
            problem = f"{info.document}: it could not be indexed{reason}"
            yield Finding(workspace, problem, "prism resume --failed tries again", "noted")


def _waiting(storage: Storage, workspace: str) -> Iterator[Finding]:
    """Files of jobs that were cut short before they came to them."""
    for job in storage.jobs.of_workspace(workspace):
        if job.state in ("interrupted", "failed") and (waiting := job.count("waiting")):
            problem = f"{_count(waiting, 'file')} of the ingest of {job.started_at} never had their turn"
            yield Finding(workspace, problem, f"prism resume {job.job_id[:12]} goes on", "noted")


def _leftovers(storage: Storage) -> list[Finding]:
    try:
        storage.remove_leftovers()
    except StoreError as error:
        problem = f"what was replaced or purged is still on the disk: {error}"
        return [Finding("", problem, "remove it by hand, or put the permissions right", "left")]
    return []


def _unknown_files(storage: Storage) -> list[Finding]:
    unknown = storage.unknown_originals()
    if not unknown:
        return []
    problem = (
        f"{storage.folder / 'originals'} holds files of {_count(len(unknown), 'document')} of which "
        f"{CATALOGUE_FILE} knows nothing: it may be an older one"
    )
    return [Finding("", problem, way_back(storage.folder), "left")]


def _disk(storage: Storage) -> list[Finding]:
    sizes = storage.size_bytes()
    needed = SPARE_BYTES + sizes["vectors"] + sizes["keywords"] + sizes["tokens"]
    free = shutil.disk_usage(storage.folder).free
    if free >= needed:
        return []
    problem = f"only {free / 1e6:,.0f} MB are free on the disk of {storage.folder}"
    return [Finding("", problem, f"make room: {needed / 1e6:,.0f} MB let everything be rebuilt", "noted")]


def _names(documents: Sequence[DocumentInfo]) -> str:
    shown = ", ".join(info.document for info in documents[:3])
    return shown if len(documents) <= 3 else f"{shown} and {len(documents) - 3} more"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
