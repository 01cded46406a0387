"""Which questions changed, and which way."""

from __future__ import annotations

import pytest

from eval.compare.changes import (
    SHOWN_EACH_WAY,
    Flips,
    count_flips,
    find_changes,
    refused_by_one,
    worse_and_better,
)
from eval.compare.pairing import Pair, pair
from eval.outcome.row import Row
from prism.errors import UsageError
from tests.unit.eval.rows import make_result, make_row


def at(*ranks: int | None) -> list[Row]:
    """A row for each rank of the only gold."""
    fill = [f"x{number}" for number in range(30)]
    return [
        make_row(f"q{number}", ranking=() if rank is None else (*fill[: rank - 1], "a"))
        for number, rank in enumerate(ranks)
    ]


def pairs_of(a: list[Row], b: list[Row]) -> tuple[Pair, ...]:
    return pair(make_result(a), make_result(b)).pairs


def test_the_largest_change_comes_first_whichever_way() -> None:
    # Reciprocal ranks: 1/2 to 1/3, 1/4 to 1, 1 to 1, 1 to 0.
    changes = find_changes(pairs_of(at(2, 4, 1, 1), at(3, 1, 1, None)), "mrr")
    assert [change.pair.a.question_id for change in changes] == ["q3", "q1", "q0"]
    assert [change.difference for change in changes] == pytest.approx([-1.0, 0.75, -1 / 6])


def test_gained_and_lost_cutoffs_worked_by_hand() -> None:
    # From rank 4 to 1: among the first 1 and 3 in B alone. From 3 to 11: among the first 3, 5, 10 in A alone.
    better, worse = find_changes(pairs_of(at(4, 3), at(1, 11)), "mrr")
    assert (better.gained, better.lost) == ((1, 3), ())
    assert (worse.gained, worse.lost) == ((), (3, 5, 10))


def test_a_flip_that_leaves_the_measure_as_it_was_is_a_change() -> None:
    # Neither is among the first 5; the first 10 have it in A alone.
    (change,) = find_changes(pairs_of(at(8), at(12)), "ndcg@5")
    assert (change.difference, change.lost) == (0.0, (10,))
    assert change.is_worse


def test_equal_rankings_are_no_change() -> None:
    assert find_changes(pairs_of(at(1, None, 7), at(1, None, 7)), "ndcg@10") == ()


def test_unscorable_questions_are_no_change() -> None:
    lost = [make_row("q0", unscorable="the page is missing")]
    assert find_changes(pairs_of(at(1), lost), "mrr") == ()
    assert count_flips(pairs_of(at(1), lost))[0] == Flips(1, 0, 0)


def test_an_unknown_measure_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"--metric ndgc@10.*ndcg@5, ndcg@10"):
        find_changes(pairs_of(at(1), at(1)), "ndgc@10")


def test_flips_are_counted_at_each_cutoff() -> None:
    # 1 to 2: lost at 1. 4 to 1: gained at 1 and 3. 10 to nowhere: lost at 10.
    assert count_flips(pairs_of(at(1, 4, 10), at(2, 1, None))) == (
        Flips(1, gained=1, lost=1),
        Flips(3, gained=1, lost=0),
        Flips(5, gained=0, lost=0),
        Flips(10, gained=0, lost=1),
    )


def test_a_question_that_failed_has_lost_its_gold() -> None:
    failed = [make_row("q0", ranking=("a",), error="SearchError: disk gone")]
    assert count_flips(pairs_of(at(1), failed))[3] == Flips(10, 0, 1)


def test_questions_refused_by_one_alone() -> None:
    a = [
        make_row(f"q{number}", abstained=refused) for number, refused in enumerate((True, False, True, True))
    ]
    b = [
        make_row(f"q{number}", abstained=refused) for number, refused in enumerate((False, True, True, None))
    ]
    by_a, by_b = refused_by_one(pairs_of(a, b))
    assert [row.question_id for row in by_a] == ["q0"]
    assert [row.question_id for row in by_b] == ["q1"]


def test_the_first_few_each_way_are_shown_and_all_on_demand() -> None:
    count = SHOWN_EACH_WAY + 2
    changes = find_changes(pairs_of(at(*[1] * count, *[2] * count), at(*[2] * count, *[1] * count)), "mrr")
    worse, better = worse_and_better(changes)
    assert (len(worse), len(better)) == (SHOWN_EACH_WAY, SHOWN_EACH_WAY)
    assert worse[0].pair.a.question_id == "q0"
    assert [len(part) for part in worse_and_better(changes, shows_all=True)] == [count, count]
