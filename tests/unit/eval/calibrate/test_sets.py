from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.calibrate.sets import DEFAULTS, calibration_sets
from prism.errors import UsageError


def write_set(folder: Path) -> Path:
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "a.txt").write_text("ten days")
    rows = [{"question": "how long?", "language": "en"}, {"question": "कितना?", "language": "hi"}]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def test_the_default_sets_are_those_that_are_there_by_their_path(tmp_path: Path) -> None:
    for name in ("xquad/en", "scifact"):
        write_set(tmp_path / name)
    found = calibration_sets([], tmp_path, tmp_path / "work")
    assert [(item.name, item.family) for item in found] == [
        ("xquad/en", "encyclopedia"),
        ("scifact", "medicine"),
    ]


def test_the_sets_to_be_judged_on_are_not_among_the_defaults() -> None:
    assert not any(name.startswith(("sample", "rbi")) for name in DEFAULTS)


def test_a_set_of_ones_own_is_a_family_of_its_own(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine")
    (item,) = calibration_sets([folder], tmp_path / "elsewhere", tmp_path / "work")
    assert (item.name, item.family, len(item.dataset.questions)) == ("mine", "mine", 2)


def test_only_questions_in_one_language_are_taken_when_asked_for(tmp_path: Path) -> None:
    (item,) = calibration_sets([write_set(tmp_path / "mine")], None, tmp_path / "work", language="hi")
    assert [question.language for question in item.dataset.questions] == ["hi"]


def test_without_any_set_the_next_step_is_told(tmp_path: Path) -> None:
    for data in (None, tmp_path):
        with pytest.raises(UsageError, match="--dataset, or set PRISM_DATA"):
            calibration_sets([], data, tmp_path / "work")
