"""An error or a Ctrl-C at any boundary of any operation: nothing half done, and the same engine goes on."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from chromadb.errors import InternalError

from prism import ModelCallError, PrismError, Source
from prism.models.protocols import OnBatch, Vectors
from tests.crash import Breaker, Counter, half_seen, open_folder, state_of, visible_leaves
from tests.fakes import LetterTokenEmbedder
from tests.integration.operations import OPERATIONS, Operation, prose, sources


def faults(boundary: str) -> list[BaseException]:
    """What can go wrong there: a person may press Ctrl-C, and what comes next may fail."""
    if ": after" in boundary:
        return [KeyboardInterrupt()]
    if boundary.startswith(("catalogue", "migration")):
        return [KeyboardInterrupt(), sqlite3.OperationalError("database or disk is full")]
    if boundary.startswith("vectors"):
        return [KeyboardInterrupt(), InternalError("disk I/O error")]
    return [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "operation", [item for item in OPERATIONS if item.name != "close"], ids=lambda operation: operation.name
)
def test_a_fault_at_any_boundary_leaves_old_or_new_and_the_same_engine_finishes(
    operation: Operation, tmp_path: Path
) -> None:
    ready, counter = tmp_path / "ready", Counter()
    with open_folder(ready) as prism:
        operation.begin(prism, tmp_path)
        before = visible_leaves(prism)
    shutil.copytree(ready, tmp_path / "undisturbed")
    with open_folder(tmp_path / "undisturbed", counter) as undisturbed:
        undisturbed.status()
        counter.is_on = True
        operation.act(undisturbed, tmp_path)
        counter.is_on = False
        after, wanted = visible_leaves(undisturbed), state_of(undisturbed)

    none = frozenset[str]()
    allowed = {name: (before.get(name, none), after.get(name, none)) for name in {*before, *after}}
    every = [(number, name, fault) for number, name in enumerate(counter.names) for fault in faults(name)]
    for number, boundary, fault in every:
        store, breaker = tmp_path / f"store-{number}", Breaker(number, fault)
        shutil.copytree(ready, store)
        with open_folder(store, breaker) as prism:
            prism.status()
            breaker.is_on = True
            # Nothing else than these may reach the caller.
            with suppress(KeyboardInterrupt if isinstance(fault, KeyboardInterrupt) else PrismError):
                operation.act(prism, tmp_path)
            breaker.is_on = False
            assert breaker.has_raised, boundary
            assert not half_seen(visible_leaves(prism), allowed), boundary
            operation.finish(prism, tmp_path)
            prism.doctor()
            assert visible_leaves(prism) == after, boundary
            assert state_of(prism) == wanted, boundary
        with open_folder(store) as again:
            assert state_of(again) == wanted, boundary
        shutil.rmtree(store)


class FailingEmbedder(LetterTokenEmbedder):
    """Fails on some calls, counted from 0."""

    def __init__(self, says: str, *failures: int) -> None:
        self._says = says
        self._failures = failures
        self.calls = 0
        self.look: Callable[[], object] = bool

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        self.calls += 1
        if self.calls - 1 in self._failures:
            self.look()
            raise ModelCallError(self._says)
        return super().embed(texts, on_batch)


@pytest.mark.parametrize("says", ["the model crashed", "HTTP 429: too many requests"])
@pytest.mark.parametrize("words", [20, 150, 900])
def test_ing_30_a_failed_replacement_leaves_the_old_version_answering(
    tmp_path: Path, words: int, says: str
) -> None:
    file, embedder = tmp_path / "rule.txt", FailingEmbedder(says, 1)
    file.write_text(prose("first rule", words), encoding="utf-8")
    with open_folder(tmp_path / "store", embedder=embedder, ingest={"retries": 0}) as prism:
        assert prism.ingest(Source(file, "rule.txt")).count("added") == 1
        first, state = visible_leaves(prism), state_of(prism)
        file.write_text(prose("second rule", words), encoding="utf-8")
        (report,) = prism.ingest(Source(file, "rule.txt")).files
        assert report.status == "failed"
        assert says in report.reason
        assert visible_leaves(prism) == first
        assert state_of(prism) == state
        assert prism.status().consistent

        assert prism.ingest(Source(file, "rule.txt")).count("updated") == 1
        assert "second rule" in " ".join(visible_leaves(prism)["rule.txt"])
        assert "first rule" not in " ".join(visible_leaves(prism)["rule.txt"])


def test_ing_46_two_refusals_for_too_many_requests_are_waited_out_and_nothing_half_is_seen(
    tmp_path: Path,
) -> None:
    embedder, seen = FailingEmbedder("HTTP 429: too many requests", 1, 2), []
    files = sources(tmp_path, {"a.txt": prose("first rule", 300), "b.txt": prose("second rule", 300)})
    with open_folder(tmp_path / "undisturbed") as prism:
        prism.ingest(files)
        wanted = state_of(prism)
    with open_folder(tmp_path / "store", embedder=embedder) as prism:
        embedder.look = lambda: seen.append(set(visible_leaves(prism)))
        assert prism.ingest(files).count("added") == 2
        assert state_of(prism) == wanted
    assert seen == [{"a.txt"}, {"a.txt"}]
