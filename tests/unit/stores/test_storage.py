"""A whole storage folder with real projections."""

from __future__ import annotations

import gc
import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from prism.errors import StoreBusyError, StoreDamagedError, StoreError, StoreMismatchError, UsageError
from prism.settings import Settings, load_settings
from prism.stores.record import RESTORING
from prism.stores.seal import SEAL_FILE
from prism.stores.storage import Storage
from tests.unit.stores.whole_folder import found, ingest

Open = Callable[[], Storage]


def original_of(document_id: str, tmp_path: Path) -> Path:
    """Puts a file where that of a document is kept."""
    kept = tmp_path / "store" / "originals" / document_id / "aa"
    kept.parent.mkdir(parents=True)
    kept.write_text("bytes of a document")
    return kept


def test_ing_45_what_an_unfinished_build_left_is_removed_on_opening(opened: Open) -> None:
    storage = opened()
    ingest(storage, "doc", "locker", shown=False)
    assert storage.active("default").vectors.count() == 1

    again = opened()

    assert again.active("default").vectors.count() == 0
    assert len(again.active("default").keywords) == 0
    assert again.catalogue.document("doc").status == "interrupted"
    assert again.catalogue.text("doc", 1) == ""


def test_files_of_a_purge_cut_short_are_removed_on_opening(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    ingest(storage, "gone", "quixotry")
    kept = original_of("gone", tmp_path)
    storage.catalogue.purge("gone")
    opened()
    assert not kept.parent.exists()


def test_files_the_record_says_nothing_of_are_kept_and_told(
    opened: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ingest(opened(), "doc", "locker")
    unknown = original_of("unknown", tmp_path)
    again = opened()
    assert unknown.exists()
    assert "1 documents are kept there of which the catalogue knows nothing" in caplog.text
    again.catalogue.purge("unknown")
    assert unknown.exists()


def test_files_of_a_restore_cut_short_go_at_the_next_opening(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    storage.catalogue.set_meta({RESTORING: "archive.zip"})
    unpacked = original_of("doc", tmp_path)
    storage = opened()
    assert not unpacked.exists()
    assert storage.catalogue.meta(RESTORING) is None


def test_a_purge_that_cannot_be_recorded_leaves_the_file(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    kept = original_of("doc", tmp_path)
    storage._database.read().execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError):
        storage.purge("default", "doc")
    assert kept.exists()
    storage._database.read().execute("PRAGMA query_only = OFF")
    storage.purge("default", "doc")
    assert not kept.exists()
    assert storage.catalogue.purged() == []


def test_a_folder_that_fails_to_open_is_given_back(opened: Open, tmp_path: Path) -> None:
    opened().close()
    (tmp_path / "store" / "originals").write_text("no folder")
    with pytest.raises(StoreError, match="originals"):
        opened()
    (tmp_path / "store" / "originals").unlink()
    opened()


def test_a_storage_that_is_forgotten_gives_its_folder_back(settings: Settings) -> None:
    Storage(settings)
    gc.collect()
    Storage(settings).close()


def test_purging_the_last_document_takes_nothing_from_a_build_under_way(opened: Open) -> None:
    storage = opened()
    ingest(storage, "doc", "quixotry")
    under_way = storage.active("default")
    storage.purge("default", "doc")
    ingest(storage, "other", "locker")
    assert storage.active("default") is under_way
    assert found(storage, "locker") == (["other-1"], ["other-1"])


def test_purging_leaves_no_word_of_the_document_in_any_file(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    ingest(storage, "doc", "quixotry")
    ingest(storage, "other", "locker")
    storage = opened()

    storage.active("default").purge("doc")

    for file in (tmp_path / "store").rglob("*"):
        assert file.is_dir() or b"quixotry" not in file.read_bytes(), file
    assert found(storage, "locker") == (["other-1"], ["other-1"])


# ── models ──────────────────────────────────────────────────────────────────────────────────────


def test_ret_19_an_index_built_with_another_embedder_is_not_mixed_with_this_one(opened: Open) -> None:
    storage = opened()
    storage.note_models("one")
    storage.check_models("one")
    assert not storage.models_match("two")
    with pytest.raises(StoreMismatchError, match=r"'one'.*'two'.*doctor --rebuild"):
        opened().check_models("two")


def test_an_index_that_was_never_built_fits_every_embedder(opened: Open) -> None:
    storage = opened()
    storage.check_models("one")
    storage.check_models("two")
    assert storage.models_match("three")


def test_another_tokenizer_is_a_mismatch_too(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    opened().note_models("one")
    monkeypatch.setattr("prism.stores.storage.TOKENIZER_VERSION", "999")
    with pytest.raises(StoreMismatchError, match="tokenizer was"):
        opened().check_models("one")


def test_a_backup_is_not_restored_over_documents(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    archive = storage.backup(tmp_path / "one.zip")
    with pytest.raises(UsageError, match="holds documents already"):
        storage.restore(archive)


def test_a_backup_restored_elsewhere_holds_the_record_without_strange_files(
    opened: Open, tmp_path: Path
) -> None:
    storage = opened()
    ingest(storage, "d0c", "locker")
    storage.originals.keep("d0c", "aa", b"as it came")
    archive = storage.backup(tmp_path / "one.zip")

    elsewhere = Storage(load_settings(overlay={"storage.path": tmp_path / "two"}, environ={}))
    elsewhere.restore(archive)

    assert elsewhere.catalogue.active_generations("default") == {"d0c": 1}
    assert elsewhere.originals.path("d0c", "aa").read_text() == "as it came"
    elsewhere.close()


def test_sizes_are_told_per_part(opened: Open) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    sizes = storage.size_bytes()
    assert sizes.keys() == {"catalogue", "originals", "vectors", "keywords", "tokens"}
    assert sizes["catalogue"] > 0
    assert sizes["originals"] == 0


def test_dep_02_a_second_opener_is_refused_and_leaves_the_first_alone(
    opened: Open, settings: Settings
) -> None:
    first = opened()
    ingest(first, "doc", "rhubarb", shown=False)
    with pytest.raises(StoreBusyError, match="has it open already"):
        Storage(settings)
    assert first.catalogue.document("doc").status == "indexing"
    first.active("default").show("doc", 1)
    assert first.catalogue.document("doc").status == "active"


def test_a_folder_that_failed_to_open_is_free_again(opened: Open, settings: Settings) -> None:
    opened()
    opened().close()
    catalogue = settings.storage.path / "catalogue.sqlite"
    whole = catalogue.read_bytes()
    catalogue.write_bytes(b"not a catalogue" * 100)
    with pytest.raises(StoreDamagedError):
        Storage(settings)
    catalogue.write_bytes(whole)
    Storage(settings).close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_is_kept_from_its_parents_stores(opened: Open) -> None:
    storage = opened()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            storage.catalogue.workspaces()
        except StoreBusyError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as said:
        assert "Open Prism after forking" in said.read()
    assert storage.catalogue.workspaces() == []


# ── what a person or another program does to the folder ─────────────────────────────────────────


def test_a_restore_that_failed_costs_nothing_that_is_ingested_afterwards(
    opened: Open, tmp_path: Path
) -> None:
    storage = opened()
    (tmp_path / "bad.zip").write_text("no archive")
    with pytest.raises(UsageError):
        storage.restore(tmp_path / "bad.zip")
    ingest(storage, "doc", "locker")
    kept = original_of("doc", tmp_path)

    opened()

    assert kept.exists()


def test_a_restore_that_failed_leaves_no_file_of_its_archive(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as packed:
        packed.writestr("originals/d0c/aa", "a file")
        packed.writestr("catalogue.sqlite", "no catalogue")
    with pytest.raises(StoreDamagedError):
        storage.restore(tmp_path / "bad.zip")
    assert storage.originals.documents() == frozenset()
    assert storage.catalogue.meta(RESTORING) is None


@pytest.mark.parametrize("name", [".DS_Store", "Thumbs.db", "mine.zip"])
def test_a_strange_file_beside_the_files_kept_is_left_alone(opened: Open, tmp_path: Path, name: str) -> None:
    ingest(opened(), "doc", "locker")
    original_of("doc", tmp_path)
    strange = tmp_path / "store" / "originals" / name
    strange.write_text("of no interest")
    assert found(opened(), "locker") == (["doc-1"], ["doc-1"])
    assert strange.exists()


def test_leftovers_that_cannot_be_removed_do_not_keep_the_folder_shut(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    original_of("gone", tmp_path)
    storage.catalogue.set_meta({"purged:gone": "now"})

    def refused(*_: object, **__: object) -> None:
        raise StoreError("gone: cannot be removed")

    monkeypatch.setattr("prism.stores.originals.Originals.remove_document", refused)
    assert found(opened(), "locker") == (["doc-1"], ["doc-1"])
    assert "cannot be removed" in caplog.text


def test_a_relative_folder_stays_where_it_was_when_the_program_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    storage = Storage(load_settings(overlay={"storage.path": Path("store")}, environ={}))
    monkeypatch.chdir(tmp_path / "elsewhere")
    ingest(storage, "doc", "locker")
    seen: list[list[str]] = []
    thread = threading.Thread(target=lambda: seen.append(storage.catalogue.workspaces()))
    thread.start()
    thread.join()
    storage.close()
    assert seen == [["default"]]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_closed_folder_is_not_opened_again_by_a_question(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    storage.close()
    seal = tmp_path / "store" / "vectors" / SEAL_FILE
    assert seal.exists()
    with pytest.raises(StoreError, match="closed"):
        storage.active("default")
    assert seal.exists()


def test_what_is_ingested_anew_during_a_purge_keeps_its_file(opened: Open, tmp_path: Path) -> None:
    storage = opened()
    ingest(storage, "doc", "locker")
    old = original_of("doc", tmp_path).with_name("bb")
    old.write_text("of the version purged")
    storage.catalogue.purge("doc")
    ingest(storage, "doc", "keyhole")

    storage.remove_leftovers()

    assert [file.name for file in old.parent.iterdir()] == ["aa"]
    assert storage.catalogue.purged() == []
