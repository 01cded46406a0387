"""A result is written whole and read back as it was, or refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.outcome.result import SCHEMA_VERSION, Result, read_result, write_result
from prism.errors import UsageError
from tests.unit.eval.rows import make_passages, make_result, make_row

ROWS = [
    make_row("a", ranking=("a",), passages=make_passages("a", ""), timings_ms={"total": 2.0}),
    make_row("ख", question="“कितना”\nहै?", gold={}, answerable=False, abstained=True, gate_score=0.1),
    make_row("c", unscorable="its document is gone"),
]
RESULT = make_result(
    ROWS,
    settings={"retrieval.k": 3, "chunk.parent_tokens": [256]},
    index={"leaves": 7, "failures": ["x.pdf: damaged"], "built_in_s": None},
    latency_ms={"total": {"p50": 2.0, "p95": 2.0, "p99": 2.0}},
    notes=("of a note",),
)


@pytest.mark.parametrize(
    "result", [RESULT, make_result(ROWS), make_result([]), make_result(ROWS, notes=("ends in }\n", "}"))]
)
def test_a_result_comes_back_as_it_was(tmp_path: Path, result: Result) -> None:
    file = tmp_path / "results" / "base.json"
    write_result(file, result)
    assert read_result(file) == result
    assert [entry.name for entry in file.parent.iterdir()] == ["base.json"]


def test_a_result_is_json_with_one_row_a_line_and_its_form(tmp_path: Path) -> None:
    write_result(tmp_path / "r.json", RESULT)
    text = (tmp_path / "r.json").read_text(encoding="utf-8")
    assert json.loads(text)["schema_version"] == SCHEMA_VERSION
    lines = [line for line in text.splitlines() if line.startswith('  {"question_id"')]
    assert len(lines) == len(ROWS)
    assert "ख" in text


def test_a_result_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    write_result(file, RESULT)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_result(file, make_result([make_row(gate_score=float("nan"))]))
    assert read_result(file) == RESULT


def changed(file: Path, **values: Any) -> None:
    body = json.loads(file.read_text(encoding="utf-8"))
    body |= values
    file.write_text(json.dumps({name: value for name, value in body.items() if value is not ...}))


def test_a_result_of_another_form_is_refused_with_both_forms(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    write_result(file, RESULT)
    changed(file, schema_version=99)
    with pytest.raises(
        UsageError, match=r"r\.json: a result of form 99; this code reads form 1\. Run it again"
    ):
        read_result(file)


@pytest.mark.parametrize(
    "values",
    [
        {"rows": None},
        {"rows": [{}]},
        {"metrics": {"ndcg@10": 0.5}},
        {"more": 1},
        {"notes": None},
        {"metrics": {"ndcg@10": {"mean": 1}}},
    ],
    ids=str,
)
def test_a_result_that_is_spoiled_is_refused(tmp_path: Path, values: dict[str, Any]) -> None:
    file = tmp_path / "r.json"
    write_result(file, RESULT)
    changed(file, **values)
    with pytest.raises(UsageError, match=r"r\.json: not a result of 'python -m eval retrieval'"):
        read_result(file)


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", "\ufffd{"])
def test_what_is_no_result_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "r.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"r\.json: not a result"):
        read_result(file)
    with pytest.raises(UsageError, match=r"none\.json: not a result .*FileNotFoundError"):
        read_result(tmp_path / "none.json")
