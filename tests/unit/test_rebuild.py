from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from prism.engine import Prism
from prism.errors import ModelCallError, StoreMismatchError
from prism.models.protocols import OnBatch, Vectors
from prism.rebuild import INDEX_COMPLETED, INDEX_INCOMPLETE, complete, lacking, rebuild
from prism.types import LEAF_LEVEL, IngestProgress
from tests.fakes import LetterEmbedder, LetterTokenEmbedder


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


# ── token vectors ───────────────────────────────────────────────────────────────────────────────


class CountingTokens(LetterTokenEmbedder):
    """Counts the texts it embedded, without token vectors and with them."""

    def __init__(self) -> None:
        self.plain = self.with_tokens = 0

    def embed(self, texts, on_batch=None):
        self.plain += len(texts)
        return super().embed(texts, on_batch)

    def embed_with_tokens(self, texts, on_batch=None):
        self.with_tokens += len(texts)
        self.plain -= len(texts)
        return super().embed_with_tokens(texts, on_batch)


RECIPE = LetterTokenEmbedder.token_recipe


def group(prism: Prism, name: str) -> tuple[str, int]:
    info = prism.document(name)
    return info.document_id, info.generation


@pytest.fixture
def tokens(open_prism, add) -> Prism:
    """As `full`, with token vectors."""
    prism = open_prism(embedder=CountingTokens(), **{"rerank.kind": "late_interaction"})
    add(prism, {"a.txt": "Alpha rule holds.", "b.txt": "Beta rule holds."})
    return prism


def kept(prism: Prism) -> dict[str, list]:
    """The rows of every leaf, by its text."""
    found = {}
    for info in prism.documents():
        nodes = prism._storage.catalogue.nodes
        ids = nodes.node_ids({info.document_id: info.generation}, LEAF_LEVEL)
        owner = (info.document_id, info.generation)
        rows = prism._storage.active("default").tokens.get(dict.fromkeys(ids, owner))
        leaves = nodes.get(ids, {info.document_id: info.generation})
        found |= {leaves[key].node.text: value.tolist() for key, value in rows.items()}
    return found


def test_an_ingest_keeps_the_token_vectors_of_what_it_embeds(tokens: Prism) -> None:
    embedder = tokens._models.embedder
    assert (embedder.plain, embedder.with_tokens) == (0, 2)
    assert kept(tokens).keys() == {"Alpha rule holds.", "Beta rule holds."}
    assert tokens.status().consistent
    assert tokens.status().bytes["tokens"] > 0
    assert tokens.retrieve("alpha").notices == ()
    assert tokens.doctor() == []


def test_token_vectors_wanted_later_are_made_before_the_first_question_and_nothing_else(
    full: Prism, open_prism
) -> None:
    embedder = CountingTokens()
    full.delete("b.txt")
    prism = open_prism(embedder=embedder, **{"rerank.kind": "late_interaction"})
    assert not prism.status().consistent
    assert [notice.code for notice in prism.retrieve("alpha").notices] == [INDEX_COMPLETED]
    assert kept(prism).keys() == {"Alpha rule holds.", "Beta rule holds."}
    assert embedder.with_tokens == 2
    assert prism.status().consistent
    before = embedder.with_tokens
    assert prism.retrieve("alpha").notices == ()
    assert embedder.with_tokens == before


def test_vectors_stay_while_token_vectors_are_made(full: Prism) -> None:
    full._storage.keep_tokens(RECIPE)
    writes = full._storage.active("default").vectors.writes
    assert [(item.vectors, item.tokens) for item in lacking(full._storage, "default")] == [(False, True)] * 2
    complete(full._storage, "default", LetterTokenEmbedder(), RECIPE)
    assert full._storage.active("default").vectors.writes == writes
    assert lacking(full._storage, "default") == []


def test_token_vectors_stay_while_vectors_are_made(tokens: Prism) -> None:
    embedder, before = tokens._models.embedder, kept(tokens)
    lose_vectors(tokens, "a.txt")
    assert [notice.code for notice in tokens.retrieve("alpha").notices] == [INDEX_COMPLETED]
    assert kept(tokens) == before
    assert embedder.with_tokens == 2


def test_what_lacks_both_is_embedded_once(tokens: Prism) -> None:
    embedder, before = tokens._models.embedder, kept(tokens)
    lose_vectors(tokens, "a.txt")
    tokens._storage.active("default").tokens.discard(*group(tokens, "a.txt"))
    plain = embedder.plain
    complete(tokens._storage, "default", embedder, RECIPE)
    assert (embedder.plain - plain, embedder.with_tokens) == (0, 3)
    assert kept(tokens) == before


def test_token_vectors_found_damaged_by_a_question_are_there_for_the_next(
    tokens: Prism, tmp_path: Path
) -> None:
    before = kept(tokens)
    document_id, generation = group(tokens, "a.txt")
    (file,) = (tmp_path / "store" / "tokens").rglob(f"{document_id}-{generation}.tokens")
    data = bytearray(file.read_bytes())
    data[0] ^= 1
    file.write_bytes(data)
    tokens._storage.active("default").tokens.close()
    assert kept(tokens).keys() == {"Beta rule holds."}
    assert not tokens.status().consistent
    assert [notice.code for notice in tokens.retrieve("alpha").notices] == [INDEX_COMPLETED]
    assert kept(tokens) == before
    assert tokens.retrieve("alpha").notices == ()


def test_token_vectors_cut_short_while_prism_is_open_are_read_anew_and_made_good(
    tokens: Prism, tmp_path: Path
) -> None:
    before = kept(tokens)
    document_id, generation = group(tokens, "a.txt")
    (file,) = (tmp_path / "store" / "tokens").rglob(f"{document_id}-{generation}.tokens")
    os.truncate(file, 0)
    assert tokens.ask("alpha rule").question == "alpha rule"
    assert [notice.code for notice in tokens.retrieve("alpha").notices] == [INDEX_COMPLETED]
    assert kept(tokens) == before
    assert tokens.retrieve("alpha").notices == ()


def test_who_wants_no_token_vectors_neither_makes_nor_misses_them(tokens: Prism, open_prism) -> None:
    tokens._storage.active("default").tokens.discard(*group(tokens, "a.txt"))
    embedder = CountingTokens()
    plain = open_prism(embedder=embedder)
    assert plain.status().consistent
    assert plain.retrieve("alpha").notices == ()
    assert embedder.with_tokens == 0
    assert kept(plain) == {}


def test_a_rebuild_makes_vectors_and_token_vectors_in_one_pass(tokens: Prism) -> None:
    embedder, before = tokens._models.embedder, kept(tokens)
    plain = embedder.plain
    rebuild(tokens._storage, embedder, token_recipe=RECIPE)
    assert (embedder.plain - plain, embedder.with_tokens) == (0, 4)
    assert kept(tokens) == before
    assert tokens.doctor() == []


def test_another_recipe_is_made_before_the_next_question(tokens: Prism, open_prism, tmp_path: Path) -> None:
    class Other(CountingTokens):
        token_recipe = "letters-26-int8-2"  # noqa: S105

    prism = open_prism(embedder=Other(), **{"rerank.kind": "late_interaction"})
    assert not prism.status().consistent
    assert len([*(tmp_path / "store" / "tokens" / "default").iterdir()]) == 1, "status changes nothing"
    assert [notice.code for notice in prism.retrieve("alpha").notices] == [INDEX_COMPLETED]
    assert [path.name for path in (tmp_path / "store" / "tokens" / "default").iterdir()] == [
        "letters-26-int8-2"
    ]


def test_the_doctor_compares_token_vectors_with_their_sums_and_the_record(
    tokens: Prism, tmp_path: Path
) -> None:
    before = kept(tokens)
    document_id, generation = group(tokens, "a.txt")
    (file,) = (tmp_path / "store" / "tokens").rglob(f"{document_id}-{generation}.tokens")
    data = bytearray(file.read_bytes())
    data[0] ^= 1
    file.write_bytes(data)
    active = tokens._storage.active("default").tokens
    active.close()
    # The other holds what the record does not say.
    other = group(tokens, "b.txt")
    active.discard(*other)
    active.add(*other, ["foreign"], [next(iter(LetterTokenEmbedder().embed_with_tokens(["x"])[1]))])
    active.finish(*other)
    (finding,) = tokens.doctor()
    assert finding.problem == "a.txt, b.txt: missing or damaged token vectors"
    assert finding.repair == "those of 2 passages made again from the record"
    assert kept(tokens) == before
    assert tokens.doctor() == []


def test_purging_leaves_no_token_vectors(tokens: Prism, tmp_path: Path) -> None:
    tokens.purge("a.txt")
    assert len(list((tmp_path / "store" / "tokens").rglob("*.tokens*"))) == 1
    tokens.purge("b.txt")
    assert not list((tmp_path / "store" / "tokens").rglob("*.tokens*"))
