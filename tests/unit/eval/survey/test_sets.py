"""Which sets are surveyed: those that are there, or those that are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.survey.sets import SAMPLE, SurveyedSet, surveyed_sets
from prism.errors import UsageError


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("xquad/hi", "rbi_circulars", "another"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def test_the_sample_is_always_there() -> None:
    assert surveyed_sets(None) == [SurveyedSet("sample", SAMPLE)]
    assert SAMPLE.is_dir()


def test_sets_that_are_there_are_surveyed(data: Path) -> None:
    assert surveyed_sets(data) == [
        SurveyedSet("sample", SAMPLE),
        SurveyedSet("XQuAD hi", data / "xquad" / "hi"),
        SurveyedSet("RBI English", data / "rbi_circulars", "en"),
    ]


def test_named_sets_alone_are_surveyed(data: Path) -> None:
    assert [item.name for item in surveyed_sets(data, ["RBI English", "sample"])] == ["sample", "RBI English"]


@pytest.mark.parametrize("name", ["SciFact", "smaple", ""])
def test_a_named_set_that_is_not_there_is_refused_with_those_that_are(data: Path, name: str) -> None:
    with pytest.raises(
        UsageError, match=rf"--set '{name}': no such set.*sample, XQuAD hi, RBI English.*PRISM_DATA"
    ):
        surveyed_sets(data, ["sample", name])
