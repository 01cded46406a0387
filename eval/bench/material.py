"""Everything a run needs, made once per size and kept on disk by content.

    documents.jsonl    one document a line: id, name, version, text, and the places of its nodes
    vectors.npy        float32 (leaves, d), leaves in the order of the documents
    keys.npy, rows.npy hashes of the leaves' texts in order, and the row each belongs to
    questions.json     texts, and which leaf each is about;  question_vectors.npy: float32 (questions, d)

Both builds look vectors up by text, a batch at a time, so that neither holds them all because of this.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from eval.bench.corpus import VOCABULARY_WORDS, make_document, make_vocabulary, read_sentences
from eval.bench.vectors import leaf_vectors, question_vectors
from prism.errors import ModelCallError, PrismError
from prism.ingest.chunk import CHUNKER_VERSION, chunk
from prism.ingest.identify import document_id, version_id
from prism.ingest.size import size_tokens
from prism.models.protocols import Embedder, Vectors
from prism.settings import ChunkSettings
from prism.types import LEAF_LEVEL, Node

WORKSPACE: Final = "default"
GENERATION: Final = 1
QUESTIONS: Final = 200
WARM_UP_QUESTIONS: Final = 10
SPARE_DOCUMENTS: Final = 6
"""Documents beyond the corpus, to be added."""

LEAST_DOCUMENTS: Final = 4
"""One to delete, one to remove for good, and as many that stay."""

WORDS_PER_QUESTION: Final = 6
SENTENCES_EMBEDDED: Final = 400
SCOPE_SHARE: Final = 0.1
_LAYOUT: Final = "2"
_QUESTION_WORD = re.compile(r"[A-Za-z]{4,}")


@dataclass(frozen=True, slots=True)
class Ready:
    """A document cut into nodes. `first_row` is where its leaves' vectors begin."""

    document_id: str
    name: str
    version: str
    text: str
    nodes: tuple[Node, ...]
    first_row: int

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The leaves, in document order."""
        return tuple(node for node in self.nodes if node.level == LEAF_LEVEL)


@dataclass(frozen=True, slots=True)
class Question:
    """Words of a leaf; `tenth` is a scope of a tenth of the documents, its own among them."""

    text: str
    node_id: str
    document_id: str
    tenth: frozenset[str]


class Material:
    """What is in a material folder, read when asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._keys = np.load(folder / "keys.npy")
        self._rows = np.load(folder / "rows.npy")
        facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
        self.leaves: int = facts["leaves"]
        self.document_count: int = facts["documents"]
        self.questions = tuple(
            Question(**{**row, "tenth": frozenset(row["tenth"])})
            for row in json.loads((folder / "questions.json").read_text(encoding="utf-8"))
        )
        self._asked = {question.text: row for row, question in enumerate(self.questions)}
        self._own_vectors: dict[str, int] = {}

    def documents(self) -> Iterator[Ready]:
        """The corpus, one document after another."""
        for number, document in enumerate(self._all()):
            if number == self.document_count:
                break
            yield document

    def spare_documents(self) -> tuple[Ready, ...]:
        """Documents to be added to it."""
        return tuple(self._all())[self.document_count :]

    def about(self, document: Ready, count: int = 3) -> tuple[Question, ...]:
        """Questions made of a document's first leaves, asked with the leaves' own vectors."""
        made = []
        for place, leaf in enumerate(document.leaves[:count]):
            text = " ".join(
                list(dict.fromkeys(_QUESTION_WORD.findall(leaf.text)))[:WORDS_PER_QUESTION]
            ).lower()
            self._own_vectors[text] = document.first_row + place
            made.append(Question(text, leaf.node_id, document.document_id, frozenset()))
        return tuple(made)

    def leaf_ids(self) -> list[str]:
        """Ids of the corpus's leaves, in the order of the vectors."""
        return [leaf.node_id for document in self.documents() for leaf in document.leaves]

    def leaf_vectors(self) -> Vectors:
        """All vectors of the corpus, float32 (leaves, d)."""
        return np.array(np.load(self.folder / "vectors.npy", mmap_mode="r")[: self.leaves])

    def vectors_of(self, texts: Sequence[str]) -> Vectors:
        """Vectors of leaves by their text, float32 (n, d). Raises `ModelCallError`."""
        keys = np.array([_key(text) for text in texts], dtype=np.uint64)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        if not np.array_equal(self._keys[places], keys):
            raise ModelCallError(f"{self.folder}: a text was to be embedded that is no leaf of this corpus")
        return np.array(np.load(self.folder / "vectors.npy", mmap_mode="r")[self._rows[places]])

    def question_vector(self, text: str) -> Vectors:
        """The vector of a question, float32 (d,). Raises `ModelCallError`."""
        if text in self._own_vectors:
            return np.array(np.load(self.folder / "vectors.npy", mmap_mode="r")[self._own_vectors[text]])
        if text not in self._asked:
            raise ModelCallError(f"{self.folder}: {text!r} is none of the questions of this corpus")
        stored = np.load(self.folder / "question_vectors.npy", mmap_mode="r")
        return np.array(stored[self._asked[text]])

    def _all(self) -> Iterator[Ready]:
        first_row = 0
        with (self.folder / "documents.jsonl").open(encoding="utf-8") as stream:
            for line in stream:
                document = _from_json(json.loads(line), first_row)
                first_row += len(document.leaves)
                yield document


def prepare(leaves: int, sentences_folder: Path, cache: Path, embedder: Embedder, seed: int = 0) -> Path:
    """Make the material of a corpus of at least so many leaves, if it is not there; returns its folder."""
    sentences = read_sentences(sentences_folder)
    folder = cache / f"material-{_digest(leaves, sentences, embedder.name, seed)}"
    if folder.is_dir():
        return folder
    draft = folder.with_suffix(".draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    embedded = embedder.embed(sentences[:SENTENCES_EMBEDDED])
    vectors = _write_documents(draft, leaves, sentences, embedded, embedder, seed)
    _write_questions(draft, vectors, embedded, seed)
    draft.rename(folder)
    return folder


def _digest(leaves: int, sentences: Sequence[str], embedder: str, seed: int) -> str:
    parts = (_LAYOUT, leaves, seed, embedder, CHUNKER_VERSION, ChunkSettings().model_dump_json(), *sentences)
    sources = (Path(__file__).parent / name for name in ("corpus.py", "vectors.py"))
    digest = hashlib.blake2b("\0".join(map(str, parts)).encode(), digest_size=8)
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _write_documents(
    folder: Path, leaves: int, sentences: Sequence[str], embedded: Vectors, embedder: Embedder, seed: int
) -> Vectors:
    vocabulary = make_vocabulary(VOCABULARY_WORDS, seed)
    vectors: list[Vectors] = []
    keys: list[int] = []
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
            keys += [_key(leaf.text) for leaf in document.leaves]
            number += 1
    everything = np.concatenate(vectors)
    np.save(folder / "vectors.npy", everything)
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
        text,
        document_id=identity,
        version=version,
        generation=GENERATION,
        settings=ChunkSettings(),
        tokenize=partial(size_tokens, embedder=embedder),
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
        words = list(dict.fromkeys(_QUESTION_WORD.findall(leaf.text)))
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
            leaves = _from_json(json.loads(line), first_row).leaves
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


def _from_json(row: Mapping[str, Any], first_row: int) -> Ready:
    text = row["text"]
    nodes = tuple(
        Node(
            node_id,
            row["document_id"],
            GENERATION,
            level,
            ordinal,
            parent_id,
            start,
            end,
            text[start:end],
            tokens=tokens,
        )
        for node_id, level, ordinal, parent_id, start, end, tokens in row["nodes"]
    )
    return Ready(row["document_id"], row["name"], row["version"], text, nodes, first_row)


def _key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
