"""A result says what was measured, where, and what it means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.bench.log import Record
from eval.bench.result import SCHEMA_VERSION, compare, read_records, write_result
from eval.machine import Code
from prism.errors import UsageError
from tests.unit.eval.bench.records import RECORDS

CODE = Code("0123456789ab", True, "cafe")


def test_comparisons_by_size_with_medians_ratio_and_verdict() -> None:
    found = {(item.leaves, item.quantity): item for item in compare(RECORDS)}
    added = found[1000, "add"]
    assert (added.prism, added.plain, added.verdict) == (20.0, 40.0, "ahead")
    assert added.ratio.mean == pytest.approx(2.0)
    assert found[1000, "indexing_rate"].ratio.mean == pytest.approx(0.5)
    assert found[1000, "indexing_rate"].verdict == "behind"
    assert found[1000, "query_p50"].ratio.mean == pytest.approx(1.0)
    assert found[1000, "query_p50"].verdict == "even"
    assert found[10_000, "add"].ratio.mean == pytest.approx(10.0)


def test_what_only_one_build_has_measured_is_not_compared() -> None:
    assert (10_000, "disk") not in {(item.leaves, item.quantity) for item in compare(RECORDS)}


def test_only_repetitions_of_both_are_paired() -> None:
    records = (*RECORDS, Record(10_000, 3, "prism", "add", 5000.0))
    assert compare(records) == compare(RECORDS)


def test_result_carries_all_that_explains_it(tmp_path: Path) -> None:
    file = write_result(tmp_path / "results", RECORDS, CODE, {"leaves": [1000], "repetitions": 2})
    assert file.name == "bench-0123456789ab.json"
    body = json.loads(file.read_text())
    assert (body["schema_version"], body["commit"], body["dirty"]) == (SCHEMA_VERSION, "0123456789ab", True)
    assert body["parameters"] == {"leaves": [1000], "repetitions": 2}
    assert body["machine"]["cores"] >= 1
    assert body["machine"]["memory_gb"] > 0
    assert body["libraries"]["chromadb"]
    assert body["settings"]
    assert len(body["records"]) == len(RECORDS)
    row = next(row for row in body["comparisons"] if (row["leaves"], row["quantity"]) == (1000, "add"))
    assert (row["unit"], row["better"], row["verdict"]) == ("ms", "lower", "ahead")
    assert row["times_better"] == pytest.approx(2.0)


def test_stages_are_in_the_result_beside_the_quantities(tmp_path: Path) -> None:
    body = json.loads(write_result(tmp_path, RECORDS, CODE, {}).read_text())
    rows = {(row["leaves"], row["stage"]): row for row in body["stages"]}
    dense = rows[1000, "dense"]
    assert (dense["prism_ms"], dense["plain_ms"], dense["quantity"]) == (4.0, 8.0, "query_p50")
    assert dense["times_better"] == pytest.approx(2.0)
    assert (rows[1000, "gate"]["plain_ms"], "times_better" in rows[1000, "gate"]) == (None, False)


def test_an_interval_without_end_is_null_in_json(tmp_path: Path) -> None:
    one = [record for record in RECORDS if record.repetition == 1]
    body = json.loads(write_result(tmp_path, one, CODE, {}).read_text())
    assert all(row["high"] is None for row in body["comparisons"])


def test_raw_values_come_back(tmp_path: Path) -> None:
    assert read_records(write_result(tmp_path, RECORDS, CODE, {})) == RECORDS


def test_quantities_of_another_time_are_passed_over(tmp_path: Path) -> None:
    records = (*RECORDS, Record(1000, 1, "prism", "measured_once", 1.0))
    assert read_records(write_result(tmp_path, records, CODE, {})) == RECORDS


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema_version": 999, "records": []}', '{"schema_version": 1}']
)
def test_what_is_no_result_is_refused_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=r"other\.json"):
        read_records(file)
