"""`python -m eval calibrate`: what it fits, writes and judges, with features made up by kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from eval.__main__ import main
from eval.calibrate import command
from eval.calibrate.cases import Case
from eval.calibrate.observe import Observation
from prism.query.calibration import load_calibration

CENTRES = {"answerable": 0.8, "unanswerable": 0.5, "near": 0.4, "far": 0.1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of quotes: twelve questions with an answer, eight without."""
    (tmp_path / "mine" / "documents").mkdir(parents=True)
    (tmp_path / "mine" / "documents" / "a.txt").write_text("ten days")
    gold = [{"document": "a.txt", "quote": "ten days"}]
    rows = [{"id": f"y{at}", "question": f"{at}?", "gold": gold} for at in range(12)]
    rows += [{"id": f"n{at}", "question": f"{at}?", "answerable": False} for at in range(8)]
    (tmp_path / "mine" / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "mine"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cases that were asked; a feature is its kind's centre and a little more for each further case."""
    seen: list[str] = []

    @contextmanager
    def collection(*_: Any) -> Iterator[Any]:
        yield SimpleNamespace(
            documents=1, leaves=1, embedder=SimpleNamespace(name="letters@1"), reranker=None
        )

    def observe(opened: Any, cases: tuple[Case, ...], *_: Any) -> tuple[Observation, ...]:
        seen.extend(case.case_id for case in cases)
        return tuple(
            Observation(case.case_id, case.kind, {"coverage": CENTRES[case.kind] + at / 100})
            for at, case in enumerate(cases)
        )

    monkeypatch.setattr(command, "collection", collection)
    monkeypatch.setattr(command, "observe", observe)
    monkeypatch.delenv("PRISM_DATA", raising=False)
    return seen


def calibrate(folder: Path, *options: str) -> int:
    cache = str(folder.parent / "cache")
    return main(
        ["calibrate", "--dataset", str(folder), "--cache", cache, "--set", "rerank.kind=none", *options]
    )


def test_a_calibration_is_fitted_written_and_shown(
    asked: list[str], folder: Path, tmp_path: Path, capsys
) -> None:
    out, tables = tmp_path / "c.json", tmp_path / "t.md"
    assert calibrate(folder, "--out", str(out), "--tables", str(tables), "--limit", "10") == 0
    assert sum(case_id.startswith("answerable/") for case_id in asked) == 10
    made = load_calibration(out)
    assert made.judge({"coverage": 0.85}) > made.threshold > made.judge({"coverage": 0.4})
    assert made.made_under is not None
    assert (made.made_under.embedder, made.made_under.rerank) == ("letters@1", ())
    assert made.provenance["target"] == {"false_answer_rate": 0.15}
    assert made.provenance["sets"][0]["questions"] == {"answerable": 10, "unanswerable": 8}
    shown = capsys.readouterr()
    assert shown.out == tables.read_text(encoding="utf-8")
    assert f"calibration: {out}" in shown.err


def test_a_pass_rate_may_be_asked_for_instead(asked: list[str], folder: Path, tmp_path: Path) -> None:
    assert calibrate(folder, "--pass-rate", "0.5", "--out", str(tmp_path / "half.json")) == 0
    assert calibrate(folder, "--pass-rate", "1", "--out", str(tmp_path / "all.json")) == 0
    half, everyone = (load_calibration(tmp_path / name) for name in ("half.json", "all.json"))
    assert half.threshold > everyone.threshold
    assert half.provenance["target"] == {"pass_rate": 0.5}


def test_a_calibration_is_judged_on_another_set(
    asked: list[str], folder: Path, tmp_path: Path, capsys
) -> None:
    out = tmp_path / "c.json"
    calibrate(folder, "--out", str(out))
    capsys.readouterr()
    assert calibrate(folder, "--judge", str(out)) == 0
    shown = capsys.readouterr()
    assert "| mine | 12/12 (100 %), 76 % to 100 % |" in shown.out
    assert shown.err.strip() == ""


def test_judging_under_another_model_says_so(asked: list[str], folder: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "c.json"
    calibrate(folder, "--out", str(out))
    calibrate(folder, "--judge", str(out), "--set", "chunk.leaf_tokens=64")
    assert "was made under another model: leaf tokens 128, now 64" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--weight", "odd=1"), "--weight 'odd=1': wanted KIND=W"),
        (("--weight", "near=0"), "--weight 'near=0': wanted KIND=W"),
        (("--weight", "near"), "--weight 'near': wanted KIND=W"),
        (("--curve", "length"), "No curve over length"),
        (("--judge", "nothing.json"), "nothing.json is no calibration"),
    ],
)
def test_a_wrong_option_is_told(asked: list[str], folder: Path, capsys, options, said: str) -> None:
    assert calibrate(folder, *options) == 2
    assert said in capsys.readouterr().err


def test_judging_needs_a_set_and_fitting_too(asked: list[str], tmp_path: Path, capsys) -> None:
    assert main(["calibrate", "--judge", "c.json"]) == 2
    assert "--judge: name the sets" in capsys.readouterr().err
    assert main(["calibrate", "--cache", str(tmp_path)]) == 2
    assert "Nothing to calibrate on" in capsys.readouterr().err
    assert asked == []


def test_weights_reach_the_fit_and_the_record(asked: list[str], folder: Path, tmp_path: Path) -> None:
    calibrate(folder, "--weight", "unanswerable=3", "--out", str(tmp_path / "c.json"))
    assert load_calibration(tmp_path / "c.json").provenance["weights"]["unanswerable"] == 3.0
