"""A whole run of the bench at a tiny size: both builds for real, and going on after a stop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.bench import log
from eval.bench.quantities import BUILDS, QUANTITIES

LEAVES = 100
MEASURED = [quantity for quantity in QUANTITIES if quantity.phase != "reading"]
"""Reading has real files of its own and is measured when asked for (`--only reading`)."""


@pytest.mark.slow
def test_both_builds_are_measured_right_and_a_second_run_measures_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "log.jsonl"
    arguments = ["bench", "--leaves", str(LEAVES), "--repetitions", "1", "--cache", str(tmp_path / "cache")]
    arguments += ["--log", str(journal), "--results", str(tmp_path / "results")]
    assert main(arguments) == 0
    table = capsys.readouterr().out

    records = {(record.build, record.quantity): record for record in log.read(journal)}
    assert records.keys() == {(build, quantity.name) for build in BUILDS for quantity in MEASURED}
    assert all(record.value > 0 for record in records.values())
    assert all(records[build, "recall"].value > 0.95 for build in BUILDS)
    for name in ("query_p50", "query_embedded_p50"):
        stages_ms = records["prism", name].details["stages_p50_ms"]
        assert isinstance(stages_ms, dict)
        # Without the leaves' token vectors it would be a glance of a hundredth of this.
        assert stages_ms["rerank"] > 0.2
        assert all(spent_ms > 0 for spent_ms in stages_ms.values())
    assert all(quantity.title in table for quantity in MEASURED)
    assert list((tmp_path / "cache" / "work").iterdir()) == [], "what was built is removed"
    (result,) = (tmp_path / "results").glob("bench-*.json")
    rows = json.loads(result.read_text(encoding="utf-8"))["comparisons"]
    assert {row["quantity"] for row in rows} == {quantity.name for quantity in MEASURED}

    measured = journal.read_bytes()
    assert main(arguments) == 0
    assert journal.read_bytes() == measured
    assert capsys.readouterr().out == table
