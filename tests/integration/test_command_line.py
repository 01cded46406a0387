"""The command line as scripts use it: exact JSON shapes, exit codes, streams, global options."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import prism.engine
from prism.cli import main
from prism.models.embedder import FolderEmbedder
from tests.processes import run_prism
from tests.shelf import FIVE_SENTENCES, write

P = {
    "rank": int, "node_id": str, "leaf_ids": list, "document": str, "document_id": str, "pages": list,
    "start": int, "end": int, "text": str, "score": float, "legs": dict,
}  # fmt: skip
C = {**P, "n": int, "quote": str}
N = {"code": str, "message": str}
PAGE = {"label": str, "sheet": int}
FILE = {
    "path": str, "document": str, "document_id": (str, type(None)), "status": str, "reason": str,
    "chunks": int, "page_count": int, "warnings": list, "seconds": (int, float),
}  # fmt: skip
TOTALS = {
    "added": int,
    "updated": int,
    "unchanged": int,
    "skipped": int,
    "failed": int,
    "seconds": (int, float),
}
RETRIEVAL = {"question": str, "passages": list, "notices": list, "timings_ms": dict, "trace_id": str}
ANSWER = {
    "answer": str, "abstained": bool, "citations": list, "sentences": list, "nearest": list, "notices": list,
    "conversation_id": str, "trace_id": str, "model": str, "timings_ms": dict,
}  # fmt: skip
SENTENCE = {"text": str, "citations": list, "support": str}
DOCUMENT = {
    "document_id": str, "document": str, "status": str, "page_count": int, "leaves": int, "bytes": int,
    "version": str, "added_at": str, "warnings": list,
}  # fmt: skip
STATUS = {
    "documents": int, "leaves": int, "active_leaves": int, "vectors": int, "keyword_docs": int,
    "consistent": bool, "models": dict, "answers": int, "abstained": int, "abstain_rate": float,
    "bytes": dict,
}  # fmt: skip

Cli = Callable[..., Any]


def assert_shape(value: Any, shape: dict[str, Any]) -> None:
    assert shape.keys() <= value.keys(), shape.keys() - value.keys()
    for key, kind in shape.items():
        assert isinstance(value[key], kind), f"{key}: {value[key]!r}"


def assert_passage(value: Any, shape: dict[str, Any] = P) -> None:
    assert_shape(value, shape)
    assert value["legs"].keys() == {"dense", "keyword"}
    assert all(rank is None or rank >= 1 for rank in value["legs"].values())
    assert value["pages"]
    for page in value["pages"]:
        assert page.keys() == PAGE.keys()
        assert_shape(page, PAGE)


class Called:
    """What a command printed and returned."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(tmp_path: Path, capsys, monkeypatch, embedder: FolderEmbedder) -> Callable[..., Called]:
    """Runs commands in this process, over one folder and the shared embedder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("prism.models.loaded.load_embedder", lambda _: embedder)
    assert prism.engine.Models is not None
    capsys.readouterr()

    def call(*arguments: str | Path) -> Called:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
        printed = capsys.readouterr()
        return Called(code, printed.out, printed.err)

    return call


@pytest.fixture
def filled(cli, tmp_path: Path):
    write(tmp_path / "docs", FIVE_SENTENCES)
    assert cli("--json", "ingest", "docs").code == 0
    return cli


QUESTION = "What does error 0x80070005 mean?"


# ── shapes ──────────────────────────────────────────────────────────────────────────────────────


def test_ingest_reports_every_file_and_the_totals(cli, tmp_path: Path):
    files = {**FIVE_SENTENCES, "empty.txt": "", "x.bin": b"\x00\x01", ".hidden.txt": "Hidden."}
    write(tmp_path / "docs", files)
    called = cli("--json", "ingest", "docs")
    report = called.json
    assert report.keys() == {"files", "totals"}
    assert_shape(report["totals"], TOTALS)
    assert report["totals"].keys() == TOTALS.keys()
    for file in report["files"]:
        assert_shape(file, FILE)
        assert file.keys() == FILE.keys()
        assert file["status"] in TOTALS
        assert bool(file["reason"]) == (file["status"] in ("skipped", "failed"))
        assert bool(file["document_id"]) == (file["status"] == "added")
    assert len(report["files"]) == sum(report["totals"][key] for key in TOTALS if key != "seconds") == 8
    assert report["totals"]["added"] == 5
    again = cli("--json", "ingest", "docs").json
    assert again["totals"]["unchanged"] == 5


@pytest.mark.parametrize("more", [(), ("-k", "2"), ("--leaves",), ("-k", "3", "--leaves")])
def test_retrieve_gives_passages(filled, more):
    found = filled("--json", "retrieve", QUESTION, *more)
    assert found.code == 0
    assert_shape(found.json, RETRIEVAL)
    assert found.json.keys() == RETRIEVAL.keys()
    assert found.json["question"] == QUESTION
    ranks = [item["rank"] for item in found.json["passages"]]
    k = int(more[1]) if "-k" in more else 10
    assert ranks == list(range(1, min(k, 5) + 1))
    for item in found.json["passages"]:
        assert_passage(item)
        if "--leaves" in more:
            assert item["leaf_ids"] == [item["node_id"]]
    assert found.json["passages"][0]["document"] == "errors.txt"


def test_ask_gives_an_answer_with_its_evidence(filled):
    called = filled("--json", "ask", QUESTION)
    answer = called.json
    assert called.code == 0
    assert_shape(answer, ANSWER)
    assert answer.keys() == ANSWER.keys()
    assert not answer["abstained"]
    assert answer["nearest"] == []
    assert answer["citations"][0]["document"] == "errors.txt"
    for item in answer["citations"]:
        assert_passage(item, C)
        assert item["quote"] in item["text"]
        assert f"[{item['n']}]" in answer["answer"]
    for sentence in answer["sentences"]:
        assert sentence.keys() == SENTENCE.keys()
        assert_shape(sentence, SENTENCE)
        assert sentence["support"] in ("supported", "partly", "unsupported")


def test_ask_abstains_with_the_nearest_passages_and_exit_code_0(filled):
    called = filled("--json", "ask", "What is the capital of Mongolia?")
    assert called.code == 0
    assert_shape(called.json, ANSWER)
    assert called.json["abstained"]
    assert called.json["citations"] == called.json["sentences"] == []
    assert called.json["answer"].startswith("Insufficient information")
    for item in called.json["nearest"]:
        assert_passage(item)
    for item in called.json["notices"]:
        assert item.keys() == N.keys()
        assert_shape(item, N)


def test_a_conversation_goes_on_by_its_id(filled):
    first = filled("--json", "ask", QUESTION).json
    second = filled(
        "--json", "ask", "And when does it occur?", "--conversation", first["conversation_id"]
    ).json
    assert second["conversation_id"] == first["conversation_id"]
    assert "registry" in second["answer"]
    assert filled("--json", "ask", QUESTION).json["conversation_id"] != first["conversation_id"]


def test_documents_delete_undo_and_purge(filled):
    listed = filled("--json", "documents").json
    assert listed.keys() == {"documents"}
    for item in listed["documents"]:
        assert_shape(item, DOCUMENT)
        assert item["status"] == "active"
    assert [item["document"] for item in listed["documents"]] == sorted(FIVE_SENTENCES)
    identity = listed["documents"][0]["document_id"]
    assert_shape(filled("--json", "show", identity).json, DOCUMENT)
    for command, status in (("delete", "deleted"), ("undo", "active"), ("delete", "deleted")):
        called = filled("--json", command, identity)
        assert (called.code, called.json["status"]) == (0, status)
        listed = {
            item["document_id"]: item["status"] for item in filled("--json", "documents").json["documents"]
        }
        assert listed[identity] == status
    assert filled("--json", "purge", identity).code == 0
    assert len(filled("--json", "documents").json["documents"]) == 4
    assert filled("--json", "show", identity).code == 2


def test_status_trace_and_doctor(filled):
    answer = filled("--json", "ask", QUESTION).json
    filled("--json", "ask", "What is the capital of Mongolia?")
    status = filled("--json", "status").json
    assert_shape(status, STATUS)
    assert status.keys() == STATUS.keys()
    assert status["consistent"] is True
    assert (status["documents"], status["answers"], status["abstained"]) == (5, 2, 1)
    assert status["leaves"] == status["active_leaves"] == status["vectors"] == status["keyword_docs"] == 5
    assert filled("--json", "trace", answer["trace_id"]).json["trace_id"] == answer["trace_id"]
    assert filled("--json", "doctor").json == {"findings": []}
    assert filled("--json", "doctor", "--rebuild").code == 0
    assert filled("--json", "status").json["consistent"] is True


def test_backup_and_restore(filled, tmp_path: Path):
    answer = filled("--json", "ask", QUESTION).json
    assert filled("--json", "backup", "all.zip").code == 0
    assert filled("--json", "--storage", "other", "restore", "all.zip").code == 0
    again = filled("--json", "--storage", "other", "ask", QUESTION).json
    assert again["answer"] == answer["answer"]
    assert filled("--json", "--storage", "other", "restore", "all.zip").code == 2


# ── exit codes ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"good.txt": "The limit is 42."}, 0),
        ({"good.txt": "The limit is 42.", "empty.md": "", ".hidden.txt": "x", "Thumbs.db": b"\x00"}, 0),
        ({"good.txt": "The limit is 42.", "broken.pdf": b"%PDF-1.4 broken"}, 1),
        ({"binary.txt": bytes(range(256))}, 1),
        ({"program.exe": b"MZ\x00\x01"}, 1),
    ],
)
def test_ingest_exits_with_1_only_when_a_file_failed(cli, tmp_path: Path, files, code):
    write(tmp_path / "docs", files)
    assert cli("--json", "ingest", "docs").code == code
    assert cli("ingest", "docs").code == code


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("ask",),
        ("ingest",),
        ("ingest", "no-such-file.txt"),
        ("retrieve", "limit", "-k", "0"),
        ("retrieve", "limit", "-k", "many"),
        ("ask", "limit", "--nonsense"),
        ("show", "no-such-id"),
        ("delete", "no-such-id"),
        ("undo", "no-such-id"),
        ("purge", "no-such-id"),
        ("trace", "no-such-id"),
        ("restore", "no-such-file.zip"),
        ("--settings", "no-such-settings.yaml", "status"),
        ("--workspace", "a/b", "status"),
    ],
)
def test_wrong_use_exits_with_2_and_says_why_on_stderr(cli, arguments: Sequence[str]):
    called = cli("--json", *arguments)
    assert called.code == 2
    assert called.out == ""
    assert called.err.strip()
    assert "Traceback" not in called.err


def test_an_unknown_setting_exits_with_2_and_names_it(cli, tmp_path: Path):
    (tmp_path / "odd.yaml").write_text("retrieval:\n  kk: 3\n")
    called = cli("--settings", "odd.yaml", "status")
    assert called.code == 2
    assert "retrieval.kk" in called.err


# ── options ─────────────────────────────────────────────────────────────────────────────────────


def test_global_options_stand_before_or_after_the_command(filled, tmp_path: Path):
    (tmp_path / "k2.yaml").write_text("retrieval:\n  k: 2\n")
    before = filled("--json", "--settings", "k2.yaml", "ask", "registry and graphs of precision?").json
    after = filled("ask", "registry and graphs of precision?", "--json", "--settings", "k2.yaml").json
    assert before["answer"] == after["answer"]
    assert filled("retrieve", QUESTION, "--json").json["passages"]
    assert filled("documents", "--json", "--storage", "elsewhere").json == {"documents": []}
    assert filled("--storage", "elsewhere", "documents", "--json").json == {"documents": []}
    assert filled("documents", "--workspace", "empty", "--json").json == {"documents": []}


def test_workspaces_are_apart(filled, tmp_path: Path):
    write(tmp_path / "zoo", {"zoo.txt": "The Quokka lives on Rottnest Island."})
    assert filled("--workspace", "zoo", "--json", "ingest", "zoo").code == 0
    zoo = filled("--workspace", "zoo", "--json", "documents").json["documents"]
    assert [item["document"] for item in zoo] == ["zoo.txt"]
    assert len(filled("--json", "documents").json["documents"]) == 5
    found = filled("--workspace", "zoo", "--json", "retrieve", QUESTION).json["passages"]
    assert {item["document"] for item in found} == {"zoo.txt"}
    found = filled("--json", "retrieve", "Where does the Quokka live?").json["passages"]
    assert "zoo.txt" not in {item["document"] for item in found}
    conversation = filled("--json", "ask", QUESTION).json["conversation_id"]
    assert filled("--workspace", "zoo", "--json", "ask", "x?", "--conversation", conversation).code == 2
    called = filled("--workspace", "zoo", "--json", "ingest", "zoo", "--prune")
    assert called.code == 0
    assert len(filled("--json", "documents").json["documents"]) == 5


def test_prune_deletes_what_is_no_longer_there_and_it_can_be_undone(filled, tmp_path: Path):
    (tmp_path / "docs" / "errors.txt").unlink()
    assert filled("--json", "ingest", "docs").code == 0
    assert "errors.txt" in statuses(filled, "active")
    assert filled("--json", "ingest", "docs", "--prune").code == 0
    assert statuses(filled, "deleted") == {"errors.txt"}
    found = filled("--json", "retrieve", QUESTION).json["passages"]
    assert "errors.txt" not in {item["document"] for item in found}
    assert filled("--json", "undo", "errors.txt").code == 0
    assert statuses(filled, "deleted") == set()


def statuses(cli: Cli, status: str) -> set[str]:
    listed = cli("--json", "documents").json["documents"]
    return {item["document"] for item in listed if item["status"] == status}


@pytest.mark.parametrize("broken", [b"%PDF-1.4 broken", bytes(range(256))])
def test_prune_keeps_a_file_that_is_there_but_cannot_be_read(filled, tmp_path: Path, broken):
    (tmp_path / "docs" / "errors.txt").write_bytes(broken)
    assert filled("--json", "ingest", "docs", "--prune").code == 1
    assert "errors.txt" in statuses(filled, "active")


# ── streams, in processes of their own ──────────────────────────────────────────────────────────


def test_json_is_all_that_is_on_stdout_and_logs_go_to_stderr(tmp_path: Path):
    write(tmp_path / "docs", {"good.txt": "The limit is 42.", "bad.pdf": b"%PDF-1.4 broken"})
    ended = run_prism("--json", "ingest", "docs", folder=tmp_path)
    assert ended.code == 1
    assert ended.json["totals"]["failed"] == 1
    ended = run_prism("--json", "ask", "What is the limit?", folder=tmp_path)
    assert ended.code == 0
    assert "42" in ended.json["answer"]
    ended = run_prism("--quiet", "ask", "What is the limit?", folder=tmp_path)
    assert "42" in ended.out
    assert ended.err == ""
