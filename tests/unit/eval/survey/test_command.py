"""`python -m eval survey`: every choice on every set, kept and shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main
from eval.survey import command
from eval.survey.choices import FUSIONS, LADDER, Choice
from prism.settings import Settings
from tests.unit.eval.rows import make_result, make_row


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, Settings]]:
    """What was run: its name, how many questions, under which settings."""
    seen: list[tuple[str, int, Settings]] = []

    def run(dataset: Any, settings: Settings, **options: Any) -> Any:
        seen.append((options["name"], len(dataset.questions), settings))
        return make_result([make_row(ranking=("a",), timings_ms={"total": 1.0})])

    monkeypatch.setattr(command, "run", run)
    monkeypatch.delenv("PRISM_DATA", raising=False)
    return seen


@pytest.mark.parametrize(("options", "choices"), [([], FUSIONS), (["--ladder"], LADDER)])
def test_every_choice_is_measured_on_every_set_there(
    options: list[str],
    choices: tuple[Choice, ...],
    runs: list[tuple[str, int, Settings]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [
        "survey",
        *options,
        "--limit",
        "5",
        "--cache",
        str(tmp_path / "cache"),
        "--results",
        str(tmp_path / "results"),
    ]
    assert main([*given, "--out", str(tmp_path / "survey.md")]) == 0
    assert [(name, questions) for name, questions, _ in runs] == [
        (f"sample, {choice.name}", 5) for choice in choices
    ]
    assert len({settings.model_dump_json() for _, _, settings in runs}) == len(choices)
    (file,) = (tmp_path / "results").glob("*.json")
    assert len(json.loads(file.read_text(encoding="utf-8"))["outcomes"]) == len(choices)
    shown = capsys.readouterr()
    assert f"result: {file}" in shown.err
    assert shown.out == (tmp_path / "survey.md").read_text(encoding="utf-8")

    assert main(["survey", "--show", str(file)]) == 0
    assert capsys.readouterr().out == shown.out
    assert len(runs) == len(choices), "nothing is asked to show a result again"


def test_what_is_no_survey_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.json").write_text('{"schema_version": 1}')
    assert main(["survey", "--show", str(tmp_path / "other.json")]) == 2
    assert "not a result of 'python -m eval survey'" in capsys.readouterr().err


def test_a_set_that_is_not_there_is_refused(
    runs: list[tuple[str, int, Settings]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", "--set", "SciFact", "--cache", str(tmp_path)]) == 2
    assert "--set 'SciFact': no such set. There are: sample." in capsys.readouterr().err
    assert runs == []
