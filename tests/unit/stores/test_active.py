"""Visibility over the catalogue, with projections that only count; the real ones are in test_storage."""

from __future__ import annotations

import numpy as np
import pytest

from prism.errors import StoreDamagedError
from prism.stores.active import ActiveSet
from prism.stores.catalogue import Catalogue
from prism.stores.keywords import KeywordIndex
from prism.stores.leaf_sets import LeafSet, leaf_set
from prism.stores.token_vectors import WorkspaceTokens


class CountingVectors:
    """Which node ids are stored for each (document, generation)."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, int], set[str]] = {}
        self.is_broken = False

    def upsert(self, node_ids, vectors, document_ids, generations) -> None:
        for node_id, document_id, generation in zip(node_ids, document_ids, generations, strict=True):
            self.stored.setdefault((document_id, generation), set()).add(node_id)

    def delete_generation(self, document_id: str, generation: int) -> None:
        if self.is_broken:
            raise StoreDamagedError("the disk is full")
        self.stored.pop((document_id, generation), None)

    def delete_document(self, document_id: str) -> None:
        self.stored = {group: ids for group, ids in self.stored.items() if group[0] != document_id}

    def leaf_sets(self) -> dict[tuple[str, int], LeafSet]:
        return {group: leaf_set(ids) for group, ids in self.stored.items()}


@pytest.fixture
def vectors() -> CountingVectors:
    return CountingVectors()


@pytest.fixture
def keywords(tmp_path) -> KeywordIndex:
    return KeywordIndex(tmp_path / "keywords")


@pytest.fixture
def tokens(tmp_path) -> WorkspaceTokens:
    return WorkspaceTokens(tmp_path / "tokens" / "default")


@pytest.fixture
def active(catalogue: Catalogue, vectors, keywords, tokens) -> ActiveSet:
    return ActiveSet("default", catalogue, vectors, keywords, tokens)


@pytest.fixture
def ingest(active: ActiveSet, catalogue: Catalogue, build):
    """A whole ingest of a text: built, stored in the projections, shown."""

    def run(document_id: str, text: str, *, with_tokens: bool = False) -> int:
        generation = build(document_id, text)
        ids = [f"{document_id}-{generation}-{ordinal}" for ordinal in (0, 1)]
        found = catalogue.nodes.get(ids, {document_id: generation})
        leaves = [found[node_id].node for node_id in ids]
        token_vectors = [np.ones((1, 2), np.int8)] * 2 if with_tokens else None
        words = catalogue.nodes.tokens_of(ids)
        active.store_leaves(leaves, np.zeros((2, 3), np.float32), words, token_vectors)
        active.finish_leaves(document_id, generation)
        active.show(document_id, generation)
        return generation

    return run


def hits(active: ActiveSet, word: str) -> list[str]:
    with active.snapshot() as snapshot:
        return [hit.node_id for hit in snapshot.keywords.search_tokens([word], 10)]


def test_ret_14_what_is_shown_is_found_at_once(active: ActiveSet, ingest) -> None:
    ingest("doc", "alpha beta")
    with active.snapshot() as snapshot:
        assert snapshot.generations == {"doc": 1}
    assert hits(active, "beta") == ["doc-1-1"]


def test_ing_32_what_is_hidden_is_gone_at_once_and_undo_brings_it_back(active: ActiveSet, ingest) -> None:
    ingest("doc", "alpha beta")
    active.hide("doc")
    assert hits(active, "beta") == []
    active.unhide("doc")
    assert hits(active, "beta") == ["doc-1-1"]


def test_ing_29_a_replaced_text_is_found_no_more_and_its_parts_go(
    active: ActiveSet, catalogue: Catalogue, vectors, keywords, ingest
) -> None:
    ingest("doc", "cap ten")
    ingest("doc", "cap twenty")

    assert hits(active, "ten") == []
    assert hits(active, "cap") == ["doc-2-0"]
    assert active.clean() == 1
    assert vectors.stored.keys() == {("doc", 2)}
    assert keywords.leaf_counts() == {("doc", 2): 2}
    assert catalogue.text("doc", 1) == ""
    assert active.clean() == 0


def test_a_question_under_way_keeps_seeing_what_it_began_with(
    active: ActiveSet, catalogue: Catalogue, vectors, ingest
) -> None:
    ingest("doc", "cap ten")
    with active.snapshot() as snapshot:
        ingest("doc", "cap twenty")
        assert active.clean() == 0
        assert snapshot.generations == {"doc": 1}
        assert [hit.node_id for hit in snapshot.keywords.search_tokens(["ten"], 10)] == ["doc-1-1"]
        assert catalogue.nodes.get(["doc-1-1"], snapshot.generations)["doc-1-1"].node.text == "ten"
        assert ("doc", 1) in vectors.stored
        assert hits(active, "ten") == []


def test_the_last_question_to_let_go_of_a_replaced_version_removes_it(
    active: ActiveSet, catalogue: Catalogue, vectors, ingest
) -> None:
    ingest("doc", "cap ten")
    with active.snapshot():
        with active.snapshot():
            ingest("doc", "cap twenty")
            active.clean()
        assert ("doc", 1) in vectors.stored
    assert vectors.stored.keys() == {("doc", 2)}
    assert catalogue.stale_generations() == []


def test_a_clean_up_that_fails_after_a_question_does_not_spoil_its_answer(
    active: ActiveSet, vectors, ingest, caplog: pytest.LogCaptureFixture
) -> None:
    ingest("doc", "cap ten")
    with active.snapshot():
        ingest("doc", "cap twenty")
        active.clean()
        vectors.is_broken = True
    assert "could not be removed yet" in caplog.text

    vectors.is_broken = False
    assert active.clean() == 1


def test_a_snapshot_is_let_go_when_its_question_fails(active: ActiveSet, vectors, ingest) -> None:
    ingest("doc", "cap ten")
    with pytest.raises(ValueError, match="broken"), active.snapshot():
        raise ValueError("broken")
    ingest("doc", "cap twenty")
    assert active.clean() == 1


def test_purging_takes_rows_vectors_and_tokens_also_from_the_disk(
    active: ActiveSet, catalogue: Catalogue, vectors, keywords, ingest, tmp_path
) -> None:
    ingest("doc", "alpha quixotry")
    ingest("other", "kept words")
    keywords.save()

    active.purge("doc")

    assert hits(active, "quixotry") == []
    assert vectors.stored.keys() == {("other", 1)}
    assert catalogue.document("doc") is None
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or b"quixotry" not in file.read_bytes(), file
    assert hits(active, "words") == ["other-1-1"]


def test_purging_does_not_wait_for_questions_under_way(
    active: ActiveSet, catalogue: Catalogue, ingest
) -> None:
    ingest("doc", "alpha beta")
    with active.snapshot() as snapshot:
        active.purge("doc")
        assert catalogue.nodes.get(["doc-1-0"], snapshot.generations) == {}


def test_vectors_of_builds_nobody_knows_are_removed(active: ActiveSet, vectors, ingest) -> None:
    ingest("doc", "alpha beta")
    vectors.stored[("purged", 1)] = {"x"}
    vectors.stored[("doc", 9)] = {"y"}

    assert active.remove_strays() == 2
    assert vectors.stored.keys() == {("doc", 1)}


def test_a_deleted_documents_vectors_are_no_strays(active: ActiveSet, vectors, ingest) -> None:
    ingest("doc", "alpha beta")
    active.hide("doc")
    assert active.remove_strays() == 0
    assert vectors.stored.keys() == {("doc", 1)}


# ── token vectors ───────────────────────────────────────────────────────────────────────────────


def test_token_vectors_come_and_go_with_their_build(active: ActiveSet, tokens, ingest) -> None:
    tokens.keep("r")
    ingest("doc", "cap ten", with_tokens=True)
    assert tokens.get({"doc-1-1": ("doc", 1)})["doc-1-1"].tolist() == [[1, 1]]
    ingest("doc", "cap twenty", with_tokens=True)
    active.clean()
    assert tokens.stored() == {("doc", 2)}
    active.purge("doc")
    assert tokens.stored() == frozenset()


def test_token_vectors_of_builds_nobody_knows_and_drafts_are_removed(
    active: ActiveSet, tokens, ingest, tmp_path
) -> None:
    tokens.keep("r")
    ingest("doc", "alpha beta", with_tokens=True)
    tokens.add("purged", 1, ["x"], [np.ones((1, 2), np.int8)])
    tokens.finish("purged", 1)
    tokens.add("doc", 1, ["x"], [np.ones((1, 2), np.int8)])
    assert active.remove_strays() == 1
    assert [file.name for file in (tmp_path / "tokens" / "default" / "r").iterdir()] == ["doc-1.tokens"]


def test_whether_token_vectors_may_be_lacking_is_known_without_asking_the_record(
    active: ActiveSet, tokens, ingest
) -> None:
    ingest("old", "alpha beta")
    assert not active.may_lack_tokens, "none are kept"
    tokens.keep("r")
    assert active.may_lack_tokens
    active.hide("old")
    assert not active.may_lack_tokens, "what nobody sees is not missed"
    ingest("doc", "cap ten", with_tokens=True)
    assert not active.may_lack_tokens
    active.unhide("old")
    assert active.may_lack_tokens
    active.note_tokens_whole(active.token_state)
    assert not active.may_lack_tokens
    tokens.discard("doc", 1)
    assert active.may_lack_tokens
