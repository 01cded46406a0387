"""Names and errors on the way to Chroma."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from chromadb.errors import InternalError, InvalidArgumentError

from prism.errors import StoreDamagedError, StoreError, StoreMismatchError
from prism.stores.chroma import check_database, collection_name, guard

FOLDER = Path("vectors")


@pytest.mark.parametrize(
    ("workspace", "name"),
    [
        ("default", "workspace-default-leaves"),
        ("a.b", "workspace-a_2e_b-leaves"),
        ("a_b", "workspace-a_5f_b-leaves"),
        ("..", "workspace-_2e__2e_-leaves"),
        ("-", "workspace---leaves"),
    ],
)
def test_a_workspace_name_becomes_a_name_chroma_accepts(workspace: str, name: str) -> None:
    assert collection_name(workspace) == name


def test_workspaces_never_share_a_collection() -> None:
    names = ["a.b", "a_b", "a-b", "a..b", "A.b", "a_2e_b", "a.b.", "_", "__", "_5f_"]
    assert len({collection_name(name) for name in names}) == len(names)


def test_the_longest_workspace_name_stays_within_chromas_limit() -> None:
    assert len(collection_name("." * 64)) <= 512


def raising(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (
            InvalidArgumentError("Collection expecting embedding with dimension of 4, got 3"),
            StoreMismatchError,
        ),
        (InternalError("file is not a database"), StoreDamagedError),
        (AttributeError("'RustBindingsAPI' object has no attribute 'bindings'"), StoreError),
    ],
)
def test_chromas_errors_become_ours_and_name_the_folder(theirs: Exception, ours: type[StoreError]) -> None:
    with pytest.raises(ours, match="vectors"):
        guard(FOLDER, lambda: raising(theirs))


def test_a_fault_of_our_own_is_not_dressed_up_as_a_store_error() -> None:
    with pytest.raises(AttributeError, match="elsewhere"):
        guard(FOLDER, lambda: raising(AttributeError("elsewhere")))


@pytest.mark.parametrize(
    "said",
    [
        "error returned from database: (code: 13) database or disk is full",
        "error returned from database: (code: 14) unable to open database file",
        "No space left on device (os error 28)",
        "Permission denied (os error 13)",
        "attempt to write a readonly database",
    ],
)
def test_a_full_disk_or_a_closed_door_is_no_damage(said: str) -> None:
    with pytest.raises(StoreError, match="free space and permissions") as caught:
        guard(FOLDER, lambda: raising(InternalError(said)))
    assert not isinstance(caught.value, StoreDamagedError)


def test_a_panic_is_damage_and_no_other_base_exception_is_caught() -> None:
    class PanicException(BaseException):
        """As pyo3 names it."""

    def panic() -> None:
        raise PanicException("index out of bounds")

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(StoreDamagedError, match="index out of bounds"):
        guard(FOLDER, panic)
    with pytest.raises(KeyboardInterrupt):
        guard(FOLDER, stop)


def test_a_sound_database_passes_and_garbage_does_not(tmp_path: Path) -> None:
    file = tmp_path / "chroma.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.executemany("INSERT INTO t VALUES (?)", [("word" * 100,) for _ in range(100)])
        connection.commit()
    check_database(file)
    content = file.read_bytes()
    for harmed in (
        b"garbage" * 1000,
        content[: len(content) // 2],
        content[:4096] + bytes(len(content) - 4096),
    ):
        file.write_bytes(harmed)
        with pytest.raises(ValueError, match=r"chroma\.sqlite3"):
            check_database(file)
    file.unlink()
    file.mkdir()
    with pytest.raises(ValueError, match="no file"):
        check_database(file)
