"""Builds take turns, and a run that was stopped goes on where it stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.bench import log, run
from eval.bench.quantities import names_of
from eval.bench.run import Plan
from prism.errors import PrismError


class Workers:
    """Stands for the processes: writes the values of a phase at once, and stops at one that is told."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, ...]] = []
        self.stop_at: tuple[str, ...] | None = None
        self.values = 0
        self.without_model: list[str] = []

    def __call__(self, phase: str, plan: Plan, *arguments: str) -> str:
        if "--without-model" in arguments:
            self.without_model.append(phase)
            arguments = tuple(argument for argument in arguments if argument != "--without-model")
        given = dict(zip(arguments[::2], arguments[1::2], strict=True))
        step = (phase, *(given[key] for key in ("--build", "--leaves", "--repetition") if key in given))
        self.ran.append(step)
        if step == self.stop_at:
            raise PrismError("stopped")
        if phase == "prepare":
            return "material\n"
        if "--work" in given:
            Path(given["--work"]).mkdir(parents=True, exist_ok=True)
        for name in names_of(phase):  # type: ignore[arg-type]
            self.values += 1
            log.append(
                plan.log,
                log.Record(int(given["--leaves"]), int(given["--repetition"]), given["--build"], name, 1.0),  # type: ignore[arg-type]
            )
        return ""


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    workers = Workers()
    monkeypatch.setattr(run, "_worker", workers)
    return workers


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan([100, 1000], 2, tmp_path / "cache", tmp_path / "cache" / "log.jsonl", tmp_path / "work")


def test_builds_alternate_within_a_size(plan: Plan, workers: Workers) -> None:
    run.run(plan, lambda line: None)
    indexed = [step[1:] for step in workers.ran if step[0] == "index"]
    assert indexed == [
        (build, size, repetition)
        for size in ("100", "1000")
        for repetition in ("1", "2")
        for build in ("prism", "plain")
    ]


def test_each_folder_is_used_right_after_it_was_indexed_and_then_removed(
    plan: Plan, workers: Workers
) -> None:
    run.run(plan, lambda line: None)
    steps = [step for step in workers.ran if step[0] in ("index", "use")]
    assert all(first[1:] == second[1:] for first, second in zip(steps[::2], steps[1::2], strict=True))
    assert list(plan.work.iterdir()) == []


def test_every_value_of_the_plan_is_returned(plan: Plan, workers: Workers) -> None:
    records = run.run(plan, lambda line: None)
    embed, others = len(names_of("embed")), len(names_of("index")) + len(names_of("use"))
    assert len(records) == workers.values == 2 * 2 * (embed + 2 * others)


def test_a_finished_plan_measures_nothing_again(plan: Plan, workers: Workers) -> None:
    first = run.run(plan, lambda line: None)
    workers.ran.clear()
    assert run.run(plan, lambda line: None) == first
    assert workers.ran == []


def test_a_stopped_run_does_the_broken_repetition_whole_and_no_other_again(
    plan: Plan, workers: Workers
) -> None:
    workers.stop_at = ("use", "plain", "100", "2")
    with pytest.raises(PrismError, match="stopped"):
        run.run(plan, lambda line: None)
    workers.ran.clear()
    workers.stop_at = None
    run.run(plan, lambda line: None)
    assert workers.ran[:3] == [
        ("prepare", "100"),
        ("index", "plain", "100", "2"),
        ("use", "plain", "100", "2"),
    ]
    assert {step[2] for step in workers.ran[3:] if step[0] != "prepare"} == {"1000"}


def test_more_repetitions_add_to_what_is_there(plan: Plan, workers: Workers) -> None:
    run.run(plan, lambda line: None)
    workers.ran.clear()
    more = Plan(plan.sizes, 3, plan.cache, plan.log, plan.work)
    run.run(more, lambda line: None)
    assert {step[-1] for step in workers.ran if step[0] != "prepare"} == {"3"}


def test_records_beyond_the_plan_stay_out_of_its_result(plan: Plan, workers: Workers) -> None:
    run.run(plan, lambda line: None)
    less = Plan([100], 1, plan.cache, plan.log, plan.work)
    found = run.run(less, lambda line: None)
    assert {(record.leaves, record.repetition) for record in found} == {(0, 1), (100, 1)}


def test_a_worker_that_fails_is_told_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An interpreter that knows nothing of the worker: a real process that fails, at once.
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no room left >&2\nexit 3\n")
    python.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(python))
    plan = Plan([100], 1, tmp_path / "cache", tmp_path / "log.jsonl", tmp_path / "work")
    with pytest.raises(PrismError, match="no room left"):
        run._worker("index", plan)


def test_a_large_corpus_is_indexed_in_some_repetitions_and_copied_in_the_others(
    tmp_path: Path, workers: Workers
) -> None:
    plan = Plan([100_000], 5, tmp_path / "cache", tmp_path / "cache" / "log.jsonl", tmp_path / "work")
    run.run(plan, lambda line: None)
    for build in ("prism", "plain"):
        assert [step[3] for step in workers.ran if step[:2] == ("index", build)] == ["1", "2", "3"]
        assert [step[3] for step in workers.ran if step[:2] == ("use", build)] == ["1", "2", "3", "4", "5"]
    assert list(plan.work.iterdir()) == []


def test_a_copy_that_an_earlier_run_left_is_not_used(tmp_path: Path, workers: Workers) -> None:
    plan = Plan([100_000], 4, tmp_path / "cache", tmp_path / "cache" / "log.jsonl", tmp_path / "work")
    workers.stop_at = ("use", "prism", "100000", "4")
    with pytest.raises(PrismError, match="stopped"):
        run.run(plan, lambda line: None)
    workers.stop_at, workers.ran = None, []
    run.run(plan, lambda line: None)
    assert ("index", "prism", "100000", "4") in workers.ran


def test_asking_alone_indexes_each_build_once_and_takes_turns(tmp_path: Path, workers: Workers) -> None:
    plan = Plan([100], 2, tmp_path / "cache", tmp_path / "log.jsonl", tmp_path / "work", only="query")
    records = run.run(plan, lambda line: None)
    assert workers.ran == [
        ("prepare", "100"),
        ("index", "prism", "100", "1"),
        ("index", "plain", "100", "1"),
        ("query", "prism", "100", "1"),
        ("query", "plain", "100", "1"),
        ("query", "prism", "100", "2"),
        ("query", "plain", "100", "2"),
    ]
    assert {record.quantity for record in records} == names_of("query")
    assert list(plan.work.iterdir()) == []


def test_asking_alone_goes_on_where_it_stopped(tmp_path: Path, workers: Workers) -> None:
    plan = Plan([100], 2, tmp_path / "cache", tmp_path / "log.jsonl", tmp_path / "work", only="query")
    workers.stop_at = ("query", "plain", "100", "2")
    with pytest.raises(PrismError, match="stopped"):
        run.run(plan, lambda line: None)
    workers.stop_at, workers.ran = None, []
    run.run(plan, lambda line: None)
    assert [step[:2] for step in workers.ran[1:]] == [("index", "plain"), ("query", "plain")]
    workers.ran.clear()
    run.run(plan, lambda line: None)
    assert workers.ran == []


def test_without_embedding_nothing_is_run_that_loads_the_model(tmp_path: Path, workers: Workers) -> None:
    plan = Plan([100], 1, tmp_path / "cache", tmp_path / "log.jsonl", tmp_path / "work", embeds=False)
    run.run(plan, lambda line: None)
    assert [step[0] for step in workers.ran] == ["prepare", "index", "use", "index", "use"]
    assert workers.without_model == ["use", "use"]


def test_reading_is_measured_alone_and_who_begins_changes(
    tmp_path: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(
        [100], 2, tmp_path / "cache", tmp_path / "log.jsonl", tmp_path / "work", only="reading", data=tmp_path
    )
    told: list[str] = []
    records = run.run(plan, told.append)
    assert {record.quantity for record in records} == names_of("reading")
    assert [line.split(", ")[1] for line in told] == ["prism", "plain", "plain", "prism"]
