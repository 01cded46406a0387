from __future__ import annotations

import os
from pathlib import Path

import pytest

from prism.stores.database import Database
from prism.stores.jobs import PROGRAM_STOPPED, Jobs
from prism.types import JobInfo, Source

A, B, C = (Source(Path("/files") / name, name) for name in ("a.txt", "b.txt", "c.txt"))


@pytest.fixture
def jobs(database: Database) -> Jobs:
    return Jobs(database)


def start(jobs: Jobs, *sources: Source, workspace: str = "w", keep: int = 100) -> str:
    return jobs.start(workspace, sources, keep=keep)


def bring_in(jobs: Jobs, job: str, ordinal: int, status: str = "added", reason: str = "") -> None:
    assert jobs.begin_file(job, ordinal)
    jobs.finish_file(job, ordinal, document_id=f"doc-{ordinal}", status=status, reason=reason)


def statuses(jobs: Jobs, job: str) -> list[str]:
    return [file.status for file in info(jobs, job).files]


def info(jobs: Jobs, job: str) -> JobInfo:
    found = jobs.get(job)
    assert found is not None
    return found


def test_a_job_is_recorded_with_its_files_before_its_work_begins(jobs: Jobs, database: Database) -> None:
    job = start(jobs, A, B)
    shown = info(Jobs(database), job)
    assert (shown.state, shown.workspace, shown.finished_at) == ("running", "w", None)
    assert [(file.ordinal, file.path, file.document, file.status) for file in shown.files] == [
        (0, "/files/a.txt", "a.txt", "waiting"),
        (1, "/files/b.txt", "b.txt", "waiting"),
    ]
    assert len(shown.unfinished) == 2


@pytest.mark.parametrize("status", ["added", "updated", "unchanged", "skipped", "failed", "cancelled"])
def test_a_file_goes_from_waiting_to_running_to_its_end(jobs: Jobs, status: str) -> None:
    job = start(jobs, A, B)
    assert jobs.begin_file(job, 0)
    assert statuses(jobs, job) == ["running", "waiting"]
    jobs.finish_file(job, 0, document_id="doc", status=status, reason="why")
    file = info(jobs, job).files[0]
    assert (file.status, file.reason, file.document_id) == (status, "why", "doc")
    assert file.started_at is not None
    assert file.finished_at is not None
    assert file.started_at <= file.finished_at


def test_a_path_is_kept_absolute_and_byte_for_byte(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    odd = os.fsdecode(b"caf\xe9.txt")
    job = start(jobs, Source(Path("sub/a.txt"), "a.txt"), Source(tmp_path / odd, "b.txt"))
    assert [file.path for file in info(jobs, job).files] == [str(tmp_path / "sub/a.txt"), str(tmp_path / odd)]


def test_a_file_costs_one_commit(database: Database) -> None:
    commits = []
    database._reached = lambda name: commits.append(name) if name == "catalogue: after commit" else None
    jobs = Jobs(database)
    job = start(jobs, A, B, C)
    for ordinal in range(3):
        bring_in(jobs, job, ordinal)
    jobs.finish(job)
    assert len(commits) == 1 + 3 + 1  # the job's beginning, three files, the job's end


@pytest.mark.parametrize(
    ("state", "left"),
    [
        ("done", ["added", "interrupted", "waiting"]),
        ("failed", ["added", "interrupted", "waiting"]),
        ("interrupted", ["added", "interrupted", "waiting"]),
        ("cancelled", ["added", "interrupted", "cancelled"]),
    ],
)
def test_what_a_job_has_left_when_it_ends(jobs: Jobs, state, left: list[str]) -> None:
    job = start(jobs, A, B, C)
    bring_in(jobs, job, 0)
    jobs.begin_file(job, 1)
    jobs.finish(job, state, "why")
    shown = info(jobs, job)
    assert (shown.state, shown.reason, statuses(jobs, job)) == (state, "why", left)
    assert shown.finished_at is not None


def test_ing_45_what_a_dead_process_left_running_is_interrupted_and_the_rest_waits(
    jobs: Jobs, database: Database
) -> None:
    job = start(jobs, A, B, C)
    bring_in(jobs, job, 0)
    jobs.begin_file(job, 1)
    ended = start(jobs, A)
    jobs.finish(ended)

    again = Jobs(database)
    again.interrupt_left()
    again.interrupt_left()

    assert info(again, job).state == "interrupted"
    assert statuses(again, job) == ["added", "interrupted", "waiting"]
    assert info(again, job).files[1].reason == PROGRAM_STOPPED
    assert info(again, ended).state == "done"


def test_a_job_that_goes_on_waits_for_the_files_named_and_keeps_the_rest(jobs: Jobs) -> None:
    job = start(jobs, A, B, C)
    bring_in(jobs, job, 0)
    bring_in(jobs, job, 1, "failed", "429")
    jobs.begin_file(job, 2)
    jobs.finish(job, "interrupted")
    first_begun = info(jobs, job).files[2].started_at

    jobs.reopen(job, [1, 2])
    assert (info(jobs, job).state, statuses(jobs, job)) == ("running", ["added", "waiting", "waiting"])
    assert info(jobs, job).files[1].reason == ""
    bring_in(jobs, job, 2)
    assert info(jobs, job).files[2].started_at == first_begun
    jobs.finish(job)
    assert info(jobs, job).state == "done"


def test_a_running_job_hears_that_it_is_to_stop_and_no_other_does(jobs: Jobs) -> None:
    job, other = start(jobs, A), start(jobs, B)
    assert not jobs.is_cancelled(job)
    assert jobs.cancel(job)
    assert jobs.is_cancelled(job)
    assert not jobs.is_cancelled(other)
    jobs.finish(job, "cancelled")
    jobs.reopen(job, [0])
    assert not jobs.is_cancelled(job)


def test_cancelling_gives_up_what_an_interrupted_job_has_left(jobs: Jobs) -> None:
    job = start(jobs, A, B, C)
    bring_in(jobs, job, 0)
    jobs.begin_file(job, 1)
    jobs.finish(job, "interrupted")
    assert jobs.cancel(job)
    assert (info(jobs, job).state, statuses(jobs, job)) == ("cancelled", ["added", "cancelled", "cancelled"])


def test_cancelling_a_job_that_has_ended_changes_nothing(jobs: Jobs) -> None:
    job = start(jobs, A)
    bring_in(jobs, job, 0)
    jobs.finish(job)
    before = info(jobs, job)
    assert jobs.cancel(job)
    assert info(jobs, job) == before
    assert not jobs.cancel("unknown")


def test_a_later_job_takes_over_files_of_the_same_name_in_its_workspace(jobs: Jobs) -> None:
    old, elsewhere = start(jobs, A, B), start(jobs, A, workspace="other")
    for job in (old, elsewhere):
        jobs.finish(job, "interrupted")

    new = start(jobs, A)

    assert statuses(jobs, old) == ["skipped", "waiting"]
    assert new in info(jobs, old).files[0].reason
    assert (info(jobs, old).state, info(jobs, elsewhere).state) == ("interrupted", "interrupted")
    assert statuses(jobs, elsewhere) == ["waiting"]
    start(jobs, B)
    assert (info(jobs, old).state, info(jobs, old).unfinished) == ("done", ())


def test_a_failure_stays_on_record_when_the_file_is_given_again(jobs: Jobs) -> None:
    old = start(jobs, A)
    bring_in(jobs, old, 0, "failed", "locked")
    jobs.finish(old)
    start(jobs, A)
    assert [(file.status, file.reason) for file in info(jobs, old).files] == [("failed", "locked")]


@pytest.mark.parametrize("status", ["waiting", "interrupted", "cancelled", "failed"])
def test_what_was_deleted_meanwhile_is_not_brought_in_any_more(jobs: Jobs, status: str) -> None:
    job = start(jobs, A, B)
    if status != "waiting":
        jobs.begin_file(job, 0)
    if status in ("failed", "cancelled"):
        jobs.finish_file(job, 0, document_id=None, status=status, reason="")
    jobs.finish(job, "interrupted")
    assert statuses(jobs, job) == [status, "waiting"]

    jobs.withdraw("other", "a.txt")
    assert statuses(jobs, job) == [status, "waiting"]
    jobs.withdraw("w", "a.txt")
    assert statuses(jobs, job) == ["skipped", "waiting"]
    assert "deleted" in info(jobs, job).files[0].reason


def test_a_running_job_passes_over_what_is_deleted_while_it_waits(jobs: Jobs) -> None:
    job = start(jobs, A, B)
    jobs.begin_file(job, 0)
    jobs.withdraw("w", "a.txt")
    jobs.withdraw("w", "b.txt")
    assert statuses(jobs, job) == ["running", "skipped"]
    assert not jobs.begin_file(job, 1)
    assert statuses(jobs, job) == ["running", "skipped"]


def test_jobs_are_listed_latest_first_by_workspace(jobs: Jobs) -> None:
    first, second = start(jobs, A), start(jobs, B)
    start(jobs, C, workspace="other")
    assert [job.job_id for job in jobs.of_workspace("w")] == [second, first]
    assert jobs.of_workspace("empty") == ()
    assert jobs.get("unknown") is None


def test_only_the_latest_jobs_of_a_workspace_are_kept(jobs: Jobs, database: Database) -> None:
    elsewhere = start(jobs, A, workspace="other")
    made = []
    for _ in range(5):
        made.append(start(jobs, A, keep=3))
        jobs.finish(made[-1])
    assert [job.job_id for job in jobs.of_workspace("w")] == made[:1:-1]
    assert info(jobs, elsewhere).state == "running"
    assert database.read().execute("SELECT count(*) FROM job_files").fetchone()[0] == 4


def test_jobs_that_ended_go_earlier_when_later_ones_hold_many_files(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prism.stores.jobs.KEPT_FILES", 4)
    made = [start(jobs, A, B)]
    jobs.finish(made[0])
    made.append(start(jobs, Source(Path("/x"), "x.txt")))
    jobs.finish(made[1], "interrupted")
    made.append(start(jobs, A, B))
    assert [job.job_id for job in jobs.of_workspace("w")] == [made[2], made[1]]  # 2 + 1 files, then 5
    jobs.finish(made[2])
    made.append(start(jobs, *(Source(Path(f"/{n}"), f"{n}.txt") for n in range(9))))
    assert [job.job_id for job in jobs.of_workspace("w")] == [made[3], made[1]]


def test_unfinished_files_are_found_by_name_without_reading_every_job(database: Database) -> None:
    plan = database.read().execute(
        "EXPLAIN QUERY PLAN UPDATE job_files SET status = 'skipped' WHERE source_key = 'a' "
        "AND status IN ('waiting', 'interrupted', 'cancelled', 'failed') AND status IN ('waiting')"
    )
    assert any("unfinished_files" in row["detail"] for row in plan)


def test_an_end_not_written_yet_survives_a_commit_that_fails(jobs: Jobs, database: Database) -> None:
    job = start(jobs, A, B)
    bring_in(jobs, job, 0)

    def break_off(name: str) -> None:
        raise OSError("disk full")

    database._reached = break_off
    with pytest.raises(OSError, match="disk full"):
        jobs.begin_file(job, 1)
    database._reached = lambda name: None
    assert statuses(jobs, job) == ["added", "waiting"]


def test_a_cancel_in_the_middle_of_the_end_writes_nothing_of_its_own(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(boundary: str) -> None:
        if boundary == "catalogue: before commit" and job:
            assert jobs.cancel(job[0])

    job: list[str] = []
    jobs = Jobs(database)
    monkeypatch.setattr(database, "_reached", pressed)
    name = start(jobs, A)
    bring_in(jobs, name, 0)
    job.append(name)
    jobs.finish(name)
    assert info(jobs, name).state == "done"
