"""A run goes on where it was stopped, and says the same as one that was not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.dataset import Dataset, LabelledQuestion
from eval.machine import Code, settings_hash
from eval.outcome.result import Result
from eval.outcome.row import Row
from eval.runs.ask import Asker
from eval.runs.run import changed_settings, run
from prism.errors import SearchError
from prism.settings import Settings, overlay_settings
from tests.unit.eval.runs.conftest import SETTINGS, CountingEmbedder, MakeDataset

FILES = {"a.txt": "aaaa", "b.txt": "bbbb", "c.txt": "cccc abab", "d.txt": "dddd"}
ASKED = ("aaaa", "bbbb", "cccc", "dddd", "abab")
CODE = Code("0123456789ab", False, "")

Run = Callable[..., Result]


@pytest.fixture
def dataset(make_dataset: MakeDataset) -> Dataset:
    """Five questions; the gold of each is the document that holds its word."""
    questions = [
        LabelledQuestion(f"q{number}", text, grades={name: 1 for name, held in FILES.items() if text in held})
        for number, text in enumerate(ASKED, start=1)
    ]
    return make_dataset(FILES, *questions, notes=("five words",))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids of the questions asked, in order."""
    ids: list[str] = []
    ask = Asker.ask

    def watched(asker: Asker, question: LabelledQuestion) -> Row:
        ids.append(question.question_id)
        return ask(asker, question)

    monkeypatch.setattr(Asker, "ask", watched)
    return ids


@pytest.fixture
def measure(tmp_path: Path, embedder: CountingEmbedder) -> Run:
    """`measure(dataset, cache="…", code=…, on_question=…, **overlay)`."""

    def measured(
        dataset: Dataset,
        *,
        cache: str = "cache",
        code: Code = CODE,
        cut: int = 0,
        on_question: Any = None,
        **overlay: Any,
    ) -> Result:
        return run(
            dataset,
            overlay_settings(SETTINGS, overlay),
            name="letters",
            code=code,
            cache=tmp_path / cache,
            cut=cut,
            on_question=on_question,
        )

    return measured


def stop_after(count: int) -> Callable[[int, int], None]:
    """Stops a run once so many questions are done, as Ctrl-C would."""

    def on_question(done: int, total: int) -> None:
        if done == count:
            raise KeyboardInterrupt

    return on_question


def untimed(result: Result) -> Result:
    """A result without what two runs of the same need not share."""
    rows = tuple(replace(row, timings_ms={}) for row in result.rows)
    return replace(result, date="", machine={}, index={}, latency_ms={}, rows=rows)


def test_a_result_says_what_was_measured_with_what(measure: Run, dataset: Dataset) -> None:
    result = measure(dataset, cut=7, **{"retrieval.k": 3})
    assert (result.name, result.commit, result.dirty) == ("letters", CODE.commit, False)
    assert (result.dataset, result.unit, result.fingerprint) == ("letters", "document", dataset.fingerprint)
    assert (result.k, result.settings["retrieval.k"], result.notes) == (3, 3, ("five words",))
    assert result.settings_hash == settings_hash(overlay_settings(SETTINGS, {"retrieval.k": 3}))
    assert result.counts == {"asked": 5, "scored": 5, "unscorable": 0, "failed": 0, "cut": 7}
    assert result.models["embedder"] == "letters@1"
    assert result.libraries["numpy"]
    assert result.machine["cores"]
    assert result.date.endswith("+00:00")
    index = result.index
    assert (index["documents"], index["leaves"], index["leaves_embedded"], index["failures"]) == (4, 4, 4, [])
    assert index["built_in_s"] > 0


def test_rows_come_in_the_order_of_the_set_with_their_measures(measure: Run, dataset: Dataset) -> None:
    result = measure(dataset)
    assert [row.question_id for row in result.rows] == ["q1", "q2", "q3", "q4", "q5"]
    # Each document alone holds the word of its question, and is first in both legs.
    assert [row.metrics["hit@1"] for row in result.rows] == [1.0] * 5
    assert result.metrics["mrr"].mean == 1.0
    assert result.latency_ms["total"]["p50"] > 0


def test_evl_05_two_runs_of_the_same_questions_give_the_same_rows(measure: Run, dataset: Dataset) -> None:
    first, second, elsewhere = measure(dataset), measure(dataset), measure(dataset, cache="another")
    assert untimed(second) == untimed(first)
    assert untimed(elsewhere) == untimed(first)


def test_a_second_configuration_embeds_no_passage(
    measure: Run, dataset: Dataset, embedder: CountingEmbedder
) -> None:
    measure(dataset)
    indexed = sorted(embedder.passages)
    result = measure(dataset, **{"retrieval.fusion": "min_max", "retrieval.retrieve_k": 20})
    assert sorted(embedder.passages) == indexed
    assert (result.index["leaves_embedded"], result.index["built_in_s"]) == (0, None)


def test_a_run_that_was_stopped_asks_only_the_rest(measure: Run, dataset: Dataset, asked: list[str]) -> None:
    undisturbed = measure(dataset, cache="undisturbed")
    asked.clear()
    with pytest.raises(KeyboardInterrupt):
        measure(dataset, on_question=stop_after(3))
    # The first is asked once beforehand, to load what is loaded once.
    assert asked == ["q1", "q1", "q2", "q3"]
    asked.clear()
    resumed = measure(dataset)
    assert asked == ["q1", "q4", "q5"]
    assert untimed(resumed) == untimed(undisturbed)
    assert resumed.metrics == undisturbed.metrics


def test_a_run_that_has_ended_asks_anew(measure: Run, dataset: Dataset, asked: list[str]) -> None:
    measure(dataset)
    asked.clear()
    measure(dataset)
    assert asked == ["q1", "q1", "q2", "q3", "q4", "q5"]


@pytest.mark.parametrize(
    "other",
    [{"code": Code("another", False, "")}, {"code": Code(CODE.commit, True, "c4a9")}, {"retrieval.k": 3}],
    ids=str,
)
def test_rows_of_other_code_or_settings_are_not_taken_over(
    measure: Run, dataset: Dataset, asked: list[str], other: dict[str, Any]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        measure(dataset, on_question=stop_after(3))
    asked.clear()
    measure(dataset, **other)
    assert asked == ["q1", "q1", "q2", "q3", "q4", "q5"]


def test_rows_of_other_questions_are_not_taken_over(measure: Run, dataset: Dataset, asked: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        measure(dataset, on_question=stop_after(3))
    asked.clear()
    measure(replace(dataset, questions=dataset.questions[:4]))
    assert asked == ["q1", "q1", "q2", "q3", "q4"]


def test_a_run_stopped_after_its_last_question_asks_none(
    measure: Run, dataset: Dataset, asked: list[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        measure(dataset, on_question=stop_after(5))
    asked.clear()
    assert len(measure(dataset).rows) == 5
    assert asked == []


def test_progress_is_told_for_every_question(measure: Run, dataset: Dataset) -> None:
    told: list[tuple[int, int]] = []
    measure(dataset, on_question=lambda done, total: told.append((done, total)))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_a_question_that_fails_is_a_row_and_scores_0(
    measure: Run, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Asker._search

    def failing(asker: Asker, question: LabelledQuestion, k: int) -> Any:
        if question.question_id == "q2":
            raise SearchError("both legs failed")
        return search(asker, question, k)

    monkeypatch.setattr(Asker, "_search", failing)
    result = measure(dataset)
    assert result.counts["failed"] == 1
    assert result.counts["scored"] == 5
    assert [row.error for row in result.rows] == ["", "SearchError: both legs failed", "", "", ""]
    assert result.rows[1].metrics["ndcg@10"] == 0.0
    # Four of five are right.
    assert result.metrics["hit@1"].mean == pytest.approx(0.8)
    assert result.metrics["hit@1"].questions == 5


def test_a_set_of_which_nothing_can_be_scored_has_no_figures(measure: Run, make_dataset: MakeDataset) -> None:
    result = measure(make_dataset(FILES, LabelledQuestion("q", "aaaa", unscorable="its document is gone")))
    assert "ndcg@10" not in result.metrics
    assert result.counts == {"asked": 1, "scored": 0, "unscorable": 1, "failed": 0, "cut": 0}


def test_settings_are_told_where_they_differ_from_the_defaults() -> None:
    assert changed_settings(Settings()) == {}
    settings = overlay_settings(
        Settings(), {"retrieval.k": 3, "chunk.parent_tokens": (256,), "storage.path": "elsewhere"}
    )
    assert changed_settings(settings) == {"retrieval.k": 3, "chunk.parent_tokens": [256]}
