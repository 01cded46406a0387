from __future__ import annotations

from collections.abc import Sequence

import pytest

from prism.engine import Prism
from prism.errors import ModelCallError, StoreMismatchError
from prism.models.protocols import OnBatch, Vectors
from prism.rebuild import INDEX_COMPLETED, INDEX_INCOMPLETE, complete, rebuild
from prism.types import LEAF_LEVEL, IngestProgress
from tests.fakes import LetterEmbedder


class Failing(LetterEmbedder):
    """Fails from the `good`th call to `embed` on."""

    def __init__(self, good: int = 0) -> None:
        self._good = good

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        self._good -= 1
        if self._good < 0:
            raise ModelCallError("out of memory")
        return super().embed(texts, on_batch)


@pytest.fixture
def full(prism: Prism, add) -> Prism:
    add(prism, {"a.txt": "Alpha rule holds.", "b.txt": "Beta rule holds."})
    return prism


def lose_vectors(prism: Prism, name: str) -> None:
    """As at the next opening of a folder where a document's vectors are gone."""
    active = prism._storage.active("default")
    active.vectors.delete_document(prism.document(name).document_id)
    active.is_whole = False


def codes(prism: Prism, embedder: LetterEmbedder) -> list[str]:
    return [notice.code for notice in complete(prism._storage, "default", embedder)]


def test_dep_01_missing_vectors_are_completed_before_the_first_question(full: Prism) -> None:
    lose_vectors(full, "a.txt")
    assert codes(full, LetterEmbedder()) == [INDEX_COMPLETED]
    assert full.doctor() == []
    assert codes(full, LetterEmbedder()) == []


def test_only_what_is_missing_is_embedded_and_nothing_tokenized(
    full: Prism, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_vectors(full, "a.txt")
    monkeypatch.delattr("prism.ingest.index.tokenize")
    assert codes(full, Failing(good=1)) == [INDEX_COMPLETED]


def test_ret_26_what_cannot_be_completed_is_said_at_every_question_and_tried_again(full: Prism) -> None:
    lose_vectors(full, "a.txt")
    assert codes(full, Failing()) == [INDEX_INCOMPLETE]
    assert codes(full, Failing()) == [INDEX_INCOMPLETE]
    assert codes(full, LetterEmbedder()) == [INDEX_COMPLETED]


def test_the_asker_is_told(full: Prism) -> None:
    lose_vectors(full, "a.txt")
    found = full.retrieve("alpha")
    assert [notice.code for notice in found.notices] == [INDEX_COMPLETED]
    assert "2" not in found.notices[0].message
    assert full.retrieve("alpha").notices == ()


def test_a_rebuild_uses_todays_tokens_and_embedder(full: Prism) -> None:
    class Other(LetterEmbedder):
        name = "letters@2"

    nodes = full._storage.catalogue.nodes
    nodes.replace_tokens(
        {node_id: ["old"] for node_id in nodes.node_ids({full.document("a.txt").document_id: 1}, LEAF_LEVEL)}
    )
    assert rebuild(full._storage, Other()) == {"default": full.status().leaves}
    assert full._storage.models_match("letters@2")
    with full._storage.active("default").snapshot() as snapshot:
        assert snapshot.keywords.search_tokens(["old"], 5) == ()
        assert len(snapshot.keywords.search("alpha", 5)) == 1


def test_a_rebuild_tells_how_it_goes(full: Prism) -> None:
    told: list[IngestProgress] = []
    rebuild(full._storage, LetterEmbedder(), told.append)
    assert {item.document for item in told} == {"a.txt", "b.txt"}
    assert (told[-1].files_done, told[-1].files_total, told[-1].leaves_done) == (2, 2, 2)


def test_a_rebuild_without_a_working_embedder_drops_nothing(full: Prism) -> None:
    class Broken(LetterEmbedder):
        def embed_query(self, text: str) -> Vectors:
            raise ModelCallError("no model")

    with pytest.raises(ModelCallError):
        rebuild(full._storage, Broken())
    assert full.status().consistent


def test_a_rebuild_cut_short_is_finished_by_the_next_question(full: Prism) -> None:
    with pytest.raises(ModelCallError):
        rebuild(full._storage, Failing(good=1))
    assert not full.status().consistent
    assert [notice.code for notice in full.retrieve("alpha").notices] == [INDEX_COMPLETED]
    assert full.doctor() == []


def test_a_rebuild_cut_short_under_another_embedder_is_not_searched_by_the_old(full: Prism) -> None:
    class Other(Failing):
        name = "letters@2"

    with pytest.raises(ModelCallError):
        rebuild(full._storage, Other(good=1))
    with pytest.raises(StoreMismatchError, match="letters@2"):
        full.retrieve("alpha")


def test_a_change_of_tokenizer_cut_short_has_to_be_done_again(
    full: Prism, monkeypatch: pytest.MonkeyPatch
) -> None:
    full._storage.catalogue.set_meta({"tokenizer": "0"})

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("prism.rebuild.tokenize_again", stop)
        with pytest.raises(KeyboardInterrupt):
            rebuild(full._storage, LetterEmbedder())
    with pytest.raises(StoreMismatchError, match="doctor --rebuild"):
        full.retrieve("alpha")
    rebuild(full._storage, LetterEmbedder())
    assert full.retrieve("alpha").passages
