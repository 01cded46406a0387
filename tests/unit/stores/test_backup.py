from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from prism.errors import StoreError, UsageError
from prism.stores.backup import read_backup, write_backup
from prism.stores.catalogue import Catalogue
from prism.stores.database import Database


@pytest.fixture
def originals(tmp_path: Path) -> Path:
    kept = tmp_path / "store" / "originals" / "d0c" / "aa"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"as it came")
    return kept.parent.parent


@pytest.fixture
def archive(database: Database, originals: Path, show, tmp_path: Path) -> Path:
    show("d0c", "kept text")
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
    assert (tmp_path / "empty" / "originals" / "d0c" / "aa").read_bytes() == b"as it came"


def test_an_existing_file_is_never_overwritten(archive: Path, database: Database, originals: Path) -> None:
    before = archive.read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        write_backup(database, originals, archive)
    assert archive.read_bytes() == before
    assert [file.name for file in archive.parent.iterdir()] == ["one.zip"]


def test_a_place_that_cannot_be_written_is_named(database: Database, originals: Path, tmp_path: Path) -> None:
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
        at = packed.getinfo("originals/d0c/aa").header_offset + 30 + len("originals/d0c/aa")
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
