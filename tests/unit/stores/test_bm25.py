from __future__ import annotations

from prism.stores.bm25 import LeafTokens, build_segment, merge_segments


def leaf(node_id: str, document_id: str, tokens: str) -> LeafTokens:
    return LeafTokens(node_id, document_id, 1, tuple(tokens.split()))


FIRST = build_segment([leaf("a", "x", "ant ant bee"), leaf("b", "y", "bee lang:en")])
SECOND = build_segment([leaf("c", "x", "cat bee bee"), leaf("d", "z", "")])


def test_a_segment_counts_tokens_by_row() -> None:
    assert [part.tolist() for part in FIRST.postings("ant")] == [[0], [2]]
    assert [part.tolist() for part in FIRST.postings("bee")] == [[0, 1], [1, 1]]
    assert [part.tolist() for part in FIRST.postings("yak")] == [[], []]
    assert FIRST.lengths.tolist() == [3, 2]
    assert FIRST.leaf_counts == {("x", 1): 1, ("y", 1): 1}
    assert FIRST.language_marks == ("lang:en",)


def test_merged_segments_hold_the_rows_of_both_in_order() -> None:
    merged = merge_segments([FIRST, SECOND])
    assert merged.node_ids == ("a", "b", "c", "d")
    assert [part.tolist() for part in merged.postings("bee")] == [[0, 1, 2], [1, 1, 2]]
    assert merged.lengths.tolist() == [3, 2, 3, 0]
    assert merged.leaf_counts == {("x", 1): 2, ("y", 1): 1, ("z", 1): 1}


def test_a_merge_leaves_groups_and_their_words_out() -> None:
    merged = merge_segments([FIRST, SECOND], frozenset({("x", 1)}))
    assert merged.node_ids == ("b", "d")
    assert set(merged.index.vocab_dict) == {"bee", "lang:en"}
    assert [part.tolist() for part in merged.postings("bee")] == [[0], [1]]


def test_no_leaves_make_an_empty_segment() -> None:
    empty = build_segment([])
    assert len(empty) == len(merge_segments([FIRST], frozenset(FIRST.groups))) == 0
    assert [part.tolist() for part in empty.postings("ant")] == [[], []]


def test_a_leaf_is_found_by_its_id() -> None:
    segment = build_segment([LeafTokens("one", "a", 1, ()), LeafTokens("two", "a", 1, ("x",))])
    assert (segment.row_of("two"), segment.row_of("one"), segment.row_of("three")) == (1, 0, None)
