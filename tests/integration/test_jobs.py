"""An ingest that is killed or stopped goes on where it was: real processes, the real embedder and stores."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from prism import JobInfo, Prism
from prism.types import IngestProgress
from tests.integration.conftest import OpenPrism
from tests.processes import run_prism, run_python, surroundings
from tests.shelf import names

KILLED = -signal.SIGKILL

# Kills itself when the file named is at the stage named.
INGEST_AND_DIE = """
import os, signal, sys
from pathlib import Path
from prism import Prism, Source
storage, folder, document, stage = sys.argv[1:]

def tell(progress):
    if (progress.document, progress.stage) == (document, stage):
        os.kill(os.getpid(), signal.SIGKILL)

with Prism.open(overlay={"storage.path": storage}) as prism:
    files = sorted(Path(folder).iterdir())
    prism.ingest([Source(file, file.name) for file in files], tell)
"""


def passage(subject: str) -> str:
    return " ".join(f"Rule {number} of the {subject} sets a limit of {number} days." for number in range(40))


SUBJECTS = ("aviary", "brewery", "cannery", "dairy")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (made := tmp_path / "files").mkdir()
    for subject in SUBJECTS:
        (made / f"{subject}.txt").write_text(passage(subject))
    return made


@pytest.fixture
def kill_at(tmp_path: Path, folder: Path) -> Callable[[str, str], None]:
    """`kill_at("brewery.txt", "embedding")` ingests the folder in a process that dies there."""

    def run(document: str, stage: str) -> None:
        place = (tmp_path / "storage", folder, document, stage)
        assert run_python("-c", INGEST_AND_DIE, *place, folder=tmp_path).code == KILLED

    return run


def only_job(prism: Prism) -> JobInfo:
    (job,) = prism.jobs()
    return job


def node_ids(prism: Prism) -> set[str]:
    ids = {info.document_id: info.generation for info in prism.documents()}
    return set(prism._storage.catalogue.nodes.node_ids(ids))


def test_ing_45_a_killed_ingest_is_interrupted_and_goes_on_to_the_state_of_an_undisturbed_one(
    kill_at, folder: Path, open_prism: OpenPrism, make_prism: OpenPrism, tmp_path: Path
):
    kill_at("brewery.txt", "embedding")
    prism = open_prism()
    job = only_job(prism)
    assert (job.state, job.files[0].status) == ("interrupted", "added")
    assert [file.status for file in job.files[1:]] == ["interrupted", "waiting", "waiting"]
    assert {info.document: info.status for info in prism.documents()} == {
        "aviary.txt": "active",
        "brewery.txt": "interrupted",
    }
    assert set(names(prism.retrieve("What limit does rule 7 of the brewery set?", k=10))) <= {"aviary.txt"}

    told: list[IngestProgress] = []
    report = prism.resume(on_progress=told.append)

    assert [(file.document, file.status) for file in report.files] == [
        (f"{subject}.txt", "added") for subject in SUBJECTS[1:]
    ]
    assert "aviary.txt" not in {item.document for item in told}
    assert prism.resume().files == ()
    assert only_job(prism).state == "done"
    assert names(prism.retrieve("What limit does rule 7 of the brewery set?"))[0] == "brewery.txt"
    with make_prism(tmp_path / "undisturbed") as undisturbed:
        undisturbed.ingest(folder)
        assert node_ids(prism) == node_ids(undisturbed)
        assert prism.status().vectors == undisturbed.status().vectors
    assert prism.doctor() == []


def test_ing_45_a_killed_upload_goes_on_without_its_temporary_file(
    kill_at, folder: Path, open_prism: OpenPrism
):
    kill_at("brewery.txt", "embedding")
    shutil.rmtree(folder)
    prism = open_prism()
    report = prism.resume()
    assert [file.status for file in report.files] == ["added", "failed", "failed"]
    assert all("Give the file again" in file.reason for file in report.files[1:])
    assert names(prism.retrieve("What limit does rule 7 of the brewery set?"))[0] == "brewery.txt"
    assert prism.status().consistent


def test_ing_45_a_killed_update_leaves_the_old_version_until_it_goes_on(
    kill_at, folder: Path, open_prism: OpenPrism
):
    with open_prism() as prism:
        prism.ingest(folder)
    (folder / "brewery.txt").write_text(passage("brewery").replace("days", "barrels"))
    kill_at("brewery.txt", "embedding")
    prism = open_prism()
    assert {info.status for info in prism.documents()} == {"active"}
    assert "days" in prism.retrieve("rule 7 of the brewery").passages[0].text
    assert prism.resume().count("updated") == 1
    assert "barrels" in prism.retrieve("rule 7 of the brewery").passages[0].text


def test_ing_45_the_command_line_shows_what_was_interrupted_and_deletes_or_goes_on(
    kill_at, folder: Path, tmp_path: Path
):
    kill_at("brewery.txt", "embedding")

    def prism(*arguments: str):
        ended = run_prism("--storage", tmp_path / "storage", *arguments, "--json", folder=tmp_path)
        assert ended.code == 0, ended.err
        return ended.json

    listed = {item["document"]: item["status"] for item in prism("documents")["documents"]}
    assert listed == {"aviary.txt": "active", "brewery.txt": "interrupted"}
    prism("delete", "brewery.txt")
    assert {file["document"]: file["status"] for file in prism("resume")["files"]} == {
        "cannery.txt": "added",
        "dairy.txt": "added",
    }


def test_ctrl_c_ends_a_real_ingest_cleanly(folder: Path, open_prism: OpenPrism, tmp_path: Path):
    catalogue = tmp_path / "storage" / "catalogue.sqlite"
    command = [sys.executable, "-m", "prism.cli", "--storage", str(tmp_path / "storage")]
    running = subprocess.Popen(  # noqa: S603
        [*command, "ingest", str(folder)],
        cwd=tmp_path,
        env=surroundings(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # The model is loaded after the first file was begun, so there is time to press.
    while running.poll() is None and not is_begun(catalogue):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)

    assert running.returncode == 1, err
    assert "Ctrl-C again stops at once" in err
    assert "Traceback" not in err
    prism = open_prism()
    job = only_job(prism)
    assert (job.state, job.count("cancelled") > 0) == ("cancelled", True)
    assert f"prism resume {job.job_id}" in out
    assert prism.resume(job.job_id).count("added") == job.count("cancelled")
    assert {info.status for info in prism.documents()} == {"active"}
    assert prism.doctor() == []


def is_begun(catalogue: Path) -> bool:
    """Whether a file of a job is at hand, as another process can see it."""
    if not catalogue.exists():
        return False
    with contextlib.closing(sqlite3.connect(f"file:{catalogue}?mode=ro", uri=True)) as connection:
        try:
            found = connection.execute("SELECT count(*) FROM job_files WHERE status = 'running'").fetchone()
        except sqlite3.OperationalError:  # its tables are being made
            return False
    return bool(found[0])
