"""`python -m eval bench`: what it is told and what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.__main__ import main
from eval.bench import command
from eval.bench.log import Record
from eval.bench.result import write_result
from eval.bench.run import Plan
from eval.bench.table import result_table
from eval.machine import Code
from tests.unit.eval.bench.records import RECORDS


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The plans that were run; running one gives the invented records."""
    seen: list[Plan] = []

    def run(plan: Plan, report: object) -> tuple[Record, ...]:
        seen.append(plan)
        return RECORDS

    monkeypatch.setattr(command, "run", run)
    return seen


def test_sizes_and_repetitions_are_taken_over(
    plans: list[Plan], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--leaves", "100,1000", "--repetitions", "3", "--cache", str(tmp_path)]
    assert main(["bench", *arguments, "--results", str(tmp_path / "results")]) == 0
    (plan,) = plans
    assert (list(plan.sizes), plan.repetitions, plan.cache) == ([100, 1000], 3, tmp_path)
    assert plan.log.parent == tmp_path
    assert capsys.readouterr().out == result_table(RECORDS)
    assert len(list((tmp_path / "results").glob("bench-*.json"))) == 1


def test_quick_is_two_repetitions_of_200_leaves(plans: list[Plan], tmp_path: Path) -> None:
    main(["bench", "--quick", "--cache", str(tmp_path), "--results", str(tmp_path)])
    assert (list(plans[0].sizes), plans[0].repetitions) == ([200], 2)


def test_asking_can_be_measured_alone(plans: list[Plan], tmp_path: Path) -> None:
    main(["bench", "--only", "query", "--cache", str(tmp_path), "--results", str(tmp_path)])
    main(["bench", "--quick", "--cache", str(tmp_path), "--results", str(tmp_path)])
    assert [plan.only for plan in plans] == ["query", None]
    assert [file.name.count("query") for file in sorted(tmp_path.glob("bench-*.json"))] == [0, 1]


def test_a_result_is_shown_and_drawn_again_without_measuring(
    plans: list[Plan], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_result(tmp_path, RECORDS, Code("0123456789ab", False, ""), {})
    assert main(["bench", "--show", str(file), "--plot", str(tmp_path / "plot.svg")]) == 0
    assert plans == []
    assert capsys.readouterr().out == result_table(RECORDS)
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")


def test_what_is_no_result_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--show", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["no-such-evaluation"], ["bench", "--repetitions", "many"]])
def test_wrong_use_exits_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2


@pytest.mark.parametrize("wrong", [["--leaves", "few"], ["--leaves", "0"], ["--repetitions", "0"]])
def test_sizes_and_repetitions_must_be_numbers_above_0(
    plans: list[Plan], wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["bench", *wrong, "--cache", str(tmp_path), "--results", str(tmp_path)])
    except SystemExit as exit_:
        code = exit_.code  # type: ignore[assignment]
    assert code == 2
    assert wrong[0].strip("-") in capsys.readouterr().err
    assert plans == []
