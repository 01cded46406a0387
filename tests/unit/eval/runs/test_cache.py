"""What was computed once is read the next time, and nothing else is taken for it."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from eval.runs.cache import CachedEmbedder, CachedReranker, Kept, RepeatingEmbedder, kept
from prism.errors import UsageError
from tests.fakes import SharedWordsReranker
from tests.unit.eval.runs.conftest import CountingEmbedder

TEXTS = ["ab", "abb", "शुल्क"]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Kept]:
    with kept(tmp_path / "cache" / "vectors.sqlite") as values:
        yield values


class CountingReranker(SharedWordsReranker):
    """Keeps the texts it scored."""

    def __init__(self) -> None:
        self.scored: list[str] = []

    def score(self, question: str, texts: list[str]) -> tuple[float, ...]:  # type: ignore[override]
        self.scored += texts
        return super().score(question, texts)


# ── the file ────────────────────────────────────────────────────────────────────────────────────


def test_bytes_are_kept_by_key(cache: Kept) -> None:
    cache.put({b"a": b"1", b"b": b"2"})
    assert cache.get([b"a", b"c", b"a"]) == {b"a": b"1"}
    assert cache.get([]) == {}


def test_what_is_kept_first_stays(cache: Kept) -> None:
    cache.put({b"a": b"1"})
    cache.put({b"a": b"2", b"b": b"2"})
    assert cache.get([b"a", b"b"]) == {b"a": b"1", b"b": b"2"}


def test_more_keys_than_a_statement_takes_are_found(cache: Kept) -> None:
    values = {str(number).encode(): b"x" for number in range(1201)}
    cache.put(values)
    assert cache.get(list(values)) == values


def test_what_is_kept_outlives_closing(tmp_path: Path) -> None:
    with kept(tmp_path / "v.sqlite") as values:
        values.put({b"a": b"1"})
    with kept(tmp_path / "v.sqlite") as values:
        assert values.get([b"a"]) == {b"a": b"1"}


def test_a_part_that_cannot_be_written_leaves_nothing_and_the_file_usable(cache: Kept) -> None:
    with pytest.raises(UsageError, match=r"vectors\.sqlite: the cache cannot be used"):
        cache.put({b"a": b"1", b"b": object()})  # type: ignore[dict-item]
    assert cache.get([b"a"]) == {}
    cache.put({b"a": b"1"})
    assert cache.get([b"a"]) == {b"a": b"1"}


def test_a_file_that_is_no_database_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "v.sqlite").write_bytes(b"spoiled" * 200)
    with pytest.raises(UsageError, match=r"v\.sqlite: the cache cannot be used .*Remove it.*--cache"):
        Kept(tmp_path / "v.sqlite")


def test_a_file_that_is_spoiled_within_is_refused_with_the_way_out(tmp_path: Path) -> None:
    file = tmp_path / "v.sqlite"
    with kept(file) as values:
        values.put({str(number).encode() * 20: b"x" * 500 for number in range(200)})
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    with kept(file) as values, pytest.raises(UsageError, match=r"v\.sqlite: the cache cannot be used"):
        values.get([str(number).encode() * 20 for number in range(200)])


def put_many(file: Path, name: str) -> None:
    with kept(file) as values:
        for number in range(50):
            values.put({f"{name}-{number}".encode(): b"x", f"both-{number}".encode(): b"y"})


def test_several_processes_may_share_a_new_file(tmp_path: Path) -> None:
    file = tmp_path / "v.sqlite"
    context = multiprocessing.get_context("fork")
    running = [context.Process(target=put_many, args=(file, name)) for name in ("one", "two", "three")]
    for process in running:
        process.start()
    for process in running:
        process.join(timeout=60)
    assert [process.exitcode for process in running] == [0, 0, 0]
    with sqlite3.connect(file) as connection:
        # Fifty of each, and fifty that all of them kept.
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (200,)


# ── passages ────────────────────────────────────────────────────────────────────────────────────


def test_a_passage_is_embedded_once(cache: Kept) -> None:
    inner = CountingEmbedder()
    embedder = CachedEmbedder(inner, cache)
    first = embedder.embed([*TEXTS, "ab"])
    assert inner.passages == TEXTS, "the same text under two documents is one"
    again = embedder.embed(["abb", "new", "ab"])
    assert inner.passages == [*TEXTS, "new"]
    assert embedder.computed == 4
    np.testing.assert_array_equal(again[[0, 2]], first[[1, 0]])


def test_vectors_are_the_embedders_to_the_bit(cache: Kept) -> None:
    expected = CountingEmbedder().embed(TEXTS)
    for _ in range(2):
        found = CachedEmbedder(CountingEmbedder(), cache).embed(TEXTS)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, expected)


def test_vectors_of_another_precision_are_kept_as_float32(cache: Kept) -> None:
    class Double(CountingEmbedder):
        def embed(self, texts: object, on_batch: object = None) -> object:  # type: ignore[override]
            return super().embed(texts, on_batch).astype(np.float64)  # type: ignore[arg-type]

    CachedEmbedder(Double(), cache).embed(TEXTS)
    np.testing.assert_allclose(CachedEmbedder(Double(), cache).embed(TEXTS), CountingEmbedder().embed(TEXTS))


def test_no_texts_give_no_vectors(cache: Kept) -> None:
    assert CachedEmbedder(CountingEmbedder(), cache).embed([]).shape == (0, 26)


def test_another_embedder_or_reach_computes_anew(cache: Kept) -> None:
    CachedEmbedder(CountingEmbedder(), cache).embed(TEXTS)
    for name, value in (("name", "letters@2"), ("max_tokens", 128)):
        other = CountingEmbedder()
        setattr(other, name, value)
        CachedEmbedder(other, cache).embed(TEXTS)
        assert other.passages == TEXTS, name


def test_progress_counts_what_was_read_as_done(cache: Kept) -> None:
    embedder = CachedEmbedder(CountingEmbedder(), cache)
    embedder.embed(TEXTS[:2])
    told: list[int] = []
    embedder.embed(TEXTS, told.append)
    embedder.embed(TEXTS, told.append)
    assert told == [3, 3]


def test_all_else_is_the_embedders(cache: Kept) -> None:
    inner = CountingEmbedder()
    embedder = CachedEmbedder(inner, cache)
    assert (embedder.name, embedder.dimension, embedder.max_tokens) == ("letters@1", 26, 256)
    assert (embedder.token_count("a b"), embedder.tokenize("a b")) == (2, ["a", "b"])
    assert (embedder.token_offsets("a b"), embedder.can_read("शुल्क")) == ([(0, 1), (2, 3)], False)
    for _ in range(2):
        np.testing.assert_array_equal(embedder.embed_query("ab"), inner.embed_query("ab"))
    assert inner.questions == ["ab"] * 4, "a question is embedded each time: its time is measured"


# ── the two searches of a question ──────────────────────────────────────────────────────────────


def test_a_second_search_is_given_the_vectors_of_the_first() -> None:
    inner = CountingEmbedder()
    embedder = RepeatingEmbedder(inner)
    for _ in range(2):
        np.testing.assert_array_equal(embedder.embed_query("ab"), CountingEmbedder().embed_query("ab"))
        np.testing.assert_array_equal(
            embedder.embed(["b", "a", "b"]), CountingEmbedder().embed(["b", "a", "b"])
        )
    assert (inner.questions, inner.passages) == (["ab"], ["b", "a"])


def test_the_next_question_is_embedded_anew() -> None:
    inner = CountingEmbedder()
    embedder = RepeatingEmbedder(inner)
    for _ in range(2):
        embedder.embed_query("ab")
        embedder.embed(["a"])
        embedder.forget()
    assert (inner.questions, inner.passages) == (["ab", "ab"], ["a", "a"])
    assert embedder.embed([]).shape == (0, 26)


# ── scores ──────────────────────────────────────────────────────────────────────────────────────


def test_a_score_is_computed_once_for_question_and_passage(cache: Kept) -> None:
    inner = CountingReranker()
    reranker = CachedReranker(inner, cache, 256)
    # Shared words: "a b" has both, "a" one, "c" none.
    assert reranker.score("a b", ["a b", "c", "a", "c"]) == (2.0, 0.0, 1.0, 0.0)
    assert (reranker.computed, reranker.read) == (3, 0)
    assert reranker.score("a b", ["c", "b"]) == (0.0, 1.0)
    assert (reranker.computed, reranker.read) == (4, 1)
    assert inner.scored == ["a b", "c", "a", "b"]
    assert reranker.score("c", ["c"]) == (1.0,), "another question has other scores"
    assert reranker.score("c", []) == ()


def test_a_reranker_that_reads_more_of_a_passage_scores_anew(cache: Kept) -> None:
    CachedReranker(CountingReranker(), cache, 256).score("a", ["a"])
    longer = CountingReranker()
    CachedReranker(longer, cache, 512).score("a", ["a"])
    assert longer.scored == ["a"]


def test_name_and_notices_are_the_rerankers(cache: Kept) -> None:
    reranker = CachedReranker(SharedWordsReranker(), cache, 256)
    assert (reranker.name, reranker.notices) == ("shared-words@1", ())


def test_a_question_and_a_passage_are_not_run_together(cache: Kept) -> None:
    reranker = CachedReranker(SharedWordsReranker(), cache, 256)
    assert reranker.score("a b", ["b"]) == (1.0,)
    assert reranker.score("a", ["b b"]) == (0.0,)
