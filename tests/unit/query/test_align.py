"""The passages found beside the question, by letters: "cap" meets "cap" by 1, "cat" by 2/3, "dog" by 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prism.errors import ModelCallError
from prism.query.align import SKIPPED, align
from prism.query.late_interaction import Interaction
from prism.query.parts import Found, QueryParts
from prism.settings import Settings
from prism.stores.active import Snapshot
from prism.stores.keyword_view import KeywordView
from prism.stores.nodes import StoredNode
from prism.stores.token_vectors import WorkspaceTokens
from prism.trace import Trace
from prism.types import Node, Passage, Scope, Verdict
from tests.fakes import LetterEmbedder, LetterTokenEmbedder

TEXT = "cap cat dog cap"


def node(name: str, level: int, parent: str | None, start: int, end: int) -> Node:
    return Node(name, "doc", 1, level, start, parent, start, end, TEXT[start:end])


ROOT, LEFT, RIGHT = node("root", 1, None, 0, 15), node("a", 0, "root", 0, 8), node("b", 0, "root", 8, 15)


class Table:
    """The three nodes, as the catalogue gives them."""

    def __init__(self) -> None:
        self.nodes = self

    def get(self, node_ids, active) -> dict[str, StoredNode]:
        wanted = set(node_ids)
        return {item.node_id: StoredNode(item, 1) for item in (ROOT, LEFT, RIGHT) if item.node_id in wanted}

    def children(self, parent_ids, active) -> dict[str, list[StoredNode]]:
        return {"root": [StoredNode(LEFT, 1), StoredNode(RIGHT, 1)]}


class Reading(LetterTokenEmbedder):
    """Remembers how many passages it has read."""

    read = 0

    def embed_with_tokens(self, texts, on_batch=None):
        self.read += len(texts)
        return super().embed_with_tokens(texts, on_batch)


class Failing(LetterTokenEmbedder):
    def embed_with_tokens(self, texts, on_batch=None):
        raise ModelCallError("out of memory")


@pytest.fixture
def tokens(tmp_path: Path) -> WorkspaceTokens:
    kept = WorkspaceTokens(tmp_path / "tokens")
    kept.keep(LetterTokenEmbedder.token_recipe)
    kept.add("doc", 1, ["a", "b"], LetterTokenEmbedder().embed_with_tokens([LEFT.text, RIGHT.text])[1])
    kept.finish("doc", 1)
    return kept


@pytest.fixture
def trace() -> Trace:
    return Trace("ask", "cap", "default")


def parts(embedder: Any, tokens: WorkspaceTokens | None) -> QueryParts:
    return QueryParts(
        snapshot=Snapshot(1, "default", {"doc": 1}, KeywordView([], {}, k1=1.5, b=0.75)),
        scope=Scope(),
        catalogue=Table(),
        vectors=None,
        embedder=embedder,
        reranker=None,
        settings=Settings(),
        tokens=tokens,
    )


def found(*nodes: Node, ran: bool = True) -> Found:
    """These nodes as passages; the pool of the search held the first leaf alone."""
    rows = LetterTokenEmbedder().embed_with_tokens([LEFT.text])[1][0]
    interaction = Interaction(LetterTokenEmbedder().query_tokens("cap"), np.ones(1), {"a": rows})
    passages = tuple(
        Passage(rank, item.node_id, (), "d", "doc", 1, (), item.start, item.end, item.text, 1.0, {})
        for rank, item in enumerate(nodes, start=1)
    )
    verdict = Verdict(False, 1.0, 0.0, {})
    return Found(passages, verdict, False, frozenset(), interaction if ran else None)


def test_a_parent_has_the_rows_of_all_its_leaves_also_of_those_not_in_the_pool(tokens, trace) -> None:
    embedder = Reading()
    aligned = align(found(ROOT, RIGHT), parts(embedder, tokens), trace)
    assert aligned.meetings[1].cosines[:, 0] == pytest.approx([1, 2 / 3, 0, 1], abs=1e-6)
    assert aligned.meetings[2].cosines[:, 0] == pytest.approx([0, 1], abs=1e-6)
    assert embedder.read == 0


def test_leaves_whose_token_vectors_are_lacking_are_read_once_more(tokens, trace) -> None:
    tokens.discard("doc", 1)
    embedder = Reading()
    aligned = align(found(ROOT), parts(embedder, tokens), trace)
    assert aligned.meetings[1].cosines[:, 0] == pytest.approx([1, 2 / 3, 0, 1], abs=1e-6)
    assert embedder.read == 1


def test_without_late_interaction_there_is_no_alignment_and_nothing_to_tell(tokens, trace) -> None:
    assert align(found(ROOT, ran=False), parts(LetterTokenEmbedder(), tokens), trace) is None
    assert align(found(ROOT), parts(LetterTokenEmbedder(), None), trace) is None
    assert align(found(ROOT), parts(LetterEmbedder(), tokens), trace) is None
    assert trace.notices == ()


def test_a_passage_that_is_gone_meanwhile_is_passed_over(tokens, trace) -> None:
    gone = Node("gone", "doc", 1, 0, 0, None, 0, 3, "cap")
    aligned = align(found(gone, LEFT), parts(LetterTokenEmbedder(), tokens), trace)
    assert aligned.meetings.keys() == {2}


def test_token_vectors_that_cannot_be_had_are_told_and_no_reason_to_fail(tokens, trace) -> None:
    tokens.discard("doc", 1)
    assert align(found(ROOT), parts(Failing(), tokens), trace) is None
    assert [notice.code for notice in trace.notices] == [SKIPPED]
    assert "out of memory" in trace.notices[0].message
