"""Make the material of a run (`material.py` says what is in it), once per size, kept on disk by content."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from eval.bench.corpus import VOCABULARY_WORDS, make_document, make_vocabulary, read_sentences
from eval.bench.material import (
    GENERATION,
    QUESTION_WORD,
    WORDS_PER_QUESTION,
    WORKSPACE,
    Ready,
    from_json,
    key_of,
)
from eval.bench.token_pool import Places, TokenPool, read_tokens
from eval.bench.vectors import leaf_vectors, question_vectors
from prism.errors import PrismError
from prism.ingest.chunk import CHUNKER_VERSION, chunk
from prism.ingest.identify import document_id, version_id
from prism.ingest.size import chunk_tools
from prism.models.protocols import Embedder, TokenEmbedder, Vectors
from prism.settings import ChunkSettings
from prism.types import Node, PageSpan, SourceText

QUESTIONS: Final = 200
SPARE_DOCUMENTS: Final = 6
"""Documents beyond the corpus, to be added."""

LEAST_DOCUMENTS: Final = 4
"""One to delete, one to remove for good, and as many that stay."""

SENTENCES_EMBEDDED: Final = 400
SCOPE_SHARE: Final = 0.1
_LAYOUT: Final = "3"


def prepare(leaves: int, sentences_folder: Path, cache: Path, embedder: TokenEmbedder, seed: int = 0) -> Path:
    """Make the material of a corpus of at least so many leaves, if it is not there; returns its folder."""
    sentences = read_sentences(sentences_folder)
    folder = cache / f"material-{_digest(leaves, sentences, embedder, seed)}"
    if folder.is_dir():
        return folder
    draft = folder.with_suffix(".draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    read = sentences[:SENTENCES_EMBEDDED]
    embedded = embedder.embed(read)
    pool = TokenPool.of(read, embedder)
    pool.save(draft)
    vectors = _write_documents(draft, leaves, sentences, embedded, embedder, pool, seed)
    _write_questions(draft, vectors, embedded, seed)
    draft.rename(folder)
    return folder


def _digest(leaves: int, sentences: Sequence[str], embedder: TokenEmbedder, seed: int) -> str:
    models = (embedder.name, embedder.token_recipe)
    parts = (_LAYOUT, leaves, seed, *models, CHUNKER_VERSION, ChunkSettings().model_dump_json(), *sentences)
    sources = (Path(__file__).parent / name for name in ("corpus.py", "token_pool.py", "vectors.py"))
    digest = hashlib.blake2b("\0".join(map(str, parts)).encode(), digest_size=8)
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _write_documents(
    folder: Path,
    leaves: int,
    sentences: Sequence[str],
    embedded: Vectors,
    embedder: Embedder,
    pool: TokenPool,
    seed: int,
) -> Vectors:
    vocabulary = make_vocabulary(VOCABULARY_WORDS, seed)
    vectors: list[Vectors] = []
    keys: list[int] = []
    places: list[Places] = []
    spare, count, documents = SPARE_DOCUMENTS, 0, 0
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as stream:
        number = 0
        while spare:
            document = _make(number, make_document(number, sentences, vocabulary, seed), embedder, len(keys))
            if count >= leaves and documents >= LEAST_DOCUMENTS:
                spare -= 1
            else:
                count += len(document.leaves)
                documents += 1
            stream.write(json.dumps(_to_json(document), ensure_ascii=False) + "\n")
            vectors.append(leaf_vectors(len(document.leaves), number, embedded, seed))
            places += (
                pool.places(read_tokens(leaf.text, embedder), turn=document.first_row + at)
                for at, leaf in enumerate(document.leaves)
            )
            keys += [key_of(leaf.text) for leaf in document.leaves]
            number += 1
    everything = np.concatenate(vectors)
    np.save(folder / "vectors.npy", everything)
    np.save(folder / "token_places.npy", np.concatenate(places))
    np.save(folder / "token_ends.npy", np.cumsum([len(own) for own in places], dtype=np.int64))
    order = np.argsort(np.array(keys, dtype=np.uint64), kind="stable")
    np.save(folder / "keys.npy", np.array(keys, dtype=np.uint64)[order])
    np.save(folder / "rows.npy", order)
    (folder / "facts.json").write_text(json.dumps({"leaves": count, "documents": documents}))
    return everything[:count]


def _make(number: int, text: str, embedder: Embedder, first_row: int) -> Ready:
    name = f"bench/{number:06}.txt"
    identity = document_id(WORKSPACE, name)
    version = version_id(hashlib.blake2b(text.encode(), digest_size=16).hexdigest(), "bench")
    nodes = chunk(
        SourceText(text, name, "text/plain", (PageSpan(1, "1", 0, len(text)),)),
        document_id=identity,
        version=version,
        generation=GENERATION,
        settings=ChunkSettings(),
        tools=chunk_tools(embedder, ChunkSettings()),
    )
    return Ready(identity, name, version, text, nodes, first_row)


def _write_questions(folder: Path, vectors: Vectors, embedded: Vectors, seed: int) -> None:
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    draw = np.random.default_rng([seed, 6])
    rows = sorted(draw.choice(facts["leaves"], size=min(QUESTIONS, facts["leaves"]), replace=False).tolist())
    about = _leaves_at(folder, set(rows))
    documents = sorted(_document_ids(folder, facts["documents"]))
    others = max(1, round(SCOPE_SHARE * len(documents)))
    written: dict[str, dict[str, Any]] = {}
    kept: list[int] = []
    for row in rows:
        leaf = about[row]
        words = list(dict.fromkeys(QUESTION_WORD.findall(leaf.text)))
        chosen = sorted(draw.choice(len(words), size=min(WORDS_PER_QUESTION, len(words)), replace=False))
        text = " ".join(words[index].lower() for index in chosen)
        scope = {documents[index] for index in draw.choice(len(documents), size=others, replace=False)}
        scope = {leaf.document_id, *sorted(scope - {leaf.document_id})[: others - 1]}
        if text and text not in written:
            written[text] = {
                "text": text,
                "node_id": leaf.node_id,
                "document_id": leaf.document_id,
                "tenth": sorted(scope),
            }
            kept.append(row)
    # Questions come in no order of documents, or neighbours would warm each other's caches.
    order = draw.permutation(len(kept))
    questions = list(written.values())
    (folder / "questions.json").write_text(json.dumps([questions[index] for index in order]))
    np.save(folder / "question_vectors.npy", question_vectors(vectors[kept], embedded, seed)[order])


def _leaves_at(folder: Path, rows: set[int]) -> Mapping[int, Node]:
    found: dict[int, Node] = {}
    first_row = 0
    with (folder / "documents.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            leaves = from_json(json.loads(line), first_row).leaves
            found.update(
                (first_row + place, leaf) for place, leaf in enumerate(leaves) if first_row + place in rows
            )
            first_row += len(leaves)
    if len(found) != len(rows):
        raise PrismError(f"{folder}: {len(rows) - len(found)} leaves are missing. Delete the folder.")
    return found


def _document_ids(folder: Path, count: int) -> list[str]:
    with (folder / "documents.jsonl").open(encoding="utf-8") as stream:
        return [json.loads(line)["document_id"] for line, _ in zip(stream, range(count), strict=False)]


def _to_json(document: Ready) -> dict[str, Any]:
    return {
        "document_id": document.document_id,
        "name": document.name,
        "version": document.version,
        "text": document.text,
        "nodes": [
            (node.node_id, node.level, node.ordinal, node.parent_id, node.start, node.end, node.tokens)
            for node in document.nodes
        ],
    }
