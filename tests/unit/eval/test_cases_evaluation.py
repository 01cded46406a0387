"""The evaluation cases (EVL-…) that need no judge, each on results made by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

from eval.__main__ import main
from eval.outcome.result import Result, read_result, write_result
from eval.retrieval.table import result_table
from tests.unit.eval.rows import make_result, make_row

FOUND = [make_row(f"q{number}", ranking=("a",)) for number in range(9)]
NO_VALUE = make_row("q9", unscorable="its quote does not stand in the document as read")


def nine_of_ten() -> Result:
    """Ten questions, one of which has nothing to be scored by."""
    empty = {"failures": [], "leaves": 3, "documents": 1}
    return make_result([*FOUND, NO_VALUE], index=empty, latency_ms={})


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, float):
        yield value


def test_evl_01_a_row_without_a_value_is_named_with_its_reason_and_not_averaged() -> None:
    result = nine_of_ten()
    assert result.metrics["hit@1"].mean == 1.0
    assert result.metrics["hit@1"].questions == 9
    assert result.counts["unscorable"] == 1
    text = result_table(result)
    assert "10 questions asked, 9 scored" in text
    assert "its quote does not stand in the document as read (q9)" in text


def test_evl_01_no_figure_of_a_result_is_nan(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    write_result(file, nine_of_ten())
    found = list(numbers(json.loads(file.read_text(encoding="utf-8"))))
    assert found
    assert all(math.isfinite(number) for number in found)
    assert read_result(file) == nine_of_ten()


def test_evl_02_a_row_without_a_value_does_not_keep_the_report_from_being_written(tmp_path: Path) -> None:
    write_result(tmp_path / "result.json", nine_of_ten())
    assert main(["report", str(tmp_path / "result.json")]) == 0
    for ending in (".md", ".html"):
        text = (tmp_path / f"result{ending}").read_text(encoding="utf-8")
        assert "9/10" in text
        assert "nan" not in text.lower().split()


def test_evl_02_a_result_in_which_nothing_has_a_value_is_reported_too(tmp_path: Path) -> None:
    empty = {"failures": [], "leaves": 3, "documents": 1}
    write_result(tmp_path / "result.json", make_result([NO_VALUE], index=empty, latency_ms={}))
    assert main(["report", str(tmp_path / "result.json")]) == 0


def test_evl_05_settings_are_kept_with_the_result(tmp_path: Path) -> None:
    write_result(tmp_path / "result.json", make_result(FOUND, settings={"retrieval.k": 7}))
    kept = read_result(tmp_path / "result.json")
    assert kept.settings == {"retrieval.k": 7}
    assert kept.settings_hash
