from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from prism.asking import MAX_QUESTION_CHARS, TRACE_NOT_KEPT, Asked, Asking
from prism.engine import Prism
from prism.errors import SearchError, SettingsError, UsageError
from prism.query.calibration import BY_COVERAGE, UNCALIBRATED, Circumstances
from prism.types import Answer, Notice, Scope

SCOPE = Scope("default")


@pytest.fixture
def asking(prism: Prism, add) -> Asking:
    add(prism, {"a.txt": "Locker code is 4471."})
    return Asking(prism.settings, prism._storage, prism._models, lambda workspace: ())


def test_blanks_around_a_question_are_no_part_of_it(asking: Asking, prism: Prism) -> None:
    found = asking.retrieve(Asked("  locker code \n", SCOPE), leaves_only=False)
    assert prism.trace(found.trace_id)["question"] == "locker code"


def test_a_question_at_the_limit_is_asked_and_one_over_it_refused(asking: Asking) -> None:
    asking.retrieve(Asked("x" * MAX_QUESTION_CHARS, SCOPE), leaves_only=False)
    with pytest.raises(UsageError, match=f"limit is {MAX_QUESTION_CHARS}"):
        asking.retrieve(Asked("x" * (MAX_QUESTION_CHARS + 1), SCOPE), leaves_only=False)


def test_a_wrong_call_is_refused_before_the_stream_begins(asking: Asking) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        asking.respond(Asked("q", SCOPE, k=0))


def test_k_given_is_stronger_than_the_setting(asking: Asking, prism: Prism, add) -> None:
    add(prism, {f"{number}.txt": f"Locker code of branch {number}." for number in range(8)})
    assert len(asking.retrieve(Asked("locker code", SCOPE), leaves_only=True).passages) == 5
    assert len(asking.retrieve(Asked("locker code", SCOPE, k=7), leaves_only=True).passages) == 7


def test_the_answer_carries_the_conversation_it_belongs_to(asking: Asking) -> None:
    *_, answer = asking.respond(Asked("locker code?", SCOPE, conversation_id="c"))
    assert isinstance(answer, Answer)
    assert answer.conversation_id == "c"


def test_one_snapshot_serves_a_whole_answer(asking: Asking, prism: Prism) -> None:
    events = asking.respond(Asked("locker code?", SCOPE))
    next(events)
    prism.delete("a.txt")
    *_, answer = events
    assert isinstance(answer, Answer)
    assert [item.passage.document for item in answer.citations] == ["a.txt"]


def test_gen_13_a_search_that_fails_gives_an_error_and_no_answer(
    asking: Asking, prism: Prism, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args, **kwargs):
        raise ConnectionError("no index")

    monkeypatch.setattr(type(prism._storage.active("default").vectors), "search", broken)
    monkeypatch.setattr("prism.stores.keyword_view.KeywordView.search", broken)
    with pytest.raises(SearchError, match="no answer was attempted"):
        list(asking.respond(Asked("locker code?", SCOPE)))
    assert prism.status().answers == 0


def test_what_was_found_is_given_when_only_its_trace_cannot_be_kept(asking: Asking, prism: Prism) -> None:
    prism._storage._database.read().execute("PRAGMA query_only = ON")
    found = asking.retrieve(Asked("locker code", SCOPE), leaves_only=False)
    assert found.passages
    assert [notice.code for notice in found.notices] == [TRACE_NOT_KEPT]
    *_, told, answer = asking.respond(Asked("locker code?", SCOPE))
    assert isinstance(answer, Answer)
    assert "4471" in answer.text
    assert told == answer.notices[-1]
    assert "catalogue.sqlite" in answer.notices[-1].message

    prism._storage._database.read().execute("PRAGMA query_only = OFF")
    found = asking.retrieve(Asked("locker code", SCOPE), leaves_only=False)
    assert not found.notices
    assert prism.trace(found.trace_id)


# ── the gate's calibration ──────────────────────────────────────────────────────────────────────


CHUNK = {"leaf_tokens": 16, "parent_tokens": [48], "context_tokens": 32}
LETTERS = Circumstances("letters@1", (), None, None, leaf_tokens=16, context_tokens=32)
OTHER = replace(LETTERS, embedder="other@2")


@pytest.fixture
def calibrated(open_prism, add, tmp_path: Path) -> Callable[..., Prism]:
    """Opens the engine with a calibration made under these circumstances, of which a question whose words
    are all found scores 1 / (1 + e⁻¹)."""

    def run(made_under: Circumstances, **overlay: object) -> Prism:
        file = tmp_path / "calibration.json"
        body = {
            "schema_version": 1,
            "threshold": 0.625,
            "curves": [{"coefficients": {"coverage": 2.0}, "bias": -1.0}],
            "made_under": asdict(made_under),
            "provenance": {},
        }
        file.write_text(json.dumps(body))
        prism = open_prism(**{"gate.calibration": file, "gate.threshold": None, "chunk": CHUNK, **overlay})
        add(prism, {"a.txt": "Locker code is 4471."})
        return prism

    return run


def uncalibrated(notices: tuple[Notice, ...] | list[Notice]) -> list[Notice]:
    return [notice for notice in notices if notice.code == UNCALIBRATED]


def test_the_calibration_of_the_settings_decides_where_it_holds(calibrated) -> None:
    prism = calibrated(LETTERS)
    found = prism.retrieve("the locker code is?")
    gate = prism.trace(found.trace_id)["gate"]
    assert (gate["score"], gate["threshold"]) == (pytest.approx(0.731, abs=1e-3), 0.625)
    assert not found.notices


def test_under_another_embedder_words_decide_and_every_asker_is_told_once(calibrated) -> None:
    prism = calibrated(OTHER)
    found, answer = prism.retrieve("the locker code is?"), prism.ask("the locker code is?")
    (notice,) = uncalibrated(found.notices)
    assert "embedder other@2, now letters@1" in notice.message
    assert uncalibrated(answer.notices) == [notice]
    for trace_id in (found.trace_id, answer.trace_id):
        trace = prism.trace(trace_id)
        assert trace["gate"]["score"] == BY_COVERAGE.judge({"coverage": 1.0})
        assert trace["gate"]["threshold"] == BY_COVERAGE.threshold
        assert [item["code"] for item in trace["notices"]] == [UNCALIBRATED]


def test_a_stream_and_every_turn_of_a_conversation_tell_it_once(calibrated) -> None:
    prism = calibrated(OTHER)
    *events, answer = prism.stream("the locker code is?")
    assert len(uncalibrated([item for item in events if isinstance(item, Notice)])) == 1
    assert isinstance(answer, Answer)
    assert len(uncalibrated(answer.notices)) == 1
    conversation = prism.conversation()
    assert [len(uncalibrated(conversation.ask("the locker code is?").notices)) for _ in range(2)] == [1, 1]


def test_a_gate_that_is_off_tells_nobody_of_its_calibration(calibrated) -> None:
    prism = calibrated(OTHER, **{"gate.enabled": False})
    assert not prism.retrieve("the locker code is?").notices
    assert not uncalibrated(prism.ask("the locker code is?").notices)


def test_a_calibration_that_is_not_there_is_told_by_its_name(open_prism, add, tmp_path: Path) -> None:
    prism = open_prism(**{"gate.calibration": tmp_path / "none.json"})
    add(prism, {"a.txt": "Locker code is 4471."})
    with pytest.raises(SettingsError, match=r"gate\.calibration: .*none\.json"):
        prism.ask("the locker code is?")


@pytest.mark.parametrize(
    ("made_under", "overlay", "expected"),
    [
        (LETTERS, {}, "{file}, abstains below 0.625"),
        (LETTERS, {"gate.threshold": 0.4}, "{file}, abstains below 0.400"),
        (LETTERS, {"gate.threshold": 0}, "{file}, never abstains"),
        (LETTERS, {"gate.enabled": False}, "off"),
        (OTHER, {}, "words alone (calibrated under other models), abstains below 0.250"),
    ],
)
def test_the_status_says_what_decides_whether_to_answer(
    calibrated, tmp_path: Path, made_under, overlay, expected
) -> None:
    prism = calibrated(made_under, **overlay)
    told = prism.status().models["gate"]
    assert told == expected.format(file=tmp_path / "calibration.json")


def test_status_and_doctor_refuse_a_calibration_with_which_no_question_could_be_asked(
    open_prism, tmp_path: Path
) -> None:
    prism = open_prism(**{"gate.calibration": tmp_path / "none.json"})
    for look in (prism.status, prism.doctor):
        with pytest.raises(SettingsError, match=r"gate\.calibration: .*none\.json"):
            look()
