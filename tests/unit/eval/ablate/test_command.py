"""`python -m eval ablate`: choices are checked first, measured once, and shown as a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main
from eval.ablate import command
from eval.machine import Code
from prism.settings import Settings
from tests.unit.eval.datasets.test_quotes import written
from tests.unit.eval.rows import make_result, make_row


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Settings]]:
    """What was run; each run finds the gold of one question of two."""
    seen: list[tuple[str, Settings]] = []

    def run(dataset: Any, settings: Settings, **options: Any) -> Any:
        seen.append((options["name"], settings))
        rows = [make_row("1", ranking=("a",)), make_row("2", ranking=("x",))]
        return make_result(rows, name=options["name"], index={"leaves": 3})

    monkeypatch.setattr(command, "run", run)
    monkeypatch.setattr(command, "code_now", lambda *measured: Code("0123456789ab", False, ""))
    return seen


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    folder = written(tmp_path, {"question": "one?"}, {"question": "two?"})
    return ["ablate", "--dataset", str(folder), "--cache", str(tmp_path / "cache")]


def test_each_choice_is_measured_from_the_base_given(
    runs: list[tuple[str, Settings]], given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*given, "--axis", "fusion", "--set", "retrieval.k=3"]) == 0
    assert [name for name, _ in runs] == [
        "base",
        "retrieval.fusion = rrf",
        "retrieval.fusion = min_max",
    ]
    assert {settings.retrieval.k for _, settings in runs} == {3}
    shown = capsys.readouterr().out
    assert "| base |" in shown
    assert "| retrieval.fusion = min_max |" in shown


def test_the_table_is_written_on_request(
    runs: list[tuple[str, Settings]], given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*given, "--vary", "retrieval.k=[3]", "--out", str(tmp_path / "table.md")])
    assert (tmp_path / "table.md").read_text(encoding="utf-8") == capsys.readouterr().out


def test_the_measures_asked_for_are_shown_and_the_figures_kept(
    runs: list[tuple[str, Settings]], given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--metric", "recall@5", "--name", "chunkers", "--results", str(tmp_path)]
    main([*given, "--axis", "chunker", *chosen])
    shown = capsys.readouterr().out
    assert "| choice | recall in the first 5 | leaves |" in shown
    file = tmp_path / "ablate-chunkers-0123456789ab.json"
    assert f"result: {file}" in shown
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["base"]["metrics"]["recall@5"]["mean"] == 0.5
    assert [trial["label"] for trial in kept["trials"]][:1] == ["chunk.strategy = recursive"]
    assert kept["trials"][-1]["settings"] == {"chunk.strategy": "semantic", "chunk.context_tokens": 0}
    none = {"mean": 0.0, "low": 0.0, "high": 0.0, "p_value": 1.0}
    assert kept["trials"][0]["differences"]["recall@5"] == none


def test_what_was_measured_is_not_measured_again(runs: list[tuple[str, Settings]], given: list[str]) -> None:
    main([*given, "--vary", "retrieval.k=[3]"])
    runs.clear()
    main([*given, "--vary", "retrieval.k=[3, 4]"])
    assert [name for name, _ in runs] == ["retrieval.k = 4"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--axis", "fushion"], "--axis fushion: there is none"),
        (["--name", "a/b"], "cannot be part of a file's name"),
        (["--vary", "retrieval.k=3"], "wanted KEY=[VALUE, VALUE]"),
        (["--vary", "retrieval.k=[3, 0]"], "retrieval.k = 0"),
    ],
)
def test_a_wrong_choice_is_refused_before_anything_is_measured(
    runs: list[tuple[str, Settings]],
    given: list[str],
    wrong: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*given, *wrong]) == 2
    assert said in capsys.readouterr().err
    assert runs == []
