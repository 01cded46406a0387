from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.query.limit import MAX_BESIDE, Limited, limit, line_up, spread
from prism.types import Merged, Node

WORDS = ("cap", "fee", "leave", "notice", "deposit", "salary")


def node(node_id: str, text: str = "") -> Node:
    """A node named `document:number`."""
    return Node(node_id, node_id.split(":")[0], 1, 0, 0, None, 0, 9, text or node_id)


def ranked(*scored: tuple[str, float]) -> list[Merged]:
    return [Merged(node_id, (node_id,), score) for node_id, score in scored]


def limited(*texts: tuple[str, str], k: int = 5, most: int = 0, close: float = 0.1) -> Limited:
    """(node id, text), best first: scores fall from 1 in steps of a tenth."""
    return limit(
        [Merged(node_id, (node_id,), 1 - place / 10) for place, (node_id, _) in enumerate(texts)],
        nodes={node_id: node(node_id, text) for node_id, text in texts},
        k=k,
        max_per_document=most,
        close_share=close,
    )


def ids(passages: tuple[Merged, ...]) -> list[str]:
    return [item.node_id for item in passages]


def spread_ids(*scored: tuple[str, float], most: int, close: float) -> list[str]:
    passages = ranked(*scored)
    document_of = {item.node_id: item.node_id.split(":")[0] for item in passages}
    return ids(spread(passages, document_of=document_of, max_per_document=most, close_share=close))


# ── copies ──────────────────────────────────────────────────────────────────────────────────────


def test_a_copy_within_a_document_is_listed_and_not_shown() -> None:
    found = limited(("a:1", "The cap"), ("a:2", "the  CAP\n"), ("a:3", "other"))
    assert ids(found.kept) == ["a:1", "a:3"]
    assert found.kept[0].copies == ("a:2",)
    assert (ids(found.beside), ids(found.dropped)) == ([], ["a:2"])


def test_ret_17_the_same_clause_in_two_documents_is_shown_from_both() -> None:
    found = limited(("a:1", "clause"), ("b:1", "clause"))
    assert (ids(found.kept), found.kept[0].copies) == (["a:1"], ("b:1",))
    assert (ids(found.beside), found.dropped) == (["b:1"], ())


def test_copies_take_no_place_of_a_different_text() -> None:
    found = limited(("a:1", "cap"), ("b:1", "cap"), ("c:1", "fee"), ("d:1", "leave"), k=2)
    assert ids(found.kept) == ["a:1", "c:1"]
    assert ids(found.beside) == ["b:1"]


def test_copies_of_what_is_not_shown_are_not_shown_either() -> None:
    found = limited(("a:1", "cap"), ("b:1", "fee"), ("c:1", "fee"), k=1)
    assert (ids(found.kept), found.beside, found.dropped) == (["a:1"], (), ())


def test_so_many_copies_come_along_and_one_of_each_document() -> None:
    copies = [(f"{document}:{number}", "cap") for document in "bcdef" for number in (1, 2)]
    found = limited(("a:1", "cap"), *copies, k=1)
    assert ids(found.beside) == ["b:1", "c:1", "d:1"]
    assert len(found.beside) == MAX_BESIDE
    assert found.kept[0].copies == tuple(node_id for node_id, _ in copies)
    assert set(ids(found.dropped)) == set(found.kept[0].copies) - set(ids(found.beside))


def test_a_version_with_another_figure_is_a_text_of_its_own() -> None:
    found = limited(("a:1", "The cap is 5."), ("b:1", "The cap is 6."), k=2)
    assert ids(found.kept) == ["a:1", "b:1"]


# ── one document ────────────────────────────────────────────────────────────────────────────────


def test_a_document_over_its_number_lets_close_ones_of_others_go_first() -> None:
    # The scores span 1.0 to 0.0, so a share of 0.2 calls a gap of 0.2 close.
    scored = (("a:1", 1.0), ("a:2", 0.9), ("a:3", 0.8), ("b:1", 0.65), ("c:1", 0.55), ("b:2", 0.0))
    assert spread_ids(*scored, most=2, close=0.2) == ["a:1", "a:2", "b:1", "a:3", "c:1", "b:2"]
    assert spread_ids(*scored, most=1, close=0.3) == ["a:1", "b:1", "a:2", "c:1", "a:3", "b:2"]


def test_it_keeps_its_place_where_nothing_else_is_close() -> None:
    scored = (("a:1", 1.0), ("a:2", 0.9), ("b:1", 0.2), ("c:1", 0.0))
    assert spread_ids(*scored, most=1, close=0.1) == ["a:1", "a:2", "b:1", "c:1"]


def test_closeness_does_not_depend_on_the_scale_of_the_scores() -> None:
    # A cross-encoder's raw scores: from 2 to -8, a gap of 1 is a tenth of it.
    scored = (("a:1", 2.0), ("a:2", -3.0), ("b:1", -4.0), ("c:1", -8.0))
    assert spread_ids(*scored, most=1, close=0.1) == ["a:1", "b:1", "a:2", "c:1"]
    assert spread_ids(*scored, most=1, close=0.09) == ["a:1", "a:2", "b:1", "c:1"]


def test_a_document_that_is_full_itself_does_not_go_first() -> None:
    scored = (("a:1", 1.0), ("b:1", 0.9), ("a:2", 0.8), ("b:2", 0.7))
    assert spread_ids(*scored, most=1, close=1.0) == ["a:1", "b:1", "a:2", "b:2"]


def test_the_cut_comes_after_the_spreading_and_copies_do_not_count() -> None:
    texts = [("a:1", "cap"), ("a:2", "cap"), ("a:3", "fee"), ("b:1", "leave"), ("a:4", "notice")]
    assert ids(limited(*texts, k=2, most=1, close=1.0).kept) == ["a:1", "b:1"]
    assert ids(limited(*texts, k=2, most=2, close=1.0).kept) == ["a:1", "a:3"]
    assert limited().kept == ()


# ── the list ────────────────────────────────────────────────────────────────────────────────────


def test_a_copy_stands_below_every_text_that_scores_as_high() -> None:
    found = Limited(
        kept=tuple(ranked(("a:1", 0.9), ("c:1", 0.7), ("d:1", 0.5))),
        beside=tuple(ranked(("b:1", 0.8), ("e:1", 0.1))),
        dropped=(),
    )
    assert ids(line_up(found, found.kept, {})) == ["a:1", "b:1", "c:1", "d:1", "e:1"]


def test_grown_passages_keep_the_places_that_limit_gave_them() -> None:
    # b:1 was put before a:2; a:2 and a:3 then grew into their parent.
    found = Limited(tuple(ranked(("a:1", 0.9), ("b:1", 0.6), ("a:2", 0.8), ("a:3", 0.7))), (), ())
    parent = Merged("a:parent", ("a:2", "a:3"), 0.8)
    grown = (found.kept[0], parent, found.kept[1])
    assert ids(line_up(found, grown, {})) == ["a:1", "b:1", "a:parent"]


def test_a_copy_within_a_passage_that_grew_is_no_passage_of_its_own() -> None:
    found = Limited(tuple(ranked(("a:1", 0.9), ("b:2", 0.6))), tuple(ranked(("b:1", 0.8))), ())
    grown = (found.kept[0], Merged("b:whole", ("b:2",), 0.6))
    parents = {"b:1": "b:half", "b:half": "b:whole"}
    assert ids(line_up(found, grown, parents)) == ["a:1", "b:whole"]
    assert ids(line_up(found, found.kept, parents)) == ["a:1", "b:1", "b:2"]


# ── whatever comes ──────────────────────────────────────────────────────────────────────────────

shelves = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(WORDS), st.integers(0, 20)), max_size=20)


def drawn(rows: list[tuple[str, str, int]]) -> tuple[list[Merged], dict[str, Node]]:
    by_score = sorted(enumerate(rows), key=lambda row: -row[1][2])
    nodes = {f"{document}:{at}": node(f"{document}:{at}", word) for at, (document, word, _) in by_score}
    return ranked(*((f"{document}:{at}", score / 20) for at, (document, _, score) in by_score)), nodes


@given(shelves, st.integers(0, 4), st.floats(0, 1))
def test_nothing_is_lost_but_copies_and_every_copy_is_listed(rows, most: int, close: float) -> None:
    passages, nodes = drawn(rows)
    found = limit(passages, nodes=nodes, k=len(rows), max_per_document=most, close_share=close)
    assert len({nodes[item.node_id].text for item in found.kept}) == len(found.kept)
    listed = [copy for item in found.kept for copy in item.copies]
    assert sorted([*ids(found.kept), *listed]) == sorted(nodes)
    assert sorted([*ids(found.beside), *ids(found.dropped)]) == sorted(listed)
    lined = line_up(found, found.kept, {})
    assert Counter(ids(lined)) == Counter([*ids(found.kept), *ids(found.beside)])


@given(shelves, st.integers(1, 4), st.floats(0, 1))
def test_spreading_keeps_every_document_in_its_order_and_overtakes_only_what_is_close(
    rows, most: int, close: float
) -> None:
    passages, nodes = drawn(rows)
    document_of = {node_id: item.document_id for node_id, item in nodes.items()}
    placed = spread(passages, document_of=document_of, max_per_document=most, close_share=close)
    for document in "abc":
        own = [item.node_id for item in passages if document_of[item.node_id] == document]
        assert [node_id for node_id in ids(placed) if document_of[node_id] == document] == own
    span = passages[0].score - passages[-1].score if passages else 0.0
    for above, item in enumerate(placed):
        for below in placed[above + 1 :]:
            assert below.score - item.score <= close * span + 1e-9


@given(shelves)
def test_without_a_number_the_order_stays(rows) -> None:
    passages, nodes = drawn(rows)
    document_of = {node_id: item.document_id for node_id, item in nodes.items()}
    assert spread(passages, document_of=document_of, max_per_document=0, close_share=1.0) == tuple(passages)


@pytest.mark.parametrize("k", [1, 2, 6])
def test_no_more_than_k_different_texts_are_kept(k: int) -> None:
    found = limited(*((f"{word}:1", word) for word in WORDS), k=k)
    assert ids(found.kept) == [f"{word}:1" for word in WORDS[:k]]
