"""Ingest jobs: what was given, and what became of each file, so that a stopped ingest can go on.

A job is recorded before its work begins. Each file costs one commit: the end of a file is written together
with the beginning of the next, or as soon as anybody looks. What a crash takes of it is the last file's end:
that file is then `interrupted` although it is in, and resuming finds it unchanged.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import uuid
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from prism.stores.catalogue import now
from prism.stores.database import Database
from prism.types import UNFINISHED, FileStatus, JobFile, JobInfo, Source

PROGRAM_STOPPED = "the program stopped while indexing"

KEPT_FILES = 100_000
"""Files that the jobs of a workspace may hold together, about 20 MB."""

_FORGET_OLD = """
    WITH sized AS (
        SELECT job_id, started_at, rowid AS serial,
            (SELECT count(*) FROM job_files f WHERE f.job_id = jobs.job_id) AS files
        FROM jobs WHERE workspace = ?1
    ), counted AS (
        SELECT job_id, row_number() OVER latest AS position, sum(files) OVER latest AS files
        FROM sized WINDOW latest AS (ORDER BY started_at DESC, serial DESC)
    )
    DELETE FROM jobs WHERE job_id IN (
        SELECT job_id FROM counted
        WHERE position > ?2 AND state <> 'running' OR files > ?3 AND state IN ('done', 'cancelled')
    )
"""

_RETRIED = (*UNFINISHED, "failed")
_UNFINISHED_SQL = ", ".join(f"'{status}'" for status in UNFINISHED)
# Written as the partial index has it, or SQLite would not use it.
_RETRIED_SQL = "status IN ('waiting', 'interrupted', 'cancelled', 'failed')"


class Jobs:
    """Reads and writes ingest jobs, and passes on the wish to cancel one. Safe for many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.RLock()
        self._ended: list[tuple[str | None, str, str, str, str, int]] = []
        """Ends of files not written yet, as the parameters of their statement."""
        self._running: set[str] = set()
        self._cancelled: set[str] = set()

    # ── told by the batch ───────────────────────────────────────────────────────────────────────

    def start(self, workspace: str, sources: Sequence[Source], *, keep: int) -> str:
        """Record an ingest about to begin; its files are `waiting`.

        Files of the same names that earlier jobs have not brought in are left to this one, so that resuming
        an old job never puts an older file over a newer one.

        Args:
            keep: how many jobs of the workspace are remembered, this one included; the oldest go. Those that
                ended go earlier when the later ones hold over `KEPT_FILES` files.
        """
        job_id = uuid.uuid4().hex
        with self._database.write() as connection:
            self._pass_over(connection, workspace, [source.name for source in sources], UNFINISHED, job_id)
            connection.execute(
                "INSERT INTO jobs (job_id, workspace, started_at, state) VALUES (?, ?, ?, 'running')",
                (job_id, workspace, now()),
            )
            connection.executemany(
                "INSERT INTO job_files (job_id, ordinal, path, source_key, status) "
                "VALUES (?, ?, ?, ?, 'waiting')",
                [
                    (job_id, ordinal, os.fsencode(source.path.absolute()), source.name)
                    for ordinal, source in enumerate(sources)
                ],
            )
            connection.execute(_FORGET_OLD, (workspace, keep, KEPT_FILES))
            self._running.add(job_id)
        return job_id

    def reopen(self, job_id: str, ordinals: Collection[int]) -> None:
        """Record that a job goes on with these files; they are `waiting` again."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'running', reason = '', finished_at = NULL WHERE job_id = ?",
                (job_id,),
            )
            connection.executemany(
                "UPDATE job_files SET status = 'waiting', reason = '', finished_at = NULL "
                "WHERE job_id = ? AND ordinal = ?",
                [(job_id, ordinal) for ordinal in ordinals],
            )
            self._cancelled.discard(job_id)
            self._running.add(job_id)

    def begin_file(self, job_id: str, ordinal: int) -> bool:
        """Record that a file is at hand; False when it is no longer to be brought in (`withdraw`)."""
        with self._lock:
            with self._database.write() as connection:
                self._write_ended(connection)
                begun = connection.execute(
                    "UPDATE job_files SET status = 'running', started_at = coalesce(started_at, ?) "
                    "WHERE job_id = ? AND ordinal = ? AND status = 'waiting'",
                    (now(), job_id, ordinal),
                ).rowcount
            self._ended.clear()
        return bool(begun)

    def finish_file(
        self, job_id: str, ordinal: int, *, document_id: str | None, status: FileStatus, reason: str
    ) -> None:
        """Note what became of a file; it is written with the next commit of the job."""
        with self._lock:
            self._ended.append((document_id, status, reason, now(), job_id, ordinal))

    def finish(
        self,
        job_id: str,
        state: Literal["done", "cancelled", "interrupted", "failed"] = "done",
        reason: str = "",
    ) -> None:
        """Record how a job ended. A file left in the middle is `interrupted`; what the job did not come to is
        `cancelled` when the job is, else it stays `waiting`."""
        try:
            self._finish(job_id, state, reason)
        finally:
            # Not before: a signal handler that cancels it would write in the middle of this commit.
            self._running.discard(job_id)
            self._cancelled.discard(job_id)

    def _finish(self, job_id: str, state: str, reason: str) -> None:
        with self._lock:
            with self._database.write() as connection:
                self._write_ended(connection)
                connection.execute(
                    "UPDATE job_files SET status = 'interrupted', reason = ?, finished_at = ? "
                    "WHERE job_id = ? AND status = 'running'",
                    (reason, now(), job_id),
                )
                if state == "cancelled":
                    connection.execute(
                        "UPDATE job_files SET status = 'cancelled' WHERE job_id = ? AND status = 'waiting'",
                        (job_id,),
                    )
                connection.execute(
                    "UPDATE jobs SET state = ?, reason = ?, finished_at = ? WHERE job_id = ?",
                    (state, reason, now(), job_id),
                )
            self._ended.clear()

    def is_cancelled(self, job_id: str) -> bool:
        """Whether the running job was asked to stop."""
        return job_id in self._cancelled

    # ── told by people ──────────────────────────────────────────────────────────────────────────

    def cancel(self, job_id: str) -> bool:
        """Ask a running job to stop, or give up what an interrupted one has left. A job that came to its end
        stays as it is. For a running job this takes no lock, so that a signal handler may call it.

        Returns:
            False when there is no such job.
        """
        if job_id in self._running:
            self._cancelled.add(job_id)
            return True
        with self._database.write() as connection:
            unfinished = connection.execute(
                "UPDATE job_files SET status = 'cancelled' "
                f"WHERE job_id = ? AND status IN ({_UNFINISHED_SQL})",
                (job_id,),
            ).rowcount
            if unfinished:
                connection.execute("UPDATE jobs SET state = 'cancelled' WHERE job_id = ?", (job_id,))
        return self.get(job_id) is not None

    def withdraw(self, workspace: str, document: str) -> None:
        """Keep every job, the running one too, from bringing in what was deleted while it waited."""
        with self._database.write() as connection:
            self._pass_over(connection, workspace, [document], _RETRIED, "")

    def interrupt_left(self) -> None:
        """Mark jobs that were left running, by a dead process or a full disk, while none can be; what they
        did not come to stays `waiting`."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE job_files SET status = 'interrupted', reason = ? WHERE status = 'running'",
                (PROGRAM_STOPPED,),
            )
            connection.execute(
                "UPDATE jobs SET state = 'interrupted', reason = ? WHERE state = 'running'",
                (PROGRAM_STOPPED,),
            )

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    def get(self, job_id: str) -> JobInfo | None:
        """One job, None when there is no such job."""
        return next(iter(self._select("job_id = ?", job_id)), None)

    def of_workspace(self, workspace: str) -> tuple[JobInfo, ...]:
        """The jobs of a workspace, latest first."""
        return self._select("workspace = ?", workspace)

    def paths(self, workspace: str) -> dict[str, Path]:
        """Where the file of each document was when it was last brought in, by source key, as far as the jobs
        that are remembered tell."""
        self._flush()
        rows = self._database.read().execute(
            "SELECT f.source_key, f.path FROM jobs j JOIN job_files f USING (job_id) "
            "WHERE j.workspace = ? AND f.document_id IS NOT NULL AND f.path <> x'' "
            "ORDER BY j.started_at, j.rowid",
            (workspace,),
        )
        return {row["source_key"]: Path(os.fsdecode(row["path"])) for row in rows}

    # ── private ─────────────────────────────────────────────────────────────────────────────────

    def _write_ended(self, connection: sqlite3.Connection) -> None:
        """Write the ends noted so far; the caller forgets them once they are committed."""
        connection.executemany(
            "UPDATE job_files SET document_id = ?, status = ?, reason = ?, finished_at = ? "
            "WHERE job_id = ? AND ordinal = ?",
            self._ended,
        )

    def _flush(self) -> None:
        with self._lock:
            if self._ended:
                with self._database.write() as connection:
                    self._write_ended(connection)
                self._ended.clear()

    def _pass_over(
        self,
        connection: sqlite3.Connection,
        workspace: str,
        documents: Sequence[str],
        statuses: Collection[str],
        for_job: str,
    ) -> None:
        """Take files of these names out of every job that could bring them in later."""
        reason = f"given again in job {for_job}" if for_job else "the document was deleted before that"
        wanted = ", ".join(f"'{status}'" for status in statuses)
        connection.executemany(
            f"UPDATE job_files SET status = 'skipped', reason = ? WHERE source_key = ? AND {_RETRIED_SQL} "
            f"AND status IN ({wanted}) "
            "AND job_id IN (SELECT job_id FROM jobs WHERE workspace = ?)",
            [(reason, document, workspace) for document in documents],
        )
        connection.execute(
            "UPDATE jobs SET state = 'done' WHERE workspace = ? AND state IN ('interrupted', 'failed') "
            "AND NOT EXISTS (SELECT 1 FROM job_files f WHERE f.job_id = jobs.job_id "
            f"AND f.status IN ({_UNFINISHED_SQL}))",
            (workspace,),
        )

    def _select(self, condition: str, value: str) -> tuple[JobInfo, ...]:
        self._flush()
        connection = self._database.read()
        jobs = connection.execute(
            f"SELECT * FROM jobs WHERE {condition} ORDER BY started_at DESC, rowid DESC", (value,)
        ).fetchall()
        return tuple(
            JobInfo(
                job_id=job["job_id"],
                workspace=job["workspace"],
                state=job["state"],
                reason=job["reason"],
                started_at=job["started_at"],
                finished_at=job["finished_at"],
                files=tuple(
                    _file(row)
                    for row in connection.execute(
                        "SELECT * FROM job_files WHERE job_id = ? ORDER BY ordinal", (job["job_id"],)
                    )
                ),
            )
            for job in jobs
        )


def _file(row: sqlite3.Row) -> JobFile:
    path = os.fsdecode(row["path"])
    return JobFile(
        ordinal=row["ordinal"],
        path=str(Path(path)) if path else "",
        document=row["source_key"],
        document_id=row["document_id"],
        status=row["status"],
        reason=row["reason"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
    )
