from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from prism.errors import StoreError
from prism.stores import migrate as module
from prism.stores.database import Database
from prism.stores.schema import FORMAT_VERSION, MIGRATIONS
from tests.catalogue_file import format_of, put, value


def test_an_older_format_is_backed_up_and_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.sqlite"
    old = Database(file)
    put(old, "kept")
    old.close()
    later = (*MIGRATIONS, "CREATE TABLE extra (x INTEGER) STRICT")
    monkeypatch.setattr(module, "MIGRATIONS", later)
    monkeypatch.setattr(module, "FORMAT_VERSION", len(later))

    new = Database(file)

    assert value(new) == "kept"
    assert new.read().execute("SELECT count(*) FROM extra").fetchone()[0] == 0
    new.close()
    assert format_of(file) == FORMAT_VERSION + 1
    backup = tmp_path / f"c.format{FORMAT_VERSION}.backup"
    assert format_of(backup) == FORMAT_VERSION


def test_a_step_that_fails_leaves_the_older_format_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.sqlite"
    old = Database(file)
    put(old, "kept")
    old.close()
    with monkeypatch.context() as patched:
        broken = (*MIGRATIONS, "CREATE TABLE extra (x INTEGER) STRICT; SELECT no_such_function()")
        patched.setattr(module, "MIGRATIONS", broken)
        patched.setattr(module, "FORMAT_VERSION", len(broken))
        with pytest.raises(StoreError):
            Database(file)

    again = Database(file)
    assert value(again) == "kept"
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        again.read().execute("SELECT * FROM extra")
    again.close()
