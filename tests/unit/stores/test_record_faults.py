"""Each query against a record made by an ingest is tried in `test_doctor.py`; here the file as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism.errors import StoreDamagedError
from prism.stores.database import Database
from prism.stores.record_faults import record_faults


def test_an_empty_record_has_no_fault(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.sqlite")
    assert record_faults(database.read()) == []
    database.close()


def test_rows_that_refer_to_nothing_are_counted_by_table(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.sqlite")
    connection = database.read()
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("INSERT INTO leaf_tokens VALUES ('a', 'x'), ('b', 'y')")
    (fault,) = record_faults(connection)
    assert (fault.kind, fault.document_id) == ("reference", "")
    assert fault.what == "2 rows refer to rows that are gone (leaf_tokens)"
    database.close()


def test_a_page_of_garbage_is_found(tmp_path: Path) -> None:
    file = tmp_path / "catalogue.sqlite"
    database = Database(file)
    with database.write() as connection:
        connection.executemany("INSERT INTO meta VALUES (?, ?)", [(str(n), "x" * 500) for n in range(200)])
    database.shrink_log()
    database.close()
    content = bytearray(file.read_bytes())
    content[-8192:-4096] = b"\xff" * 4096
    file.write_bytes(content)
    database = Database(file)
    with pytest.raises(StoreDamagedError, match="restore"):
        record_faults(database.read())
    database.close()


def test_what_sqlite_finds_is_a_fault_of_the_file(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.sqlite")
    connection = database.read()
    connection.execute("INSERT INTO documents VALUES ('doc', 'default', 'a.txt', 1, NULL, '')")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(
        "UPDATE sqlite_schema SET sql = replace(sql, 'is_active IN (0, 1)', 'is_active IN (2)') "
        "WHERE name = 'documents'"
    )
    database.close()
    database = Database(tmp_path / "catalogue.sqlite")
    (fault,) = record_faults(database.read())
    assert (fault.kind, fault.what) == ("file", "CHECK constraint failed in documents")
    database.close()
