"""Projections of a whole storage folder: opened, completed, dropped, made anew."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from prism.errors import StoreDamagedError
from prism.settings import Settings
from prism.stores.storage import Storage
from tests.unit.stores.whole_folder import found, holding, ingest

Open = Callable[[], Storage]


def test_dep_01_what_was_shown_is_found_by_both_legs_after_reopening(opened: Open) -> None:
    ingest(opened(), "doc", "locker")
    assert found(opened(), "locker") == (["doc-1"], ["doc-1"])


def test_ing_32_what_was_deleted_stays_deleted_after_reopening(opened: Open) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    storage.active("default").hide("doc")
    assert found(storage, "locker") == ([], [])
    assert found(opened(), "locker") == ([], [])


def test_keywords_that_were_never_saved_are_fetched_from_the_catalogue(
    opened: Open, settings: Settings
) -> None:
    ingest(opened(), "doc", "locker")
    opened()
    shutil.rmtree(settings.storage.path / "keywords")
    assert found(opened(), "locker")[0] == ["doc-1"]


def test_a_broken_keyword_index_is_made_anew(
    opened: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ingest(opened(), "doc", "locker")
    opened()
    (tmp_path / "store" / "keywords" / "default" / "current.json").write_text("{broken")

    assert found(opened(), "locker")[0] == ["doc-1"]
    assert "made anew" in caplog.text


@pytest.mark.parametrize("others", [0, 1, 40])
def test_words_and_vectors_of_a_purge_cut_short_go_at_the_next_opening(
    opened: Open, tmp_path: Path, others: int
) -> None:
    storage = opened()
    ingest(storage, "doc", "quixotry")
    for number in range(others):
        ingest(storage, f"other{number}", "locker")
    storage = opened()
    assert holding("quixotry", tmp_path)
    storage.catalogue.purge("doc")

    again = opened()
    if others:
        again.active("default")

    # The folder is still open: nothing may wait for it to be closed.
    assert not holding("quixotry", tmp_path / "store" / "keywords")
    assert again.projections.vectors.collection("default").count() == others
    opened()
    assert not holding("quixotry", tmp_path)


def test_a_dropped_projection_comes_back_from_the_catalogue(opened: Open) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    storage.projections.drop(["default"])
    assert found(storage, "locker") == (["doc-1"], [])


def test_many_threads_open_one_workspace_once(opened: Open) -> None:
    storage = opened()
    seen: list[object] = []
    threads = [threading.Thread(target=lambda: seen.append(storage.active("default"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(item) for item in seen}) == 1


def test_a_workspace_that_would_lead_elsewhere_is_refused(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    for use in (opened().active, lambda name: opened().projections.drop([name])):
        with pytest.raises(StoreDamagedError, match="cannot name a workspace"):
            use("../../victim")
    assert list((tmp_path / "victim").iterdir()) == []


def keep_token(storage: Storage, workspace: str = "default") -> None:
    """A build's token vectors, as an ingest leaves them."""
    tokens = storage.active(workspace).tokens
    tokens.add("doc", 1, ["doc-1"], [np.ones((1, 2), np.int8)])
    tokens.finish("doc", 1)


def test_token_vectors_are_kept_by_the_recipe_asked_for_last(opened: Open, settings: Settings) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    assert storage.active("default").tokens.recipe is None
    storage.keep_tokens("r")
    keep_token(storage)
    storage.keep_tokens(None)
    assert storage.active("default").tokens.generations() == {("doc", 1)}

    again = opened()
    again.keep_tokens("r")
    assert again.active("default").tokens.generations() == {("doc", 1)}
    again.keep_tokens("s")
    assert again.active("default").tokens.generations() == frozenset()
    assert not holding("", settings.storage.path / "tokens")


def test_token_vectors_outlive_vectors_that_are_made_anew(opened: Open) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    storage.keep_tokens("r")
    keep_token(storage)
    storage.projections.begin_vectors_anew(StoreDamagedError("broken"))
    assert storage.active("default").tokens.generations() == {("doc", 1)}


def test_token_vectors_are_dropped_with_the_rest(opened: Open, settings: Settings) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    storage.keep_tokens("r")
    keep_token(storage)
    storage.projections.drop(["default"])
    assert not (settings.storage.path / "tokens" / "default").exists()
    assert storage.active("default").tokens.recipe == "r"


def test_token_vectors_of_a_workspace_that_was_purged_are_removed_on_opening(
    opened: Open, settings: Settings
) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    storage.keep_tokens("r")
    keep_token(storage)
    storage.catalogue.purge("doc")
    shutil.rmtree(settings.storage.path / "keywords", ignore_errors=True)
    opened()
    assert not (settings.storage.path / "tokens" / "default").exists()
