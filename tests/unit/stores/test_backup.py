from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from prism.errors import StoreError, UsageError
from prism.stores.backup import read_backup, write_backup
from prism.stores.catalogue import Catalogue
from prism.stores.database import Database
from prism.stores.originals import Originals

HASH = b"kept text".hex()


@pytest.fixture
def originals(tmp_path: Path) -> Originals:
    return Originals(tmp_path / "store" / "originals")


@pytest.fixture
def keep(database: Database, originals: Originals, show) -> Callable[[str, str], Path]:
    """`keep(document_id, text)` shows a document and keeps its original; gives the kept file."""

    def run(document_id: str, text: str) -> Path:
        hashed = Catalogue(database).content_hash(document_id, show(document_id, text))
        originals.keep(document_id, hashed, text.encode())
        return originals.path(document_id, hashed)

    return run


@pytest.fixture
def archive(database: Database, originals: Originals, keep, tmp_path: Path) -> Path:
    keep("d0c", "kept text")
    return write_backup(database, originals, tmp_path / "backups" / "one.zip")


@pytest.fixture
def empty(tmp_path: Path):
    database = Database(tmp_path / "empty" / "catalogue.sqlite")
    yield database
    database.close()


def test_record_and_files_come_back(archive: Path, empty: Database, tmp_path: Path) -> None:
    read_backup(empty, tmp_path / "empty" / "originals", archive)

    assert Catalogue(empty).active_generations("default") == {"d0c": 1}
    assert Catalogue(empty).text("d0c", 1) == "kept text"
    assert (tmp_path / "empty" / "originals" / "d0c" / HASH).read_text() == "kept text"


def test_an_existing_file_is_never_overwritten(
    archive: Path, database: Database, originals: Originals
) -> None:
    before = archive.read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        write_backup(database, originals, archive)
    assert archive.read_bytes() == before
    assert [file.name for file in archive.parent.iterdir()] == ["one.zip"]


def test_a_place_that_cannot_be_written_is_named(
    database: Database, originals: Originals, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"x\.zip.*could not be written"):
        write_backup(database, originals, tmp_path / "file" / "x.zip")


@pytest.mark.parametrize("content", [b"", b"no zip at all"])
def test_a_file_that_is_no_archive_is_refused(empty: Database, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(UsageError, match="not a backup"):
        read_backup(empty, tmp_path / "originals", tmp_path / "x.zip")


def test_an_archive_of_something_else_is_refused(empty: Database, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as other:
        other.writestr("letter.txt", "hello")
    with pytest.raises(UsageError, match="holds no catalogue"):
        read_backup(empty, tmp_path / "originals", tmp_path / "x.zip")


def test_a_damaged_catalogue_in_it_leaves_the_record_alone(empty: Database, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as broken:
        broken.writestr("catalogue.sqlite", b"rubbish" * 1000)
    with pytest.raises(StoreError, match="Try another backup"):
        read_backup(empty, tmp_path / "originals", tmp_path / "x.zip")
    assert Catalogue(empty).workspaces() == []


def test_a_damaged_file_in_it_leaves_the_record_alone(archive: Path, empty: Database, tmp_path: Path) -> None:
    content = archive.read_bytes()
    with zipfile.ZipFile(archive) as packed:
        at = packed.getinfo(f"originals/d0c/{HASH}").header_offset + 30 + len(f"originals/d0c/{HASH}")
    archive.write_bytes(content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :])

    with pytest.raises(StoreError, match="Try another backup"):
        read_backup(empty, tmp_path / "empty" / "originals", archive)
    assert Catalogue(empty).workspaces() == []


def test_ing_39_names_that_climb_out_are_left_in_the_archive(
    archive: Path, empty: Database, tmp_path: Path
) -> None:
    with zipfile.ZipFile(archive, "a") as packed:
        for name in ("originals/../../evil", "/etc/evil", "originals/d0c/../evil", "originals\\d0c\\evil"):
            packed.writestr(name, "evil")

    read_backup(empty, tmp_path / "empty" / "originals", archive)

    assert not list(tmp_path.rglob("*evil*"))


def test_what_is_replaced_while_a_backup_is_written_is_in_it_and_then_goes(
    database: Database, originals: Originals, keep, tmp_path: Path
) -> None:
    first, second = keep("d0c", "first text"), tmp_path / "none"

    def replace(boundary: str) -> None:
        nonlocal second
        if boundary == "backup: after copying the record":
            second = keep("d0c", "second text")
            originals.remove_others("d0c", second.name)

    archive = write_backup(database, originals, tmp_path / "one.zip", replace)

    with zipfile.ZipFile(archive) as packed:
        assert packed.namelist() == ["catalogue.sqlite", f"originals/d0c/{first.name}"]
    assert (first.exists(), second.exists()) == (False, True)


def test_what_is_purged_while_a_backup_is_written_goes_at_once(
    database: Database, originals: Originals, keep, tmp_path: Path
) -> None:
    purged, stays = keep("aa", "purged text"), keep("bb", "kept text")

    def purge(boundary: str) -> None:
        if boundary == "backup: after copying the record":
            originals.remove_document("aa")
            assert not purged.exists()

    archive = write_backup(database, originals, tmp_path / "one.zip", purge)

    with zipfile.ZipFile(archive) as packed:
        assert packed.namelist() == ["catalogue.sqlite", f"originals/bb/{stays.name}"]


def test_what_a_killed_backup_left_is_overwritten_and_nothing_stays_beside_the_archive(
    database: Database, originals: Originals, keep, tmp_path: Path
) -> None:
    keep("d0c", "kept text")
    for ending in ("partial", "catalogue"):
        (tmp_path / f"one.zip.{ending}").write_text("half")

    archive = write_backup(database, originals, tmp_path / "one.zip")

    assert zipfile.is_zipfile(archive)
    assert [file.name for file in tmp_path.glob("one.zip*")] == ["one.zip"]


def test_files_that_no_version_of_the_record_has_stay_out(
    database: Database, originals: Originals, keep, tmp_path: Path
) -> None:
    kept = keep("d0c", "kept text")
    (kept.parent / "stray.partial").write_text("half")
    archive = write_backup(database, originals, tmp_path / "one.zip")
    with zipfile.ZipFile(archive) as packed:
        assert packed.namelist() == ["catalogue.sqlite", f"originals/d0c/{kept.name}"]
