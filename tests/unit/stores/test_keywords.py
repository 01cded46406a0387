"""Scores must equal a fresh bm25s index over exactly the visible leaves, whatever happened before."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism.errors import StoreDamagedError, StoreMismatchError
from prism.stores.keywords import Group, KeywordIndex, LeafTokens
from prism.stores.leaf_sets import leaf_set


def leaf(node_id: str, document_id: str, tokens: str, generation: int = 1) -> LeafTokens:
    return LeafTokens(node_id, document_id, generation, tuple(tokens.split()))


def index_of(folder: Path, leaves: Iterable[LeafTokens]) -> KeywordIndex:
    index = KeywordIndex(folder)
    index.add(leaves)
    return index


def fresh_scores(
    leaves: list[LeafTokens], query: list[str], k1: float = 1.5, b: float = 0.75
) -> dict[str, float]:
    """What bm25s itself gives, built from nothing over these leaves."""
    if not any(each.tokens for each in leaves):
        return {}
    oracle = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64")
    oracle.index([list(each.tokens) for each in leaves], show_progress=False)
    known = [token for token in dict.fromkeys(query) if token in oracle.vocab_dict]
    scores = oracle.get_scores(known) if known else np.zeros(len(leaves))
    return {each.node_id: float(score) for each, score in zip(leaves, scores, strict=True) if score > 0}


WORDS = ["ant", "bee", "cat", "dog", "eel"]
Operation = tuple[str, int, int, list[list[str]]]
operations = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "add", "remove", "save", "reopen"]),
        st.integers(0, 4),
        st.integers(1, 2),
        st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=4),
    ),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(
    operations=operations,
    active=st.dictionaries(st.integers(0, 4), st.integers(1, 2)),
    query=st.lists(st.sampled_from([*WORDS, "yak"]), max_size=4),
)
def test_scores_and_order_equal_a_fresh_index_after_any_adds_removals_saves_and_reopenings(
    operations: list[Operation],
    active: dict[int, int],
    query: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("keywords") / "index"
    index, held, serial = KeywordIndex(folder), {}, 0
    for action, document, generation, texts in operations:
        group = (f"d{document}", generation)
        if action == "add":
            new = [LeafTokens(f"n{serial + at:03}", *group, tuple(words)) for at, words in enumerate(texts)]
            serial += len(new)
            held.setdefault(group, []).extend(new)
            index.add(new)
        elif action == "remove":
            held.pop(group, None)
            index.remove([group])
        else:
            index.save()
            if action == "reopen":
                index = KeywordIndex(folder)
                index.load()
    visible_of = {f"d{document}": generation for document, generation in active.items()}
    visible = [
        each for group, leaves in held.items() if visible_of.get(group[0]) == group[1] for each in leaves
    ]
    view = index.view(visible_of)
    expected = fresh_scores(visible, query)
    hits = view.search_tokens(query, 100)
    assert view.leaf_count == len(visible)
    assert {hit.node_id: hit.score for hit in hits} == pytest.approx(expected, abs=1e-6)
    assert [(-hit.score, hit.node_id) for hit in hits] == sorted((-hit.score, hit.node_id) for hit in hits)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


def test_a_score_worked_by_hand(tmp_path: Path) -> None:
    """N = 3, df = 1, tf = 2, length 2, average 5/3: ln(1 + 2.5/1.5) * 2 / (2 + 1.5 * (.25 + .75 * 6/5))."""
    index = index_of(tmp_path, [leaf("a", "x", "ant ant"), leaf("b", "x", "bee cat"), leaf("c", "y", "dog")])
    (hit,) = index.view({"x": 1, "y": 1}).search_tokens(["ant"], 5)
    assert (hit.node_id, hit.rank) == ("a", 1)
    assert hit.score == pytest.approx(0.980829253 * 2 / (2 + 1.5 * 1.15), abs=1e-6)


def test_ret_03_no_matching_term_gives_nothing(tmp_path: Path) -> None:
    view = index_of(tmp_path, [leaf("a", "x", "ant lang:en"), leaf("b", "x", "bee lang:en")]).view({"x": 1})
    for query in ("what is the of and", "zxqv", "", "   ", "?!"):
        assert view.search(query, 10) == ()


def test_ret_05_a_scope_holds_even_when_fewer_than_k_remain(tmp_path: Path) -> None:
    leaves = [
        leaf(f"{document}{at}", document, "ant bee") for document in ("hr", "it", "ops") for at in range(2)
    ]
    view = index_of(tmp_path, leaves).view({"hr": 1, "it": 1, "ops": 1})
    assert [hit.node_id for hit in view.search_tokens(["ant"], 4, frozenset({"hr"}))] == ["hr0", "hr1"]
    assert view.search_tokens(["ant"], 4, frozenset()) == ()


def test_ret_14_new_leaves_are_found_at_once_and_removed_ones_never(tmp_path: Path) -> None:
    index = index_of(tmp_path, [leaf("a", "x", "ant")])
    before = index.view({"x": 1, "y": 1})
    index.add([leaf("b", "y", "ant")])
    assert [hit.node_id for hit in index.view({"x": 1, "y": 1}).search_tokens(["ant"], 9)] == ["a", "b"]
    assert [hit.node_id for hit in index.view({"y": 1}).search_tokens(["ant"], 9)] == ["b"]
    assert [hit.node_id for hit in before.search_tokens(["ant"], 9)] == ["a"], "a view is a snapshot"
    index.remove([("x", 1)])
    assert [hit.node_id for hit in index.view({"x": 1, "y": 1}).search_tokens(["ant"], 9)] == ["b"]


def test_ret_20_no_leaf_and_one_leaf_with_a_large_k(tmp_path: Path) -> None:
    empty = KeywordIndex(tmp_path / "empty")
    empty.load()
    empty.save()
    assert empty.add([]) == 0
    assert empty.view({}).search("ant", 50) == ()
    one = index_of(tmp_path / "one", [leaf("a", "x", "ant lang:en")]).view({"x": 1})
    assert [hit.node_id for hit in one.search("ants", 50)] == ["a"]
    assert one.search("ants", 0) == ()


def test_a_leaf_without_tokens_counts_but_is_never_found(tmp_path: Path) -> None:
    view = index_of(tmp_path, [leaf("a", "x", ""), leaf("b", "x", "ant")]).view({"x": 1})
    assert view.leaf_count == 2
    assert [hit.node_id for hit in view.search_tokens(["ant"], 9)] == ["b"]


def test_only_the_active_generation_of_a_document_is_seen(tmp_path: Path) -> None:
    index = index_of(tmp_path, [leaf("old", "x", "ant bee", 1), leaf("new", "x", "ant cat", 2)])
    assert [hit.node_id for hit in index.view({"x": 2}).search_tokens(["ant", "bee"], 9)] == ["new"]
    assert index.view({"x": 2}).document_frequency("bee") == 0


def test_k1_and_b_change_without_a_rebuild(tmp_path: Path) -> None:
    leaves = [leaf("a", "x", "ant ant bee"), leaf("b", "x", "ant")]
    index_of(tmp_path, leaves).save()
    again = KeywordIndex(tmp_path, k1=0.9, b=0.4)
    again.load()
    hits = again.view({"x": 1}).search_tokens(["ant"], 9)
    assert {hit.node_id: hit.score for hit in hits} == pytest.approx(
        fresh_scores(leaves, ["ant"], 0.9, 0.4), abs=1e-6
    )


def test_reconcile_adds_what_is_missing_or_incomplete_and_drops_what_is_gone(tmp_path: Path) -> None:
    catalogue: dict[Group, list[LeafTokens]] = {
        ("whole", 1): [leaf("w", "whole", "ant")],
        ("part", 1): [leaf("p1", "part", "ant"), leaf("p2", "part", "ant")],
        ("absent", 1): [leaf("n", "absent", "ant")],
    }
    index_of(tmp_path, [*catalogue["whole", 1], catalogue["part", 1][0], leaf("g", "gone", "ant")]).save()
    index = KeywordIndex(tmp_path)
    index.load()
    asked: list[frozenset[Group]] = []

    def fetch(groups: frozenset[Group]) -> list[LeafTokens]:
        asked.append(groups)
        return [each for group in sorted(groups) for each in catalogue[group]]

    expected = {group: leaf_set(each.node_id for each in leaves) for group, leaves in catalogue.items()}
    assert index.reconcile(expected, fetch) == 3
    assert asked == [frozenset({("part", 1), ("absent", 1)})]
    assert index.leaf_sets() == expected
    hits = index.view({"whole": 1, "part": 1, "absent": 1, "gone": 1}).search_tokens(["ant"], 9)
    assert [hit.node_id for hit in hits] == ["n", "p1", "p2", "w"]


def test_another_tokenizer_is_refused_until_cleared(tmp_path: Path) -> None:
    KeywordIndex(tmp_path, tokenizer_version="old").save()
    index_of(tmp_path, [leaf("a", "x", "ant")]).save()
    newer = KeywordIndex(tmp_path, tokenizer_version="newer")
    with pytest.raises(StoreMismatchError, match="doctor --rebuild"):
        newer.load()
    newer.clear()
    newer.load()
    assert len(newer) == 0


@pytest.mark.parametrize(
    "victim", ["data.csc.index.npy", "rows.json", "vocab.index.json", "lengths.npy", "params.index.json"]
)
@pytest.mark.parametrize("harm", ["missing", "cut", "emptied"])
def test_a_broken_file_is_named_and_never_answers(tmp_path: Path, victim: str, harm: str) -> None:
    index_of(tmp_path, [leaf("a", "x", "ant bee"), leaf("b", "x", "bee")]).save()
    file = tmp_path / "base-1" / victim
    content = file.read_bytes()
    if harm == "missing":
        file.unlink()
    else:
        file.write_bytes(content[: len(content) // 2] if harm == "cut" else b"")
    with pytest.raises(StoreDamagedError, match="base-1"):
        KeywordIndex(tmp_path).load()


def test_a_base_that_was_not_finished_is_ignored_and_cleared_away(tmp_path: Path) -> None:
    index_of(tmp_path, [leaf("a", "x", "ant")]).save()
    (tmp_path / "base-2").mkdir()
    (tmp_path / "base-2" / "rows.json").write_text("{")
    index = KeywordIndex(tmp_path)
    index.load()
    assert [hit.node_id for hit in index.view({"x": 1}).search_tokens(["ant"], 9)] == ["a"]
    assert [path.name for path in tmp_path.glob("base-*")] == ["base-1"]


def test_saving_drops_removed_leaves_from_the_disk(tmp_path: Path) -> None:
    index = index_of(tmp_path, [leaf("a", "x", "secretword"), leaf("b", "y", "ant")])
    index.save()
    old = index.view({"x": 1})
    index.remove([("x", 1)])
    index.save()
    assert not any("secretword" in path.read_text(errors="replace") for path in tmp_path.rglob("*.json"))
    assert [hit.node_id for hit in old.search_tokens(["secretword"], 9)] == ["a"], "views outlive a save"


def test_many_single_additions_stay_in_few_segments_and_in_order(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path)
    for serial in range(300):
        index.add([leaf(f"n{serial:03}", f"d{serial}", f"ant w{serial}")])
    assert len(index._segments) < 20
    hits = index.view({f"d{serial}": 1 for serial in range(300)}).search_tokens(["ant"], 300)
    assert [hit.node_id for hit in hits] == [f"n{serial:03}" for serial in range(300)]


def test_coverage_is_the_idf_weighted_share_of_the_questions_terms(tmp_path: Path) -> None:
    leaves = [leaf("a", "x", "ant bee lang:en"), leaf("b", "x", "ant lang:en"), leaf("c", "x", "ant lang:en")]
    view = index_of(tmp_path, leaves).view({"x": 1})
    # Lucene's ln(1 + (N - n + .5) / (n + .5)) with N floored to 100 and n = 1, 3, 0.
    known, common, unknown = math.log(1 + 99.5 / 1.5), math.log(1 + 97.5 / 3.5), math.log(1 + 100.5 / 0.5)
    assert view.coverage("ant bee", [("ant", "bee")]) == 1.0
    assert view.coverage("ant bee", [("ant",)]) == pytest.approx(common / (common + known))
    assert view.coverage("ant yak", [("ant",), ("bee",)]) == pytest.approx(common / (common + unknown))
    assert view.coverage("what is the", [("ant",)]) == 0.0


def test_the_saved_mark_names_the_tokenizer(tmp_path: Path) -> None:
    index_of(tmp_path, [leaf("a", "x", "ant")]).save()
    assert set(json.loads((tmp_path / "current.json").read_text())) == {
        "base",
        "tokenizer_version",
        "format_version",
        "files",
    }


def test_ret_14_questions_asked_while_leaves_come_and_go_see_one_state_each(tmp_path: Path) -> None:
    index = index_of(tmp_path, [leaf(f"n{at}", "kept", "ant bee") for at in range(20)])
    stop = threading.Event()

    def ask() -> list[tuple[int, int]]:
        seen = []
        while not stop.is_set():
            view = index.view({"kept": 1, "moving": 1})
            seen.append((view.leaf_count, len(view.search_tokens(["ant"], 100))))
        return seen

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask) for _ in range(4)]
        for _ in range(30):
            index.add([leaf(f"m{at}", "moving", "ant") for at in range(5)])
            index.remove([("moving", 1)])
        index.save()
        stop.set()
        states = {state for future in asking for state in future.result()}
    assert states <= {(20, 20), (25, 25)}
