"""`python -m eval golden`: what it prints and how it ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.golden import command
from eval.golden.compare import Difference
from eval.golden.file import read, write
from eval.golden.record import Observed
from tests.unit.eval.golden.traces import GOLDEN

OTHER = replace(GOLDEN, question_id="other")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "golden.json"
    write(path, [GOLDEN, OTHER])
    return path


def finds(monkeypatch: pytest.MonkeyPatch, *observed: Observed) -> None:
    monkeypatch.setattr(command, "observe_all", lambda questions: list(observed))


def test_traces_as_recorded_end_well(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finds(monkeypatch, Observed(GOLDEN, ()), Observed(OTHER, ("fragile since then",)))
    assert main(["golden", "--file", str(file)]) == 0
    assert capsys.readouterr().out == "2 golden traces as recorded.\n"


def test_a_difference_is_printed_and_fails(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finds(monkeypatch, Observed(GOLDEN, ()), Observed(replace(OTHER, abstained=True), ()))
    assert main(["golden", "--file", str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "other: gate: expected an answer, found an abstention",
        "1 of 2 golden traces differ. If that is meant: --record.",
    ]


def test_many_differences_of_a_stage_are_counted() -> None:
    ranked = [Difference("q", "fused", rank, "a", "b") for rank in range(1, 6)]
    shown = list(command.lines([*ranked, Difference("q", "merged", 1, "a", "b")]))
    assert shown == [*map(str, ranked[:3]), "q: fused: and 2 more", "q: merged, rank 1: expected a, found b"]


def test_recording_writes_and_says_how_many_changed(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = replace(OTHER, abstained=True)
    finds(monkeypatch, Observed(GOLDEN, ()), Observed(changed, ()))
    assert main(["golden", "--record", "--file", str(file)]) == 0
    assert capsys.readouterr().out == f"1 of 2 golden traces changed: other\nwritten: {file}\n"
    assert read(file) == (GOLDEN, changed)


def test_recording_the_same_again_changes_nothing_and_a_first_time_everything(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finds(monkeypatch, Observed(GOLDEN, ()), Observed(OTHER, ()))
    assert main(["golden", "--record", "--file", str(file)]) == 0
    assert capsys.readouterr().out.startswith("0 of 2 golden traces changed\n")
    file.unlink()
    assert main(["golden", "--record", "--file", str(file)]) == 0
    assert capsys.readouterr().out.startswith("2 of 2 golden traces changed: limit, other\n")


def test_a_fragile_trace_is_refused_and_the_file_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finds(monkeypatch, Observed(replace(GOLDEN, answer="other"), ("passages 1 and 2 tie",)))
    assert main(["golden", "--record", "--file", str(file)]) == 2
    assert "limit: passages 1 and 2 tie" in capsys.readouterr().err
    assert read(file) == (GOLDEN, OTHER)


def test_no_file_to_check_against_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["golden", "--file", str(tmp_path / "none.json")]) == 2
    assert "python -m eval golden --record" in capsys.readouterr().err


def test_a_file_of_another_schema_is_recorded_anew(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('{"schema": 1, "traces": []}')
    finds(monkeypatch, Observed(GOLDEN, ()))
    assert main(["golden", "--file", str(file)]) == 2
    assert "--record" in capsys.readouterr().err
    assert main(["golden", "--record", "--file", str(file)]) == 0
    assert read(file) == (GOLDEN,)
