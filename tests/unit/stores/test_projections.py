"""Projections of a whole storage folder: opened, completed, dropped, made anew."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

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
