"""The catalogue's tables and the steps that bring an older one up to date.

`storage/README.md` describes the same tables for people. A new format appends to `MIGRATIONS`; nothing
in the list is ever edited.
"""

from __future__ import annotations

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE meta (
        key   TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT;

    CREATE TABLE documents (
        document_id     TEXT PRIMARY KEY,
        workspace       TEXT NOT NULL,
        source_key      TEXT NOT NULL,
        is_active       INTEGER NOT NULL DEFAULT 0 CHECK (is_active IN (0, 1)),
        live_generation INTEGER,
        added_at        TEXT NOT NULL,
        UNIQUE (workspace, source_key)
    ) STRICT;

    CREATE TABLE versions (
        document_id  TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
        generation   INTEGER NOT NULL,
        version      TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        state        TEXT NOT NULL
                     CHECK (state IN ('building', 'live', 'superseded', 'failed', 'interrupted')),
        reason       TEXT NOT NULL DEFAULT '',
        title        TEXT NOT NULL,
        media_type   TEXT NOT NULL,
        page_count   INTEGER NOT NULL,
        leaves       INTEGER NOT NULL DEFAULT 0,
        bytes        INTEGER NOT NULL,
        warnings     TEXT NOT NULL DEFAULT '[]',
        created_at   TEXT NOT NULL,
        text         TEXT NOT NULL,
        PRIMARY KEY (document_id, generation)
    ) STRICT;

    CREATE TABLE pages (
        document_id TEXT NOT NULL,
        generation  INTEGER NOT NULL,
        ordinal     INTEGER NOT NULL,
        sheet       INTEGER NOT NULL,
        label       TEXT NOT NULL,
        start       INTEGER NOT NULL,
        end         INTEGER NOT NULL,
        PRIMARY KEY (document_id, generation, ordinal),
        FOREIGN KEY (document_id, generation) REFERENCES versions ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE nodes (
        node_id     TEXT PRIMARY KEY,
        document_id TEXT NOT NULL,
        generation  INTEGER NOT NULL,
        level       INTEGER NOT NULL,
        ordinal     INTEGER NOT NULL,
        parent_id   TEXT,
        start       INTEGER NOT NULL,
        end         INTEGER NOT NULL,
        tokens      INTEGER NOT NULL,
        leaves      INTEGER NOT NULL,
        header      TEXT NOT NULL,
        context     TEXT NOT NULL,
        UNIQUE (document_id, generation, level, ordinal),
        FOREIGN KEY (document_id, generation) REFERENCES versions ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX nodes_by_parent ON nodes (parent_id);

    CREATE TABLE leaf_tokens (
        node_id TEXT PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
        tokens  TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE jobs (
        job_id      TEXT PRIMARY KEY,
        workspace   TEXT NOT NULL,
        started_at  TEXT NOT NULL,
        finished_at TEXT
    ) STRICT;

    CREATE TABLE job_files (
        job_id      TEXT NOT NULL REFERENCES jobs ON DELETE CASCADE,
        ordinal     INTEGER NOT NULL,
        source_key  TEXT NOT NULL,
        document_id TEXT,
        status      TEXT NOT NULL,
        reason      TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (job_id, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE conversations (
        conversation_id TEXT PRIMARY KEY,
        workspace       TEXT NOT NULL,
        started_at      TEXT NOT NULL
    ) STRICT;

    CREATE TABLE traces (
        trace_id   TEXT PRIMARY KEY,
        workspace  TEXT NOT NULL,
        kind       TEXT NOT NULL CHECK (kind IN ('retrieve', 'ask')),
        abstained  INTEGER NOT NULL CHECK (abstained IN (0, 1)),
        made_at    TEXT NOT NULL,
        body       TEXT NOT NULL
    ) STRICT;

    CREATE TABLE turns (
        conversation_id TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
        ordinal         INTEGER NOT NULL,
        question        TEXT NOT NULL,
        standalone      TEXT NOT NULL,
        answer          TEXT NOT NULL,
        abstained       INTEGER NOT NULL CHECK (abstained IN (0, 1)),
        trace_id        TEXT NOT NULL,
        asked_at        TEXT NOT NULL,
        PRIMARY KEY (conversation_id, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE turn_citations (
        conversation_id TEXT NOT NULL,
        ordinal         INTEGER NOT NULL,
        n               INTEGER NOT NULL,
        node_id         TEXT NOT NULL,
        document_id     TEXT NOT NULL,
        generation      INTEGER NOT NULL,
        document        TEXT NOT NULL,
        pages           TEXT NOT NULL,
        start           INTEGER NOT NULL,
        end             INTEGER NOT NULL,
        PRIMARY KEY (conversation_id, ordinal, n),
        FOREIGN KEY (conversation_id, ordinal) REFERENCES turns ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE feedback (
        trace_id TEXT NOT NULL REFERENCES traces ON DELETE CASCADE,
        given_at TEXT NOT NULL,
        helpful  INTEGER NOT NULL CHECK (helpful IN (0, 1)),
        comment  TEXT NOT NULL,
        PRIMARY KEY (trace_id, given_at)
    ) STRICT, WITHOUT ROWID;
    """,
    # Ingest jobs that can be resumed. A job an older Prism never ended was cut short; where its files
    # lay was not recorded then.
    """
    ALTER TABLE jobs ADD COLUMN state TEXT NOT NULL DEFAULT 'done'
        CHECK (state IN ('running', 'done', 'cancelled', 'interrupted', 'failed'));
    ALTER TABLE jobs ADD COLUMN reason TEXT NOT NULL DEFAULT '';
    UPDATE jobs SET state = 'interrupted' WHERE finished_at IS NULL;

    CREATE TABLE job_files_with_paths (
        job_id      TEXT NOT NULL REFERENCES jobs ON DELETE CASCADE,
        ordinal     INTEGER NOT NULL,
        path        BLOB NOT NULL,
        source_key  TEXT NOT NULL,
        document_id TEXT,
        status      TEXT NOT NULL CHECK (status IN ('waiting', 'running', 'added', 'updated', 'unchanged',
                    'skipped', 'failed', 'interrupted', 'cancelled')),
        reason      TEXT NOT NULL DEFAULT '',
        started_at  TEXT,
        finished_at TEXT,
        PRIMARY KEY (job_id, ordinal)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO job_files_with_paths (job_id, ordinal, path, source_key, document_id, status, reason)
        SELECT job_id, ordinal, x'', source_key, document_id, status, reason FROM job_files;
    DROP TABLE job_files;
    ALTER TABLE job_files_with_paths RENAME TO job_files;
    CREATE INDEX unfinished_files ON job_files (source_key)
        WHERE status IN ('waiting', 'interrupted', 'cancelled', 'failed');
    """,
    # Every opening compares the ids of all leaves with the projections: nine times as fast from an index
    # that holds them.
    """
    CREATE INDEX leaf_ids ON nodes (document_id, generation, level, node_id) WHERE level = 0;
    """,
    # Pages that are pictures: those that could not be read, with what was tried; where words of others stand.
    """
    ALTER TABLE versions ADD COLUMN recognizer TEXT NOT NULL DEFAULT '';

    CREATE TABLE unread_pages (
        document_id TEXT NOT NULL,
        generation  INTEGER NOT NULL,
        sheet       INTEGER NOT NULL,
        label       TEXT NOT NULL,
        PRIMARY KEY (document_id, generation, sheet),
        FOREIGN KEY (document_id, generation) REFERENCES versions ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE word_boxes (
        document_id TEXT NOT NULL,
        generation  INTEGER NOT NULL,
        sheet       INTEGER NOT NULL,
        boxes       BLOB NOT NULL,
        PRIMARY KEY (document_id, generation, sheet),
        FOREIGN KEY (document_id, generation) REFERENCES versions ON DELETE CASCADE
    ) STRICT;
    """,
)

FORMAT_VERSION = len(MIGRATIONS)
"""Kept in SQLite's `user_version`."""
