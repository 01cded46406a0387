from __future__ import annotations

import gc
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from prism.errors import StoreDamagedError, StoreError
from prism.stores.database import Database, in_batches
from prism.stores.schema import FORMAT_VERSION
from tests.catalogue_file import format_of, put, value


def test_a_new_file_gets_todays_format(database: Database) -> None:
    assert format_of(database.file) == FORMAT_VERSION


def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    first = Database(tmp_path / "c.sqlite")
    put(first, "kept")
    first.close()

    again = Database(tmp_path / "c.sqlite")
    assert value(again) == "kept"
    again.close()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_block_that_raises_leaves_nothing_and_the_next_one_works(
    database: Database, error: type[BaseException]
) -> None:
    put(database, "before")

    def write_half() -> None:
        with database.write() as connection:
            connection.execute("UPDATE meta SET value = 'half'")
            raise error

    with pytest.raises(error):
        write_half()

    assert value(database) == "before"
    put(database, "after")
    assert value(database) == "after"


def test_a_commit_that_fails_is_rolled_back(database: Database) -> None:
    put(database, "before")

    def write_a_page_of_nobody() -> None:
        with database.write() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            connection.execute("UPDATE meta SET value = 'half'")
            connection.execute("INSERT INTO pages VALUES ('nobody', 1, 0, 1, '1', 0, 0)")

    with pytest.raises(sqlite3.IntegrityError):
        write_a_page_of_nobody()

    assert value(database) == "before"
    put(database, "after")
    assert value(database) == "after"


def test_a_rollback_that_sqlite_did_by_itself_does_not_hide_the_error(database: Database) -> None:
    def write_on_a_full_disk() -> None:
        with database.write() as connection:
            connection.execute("ROLLBACK")
            raise ValueError("the real one")

    with pytest.raises(ValueError, match="the real one"):
        write_on_a_full_disk()


def test_readers_see_the_last_commit_while_a_write_is_under_way(database: Database) -> None:
    put(database, "old")
    with database.write() as connection, ThreadPoolExecutor(1) as other:
        connection.execute("UPDATE meta SET value = 'new'")
        assert other.submit(value, database).result(timeout=5) == "old"
    assert value(database) == "new"


def test_writes_of_many_threads_come_one_after_another(database: Database) -> None:
    put(database, "0")

    def add_one(_: int) -> None:
        with database.write() as connection:
            count = int(connection.execute("SELECT value FROM meta").fetchone()[0])
            connection.execute("UPDATE meta SET value = ?", (str(count + 1),))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add_one, range(40)))

    assert value(database) == "40"


def test_a_threads_connection_is_closed_when_the_thread_ends(database: Database) -> None:
    held: list[sqlite3.Connection] = []
    for _ in range(5):
        thread = threading.Thread(target=lambda: held.append(database.read()))
        thread.start()
        thread.join()
    gc.collect()

    for connection in held:
        with pytest.raises(StoreError, match="closed"):
            connection.execute("SELECT 1")


def test_closing_reaches_the_connections_of_threads_still_alive(tmp_path: Path) -> None:
    database = Database(tmp_path / "c.sqlite")
    ready, end = threading.Event(), threading.Event()
    held: list[sqlite3.Connection] = []

    def work() -> None:
        held.append(database.read())
        ready.set()
        end.wait(5)

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait(5)
    database.close()

    with pytest.raises(StoreError, match="closed"):
        held[0].execute("SELECT 1")
    end.set()
    thread.join()


def test_text_that_is_no_utf8_any_more_is_damage(database: Database) -> None:
    put(database, "kept")
    database.read().execute("UPDATE meta SET value = CAST(x'ff41' AS TEXT)")
    with pytest.raises(StoreDamagedError, match=r"catalogue is damaged.*UTF-8"):
        database.read().execute("SELECT value FROM meta").fetchone()


def test_closing_leaves_one_file_with_no_log_beside_it(tmp_path: Path) -> None:
    database = Database(tmp_path / "c.sqlite")
    put(database, "kept")
    database.close()

    assert [file.name for file in tmp_path.iterdir()] == ["c.sqlite"]


def test_a_file_of_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "c.sqlite"
    Database(file).close()
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    connection.close()

    with pytest.raises(StoreError, match=f"format {FORMAT_VERSION + 1}.*Upgrade"):
        Database(file)
    assert format_of(file) == FORMAT_VERSION + 1


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    file = tmp_path / "c.sqlite"
    file.write_bytes(b"not a database at all" * 100)

    with pytest.raises(StoreDamagedError, match=r"c\.sqlite.*backup"):
        Database(file)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreError, match="--storage"):
        Database(tmp_path / "file" / "c.sqlite")


def test_a_copy_holds_what_was_committed(database: Database, tmp_path: Path) -> None:
    put(database, "kept")
    database.copy_to(tmp_path / "copy.sqlite")

    copy = Database(tmp_path / "copy.sqlite")
    assert value(copy) == "kept"
    copy.close()


def test_content_is_taken_over_from_another_catalogue(database: Database, tmp_path: Path) -> None:
    other = Database(tmp_path / "other.sqlite")
    put(other, "from the other")
    other.close()

    database.replace_with(tmp_path / "other.sqlite")

    assert value(database) == "from the other"
    put(database, "still writable")
    assert value(database) == "still writable"


def newer(file: Path) -> None:
    Database(file).close()
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    connection.close()


def foreign(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE meta (key, value)")
    connection.close()


def rubbish(file: Path) -> None:
    file.write_bytes(b"rubbish " * 1000)


def torn(file: Path) -> None:
    Database(file).close()
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(bytes(content))


@pytest.mark.parametrize("make", [newer, foreign, rubbish, torn])
def test_content_that_cannot_be_used_changes_nothing(database: Database, tmp_path: Path, make) -> None:
    put(database, "before")
    make(tmp_path / "other.sqlite")

    with pytest.raises(StoreError):
        database.replace_with(tmp_path / "other.sqlite")
    assert value(database) == "before"


def test_deleted_words_are_overwritten_in_file_and_log(database: Database) -> None:
    put(database, "quixotry " * 5000)
    with database.write() as connection:
        connection.execute("DELETE FROM meta")
    database.shrink_log()

    for file in database.file.parent.iterdir():
        assert b"quixotry" not in file.read_bytes(), file.name


def test_batches_hold_distinct_values_in_order_and_fit_a_statement() -> None:
    values = [str(number) for number in range(501)]

    first, second = in_batches([*values, *values])

    assert first == values[:500]
    assert second == ["500"]
    assert list(in_batches([])) == []


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (sqlite3.OperationalError("database or disk is full"), "full.*nothing was changed.*free space"),
        (sqlite3.DatabaseError("database disk image is malformed"), "damaged.*restore FILE"),
    ],
)
def test_a_failure_of_the_disk_is_told_in_our_words_and_undone(
    database: Database, failure: Exception, told: str
) -> None:
    put(database, "before")

    def write_and_fail() -> None:
        with database.write() as connection:
            connection.execute("UPDATE meta SET value = 'after'")
            raise failure

    with pytest.raises(StoreError, match=told):
        write_and_fail()
    assert value(database) == "before"


def test_a_broken_constraint_is_no_failure_of_the_disk(database: Database) -> None:
    with pytest.raises(sqlite3.IntegrityError), database.write() as connection:
        connection.execute("INSERT INTO meta VALUES ('k', NULL)")


def test_closing_while_threads_read_ends_each_with_a_word(database: Database) -> None:
    put(database, "kept")
    ended: list[str] = []

    def read_on() -> None:
        try:
            while True:
                database.read().execute("SELECT value FROM meta").fetchall()
        except StoreError as error:
            ended.append(str(error))

    threads = [threading.Thread(target=read_on) for _ in range(6)]
    for thread in threads:
        thread.start()
    database.close()
    for thread in threads:
        thread.join()
    assert len(ended) == 6
    assert all("was closed" in told for told in ended)


def test_a_log_that_another_program_reads_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = Database(tmp_path / "c.sqlite")
    put(database, "kept")
    other = sqlite3.connect(tmp_path / "c.sqlite")
    other.execute("BEGIN")
    other.execute("SELECT value FROM meta").fetchall()
    put(database, "later")
    database.read().execute("PRAGMA busy_timeout = 10")
    database.shrink_log()
    assert "another program reads it" in caplog.text
    other.close()
    database.close()
