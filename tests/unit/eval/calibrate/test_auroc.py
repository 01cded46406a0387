from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from eval.calibrate.auroc import auroc
from prism.errors import UsageError


def test_the_area_is_how_often_an_answerable_question_scores_above_another() -> None:
    # Of 2 · 3 pairs: 0.9 beats all three, 0.5 beats 0.1 and ties with 0.5.
    assert auroc([0.9, 0.5], [0.7, 0.5, 0.1]).mean == pytest.approx((3 + 1.5) / 6)
    assert auroc([1.0], [0.0]).mean == 1.0
    assert auroc([0.0], [1.0]).mean == 0.0
    assert auroc([0.3, 0.3], [0.3]).mean == 0.5


@pytest.mark.parametrize("digits", [1, 9])
def test_the_area_is_that_of_scikit_learn_with_ties_and_without(digits: int) -> None:
    random = np.random.default_rng(5)
    ours, theirs = random.normal(1, 1, 80).round(digits), random.normal(0, 1, 120).round(digits)
    labels = [1] * len(ours) + [0] * len(theirs)
    expected = roc_auc_score(labels, [*ours, *theirs])
    assert auroc(list(ours), list(theirs)).mean == pytest.approx(expected, abs=1e-9)


def test_the_interval_holds_the_area_and_shrinks_with_the_questions() -> None:
    random = np.random.default_rng(6)

    def width(questions: int) -> float:
        found = auroc(list(random.normal(1, 1, questions)), list(random.normal(0, 1, questions)))
        assert found.low < found.mean < found.high
        return found.high - found.low

    # Hanley & McNeil's standard error of an area of .76 over 100 and 100 questions is about .034.
    assert width(100) == pytest.approx(2 * 1.96 * 0.034, rel=0.3)
    assert width(400) < 0.65 * width(100)


def test_the_same_scores_give_the_same_interval() -> None:
    assert auroc([0.4, 0.8], [0.3, 0.6]) == auroc([0.4, 0.8], [0.3, 0.6])


def test_one_side_alone_has_no_area() -> None:
    with pytest.raises(UsageError, match="answerable and of other questions"):
        auroc([], [0.5])
