from __future__ import annotations

import os
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from prism.errors import StoreDamagedError, StoreError, UsageError
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
    left = tmp_path / ".one.zip.unfinished"
    left.mkdir()
    (left / "archive.zip").write_text("half")
    mine = tmp_path / "one.zip.partial"
    mine.write_text("a file of somebody's own")

    archive = write_backup(database, originals, tmp_path / "one.zip")

    assert zipfile.is_zipfile(archive)
    assert {file.name for file in tmp_path.glob("*one.zip*")} == {"one.zip", mine.name}


def test_a_damaged_record_is_not_backed_up(database: Database, originals: Originals, tmp_path: Path) -> None:
    with database.write() as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 999 WHERE name = 'pages'")
    with pytest.raises(StoreDamagedError, match=r"catalogue\.sqlite: not backed up.*prism doctor"):
        write_backup(database, originals, tmp_path / "one.zip")
    assert list(tmp_path.glob("*one.zip*")) == []


def test_a_kept_file_that_is_lost_is_named(
    database: Database, originals: Originals, keep, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lost = keep("d0c", "kept text")
    lost.unlink()
    write_backup(database, originals, tmp_path / "one.zip")
    assert str(lost) in caplog.text


@pytest.mark.parametrize("name", ["../../elsewhere", "a/b", ".hidden", ""])
def test_an_archive_whose_workspace_would_lead_elsewhere_is_refused(
    database: Database, originals: Originals, show, empty: Database, tmp_path: Path, name: str
) -> None:
    show("d0c", "kept text")
    archive = write_backup(database, originals, tmp_path / "one.zip")
    _change_record(archive, "UPDATE documents SET workspace = ?", name)
    with pytest.raises(StoreDamagedError, match="cannot name a workspace"):
        read_backup(empty, tmp_path / "empty" / "originals", archive)
    assert Catalogue(empty).workspaces() == []


def _change_record(archive: Path, statement: str, value: str) -> None:
    record = archive.with_name("changed.sqlite")
    with zipfile.ZipFile(archive) as packed:
        record.write_bytes(packed.read("catalogue.sqlite"))
    with closing(sqlite3.connect(record)) as connection:
        connection.execute(statement, (value,))
        connection.commit()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(record, "catalogue.sqlite")


def _pack(archive: Path, method: int, flag: int = 0) -> None:
    """An archive whose entry says that it is packed so, or locked by a password."""
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("catalogue.sqlite", b"x" * 100)
    content = bytearray(archive.read_bytes())
    for signature, flag_at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(signature) + flag_at
        content[at : at + 4] = flag.to_bytes(2, "little") + method.to_bytes(2, "little")
    archive.write_bytes(content)


@pytest.mark.parametrize(
    ("method", "flag"),
    [(zipfile.ZIP_STORED, 1), (zipfile.ZIP_DEFLATED, 0), (zipfile.ZIP_LZMA, 0), (97, 0)],
    ids=["locked", "broken deflate", "broken lzma", "unknown method"],
)
def test_an_archive_that_cannot_be_unpacked_is_told(
    empty: Database, tmp_path: Path, method: int, flag: int
) -> None:
    _pack(tmp_path / "x.zip", method, flag)
    with pytest.raises(StoreDamagedError, match="another backup"):
        read_backup(empty, tmp_path / "originals", tmp_path / "x.zip")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_folder_is_no_archive(empty: Database, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    for file in (tmp_path / "pipe.zip", tmp_path):
        with pytest.raises(UsageError, match="not a backup"):
            read_backup(empty, tmp_path / "originals", file)


def test_files_that_no_version_of_the_record_has_stay_out(
    database: Database, originals: Originals, keep, tmp_path: Path
) -> None:
    kept = keep("d0c", "kept text")
    (kept.parent / "stray.partial").write_text("half")
    archive = write_backup(database, originals, tmp_path / "one.zip")
    with zipfile.ZipFile(archive) as packed:
        assert packed.namelist() == ["catalogue.sqlite", f"originals/d0c/{kept.name}"]
