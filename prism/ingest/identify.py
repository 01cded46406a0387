"""Who is who: ids of documents, versions and nodes. Pure, but for hashing a file's bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

_READ_BYTES = 1 << 20
_DIGEST_BYTES = 16


def document_id(workspace: str, source_key: str) -> str:
    """The same file name in the same workspace is the same document, whatever its bytes."""
    return _digest("document", workspace, source_key)


def content_hash(file: Path) -> str:
    """Hash of a file's bytes (BLAKE2b, 128 bits)."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    with file.open("rb") as stream:
        while piece := stream.read(_READ_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def bytes_hash(data: bytes) -> str:
    """`content_hash` of a file whose bytes were read already."""
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def recipe_hash(recipe: Mapping[str, object]) -> str:
    """Hash of everything that shapes nodes and vectors: reader, cleaner, chunker, context, models."""
    return _digest("recipe", json.dumps(recipe, sort_keys=True, default=str))


def version_id(content: str, recipe: str) -> str:
    """The same bytes prepared the same way are the same version."""
    return _digest("version", content, recipe)


def node_id(document: str, version: str, generation: int, level: int, ordinal: int) -> str:
    """A node's identity: its place in a generation of a version of a document."""
    return _digest("node", document, version, str(generation), str(level), str(ordinal))


def _digest(*parts: str) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()
