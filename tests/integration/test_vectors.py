"""The vector store over real Chroma collections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from chromadb.errors import ChromaError

from prism.errors import StoreDamagedError, StoreError, StoreMismatchError, UsageError
from prism.settings import VectorSettings
from prism.stores.chroma import waiting_changes
from prism.stores.nearest import EXACT_LEAVES
from prism.stores.seal import read_seal
from prism.stores.vectors import VectorStore, WorkspaceVectors
from prism.stores.workspace_vectors import WAITING_CHANGES, Vectors
from prism.types import LeafHit

SETTINGS = VectorSettings()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[VectorStore]:
    with VectorStore(tmp_path / "vectors", SETTINGS) as opened:
        yield opened


@pytest.fixture
def leaves(store: VectorStore) -> WorkspaceVectors:
    return store.collection("default")


def rows(*values: Sequence[float]) -> Vectors:
    return np.array(values, dtype=np.float32)


@dataclass(frozen=True)
class Among:
    """Visible leaves, by their ids."""

    ids: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def node_ids(self) -> Sequence[str]:
        return self.ids

    def only(self, node_ids: Iterable[str]) -> list[str]:
        wanted = set(self.ids)
        return [node_id for node_id in node_ids if node_id in wanted]


def search(
    leaves: WorkspaceVectors,
    vector: Vectors,
    k: int,
    *,
    active: Mapping[str, int],
    document_ids: frozenset[str] | None = None,
) -> tuple[LeafHit, ...]:
    """Search the leaves stored for these generations, within a scope."""
    visible = [
        node_id
        for document, generation in active.items()
        if document_ids is None or document in document_ids
        for node_id in leaves.ids(document, generation)
    ]
    return leaves.search(vector, k, Among(tuple(visible)))


def random_rows(count: int, seed: int = 0, dimension: int = 32) -> Vectors:
    return np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)


def fill(
    leaves: WorkspaceVectors, vectors: Vectors, documents: Sequence[str], generation: int = 1
) -> list[str]:
    ids = [f"n{generation}-{ordinal:05}" for ordinal in range(len(vectors))]
    leaves.upsert(ids, vectors, documents, [generation] * len(ids))
    return ids


def test_ret_20_an_empty_store_finds_nothing_and_does_not_fail(leaves: WorkspaceVectors) -> None:
    assert search(leaves, rows([1, 0])[0], 50, active={"a": 1}) == ()
    assert search(leaves, rows([1, 0])[0], 50, active={}) == ()


def test_ret_01_asking_for_more_than_there_is_returns_what_there_is(leaves: WorkspaceVectors) -> None:
    leaves.upsert(["only"], rows([1, 0]), ["a"], [1])
    assert [hit.node_id for hit in search(leaves, rows([1, 0])[0], 50, active={"a": 1})] == ["only"]


def test_the_score_is_the_cosine_from_minus_one_to_one(leaves: WorkspaceVectors) -> None:
    leaves.upsert(
        ["same", "slant", "across", "against"], rows([2, 0], [3, 4], [0, 5], [-1, 0]), ["a"] * 4, [1] * 4
    )
    for scope in (None, frozenset({"a"})):
        hits = search(leaves, rows([7, 0])[0], 4, active={"a": 1}, document_ids=scope)
        assert [(hit.node_id, hit.rank, hit.score) for hit in hits] == [
            ("same", 1, 1.0),
            ("slant", 2, 0.6),
            ("across", 3, 0.0),
            ("against", 4, -1.0),
        ]


def test_equal_vectors_are_ordered_by_node_id(leaves: WorkspaceVectors) -> None:
    leaves.upsert(["c", "a", "d", "b"], np.ones((4, 8), dtype=np.float32), ["x"] * 4, [1] * 4)
    for scope in (None, frozenset({"x"})):
        hits = search(leaves, np.ones(8, dtype=np.float32), 3, active={"x": 1}, document_ids=scope)
        assert [hit.node_id for hit in hits] == ["a", "b", "c"]


def test_ing_37_an_id_stored_again_holds_the_new_vector(leaves: WorkspaceVectors) -> None:
    leaves.upsert(["x"], rows([1, 0]), ["a"], [1])
    leaves.upsert(["x"], rows([0, 1]), ["a"], [2])
    assert leaves.count() == 1
    assert leaves.vectors(["x"])["x"].tolist() == [0, 1]
    assert search(leaves, rows([0, 1])[0], 1, active={"a": 2})[0].score == 1.0
    assert search(leaves, rows([0, 1])[0], 1, active={"a": 1}) == ()


def test_ing_36_more_leaves_than_one_call_takes_are_stored_read_and_deleted(leaves: WorkspaceVectors) -> None:
    ids = fill(leaves, random_rows(6500, dimension=4), ["big"] * 6500)
    assert leaves.count() == 6500
    assert leaves.ids("big", 1) == frozenset(ids)
    assert leaves.generations() == {("big", 1): 6500}
    assert len(leaves.vectors(ids)) == 6500
    leaves.delete_generation("big", 1)
    assert leaves.count() == 0


def test_only_the_active_generation_is_found_even_when_it_is_the_farthest(leaves: WorkspaceVectors) -> None:
    near = np.tile(rows([1, 0, 0]), (900, 1)) + random_rows(900, dimension=3) * 0.01
    fill(leaves, near, ["a"] * 900, generation=1)
    leaves.upsert(["new"], rows([-1, 0, 0]), ["a"], [2])
    hits = search(leaves, rows([1, 0, 0])[0], 5, active={"a": 2})
    assert [hit.node_id for hit in hits] == ["new"]


@pytest.mark.parametrize("scope_documents", [1, 3, 40])
def test_a_scope_finds_exactly_the_nearest_inside_it(leaves: WorkspaceVectors, scope_documents: int) -> None:
    vectors = random_rows(2000)
    documents = [f"d{ordinal % 50:02}" for ordinal in range(2000)]
    ids = fill(leaves, vectors, documents)
    scope = frozenset(f"d{ordinal:02}" for ordinal in range(scope_documents))
    question = random_rows(1, seed=9)[0]
    active = dict.fromkeys(documents, 1)

    hits = search(leaves, question, 10, active=active, document_ids=scope)

    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ (question / np.linalg.norm(question))
    inside = [ordinal for ordinal in range(2000) if documents[ordinal] in scope]
    expected = sorted(inside, key=lambda ordinal: -cosines[ordinal])[:10]
    assert [hit.node_id for hit in hits] == [ids[ordinal] for ordinal in expected]
    assert [hit.score for hit in hits] == pytest.approx([cosines[o] for o in expected], abs=1e-5)


def test_a_scope_never_lets_an_outsider_in_even_when_fewer_than_k_are_inside(
    leaves: WorkspaceVectors,
) -> None:
    leaves.upsert(
        ["hr1", "hr2", "it1", "it2"], rows([0, 1], [0, 1], [1, 0], [1, 0]), ["hr", "hr", "it", "it"], [1] * 4
    )
    active = {"hr": 1, "it": 1}
    hits = search(leaves, rows([1, 0])[0], 4, active=active, document_ids=frozenset({"hr"}))
    assert [hit.node_id for hit in hits] == ["hr1", "hr2"]
    assert search(leaves, rows([1, 0])[0], 4, active=active, document_ids=frozenset()) == ()
    assert search(leaves, rows([1, 0])[0], 4, active={"it": 1}, document_ids=frozenset({"hr"})) == ()


def test_a_large_scope_whose_leaves_are_mostly_old_still_fills_k(leaves: WorkspaceVectors) -> None:
    fill(leaves, random_rows(EXACT_LEAVES + 400, seed=1), ["a"] * (EXACT_LEAVES + 400), generation=1)
    new = fill(leaves, random_rows(12, seed=2), ["a"] * 12, generation=2)
    hits = search(leaves, random_rows(1, seed=3)[0], 20, active={"a": 2}, document_ids=frozenset({"a"}))
    assert {hit.node_id for hit in hits} == set(new)


def test_a_scope_of_very_many_documents_is_searched_too(leaves: WorkspaceVectors) -> None:
    vectors = random_rows(1500, dimension=8)
    documents = [f"d{ordinal}" for ordinal in range(1500)]
    fill(leaves, vectors, documents)
    active = {**dict.fromkeys(documents, 1), **{f"e{ordinal}": 1 for ordinal in range(40_000)}}
    scope = frozenset(active) - {"d7"}
    hits = search(leaves, vectors[7], 5, active=active, document_ids=scope)
    assert len(hits) == 5
    assert "n1-00007" not in {hit.node_id for hit in hits}


def test_workspaces_do_not_see_each_other(store: VectorStore) -> None:
    for name in ("a.b", "a_b", "..", "-", "_" * 64):
        store.collection(name).upsert([f"in {name}"], rows([1, 0]), ["d"], [1])
    for name in ("a.b", "a_b", "..", "-", "_" * 64):
        hits = search(store.collection(name), rows([1, 0])[0], 9, active={"d": 1})
        assert [hit.node_id for hit in hits] == [f"in {name}"]


def test_deleting_one_build_leaves_the_others(leaves: WorkspaceVectors) -> None:
    leaves.upsert(["a1", "a2", "b1"], random_rows(3), ["a", "a", "b"], [1, 2, 1])
    leaves.delete_generation("a", 1)
    assert leaves.generations() == {("a", 2): 1, ("b", 1): 1}
    leaves.delete_document("a")
    leaves.delete_document("never there")
    assert leaves.generations() == {("b", 1): 1}


def test_nothing_but_owner_and_generation_is_stored_beside_a_vector(leaves: WorkspaceVectors) -> None:
    leaves.upsert(["x"], rows([1, 0]), ["a"], [1])
    row = leaves._chroma.get(ids=["x"])
    assert row["metadatas"] == [{"document_id": "a", "generation": 1}]
    assert row["documents"] == [None]


def test_ret_19_vectors_of_another_dimension_are_refused_by_name(leaves: WorkspaceVectors) -> None:
    leaves.upsert(["x"], random_rows(1, dimension=4), ["a"], [1])
    with pytest.raises(StoreMismatchError, match="rebuild"):
        leaves.upsert(["y"], random_rows(1, dimension=3), ["a"], [1])
    with pytest.raises(StoreMismatchError, match="rebuild"):
        search(leaves, random_rows(1, dimension=3)[0], 5, active={"a": 1})
    with pytest.raises(StoreMismatchError, match="rebuild"):
        search(leaves, random_rows(1, dimension=3)[0], 5, active={"a": 1}, document_ids=frozenset({"a"}))
    assert leaves.count() == 1


def test_lengths_that_differ_and_numbers_that_are_not_finite_are_refused(leaves: WorkspaceVectors) -> None:
    with pytest.raises(UsageError, match="one length"):
        leaves.upsert(["x", "y"], random_rows(1), ["a"], [1])
    with pytest.raises(UsageError, match="finite"):
        leaves.upsert(["x"], rows([np.nan, 0]), ["a"], [1])


def test_reopening_gives_the_same_hits_in_the_same_order(tmp_path: Path) -> None:
    vectors, questions = random_rows(2500), random_rows(30, seed=5)
    documents = [f"d{ordinal // 50}" for ordinal in range(2500)]
    active = dict.fromkeys(documents, 1)
    with VectorStore(tmp_path, SETTINGS) as store:
        leaves = store.collection("default")
        fill(leaves, vectors, documents)
        before = [search(leaves, question, 40, active=active) for question in questions]
    with VectorStore(tmp_path, SETTINGS) as store:
        leaves = store.collection("default")
        assert [search(leaves, question, 40, active=active) for question in questions] == before


@pytest.mark.parametrize(("count", "left"), [(WAITING_CHANGES - 1, WAITING_CHANGES - 1), (1700, 1)])
def test_closing_leaves_no_long_log_to_be_repeated_at_the_next_opening(
    tmp_path: Path, count: int, left: int
) -> None:
    vectors, documents = random_rows(count), ["a"] * count
    with VectorStore(tmp_path, SETTINGS) as store:
        leaves = store.collection("default")
        ids = fill(leaves, vectors, documents)
        before = search(leaves, vectors[7], 5, active={"a": 1})
    with VectorStore(tmp_path, SETTINGS) as store:
        leaves = store.collection("default")
        assert waiting_changes(tmp_path, leaves._chroma) == left
        assert leaves.ids("a", 1) == frozenset(ids)
        assert leaves.count() == count
        assert search(leaves, vectors[7], 5, active={"a": 1}) == before


def test_a_log_that_cannot_be_written_out_costs_the_seal_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def full(boundary: str) -> None:
        if boundary == "vectors: before writing the graph out":
            raise ChromaError("disk is full")

    with VectorStore(tmp_path, SETTINGS, full) as store:
        ids = fill(store.collection("default"), random_rows(300), ["a"] * 300)
    assert "the next opening takes longer" in caplog.text
    assert read_seal(tmp_path) is None
    with VectorStore(tmp_path, SETTINGS) as store:
        assert store.collection("default").ids("a", 1) == frozenset(ids)


def test_only_ef_search_changes_on_reopening_and_the_rest_is_reported(tmp_path: Path) -> None:
    first = VectorSettings(hnsw_m=16, ef_construction=100)
    with VectorStore(tmp_path, first) as store:
        assert store.collection("default").outdated == ()
    changed = VectorSettings(hnsw_m=32, ef_construction=200, ef_search=77)
    with VectorStore(tmp_path, changed) as store:
        leaves = store.collection("default")
        assert leaves._chroma.configuration_json["hnsw"]["ef_search"] == 77
        assert leaves.outdated == (
            "max_neighbors is 16 in the index but 32 in the settings; rebuild to apply it",
            "ef_construction is 100 in the index but 200 in the settings; rebuild to apply it",
        )
        store.drop("default")
        assert store.collection("default").outdated == ()


def test_many_threads_may_read_while_one_writes(leaves: WorkspaceVectors) -> None:
    fill(leaves, random_rows(300), ["a"] * 300)

    def ask(seed: int) -> int:
        return len(search(leaves, random_rows(1, seed=seed)[0], 10, active={"a": 1}))

    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(ask, seed) for seed in range(40)]
        for ordinal in range(10):
            leaves.upsert([f"b{ordinal}"], random_rows(1, seed=ordinal), ["b"], [1])
        assert {answer.result() for answer in answers} == {10}


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, SETTINGS)
    leaves = store.collection("default")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        leaves.count()


def test_a_damaged_folder_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "chroma.sqlite3").write_bytes(b"not a database" * 1000)
    with pytest.raises(StoreDamagedError, match=r"doctor --rebuild") as caught:
        VectorStore(tmp_path, SETTINGS)
    assert str(tmp_path) in str(caught.value)
