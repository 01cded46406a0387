from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from prism.ingest.index import index, keyword_tokens, leaves_below
from prism.types import Node
from tests.fakes import LetterEmbedder, LetterTokenEmbedder


def node(name: str, level: int, parent: str | None, text: str = "a b") -> Node:
    return Node(
        name, "doc", 1, level, 0, parent, 0, len(text), text, header="H", context="C", tokens=len(text)
    )


TREE = [
    node("root", 2, None),
    node("left", 1, "root"),
    node("right", 1, "root"),
    node("1", 0, "left", "one"),
    node("2", 0, "left", "two three"),
    node("3", 0, "right", "four"),
]


class Recorder:
    """Stands for the node table and the projections: keeps what it is given, in order."""

    def __init__(self, token_recipe: str | None = None) -> None:
        self.tokens = SimpleNamespace(recipe=token_recipe)
        self.token_vectors: list = []
        self.calls: list[str] = []
        self.nodes = self
        self.rows: dict = {}
        self.words: dict = {}
        self.leaves: list[str] = []
        self.vectors = np.zeros((0, 26))

    def add(self, nodes: Sequence, tokens) -> None:
        self.calls.append(f"nodes {' '.join(item.node.node_id for item in nodes)}")
        self.rows |= {item.node.node_id: (item.node.tokens, item.leaves) for item in nodes}
        self.words |= tokens

    def store_leaves(self, leaves: Sequence[Node], vectors, tokens, token_vectors) -> None:
        self.calls.append(f"leaves {' '.join(tokens)}")
        self.token_vectors += token_vectors or []
        self.leaves += [leaf.node_id for leaf in leaves]
        self.vectors = np.vstack([self.vectors, vectors])

    def finish_leaves(self, document_id: str, generation: int) -> None:
        self.calls.append(f"finish {document_id}-{generation}")


def test_leaves_are_counted_at_any_depth() -> None:
    assert leaves_below(TREE) == {"root": 3, "left": 2, "right": 1, "1": 1, "2": 1, "3": 1}


def test_a_node_whose_parent_is_missing_still_counts_its_leaves() -> None:
    assert leaves_below([node("1", 0, "gone")])["1"] == 1


def test_nodes_tokens_and_vectors_are_stored_leaves_alone_in_the_projections() -> None:
    recorder, told = Recorder(), []
    count = index(
        TREE,
        "one two three four",
        catalogue=recorder,
        active=recorder,
        embedder=LetterEmbedder(),
        on_leaves=told.append,
    )

    assert count == 3
    assert recorder.calls == ["nodes root left right 1 2 3", "leaves 1 2 3", "finish doc-1"]
    assert recorder.rows["root"] == (len("a b"), 3)
    assert recorder.rows["2"] == (len("two three"), 1)
    assert recorder.leaves == ["1", "2", "3"]
    assert recorder.vectors.shape == (3, 26)
    assert told == [3]


def test_context_and_header_are_embedded_and_indexed_with_the_text() -> None:
    recorder, embedder = Recorder(), LetterEmbedder()
    index([node("1", 0, None, "one")], "one", catalogue=recorder, active=recorder, embedder=embedder)

    assert recorder.vectors[0] == pytest.approx(embedder.embed_query("C\nH\none"))
    assert {"c", "h", "one"} <= set(recorder.words["1"])


def test_a_leaf_is_found_by_the_clause_it_belongs_to() -> None:
    text = "7. Limits\n(a) none\n(b) the cap is ten\n"
    start = text.index("the cap")
    leaf = Node("1", "doc", 1, 0, 0, None, start, len(text), text[start:])
    assert "7(b)" in keyword_tokens([leaf], text)["1"]


def test_ing_30_nothing_reaches_the_projections_when_the_embedder_fails() -> None:
    class Failing(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            raise RuntimeError("429")

    recorder = Recorder()
    with pytest.raises(RuntimeError, match="429"):
        index(TREE, "one two three four", catalogue=recorder, active=recorder, embedder=Failing())
    assert recorder.calls == ["nodes root left right 1 2 3"]


@pytest.mark.parametrize(
    ("embedder", "recipe", "kept"),
    [
        (LetterTokenEmbedder(), LetterTokenEmbedder.token_recipe, True),
        (LetterTokenEmbedder(), None, False),
        (LetterTokenEmbedder(), "another recipe", False),
        (LetterEmbedder(), LetterTokenEmbedder.token_recipe, False),
    ],
    ids=["wanted", "not wanted", "another's", "not to be had"],
)
def test_token_vectors_are_made_where_they_are_kept_and_can_be(embedder, recipe, kept: bool) -> None:
    recorder = Recorder(recipe)
    index([node("1", 0, None, "one")], "one", catalogue=recorder, active=recorder, embedder=embedder)
    # "C", "H" and "one": a row for each word that is embedded.
    assert [rows.shape for rows in recorder.token_vectors] == ([(3, 26)] if kept else [])
    assert recorder.vectors[0] == pytest.approx(embedder.embed_query("C\nH\none"))


def test_each_slice_is_stored_before_the_next_is_embedded_and_progress_counts_on() -> None:
    class Watched(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            recorder.calls.append(f"embed {len(texts)}")
            return super().embed(texts, on_batch)

    recorder, told = Recorder(), []
    index(
        TREE,
        "one two three four",
        catalogue=recorder,
        active=recorder,
        embedder=Watched(),
        on_leaves=told.append,
        slice_leaves=2,
    )
    assert recorder.calls == [
        "nodes root left right 1 2",
        "embed 2",
        "leaves 1 2",
        "nodes 3",
        "embed 1",
        "leaves 3",
        "finish doc-1",
    ]
    assert told == [2, 3]
    assert recorder.rows["root"] == (len("a b"), 3)


@pytest.mark.parametrize("slice_leaves", [1, 2, 3, 4])
def test_what_is_stored_does_not_depend_on_the_slices(slice_leaves: int) -> None:
    whole, sliced = Recorder(), Recorder()
    text = "one two three four"
    index(TREE, text, catalogue=whole, active=whole, embedder=LetterEmbedder())
    index(
        TREE,
        text,
        catalogue=sliced,
        active=sliced,
        embedder=LetterEmbedder(),
        slice_leaves=slice_leaves,
    )
    assert (sliced.rows, sliced.words, sliced.leaves) == (whole.rows, whole.words, whole.leaves)
    assert sliced.vectors == pytest.approx(whole.vectors)
