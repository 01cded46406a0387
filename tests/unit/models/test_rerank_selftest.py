from prism.models.rerank_selftest import PASSAGES, QUESTIONS, Verdict, judge


def square(rights: int) -> list[list[float]]:
    """Scores whose first `rights` questions put their own passage first, the others the next one."""
    return [
        [1.0 + row if passage == (row if row < rights else (row + 1) % 5) else 0.0 for passage in range(5)]
        for row in range(5)
    ]


def test_there_is_one_passage_for_each_question():
    assert len(QUESTIONS) == len(set(PASSAGES)) == 5


def test_four_of_five_right_is_fine_and_three_is_not():
    assert judge(square(5)) is Verdict.FINE
    assert judge(square(4)) is Verdict.FINE
    assert judge(square(3)) is Verdict.DOUBTFUL


def test_rrk_07_all_scores_equal_is_dead():
    assert judge([[0.0] * 5] * 5) is Verdict.DEAD
    assert judge([[float(row)] * 5 for row in range(5)]) is Verdict.DEAD


def test_a_tie_for_first_place_does_not_count():
    assert judge([[1.0, 1.0, 0.0, 0.0, 0.0]] * 5) is Verdict.DOUBTFUL


def saturated(distinct: int) -> list[list[float]]:
    """All right, the right passages with `distinct` scores between them."""
    return [
        [float(min(row, distinct - 1)) + 1 if passage == row else 0.0 for passage in range(5)]
        for row in range(5)
    ]


def test_rrk_04_right_passages_of_one_score_are_saturated():
    assert judge(saturated(1)) is Verdict.SATURATED
    assert judge(saturated(2)) is Verdict.SATURATED
    assert judge(saturated(3)) is Verdict.FINE


def test_rrk_07_wrong_passages_on_top_come_before_saturation():
    assert judge([[1.0 if passage == 0 else 0.0 for passage in range(5)]] * 5) is Verdict.DOUBTFUL
