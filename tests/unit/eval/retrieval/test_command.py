"""`python -m eval retrieval`: what it is told, what it asks, what it shows and keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main
from eval.datasets.dataset import Dataset
from eval.outcome.result import read_result
from eval.retrieval import command
from prism.settings import Settings
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
