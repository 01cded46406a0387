from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eval.calibrate.cases import Case
from eval.calibrate.observe import Observation, features_of, journal_of, observe, read
from eval.machine import UNKNOWN, Code
from eval.runs.collection import Collection
from prism.settings import Settings, overlay_settings
from tests.fakes import LetterTokenEmbedder

FILES = {
    "cap.txt": "The cap on wire transfers is ten thousand.",
    "leave.txt": "Annual leave is fifteen days.",
}
CODE = Code("abc", False, "0")
CASES = (
    Case("answerable/1", "answerable", "cap on wire transfers"),
    Case("near/1", "near", "cap on wire transfers", frozenset({"cap.txt"})),
)


class Unopened:
    """A collection that must not be asked."""

    class prism:  # noqa: N801
        documents = staticmethod(lambda: ())


def test_an_excluded_document_gives_no_evidence(make_dataset, opened, tmp_path: Path) -> None:
    with opened(make_dataset(FILES)) as collection:
        answerable, near = observe(collection, CASES, tmp_path / "j.jsonl")
    assert (answerable.kind, near.kind) == ("answerable", "near")
    assert answerable.features["coverage"] == 1.0
    assert near.features["coverage"] == 0.0


def test_what_was_asked_is_read_again_and_only_the_rest_is_asked(
    make_dataset, opened, tmp_path: Path
) -> None:
    journal, told = tmp_path / "deep" / "j.jsonl", []
    with opened(make_dataset(FILES)) as collection:
        first = observe(collection, CASES[:1], journal)
        journal.write_text(journal.read_text().replace('"coverage": 1.0', '"coverage": 0.125'))
        both = observe(collection, CASES, journal, lambda done, total: told.append((done, total)))
    assert first[0].features["coverage"] == 1.0
    assert both[0].features["coverage"] == 0.125, "taken from the journal"
    assert both[1].kind == "near"
    assert told == [(1, 2), (2, 2)]
    assert tuple(read(journal)) == ("answerable/1", "near/1")


def test_a_whole_journal_needs_no_question_asked(tmp_path: Path) -> None:
    journal = tmp_path / "j.jsonl"
    rows = [
        {"case_id": case.case_id, "kind": case.kind, "features": {"x": 0.5}, "documents": []}
        for case in CASES
    ]
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    unasked: Collection = Unopened()  # type: ignore[assignment]
    assert [item.features for item in observe(unasked, CASES, journal)] == [{"x": 0.5}] * 2


@pytest.mark.parametrize(
    "spoiled",
    [
        '{"case_id": "b", "ki',
        "[]\n",
        '{"case_id": 1}\n',
        '{"case_id": "b", "kind": "odd", "features": {}, "documents": []}\n',
        '{"case_id": "b", "kind": "far", "features": {}}\n',
    ],
)
def test_a_journal_is_cut_where_a_crash_spoiled_it(tmp_path: Path, spoiled: str) -> None:
    journal = tmp_path / "j.jsonl"
    sound = json.dumps({"case_id": "a", "kind": "far", "features": {"x": None}, "documents": ["s/d"]}) + "\n"
    journal.write_text(sound + spoiled)
    assert read(journal) == {"a": Observation("a", "far", {"x": None}, ("s/d",))}
    assert journal.read_text() == sound
    assert read(tmp_path / "none.jsonl") == {}


def test_all_features_of_the_trace_are_taken_by_their_names() -> None:
    assert features_of({"features": {"best": 1, "cosine": None}, "score": 0.5}) == {
        "best": 1.0,
        "cosine": None,
    }


def test_every_feature_that_the_gate_judges_by_is_observed(
    make_dataset, opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval.runs.collection.load_embedder", lambda settings, **_: LetterTokenEmbedder())
    case = Case("answerable/1", "answerable", "Is the cap not what Wellington paid in 1815?")
    with opened(make_dataset(FILES), **{"rerank.kind": "late_interaction"}) as collection:
        (found,) = observe(collection, (case,), tmp_path / "j.jsonl")
    assert set(found.features) == {
        "sentence", "weakest", "cosine", "coverage", "missing_names", "missing_figures", "negated"
    }  # fmt: skip
    assert all(isinstance(value, float) for value in found.features.values())
    assert [found.features[name] for name in ("missing_names", "missing_figures", "negated")] == [1.0] * 3
    assert found == read(tmp_path / "j.jsonl")["answerable/1"]


def test_the_documents_that_a_question_is_on_are_kept(make_dataset, opened, tmp_path: Path) -> None:
    case = replace(CASES[0], documents=frozenset({"set/b", "set/a"}))
    with opened(make_dataset(FILES)) as collection:
        (found,) = observe(collection, (case,), tmp_path / "j.jsonl")
    assert found.documents == ("set/a", "set/b")
    assert read(tmp_path / "j.jsonl") == {"answerable/1": found}


def test_another_question_setting_code_or_corpus_has_another_journal(tmp_path: Path) -> None:
    def name(cases=CASES, fingerprint="f", settings=None, code=CODE) -> str:
        return journal_of(tmp_path, "xquad/en", cases, fingerprint, settings or Settings(), code).name

    others = [
        name(CASES[:1]),
        name((CASES[0], Case("near/1", "near", "cap on wire transfers", frozenset({"leave.txt"})))),
        name((CASES[0], replace(CASES[1], documents=frozenset({"set/cap.txt"})))),
        name(fingerprint="g"),
        name(settings=overlay_settings(Settings(), {"retrieval.k": 9})),
        name(code=Code("abd", False, "0")),
        name(code=Code("abc", True, "1")),
    ]
    assert name() == name()
    assert name().startswith("calibrate-xquad-en-")
    assert len({name(), *others}) == 8


def test_a_journal_of_unknown_code_is_not_believed(tmp_path: Path) -> None:
    unknown = Code(UNKNOWN, True, "")
    journal = journal_of(tmp_path, "set", CASES, "f", Settings(), unknown)
    journal.parent.mkdir()
    journal.write_text("x")
    assert not journal_of(tmp_path, "set", CASES, "f", Settings(), unknown).exists()
