"""A catalogue file seen from outside: its format, and one value written and read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from prism.stores.database import Database


def value(database: Database, key: str = "k") -> str | None:
    row = database.read().execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row["value"])


def put(database: Database, text: str, key: str = "k") -> None:
    with database.write() as connection:
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, text))


def format_of(file: Path) -> int:
    connection = sqlite3.connect(file)
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    connection.close()
    return found
