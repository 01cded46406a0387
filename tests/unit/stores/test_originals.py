from __future__ import annotations

import os
from pathlib import Path

import pytest

from prism.errors import StoreDamagedError
from prism.stores.originals import Originals


@pytest.fixture
def originals(tmp_path: Path) -> Originals:
    return Originals(tmp_path / "originals")


@pytest.fixture
def keep(originals: Originals):
    def run(document_id: str, content_hash: str, content: str) -> Path:
        originals.keep(document_id, content_hash, content.encode())
        return originals.path(document_id, content_hash)

    return run


def test_a_file_is_kept_under_its_document_and_hash(originals: Originals, keep, tmp_path: Path) -> None:
    kept = keep("doc", "aa", "words")
    assert kept == tmp_path / "originals" / "doc" / "aa"
    assert kept.read_text() == "words"
    assert originals.size_bytes() == 5


def test_the_same_hash_is_copied_once(keep) -> None:
    first = keep("doc", "aa", "words")
    before = first.stat().st_mtime_ns
    keep("doc", "aa", "words")
    assert first.read_text() == "words"
    assert first.stat().st_mtime_ns == before


def test_a_copy_cut_short_leaves_nothing(tmp_path: Path) -> None:
    def full(boundary: str) -> None:
        if boundary == "originals: before keeping a file":
            raise OSError(28, "No space left on device")

    originals = Originals(tmp_path / "originals", full)
    with pytest.raises(OSError, match="No space"):
        originals.keep("doc", "aa", b"words")
    assert list((tmp_path / "originals" / "doc").iterdir()) == []


def test_earlier_versions_and_half_copies_go(originals: Originals, keep) -> None:
    old, new = keep("doc", "aa", "old"), keep("doc", "bb", "new")
    (old.parent / "cc.partial").write_text("half")

    originals.remove_others("doc", "bb")

    assert [file.name for file in new.parent.iterdir()] == ["bb"]
    originals.remove_others("unknown", "bb")


def test_one_version_can_be_removed(originals: Originals, keep) -> None:
    old, new = keep("doc", "aa", "old"), keep("doc", "bb", "new")
    originals.remove("doc", "aa")
    originals.remove("doc", "aa")
    assert (old.exists(), new.exists()) == (False, True)


def test_purging_a_document_takes_its_files_alone(originals: Originals, keep) -> None:
    gone, stays = keep("doc", "aa", "one"), keep("other", "aa", "two")
    originals.remove_document("doc")
    originals.remove_document("doc")
    assert (gone.parent.exists(), stays.exists()) == (False, True)


def test_what_a_dead_process_left_is_removed_and_nothing_else(originals: Originals, keep) -> None:
    originals.remove_replaced({"doc": {"bb"}})
    unknown, replaced, stays = keep("unknown", "aa", "1"), keep("doc", "bb", "2"), keep("doc", "aa", "3")
    partial = stays.with_suffix(".partial")
    partial.write_text("half")
    originals.remove_replaced({"doc": {"bb"}})
    assert (replaced.exists(), partial.exists()) == (False, False)
    assert (unknown.exists(), stays.exists()) == (True, True)


def test_documents_are_those_with_files(originals: Originals, keep) -> None:
    assert originals.documents() == frozenset()
    keep("one", "aa", "1")
    keep("two", "aa", "2").unlink()
    assert originals.documents() == {"one"}


def test_a_file_that_another_thread_removes_first_is_gone_all_the_same(
    originals: Originals, keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = keep("doc", "aa", "words")
    scandir = os.scandir

    def removed_meanwhile(folder):
        found = scandir(folder)
        kept.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(os, "scandir", removed_meanwhile)
    originals.remove_document("doc")
    assert not kept.parent.exists()


def test_while_held_single_files_stay_and_then_go(originals: Originals, keep) -> None:
    replaced, given_up, stays = keep("doc", "aa", "1"), keep("doc", "bb", "2"), keep("doc", "cc", "3")
    with originals.held(), originals.held():
        originals.remove("doc", "bb")
        originals.remove_others("doc", "cc")
        assert (replaced.exists(), given_up.exists()) == (True, True)
    assert (replaced.exists(), given_up.exists(), stays.exists()) == (False, False, True)


def test_a_file_kept_again_while_held_is_not_removed_afterwards(originals: Originals, keep) -> None:
    kept = keep("doc", "aa", "1")
    with originals.held():
        originals.remove("doc", "aa")
        keep("doc", "aa", "1")
    assert kept.exists()


def test_a_purge_does_not_wait_for_who_holds(originals: Originals, keep) -> None:
    kept = keep("doc", "aa", "1")
    with originals.held():
        originals.remove_others("doc", "bb")
        originals.remove_document("doc")
        assert not kept.exists()


def test_what_cannot_be_removed_after_all_does_not_fail_who_held(
    originals: Originals, keep, caplog: pytest.LogCaptureFixture
) -> None:
    stuck = keep("doc", "aa", "1")
    with originals.held():
        originals.remove("doc", "aa")
        stuck.unlink()
        stuck.mkdir()
    assert "stay until the next opening" in caplog.text


def test_a_copy_that_was_changed_is_put_right_by_keeping_the_same_again(tmp_path: Path) -> None:
    originals = Originals(tmp_path)
    originals.keep("doc", "aa", b"as it came")
    kept = originals.path("doc", "aa")
    for changed in (b"as it cane", b"shorter"):
        kept.write_bytes(changed)
        originals.keep("doc", "aa", b"as it came")
        assert kept.read_bytes() == b"as it came"


def test_all_but_what_is_wanted_is_removed_of_a_document(tmp_path: Path) -> None:
    originals = Originals(tmp_path)
    for name in ("aa", "bb"):
        originals.keep("doc", name, name.encode())
    originals.remove_document("doc", unless=lambda: {"bb"})
    assert [file.name for file in (tmp_path / "doc").iterdir()] == ["bb"]
    originals.remove_document("doc")
    assert originals.documents() == frozenset()


@pytest.mark.parametrize("name", ["", ".", "..", "../victim", "a/b"])
def test_names_that_would_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "victim").mkdir()
    originals = Originals(tmp_path / "originals")
    for touch in (originals.remove_document, lambda other: originals.path(other, "aa")):
        with pytest.raises(StoreDamagedError, match="elsewhere"):
            touch(name)
    assert (tmp_path / "victim").is_dir()
