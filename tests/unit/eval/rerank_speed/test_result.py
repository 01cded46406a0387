from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.datasets.dataset import Dataset
from eval.machine import Code
from eval.rerank_speed.figures import figures
from eval.rerank_speed.ingest import BlockTimes, Disk
from eval.rerank_speed.result import SCHEMA_VERSION, write_result
from prism.settings import Settings, overlay_settings
from tests.unit.eval.rerank_speed.made import make_pool, make_timed


def test_a_result_holds_its_figures_what_they_follow_from_and_what_they_depend_on(tmp_path: Path) -> None:
    pool, timed = make_pool({"a": 0.5, "b": 0.4}, gold={"a": 1}), make_timed((0.2, 0.1))
    blocks = [BlockTimes(32, 100.0, 110.0, 120.0)]
    found = figures([pool], [timed], blocks, Disk(4, 400, 26_000), weight=0.5)
    file = write_result(
        tmp_path / "results",
        found,
        dataset=Dataset("letters", (), (), {}, "f00d"),
        settings=overlay_settings(Settings(), {"retrieval.retrieve_k": 30}),
        code=Code("abc123", True, "0"),
        parameters={"rounds": 5},
        models={"embedder": "letters@1", "token_recipe": "r"},
        measured=[(pool, timed)],
        blocks=blocks,
    )
    assert file == tmp_path / "results" / "rerank-speed-letters-abc123.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    assert (told["schema_version"], told["commit"], told["dirty"]) == (SCHEMA_VERSION, "abc123", True)
    assert (told["dataset"], told["fingerprint"]) == ("letters", "f00d")
    assert told["settings"] == {"retrieval.retrieve_k": 30}
    assert told["models"] == {"embedder": "letters@1", "token_recipe": "r"}
    assert told["machine"]["cores"] > 0
    assert told["figures"]["bytes_per_leaf"] == 6500
    assert told["figures"]["times_faster"]["mean"] == pytest.approx(100.0)
    assert told["questions"] == [{"question_id": "q1", "leaves": 2, "stored_ms": 2.0, "fresh_ms": 200.0}]
    assert told["blocks"] == [{"leaves": 32, "without_ms": 100.0, "with_ms": 110.0, "written_ms": 120.0}]
