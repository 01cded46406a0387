"""Which questions the projection may learn from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.training.sets import DEFAULTS, HELD_OUT, training_sets
from prism.errors import UsageError


def write_set(folder: Path, judged: dict[str, str], **more: list[dict[str, Any]]) -> Path:
    """A corpus of one entry a paragraph; `judged` is the paragraph that answers each question."""
    folder.mkdir(parents=True)
    corpus = [{"_id": unit, "text": f"about {unit}"} for unit in dict.fromkeys(judged.values())]
    rows = [{"_id": name, "text": f"{name}?", "answers": ["x"]} for name in judged]
    files = {"corpus": corpus, "queries": rows + more.get("unjudged", [])}
    for name, lines in files.items():
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    lines = [f"{name}\t{unit}\t1" for name, unit in judged.items()]
    (folder / "qrels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def asked(folder: Path, tmp_path: Path, **options: Any) -> list[str]:
    (found,) = training_sets([folder], None, tmp_path / "work", **options)
    return [question.question_id for question in found.dataset.questions]


def test_articles_of_squad2_are_held_out(tmp_path: Path) -> None:
    judged = {"n": "Normans_0", "w": "Warsaw_12", "s": "Steam_engine_3", "i": "Immune_system_0"}
    assert asked(write_set(tmp_path / "squad2", judged), tmp_path) == ["n", "s"]
    assert asked(write_set(tmp_path / "other", judged), tmp_path) == ["n", "w", "s", "i"]
    assert len(HELD_OUT) == 4


def test_the_whole_corpus_of_a_set_stays(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "squad2", {"n": "Normans_0", "w": "Warsaw_12"})
    (found,) = training_sets([folder], None, tmp_path / "work")
    assert len(found.dataset.sources) == 2


def test_questions_without_an_answer_teach_nothing(tmp_path: Path) -> None:
    unjudged = [{"_id": "u", "text": "?", "answerable": False}, {"_id": "v", "text": "?"}]
    assert asked(write_set(tmp_path / "mine", {"a": "p_0"}, unjudged=unjudged), tmp_path) == ["a"]


def test_a_set_with_questions_for_training_keeps_its_others_unseen(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "scifact", {"test": "d1"})
    before = training_sets([folder], None, tmp_path / "work")[0].dataset.fingerprint
    (folder / "queries_train.jsonl").write_text('{"_id": "t1", "text": "learn"}', encoding="utf-8")
    (folder / "qrels_train.tsv").write_text("t1\td1\t1\n", encoding="utf-8")
    assert asked(folder, tmp_path) == ["t1"]
    assert training_sets([folder], None, tmp_path / "work")[0].dataset.fingerprint != before


def test_only_answers_of_squad2_stand_in_its_documents(tmp_path: Path) -> None:
    folders = [write_set(tmp_path / name, {"a": "p_0"}) for name in DEFAULTS]
    found = training_sets(folders, None, tmp_path / "work")
    assert {item.name: item.has_spans for item in found} == {
        "squad2": True,
        "scifact": False,
        "pubmedqa": False,
    }


def test_the_default_sets_are_all_wanted(tmp_path: Path) -> None:
    for name in DEFAULTS[:2]:
        write_set(tmp_path / name, {"a": "p_0"})
    with pytest.raises(UsageError, match="pubmedqa: no such folder"):
        training_sets([], tmp_path, tmp_path / "work")


def test_a_limit_spreads_evenly(tmp_path: Path) -> None:
    judged = {f"q{number}": f"p_{number}" for number in range(6)}
    assert asked(write_set(tmp_path / "mine", judged), tmp_path, limit=3) == ["q0", "q2", "q4"]


def test_the_next_step_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--dataset, or set PRISM_DATA"):
        training_sets([], None, tmp_path)
    folder = write_set(tmp_path / "squad2", {"w": "Warsaw_12"})
    with pytest.raises(UsageError, match="no question has an answer to learn from"):
        training_sets([folder], None, tmp_path / "work")
