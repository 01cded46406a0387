"""Letters as token vectors: "cap" meets "cap" by 1, "cat" by 2/3, "dog" by 0."""

from __future__ import annotations

import numpy as np
import pytest

from prism.query.late_interaction import Interaction
from prism.query.meet import Meeting, meet
from prism.types import Node
from tests.fakes import LetterTokenEmbedder

EMBEDDER = LetterTokenEmbedder()
DOCUMENT = "zzz cat dog. dog cap"


def leaf(name: str, start: int, end: int, *, context: str = "", header: str = "") -> Node:
    return Node(name, "doc", 1, 0, 0, None, start, end, DOCUMENT[start:end], header, context)


def meeting(*leaves: Node, question: str = "cap dog") -> Meeting:
    asked = EMBEDDER.query_tokens(question)
    _, rows = EMBEDDER.embed_with_tokens([item.indexed_text for item in leaves])
    known = {item.node_id: own for item, own in zip(leaves, rows, strict=True)}
    return meet(leaves, Interaction(asked, np.ones(len(asked.spans)), known), EMBEDDER.token_spans)


def test_each_row_stands_at_its_place_in_the_document() -> None:
    found = meeting(leaf("a", 4, 13), leaf("b", 13, 20))
    assert [DOCUMENT[start:end] for start, end in found.spans] == ["cat", "dog.", "dog", "cap"]
    assert found.cosines == pytest.approx(np.array([[2 / 3, 0], [0, 1], [0, 1], [1, 0]]), abs=1e-6)


def test_context_and_header_are_no_part_of_the_passage() -> None:
    found = meeting(leaf("a", 4, 13, context="cap > cap", header="cap | dog"))
    assert [DOCUMENT[start:end] for start, end in found.spans] == ["cat", "dog."]
    assert found.best_between(0, 20) == pytest.approx([2 / 3, 1], abs=1e-6)


def test_a_stretch_over_two_leaves_has_the_rows_of_both() -> None:
    found = meeting(leaf("a", 4, 13), leaf("b", 13, 20))
    assert found.best_between(8, 20) == pytest.approx([1, 1], abs=1e-6)
    assert found.best_between(4, 13) == pytest.approx([2 / 3, 1], abs=1e-6)
    assert found.best_between(4, 8) == pytest.approx([2 / 3, 0], abs=1e-6)


def test_text_that_two_leaves_share_is_there_twice_and_changes_nothing() -> None:
    apart, shared = meeting(leaf("a", 4, 13), leaf("b", 13, 20)), meeting(leaf("a", 4, 20), leaf("b", 8, 20))
    assert shared.best_between(8, 13) == pytest.approx(apart.best_between(8, 13))


def test_where_no_row_begins_nothing_meets() -> None:
    found = meeting(leaf("a", 4, 13))
    assert found.best_between(13, 20).tolist() == [0, 0]
    assert found.best_between(5, 8).tolist() == [0, 0]
    assert meeting().best_between(0, 20).tolist() == [0, 0]


def test_a_best_row_may_point_the_other_way() -> None:
    asked = EMBEDDER.query_tokens("cap")
    known = {"a": -EMBEDDER.embed_with_tokens(["cat"])[1][0]}
    found = meet([leaf("a", 4, 7)], Interaction(asked, np.ones(1), known), EMBEDDER.token_spans)
    assert found.best_between(4, 7) == pytest.approx([-2 / 3], abs=1e-6)


def test_what_the_embedder_did_not_read_has_no_row() -> None:
    asked = EMBEDDER.query_tokens("cap dog")
    known = {"a": EMBEDDER.embed_with_tokens(["cat"])[1][0]}
    found = meet([leaf("a", 4, 20)], Interaction(asked, np.ones(2), known), lambda text: [(0, 3)])
    assert found.best_between(4, 20) == pytest.approx([2 / 3, 0], abs=1e-6)
    assert found.best_between(8, 20).tolist() == [0, 0]
