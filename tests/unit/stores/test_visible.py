from __future__ import annotations

from prism.stores.bm25 import LeafTokens, build_segment
from prism.stores.keyword_view import KeywordView


def leaf(node_id: str, document_id: str, generation: int = 1, *tokens: str) -> LeafTokens:
    return LeafTokens(node_id, document_id, generation, tokens)


def view(**active: int) -> KeywordView:
    older = build_segment([leaf("a1", "a"), leaf("a2", "a", 2), leaf("b1", "b", 1, "word")])
    newer = build_segment([leaf("a3", "a", 2, "word"), leaf("c1", "c")])
    return KeywordView([older, newer], active, k1=1.5, b=0.75)


def test_leaves_of_the_active_generations_are_visible_with_tokens_or_without() -> None:
    leaves = view(a=2, b=1).leaves()
    assert sorted(leaves.node_ids()) == ["a2", "a3", "b1"]
    assert len(leaves) == 3


def test_a_scope_narrows_to_its_documents() -> None:
    assert view(a=2, b=1, c=1).leaves(frozenset({"b", "c", "unknown"})).node_ids() == ["b1", "c1"]
    assert len(view(a=2).leaves(frozenset())) == 0


def test_ids_are_kept_in_their_order_and_others_left_out() -> None:
    assert view(a=2, c=1).leaves().only(["c1", "a1", "unknown", "a3", "b1"]) == ["c1", "a3"]


def test_no_segment_no_leaf() -> None:
    leaves = KeywordView([], {"a": 1}, k1=1.5, b=0.75).leaves()
    assert (len(leaves), leaves.node_ids(), leaves.only(["a1"])) == (0, [], [])
