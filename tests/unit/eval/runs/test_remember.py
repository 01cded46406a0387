"""A trial is measured once, and never taken for another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eval.datasets.dataset import Dataset, LabelledQuestion
from eval.machine import Code
from eval.outcome.result import Result
from eval.runs.remember import remembered
from prism.settings import Settings, overlay_settings
from tests.unit.eval.rows import make_result, make_row

DATASET = Dataset("letters", (), (LabelledQuestion("a", "?"), LabelledQuestion("b", "?")), {}, "f00d")
CODE = Code("0123456789ab", True, "c4a9")


class Runs:
    """Stands for a run: counts, and numbers its results."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> Result:
        self.count += 1
        return make_result([make_row("a"), make_row("b")], name=f"run {self.count}")


@pytest.fixture
def runs() -> Runs:
    return Runs()


def test_a_trial_is_measured_once(tmp_path: Path, runs: Runs) -> None:
    first = remembered(tmp_path, DATASET, Settings(), CODE, runs)
    assert remembered(tmp_path, DATASET, Settings(), CODE, runs) == first
    assert runs.count == 1


@pytest.mark.parametrize(
    ("dataset", "settings", "code"),
    [
        (replace(DATASET, fingerprint="beef"), Settings(), CODE),
        (replace(DATASET, questions=DATASET.questions[:1]), Settings(), CODE),
        (DATASET, overlay_settings(Settings(), {"retrieval.k": 3}), CODE),
        (DATASET, Settings(), Code("another", True, "c4a9")),
        (DATASET, Settings(), Code(CODE.commit, True, "0000")),
    ],
    ids=["documents", "questions", "settings", "commit", "changes"],
)
def test_another_trial_is_measured(
    tmp_path: Path, runs: Runs, dataset: Dataset, settings: Settings, code: Code
) -> None:
    remembered(tmp_path, DATASET, Settings(), CODE, runs)
    assert remembered(tmp_path, dataset, settings, code, runs).name == "run 2"


def test_a_trial_that_cannot_be_read_is_measured_anew_and_kept(tmp_path: Path, runs: Runs) -> None:
    remembered(tmp_path, DATASET, Settings(), CODE, runs)
    (file,) = (tmp_path / "trials").iterdir()
    file.write_text('{"schema_version": 99}')
    for _ in range(2):
        assert remembered(tmp_path, DATASET, Settings(), CODE, runs).name == "run 2"


def test_code_of_no_known_commit_is_measured_each_time(tmp_path: Path, runs: Runs) -> None:
    unknown = Code("unknown", True, "")
    for _ in range(2):
        remembered(tmp_path, DATASET, Settings(), unknown, runs)
    assert runs.count == 2


def test_a_run_that_fails_is_not_kept(tmp_path: Path, runs: Runs) -> None:
    def stopped() -> Result:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        remembered(tmp_path, DATASET, Settings(), CODE, stopped)
    assert remembered(tmp_path, DATASET, Settings(), CODE, runs).name == "run 1"
