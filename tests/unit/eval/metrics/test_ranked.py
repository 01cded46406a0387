"""The library is called rightly: parity with direct calls, order, properties that hold for any ranking."""

from __future__ import annotations

import random
import sys

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, R, Success, nDCG

from eval.metrics.ranked import METRICS, ranked_metrics
from eval.outcome.row import Row
from prism.errors import UsageError
from tests.unit.eval.rows import make_row

IR_MEASURES = {
    **{f"ndcg@{k}": nDCG @ k for k in (5, 10, 20)},
    **{f"recall@{k}": R @ k for k in (1, 3, 5, 10, 20)},
    **{f"hit@{k}": Success @ k for k in (1, 3, 5, 10)},
    "mrr": RR,
    "map": AP,
}
PYTREC_EVAL = {
    **{f"ndcg@{k}": f"ndcg_cut_{k}" for k in (5, 10, 20)},
    **{f"recall@{k}": f"recall_{k}" for k in (1, 3, 5, 10, 20)},
    **{f"hit@{k}": f"success_{k}" for k in (1, 3, 5, 10)},
    "mrr": "recip_rank",
    "map": "map",
}
UNITS = [f"unit {number}" for number in range(60)]


def random_rows(seed: int, *, highest_grade: int, count: int = 40) -> list[Row]:
    draw = random.Random(seed)
    return [
        make_row(
            f"q{number}",
            gold={unit: draw.randint(1, highest_grade) for unit in draw.sample(UNITS, draw.randint(1, 12))},
            ranking=tuple(draw.sample(UNITS, draw.randint(1, 45))),
        )
        for number in range(count)
    ]


def as_dicts(rows: list[Row]) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    gold = {row.question_id: dict(row.gold) for row in rows}
    runs = {row.question_id: {unit: 1 / (1 + rank) for rank, unit in enumerate(row.ranking)} for row in rows}
    return gold, runs


@pytest.mark.parametrize("highest_grade", [1, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_equal_to_ir_measures_called_directly(seed: int, highest_grade: int) -> None:
    rows = random_rows(seed, highest_grade=highest_grade)
    direct = {
        (item.query_id, item.measure): item.value
        for item in ir_measures.iter_calc(list(IR_MEASURES.values()), *as_dicts(rows))
    }
    for row, values in zip(rows, ranked_metrics(rows), strict=True):
        assert values.keys() == IR_MEASURES.keys()
        for name, measure in IR_MEASURES.items():
            assert values[name] == pytest.approx(direct[row.question_id, measure], abs=1e-9)


@pytest.mark.parametrize("highest_grade", [1, 4])
@pytest.mark.parametrize("seed", [4, 5, 6])
def test_equal_to_pytrec_eval_called_directly(seed: int, highest_grade: int) -> None:
    rows = random_rows(seed, highest_grade=highest_grade)
    gold, runs = as_dicts(rows)
    direct = pytrec_eval.RelevanceEvaluator(gold, set(PYTREC_EVAL.values())).evaluate(runs)
    for row, values in zip(rows, ranked_metrics(rows), strict=True):
        for name, measure in PYTREC_EVAL.items():
            assert values[name] == pytest.approx(direct[row.question_id][measure], abs=1e-9)


def test_our_order_stands_whatever_units_are_called() -> None:
    # trec_eval puts equal scores in falling order of name: "z" would come before "a".
    assert ranked_metrics([make_row(ranking=("a", "z"))])[0]["mrr"] == 1.0
    assert ranked_metrics([make_row(ranking=("z", "a"))])[0]["mrr"] == 0.5


def test_an_empty_ranking_scores_0_and_stays() -> None:
    rows = [make_row("q1", ranking=("a",)), make_row("q2", ranking=()), make_row("q3", ranking=("a",))]
    assert [values["mrr"] for values in ranked_metrics(rows)] == [1.0, 0.0, 1.0]


def test_nothing_found_at_all_scores_0_throughout() -> None:
    assert set(ranked_metrics([make_row(), make_row()])[1].values()) == {0.0}


def test_rows_without_gold_have_no_values_and_keep_their_place() -> None:
    rows = [
        make_row("q1", gold={}, ranking=("a",)),
        make_row("q2", ranking=("a",)),
        make_row("q3", unscorable="the page is missing", ranking=("a",)),
        make_row("q4", gold={"a": 0, "b": -1}, ranking=("a", "b")),
    ]
    assert [values["hit@1"] for values in ranked_metrics(rows)] == [None, 1.0, None, None]
    assert all(set(values) == {metric.name for metric in METRICS} for values in ranked_metrics(rows))


def test_units_of_grade_0_are_as_if_not_judged() -> None:
    # Gold is b alone, at rank 2: 1 / log2(3) of an ideal of 1.
    values = ranked_metrics([make_row(gold={"a": 0, "b": 1, "c": -2}, ranking=("a", "b", "c"))])[0]
    assert (values["mrr"], values["recall@3"]) == (0.5, 1.0)
    assert values["ndcg@5"] == pytest.approx(0.6309297535714575)


def test_a_question_that_failed_scores_0() -> None:
    assert ranked_metrics([make_row(ranking=("a",), error="SearchError: disk gone")])[0]["hit@10"] == 0.0


def test_two_questions_of_one_id_stay_two() -> None:
    rows = [make_row("q", ranking=("a",)), make_row("q", ranking=("x", "a"))]
    assert [values["mrr"] for values in ranked_metrics(rows)] == [1.0, 0.5]


def test_hindi_names_are_told_apart() -> None:
    row = make_row(gold={"परिपत्र २०२४": 1}, ranking=("परिपत्र २०२२", "परिपत्र २०२४"))
    assert ranked_metrics([row])[0]["mrr"] == 0.5


def test_no_rows_no_values() -> None:
    assert ranked_metrics([]) == ()


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(UsageError, match="pip install ir-measures"):
        ranked_metrics([make_row()])


NAMES = st.sampled_from("abcdefghijklmnopqrstuvwxyz")
GOLD = st.dictionaries(NAMES, st.integers(1, 4), min_size=1, max_size=8)
RANKING = st.lists(NAMES, unique=True, max_size=26)


@given(GOLD, RANKING)
def test_values_lie_between_0_and_1(gold: dict[str, int], ranking: list[str]) -> None:
    values = ranked_metrics([make_row(gold=gold, ranking=tuple(ranking))])[0].values()
    assert all(value is not None and 0.0 <= value <= 1.0 for value in values)


@given(GOLD, RANKING)
def test_recall_and_hits_never_fall_with_k(gold: dict[str, int], ranking: list[str]) -> None:
    values = ranked_metrics([make_row(gold=gold, ranking=tuple(ranking))])[0]
    for name, cutoffs in (("recall", (1, 3, 5, 10, 20)), ("hit", (1, 3, 5, 10))):
        rising = [values[f"{name}@{k}"] or 0.0 for k in cutoffs]
        assert rising == sorted(rising)


@given(GOLD, RANKING, st.randoms(use_true_random=False))
def test_order_below_k_changes_nothing_at_k(
    gold: dict[str, int], ranking: list[str], draw: random.Random
) -> None:
    below = ranking[5:]
    draw.shuffle(below)
    before, after = ranked_metrics(
        [
            make_row(gold=gold, ranking=tuple(ranking)),
            make_row(gold=gold, ranking=(*ranking[:5], *below)),
        ]
    )
    for name in ("ndcg@5", "recall@5", "recall@3", "hit@5", "hit@1"):
        assert before[name] == after[name]


@given(GOLD)
def test_all_gold_in_order_of_grade_is_best(gold: dict[str, int]) -> None:
    best = tuple(sorted(gold, key=lambda unit: -gold[unit]))
    values = ranked_metrics([make_row(gold=gold, ranking=best)])[0]
    assert [values[name] for name in ("ndcg@10", "mrr", "map", "recall@10")] == pytest.approx([1.0] * 4)
