from __future__ import annotations

import sqlite3

import pytest

from prism.stores.schema import FORMAT_VERSION, MIGRATIONS


@pytest.fixture
def tables() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA foreign_keys = ON")
    for statements in MIGRATIONS:
        connection.executescript(statements)
    return connection


def test_the_format_number_counts_the_migrations() -> None:
    assert len(MIGRATIONS) == FORMAT_VERSION


def test_a_name_stands_for_one_document_in_a_workspace(tables: sqlite3.Connection) -> None:
    add = "INSERT INTO documents (document_id, workspace, source_key, added_at) VALUES (?, ?, 'a.txt', '')"
    tables.execute(add, ("d1", "one"))
    tables.execute(add, ("d2", "two"))

    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        tables.execute(add, ("d3", "one"))


def test_every_table_that_belongs_to_a_document_goes_with_it(tables: sqlite3.Connection) -> None:
    tables.execute(
        "INSERT INTO documents (document_id, workspace, source_key, added_at) VALUES ('d', 'w', 'a', '')"
    )
    tables.execute(
        "INSERT INTO versions (document_id, generation, version, content_hash, state, title, media_type, "
        "page_count, bytes, created_at, text) VALUES ('d', 1, 'v', 'h', 'live', '', '', 1, 0, '', '')"
    )
    tables.execute("INSERT INTO pages VALUES ('d', 1, 0, 1, '1', 0, 0)")
    tables.execute("INSERT INTO nodes VALUES ('n', 'd', 1, 0, 0, NULL, 0, 0, 0, 1, '', '')")
    tables.execute("INSERT INTO leaf_tokens VALUES ('n', '')")

    tables.execute("DELETE FROM documents")

    for table in ("versions", "pages", "nodes", "leaf_tokens"):
        assert tables.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_a_state_that_is_not_known_is_refused(tables: sqlite3.Connection) -> None:
    tables.execute(
        "INSERT INTO documents (document_id, workspace, source_key, added_at) VALUES ('d', 'w', 'a', '')"
    )
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        tables.execute(
            "INSERT INTO versions (document_id, generation, version, content_hash, state, title, media_type, "
            "page_count, bytes, created_at, text) VALUES ('d', 1, 'v', 'h', 'half', '', '', 1, 0, '', '')"
        )


def test_jobs_of_the_first_format_are_kept_and_those_never_ended_were_interrupted() -> None:
    tables = sqlite3.connect(":memory:")
    tables.execute("PRAGMA foreign_keys = ON")
    tables.executescript(MIGRATIONS[0])
    tables.execute("INSERT INTO jobs VALUES ('ended', 'w', 't0', 't1'), ('cut', 'w', 't2', NULL)")
    tables.execute(
        "INSERT INTO job_files VALUES ('ended', 0, 'a.txt', 'd', 'added', ''), "
        "('cut', 0, 'b.txt', NULL, 'waiting', '')"
    )

    tables.executescript(MIGRATIONS[1])

    assert tables.execute("SELECT job_id, state FROM jobs ORDER BY 1").fetchall() == [
        ("cut", "interrupted"),
        ("ended", "done"),
    ]
    rows = tables.execute("SELECT job_id, path, source_key, document_id, status FROM job_files ORDER BY 1")
    assert rows.fetchall() == [
        ("cut", b"", "b.txt", None, "waiting"),
        ("ended", b"", "a.txt", "d", "added"),
    ]
    tables.execute("DELETE FROM jobs")
    assert tables.execute("SELECT count(*) FROM job_files").fetchone() == (0,)
    assert tables.execute("PRAGMA foreign_key_check").fetchall() == []
