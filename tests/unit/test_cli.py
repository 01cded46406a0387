from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from prism import cli
from prism.engine import Prism
from tests.fakes import LetterEmbedder


@pytest.fixture
def run(
    tmp_path: Path,
    light_storage: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """`run("ask", "question", "--json")` gives (exit code, stdout, stderr)."""
    really_open = Prism.open

    def open_light(settings, *, overlay, ask_consent):
        light = {"rerank.kind": "none", "models.answerer": "quote", "gate.threshold": 0.0}
        return really_open(
            settings, overlay={**light, **overlay}, ask_consent=ask_consent, embedder=LetterEmbedder()
        )

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Prism, "open", open_light)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = cli.main(["--storage", str(tmp_path / "store"), *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def docs(tmp_path: Path) -> str:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "locker.txt").write_text("Locker code is 4471.")
    (folder / "empty.txt").write_text("")
    return str(folder)


def as_json(result: tuple[int, str, str]) -> dict:
    """The one document on stdout; anything else there fails."""
    code, out, _ = result
    assert code == 0
    assert out.count("\n") == 1
    return json.loads(out)


def test_json_is_one_document_and_nothing_else_on_stdout(run, docs: str) -> None:
    assert as_json(run("ingest", docs, "--json"))["totals"]["added"] == 1
    found = as_json(run("retrieve", "locker code", "--json", "-k", "1"))
    assert found["passages"][0]["document"] == "locker.txt"
    answer = as_json(run("--json", "ask", "What is the locker code?"))
    assert "4471" in answer["answer"]
    assert as_json(run("trace", answer["trace_id"], "--json"))["kind"] == "ask"
    (document,) = as_json(run("documents", "--json"))["documents"]
    assert as_json(run("show", document["document_id"], "--json"))["status"] == "active"
    assert as_json(run("status", "--json"))["consistent"] is True
    assert as_json(run("doctor", "--json"))["findings"] == []


def test_the_doctor_fails_only_where_something_is_left_to_do(run, docs: str, tmp_path: Path) -> None:
    run("ingest", docs)
    shutil.rmtree(tmp_path / "store" / "keywords")
    code, out, _ = run("doctor")
    assert (code, out.splitlines()[0]) == (
        cli.OK,
        "All is well: record, files, vectors and keyword index agree.",
    )
    for kept in (tmp_path / "store" / "originals").glob("*/*"):
        kept.unlink()
    code, out, _ = run("doctor", "--json")
    (finding,) = json.loads(out)["findings"]
    assert (code, finding["outcome"], finding["workspace"]) == (cli.FAILED, "left", "default")
    assert "ingest" in finding["repair"]
    code, out, _ = run("doctor")
    assert (code, out.split("[")[0].strip()) == (cli.FAILED, "LEFT TO DO")


def test_a_document_is_deleted_brought_back_and_purged(run, docs: str) -> None:
    run("ingest", docs)
    assert as_json(run("delete", "locker.txt", "--json"))["status"] == "deleted"
    assert as_json(run("undo", "locker.txt", "--json"))["status"] == "active"
    assert as_json(run("purge", "locker.txt", "--json"))["status"] == "purged"
    assert as_json(run("documents", "--json"))["documents"] == []


def test_a_backup_is_written_and_restored(run, docs: str, tmp_path: Path) -> None:
    run("ingest", docs)
    archive = str(tmp_path / "one.zip")
    assert as_json(run("backup", archive, "--json")) == {"file": archive}
    assert run("backup", archive)[0] == 2
    assert as_json(run("restore", archive, "--json", "--storage", str(tmp_path / "two")))["documents"] == 1


def test_a_conversation_goes_on_by_its_id(run, docs: str) -> None:
    run("ingest", docs)
    first = as_json(run("ask", "What is the locker code?", "--json"))
    second = as_json(run("ask", "And for interns?", "--json", "--conversation", first["conversation_id"]))
    assert second["conversation_id"] == first["conversation_id"]


def test_an_abstention_is_no_failure(run) -> None:
    code, out, _ = run("ask", "anything?")
    assert code == 0
    assert "Insufficient information" in out


def test_a_file_that_failed_makes_exit_code_1(run, docs: str) -> None:
    (Path(docs) / "broken.pdf").write_bytes(b"%PDF-1.7 truncated")
    code, out, _ = run("ingest", docs)
    assert code == 1
    assert "broken.pdf" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("ingest", "nowhere"),
        ("delete", "unknown"),
        ("trace", "unknown"),
        ("retrieve", "q", "-k", "0"),
        ("--settings", "nowhere.yaml", "status"),
        ("--workspace", "no spaces allowed", "status"),
    ],
)
def test_wrong_use_is_exit_code_2_with_the_reason_on_stderr(run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("prism: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", [(), ("unknown",), ("ask",), ("retrieve", "q", "-k", "many")])
def test_a_line_that_cannot_be_parsed_is_exit_code_2(run, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*arguments)
    assert stopped.value.code == 2


def test_global_options_may_stand_before_or_after_the_command(run, docs: str) -> None:
    run("ingest", docs, "--workspace", "other")
    assert as_json(run("--workspace", "other", "status", "--json"))["documents"] == 1
    assert as_json(run("status", "--json"))["documents"] == 0


def test_an_interruption_says_so(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self, workspace=None):
        raise KeyboardInterrupt

    monkeypatch.setattr(Prism, "status", interrupted)
    code, _, err = run("status")
    assert code == 1
    assert "stopped" in err


def test_a_chat_is_refused_as_json(run, docs: str) -> None:
    code, out, err = run("--json", "chat")
    assert (code, out) == (2, "")
    assert "--conversation" in err


def press_ctrl_c(monkeypatch: pytest.MonkeyPatch, *, at: int, times: int = 1) -> None:
    """Ctrl-C, as often as said, when the embedder is asked for the `at`th time."""
    embed, calls = LetterEmbedder.embed, []

    def embed_and_press(self, texts, on_batch=None):
        calls.append(texts)
        for _ in range(times if len(calls) == at else 0):
            signal.raise_signal(signal.SIGINT)
        return embed(self, texts, on_batch)

    monkeypatch.setattr(LetterEmbedder, "embed", embed_and_press)


@pytest.fixture
def two(tmp_path: Path) -> str:
    folder = tmp_path / "two"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.txt").write_text(f"Rule {name} holds.")
    return str(folder)


def test_ctrl_c_ends_an_ingest_cleanly_and_says_how_to_go_on(
    run, two: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    press_ctrl_c(monkeypatch, at=2)
    code, out, _ = run("ingest", two)
    assert code == 1
    assert "added     a.txt" in out
    assert "cancelled b.txt" in out
    assert "Ctrl-C again stops at once" not in out
    job = as_json(run("jobs", "--json"))["jobs"][0]
    assert f"prism resume {job['job_id']}" in out
    assert (job["state"], [file["status"] for file in job["files"]]) == ("cancelled", ["added", "cancelled"])

    resumed = as_json(run("resume", job["job_id"], "--json"))
    assert [(file["document"], file["status"]) for file in resumed["files"]] == [("b.txt", "added")]
    code, out, _ = run("jobs")
    assert "done" in out
    assert run("resume")[:2] == (0, "Nothing to resume.\n")
    assert as_json(run("resume", "--json"))["files"] == []


def test_a_second_ctrl_c_stops_at_once_and_the_job_can_still_go_on(
    run, two: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    press_ctrl_c(monkeypatch, at=1, times=2)
    code, _, err = run("ingest", two)
    assert (code, "stopped" in err) == (1, True)
    job = as_json(run("jobs", "--json"))["jobs"][0]
    assert [file["status"] for file in job["files"]] == ["interrupted", "waiting"]
    assert "prism jobs" in run("documents")[1]
    assert as_json(run("resume", "--json"))["totals"]["added"] == 2


def test_what_failed_is_tried_again_by_job(run, two: str) -> None:
    (Path(two) / "c.pdf").write_bytes(b"%PDF-1.7 truncated")
    code, out, _ = run("ingest", two)
    job_id = as_json(run("jobs", "--json"))["jobs"][0]["job_id"]
    assert f"prism resume {job_id} --failed" in out
    (Path(two) / "c.pdf").write_text("Rule c holds.")
    code, out, _ = run("resume", job_id[:8], "--failed")
    assert code == 1
    assert "c.pdf" in out
    assert "a.txt" not in out


def test_a_job_that_is_not_there_is_wrong_use(run) -> None:
    code, out, err = run("resume", "unknown")
    assert (code, out) == (2, "")
    assert "prism jobs" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_output_that_cannot_be_written_is_told_and_fails(
    run, monkeypatch: pytest.MonkeyPatch, form: list[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        monkeypatch.setattr(os, "dup2", lambda *_: None)
        code, _, err = run("status", *form)
        monkeypatch.undo()
        with contextlib.suppress(OSError):
            full.close()
    assert (code, "No space left" in err) == (1, True)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_closed_streams_are_no_error(run, monkeypatch: pytest.MonkeyPatch, form: list[str]) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stdout", None)
    assert run("status", *form)[0] == 0
