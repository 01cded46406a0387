"""What a result depends on besides the code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from eval import machine
from eval.machine import Code, code_now, library_versions, machine_facts, settings_hash
from prism.settings import Settings


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit."""
    (tmp_path / "prism").mkdir()
    (tmp_path / "prism" / "a.py").write_text("a = 1\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    monkeypatch.setattr(machine, "REPOSITORY", tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    who = {"NAME": "A", "EMAIL": "a@example.org"}
    environment = {
        **os.environ,
        **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()},
    }
    done = subprocess.run(  # noqa: S603
        ["git", "-C", str(folder), *arguments],  # noqa: S607
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_clean_code_is_named_by_its_commit(repository: Path) -> None:
    code = code_now("prism")
    assert git(repository, "rev-parse", "HEAD").startswith(code.commit)
    assert not code.dirty


def test_changed_and_new_files_of_what_is_measured_make_it_dirty(repository: Path) -> None:
    clean = code_now("prism")
    (repository / "prism" / "a.py").write_text("a = 2\n")
    changed = code_now("prism")
    assert (changed.commit, changed.dirty) == (clean.commit, True)
    (repository / "prism" / "a.py").write_text("a = 3\n")
    assert code_now("prism").changes != changed.changes
    (repository / "prism" / "a.py").write_text("a = 1\n")
    (repository / "prism" / "b.py").write_text("b = 1\n")
    assert code_now("prism").dirty


def test_the_contents_of_new_files_count(repository: Path) -> None:
    (repository / "prism" / "b.py").write_text("b = 1\n")
    before = code_now("prism")
    (repository / "prism" / "b.py").write_text("b = 2\n")
    assert code_now("prism").changes != before.changes


def test_other_files_do_not_count(repository: Path) -> None:
    (repository / "notes.txt").write_text("not measured")
    assert not code_now("prism").dirty


def test_a_copy_without_history_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "REPOSITORY", tmp_path / "nowhere")
    assert code_now("prism") == Code("unknown", True, "")


def test_facts_name_processor_cores_and_memory() -> None:
    facts = machine_facts()
    assert facts["cores"] == os.cpu_count()
    assert facts["processor"]
    assert float(facts["memory_gb"]) > 0.1


def test_libraries_of_both_builds_have_versions() -> None:
    assert {"chromadb", "bm25s", "llama-index-core"} <= library_versions().keys()


def test_settings_hash_is_the_same_each_time() -> None:
    assert settings_hash(Settings()) == settings_hash(Settings())


def test_settings_hash_tells_settings_apart_but_not_places() -> None:
    changed = Settings.model_validate({"retrieval": {"k": 7}})
    elsewhere = Settings.model_validate({"storage": {"path": "elsewhere"}})
    assert settings_hash(changed) != settings_hash(Settings()) == settings_hash(elsewhere)
