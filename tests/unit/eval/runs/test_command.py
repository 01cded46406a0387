"""`python -m eval retrieval`: what it is told, what it asks, what it shows and keeps."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main
from eval.datasets.dataset import Dataset
from eval.runs import command
from eval.runs.result import read_result
from prism.errors import SettingsError, UsageError
from prism.settings import Settings
from prism.types import IngestProgress
from tests.unit.eval.rows import make_result, make_row


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of quotes: six questions, two of them in Hindi."""
    (tmp_path / "set" / "documents").mkdir(parents=True)
    (tmp_path / "set" / "documents" / "a.txt").write_text("ten days")
    rows = [{"question": f"{number}?", "language": "hi" if number > 4 else "en"} for number in range(1, 7)]
    (tmp_path / "set" / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "set"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What was to be run; running it gives an invented result."""
    seen: list[dict[str, Any]] = []

    def run(dataset: Dataset, settings: Settings, **options: Any) -> Any:
        seen.append({"dataset": dataset, "settings": settings, **options})
        rows = [make_row(question.question_id, ranking=("a",)) for question in dataset.questions]
        return make_result(rows, name=options["name"], index={"leaves": 1, "failures": []})

    monkeypatch.setattr(command, "run", run)
    return seen


def retrieval(folder: Path, *options: str) -> int:
    results = folder.parent / "results"
    given = ["--dataset", str(folder), "--name", "mine", "--cache", str(folder.parent / "cache")]
    return main(["retrieval", *given, "--results", str(results), *options])


def test_every_question_is_asked_under_the_defaults(
    runs: list[dict[str, Any]], folder: Path, tmp_path: Path
) -> None:
    assert retrieval(folder) == 0
    (seen,) = runs
    assert len(seen["dataset"].questions) == 6
    assert seen["settings"] == Settings()
    assert (seen["name"], seen["cache"], seen["cut"]) == ("mine", tmp_path / "cache", 0)


def test_the_result_is_kept_and_shown_with_the_next_steps(
    runs: list[dict[str, Any]], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    retrieval(folder)
    (file,) = (tmp_path / "results").iterdir()
    assert read_result(file).name == "mine"
    assert file.name == f"mine-{runs[0]['code'].commit}.json"
    shown = capsys.readouterr().out
    assert shown.startswith("letters: 6 questions asked, 6 scored")
    assert f"result: {file}\n" in shown
    assert f"python -m eval report {file} " in shown
    assert f"python -m eval compare {file} OTHER " in shown


def test_a_path_with_spaces_is_quoted_in_the_next_steps(
    runs: list[dict[str, Any]], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    retrieval(folder, "--results", str(tmp_path / "my results"))
    assert f"report '{tmp_path}/my results/mine-" in capsys.readouterr().out


def test_a_page_is_written_on_request(
    runs: list[dict[str, Any]], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    retrieval(folder)
    assert not list((tmp_path / "results").glob("*.html"))
    retrieval(folder, "--report")
    assert len(list((tmp_path / "results").glob("*.html"))) == 1


def test_a_limit_and_a_language_leave_questions_out(runs: list[dict[str, Any]], folder: Path) -> None:
    retrieval(folder, "--limit", "3")
    retrieval(folder, "--language", "hi")
    ids = [[question.question_id for question in seen["dataset"].questions] for seen in runs]
    assert ids == [["1", "3", "5"], ["5", "6"]]
    assert [seen["cut"] for seen in runs] == [3, 4]


def given(*options: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_dataset_arguments(parser)
    return parser.parse_args(["--dataset", "set", *options])


def test_later_overlays_and_single_settings_go_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.yaml").write_text("retrieval: {k: 3, retrieve_k: 30}\nmerge: {grow: false}\n")
    (tmp_path / "two.yaml").write_text("retrieval.retrieve_k: 50\n")
    overlays = [part for name in ("one", "two") for part in ("--overlay", str(tmp_path / f"{name}.yaml"))]
    single = [
        "--set",
        "retrieval.k=8",
        "--set",
        "chunk.parent_tokens=[256, 512]",
        "--set",
        "merge.enabled=no",
    ]
    settings = command.settings_of(given(*overlays, *single))
    assert (settings.retrieval.k, settings.retrieval.retrieve_k) == (8, 50)
    assert (settings.merge.grow, settings.merge.enabled) == (False, False)
    assert settings.chunk.parent_tokens == (256, 512)


def test_neither_environment_nor_a_settings_file_here_plays_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM__RETRIEVAL__K", "9")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings.yaml").write_text("retrieval: {k: 9}\n")
    assert command.settings_of(given()) == Settings()


@pytest.mark.parametrize("wrong", ["retrieval.k", "=3", "retrieval.k=", "retrieval.k=[1"])
def test_a_setting_of_another_form_is_refused(wrong: str) -> None:
    with pytest.raises((UsageError, SettingsError), match=r"retrieval\.k|=3"):
        command.settings_of(given("--set", wrong))


def test_a_setting_that_is_unknown_or_out_of_range_is_refused_by_its_name(
    runs: list[dict[str, Any]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert retrieval(folder, "--set", "retrieval.kk=3") == 2
    assert "unknown setting 'retrieval.kk'" in capsys.readouterr().err
    assert retrieval(folder, "--set", "retrieval.k=0") == 2
    assert "retrieval.k = 0" in capsys.readouterr().err
    assert retrieval(folder, "--overlay", "none.yaml") == 2
    assert "none.yaml: cannot read" in capsys.readouterr().err
    assert runs == []


@pytest.mark.parametrize("name", ["", "a/b", "a/", "."])
def test_a_name_that_no_file_can_have_is_refused(
    runs: list[dict[str, Any]], folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert retrieval(folder, "--name", name) == 2
    assert f"--name {name!r} cannot be part of a file's name" in capsys.readouterr().err
    assert runs == []


def test_a_set_that_is_not_there_is_refused(
    runs: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert retrieval(tmp_path / "none") == 2
    assert "none: no such folder or file" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["0", "-1", "few"])
def test_a_limit_must_be_a_number_above_0(
    folder: Path, limit: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        retrieval(folder, "--limit", limit)
    assert exit_.value.code == 2
    assert "--limit" in capsys.readouterr().err


def test_progress_of_both_kinds_can_be_told(capsys: pytest.CaptureFixture[str]) -> None:
    with command.shown_progress("k = 3") as (on_indexing, on_question):
        on_indexing(IngestProgress("done", "a.txt", 1, 1, 1, 1.0, None))
        on_question(1, 2)
        on_question(2, 2)
    assert capsys.readouterr().out == "", "standard output is for the result"
