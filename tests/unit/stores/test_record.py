"""A record that is lost is not begun anew, and the way back is named."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from prism.errors import StoreDamagedError
from prism.stores.database import Database
from prism.stores.record import LAST_BACKUP_FILE, PURGED, RESTORING, check_record, note_backup, way_back


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    """An empty catalogue in a folder without originals."""
    file = tmp_path / "store" / "catalogue.sqlite"
    Database(file).close()
    return file


def keep(catalogue: Path, name: str = "originals") -> None:
    (catalogue.parent / name / "doc").mkdir(parents=True)
    (catalogue.parent / name / "doc" / "aa").write_text("words")


def change(catalogue: Path, statement: str, *values: str) -> None:
    with closing(sqlite3.connect(catalogue)) as connection, connection:
        connection.execute(statement, values)


def test_a_new_folder_is_no_lost_record(tmp_path: Path, catalogue: Path) -> None:
    check_record(tmp_path / "new" / "catalogue.sqlite")
    check_record(catalogue)
    (catalogue.parent / "originals" / "doc").mkdir(parents=True)
    check_record(catalogue)


@pytest.mark.parametrize("name", ["originals", "keywords"])
def test_a_missing_or_empty_catalogue_beside_its_files_is_refused(catalogue: Path, name: str) -> None:
    keep(catalogue, name)
    catalogue.write_bytes(b"")
    with pytest.raises(StoreDamagedError, match=rf"is empty, but {name}/ is there"):
        check_record(catalogue)
    catalogue.unlink()
    with pytest.raises(StoreDamagedError, match=rf"is missing, but {name}/ is there"):
        check_record(catalogue)


def test_a_catalogue_that_knows_no_document_beside_originals_is_refused(catalogue: Path) -> None:
    keep(catalogue)
    before = catalogue.read_bytes()
    with pytest.raises(StoreDamagedError, match=r"knows no document.*-wal"):
        check_record(catalogue)
    assert catalogue.read_bytes() == before


def test_a_catalogue_without_tables_beside_originals_is_refused(catalogue: Path) -> None:
    keep(catalogue)
    catalogue.unlink()
    change(catalogue, "PRAGMA application_id = 1")
    with pytest.raises(StoreDamagedError, match="knows no document"):
        check_record(catalogue)


def test_one_document_is_enough(catalogue: Path) -> None:
    keep(catalogue)
    change(
        catalogue,
        "INSERT INTO documents (document_id, workspace, source_key, added_at) VALUES ('d', 'w', 'a', 'now')",
    )
    check_record(catalogue)


@pytest.mark.parametrize("key", [f"{PURGED}doc", RESTORING])
def test_the_files_of_the_last_document_purged_or_of_a_restore_cut_short_are_no_loss(
    catalogue: Path, key: str
) -> None:
    keep(catalogue)
    change(catalogue, "INSERT INTO meta VALUES (?, '')", key)
    check_record(catalogue)


def test_the_words_left_of_documents_purged_are_no_loss(catalogue: Path) -> None:
    keep(catalogue, "keywords")
    check_record(catalogue)


def test_what_is_no_catalogue_at_all_is_left_to_whoever_opens_it(catalogue: Path) -> None:
    keep(catalogue)
    catalogue.write_bytes(b"x" * 5000)
    check_record(catalogue)
    catalogue.unlink()
    catalogue.mkdir()
    (catalogue / "file").write_text("")
    check_record(catalogue)


def test_the_last_backup_is_named_with_the_command(tmp_path: Path) -> None:
    archive = tmp_path / "my backup.zip"
    archive.write_bytes(b"")
    note_backup(tmp_path, archive)
    assert way_back(tmp_path).endswith(f"prism --storage NEW_FOLDER restore '{archive}'")


@pytest.mark.parametrize("noted", [None, "", "{", "[]", '{"archive": 3}', '{"archive": "/no/such.zip"}'])
def test_without_a_backup_copies_of_migrations_are_named_and_then_the_originals(
    tmp_path: Path, noted: str | None
) -> None:
    if noted is not None:
        (tmp_path / LAST_BACKUP_FILE).write_text(noted)
    assert "originals" in way_back(tmp_path)
    (tmp_path / "catalogue.format1.backup").write_bytes(b"")
    assert "catalogue.format1.backup" in way_back(tmp_path)


def test_a_backup_that_cannot_be_noted_is_a_good_backup(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / f"{LAST_BACKUP_FILE}.new").mkdir()
    note_backup(tmp_path, tmp_path / "a.zip")
    assert "could not be noted" in caplog.text
    note_backup(tmp_path / "gone", tmp_path / "a.zip")


def test_the_newest_backup_replaces_the_one_noted_before(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        (tmp_path / name).write_bytes(b"")
        note_backup(tmp_path, tmp_path / name)
    assert json.loads((tmp_path / LAST_BACKUP_FILE).read_text())["archive"].endswith("two.zip")
