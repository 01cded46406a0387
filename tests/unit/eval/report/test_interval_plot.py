"""Means with whiskers: every marker where its number is, a row for every result."""

from __future__ import annotations

import pytest

from eval.outcome.result import Summary
from eval.report.interval_plot import interval_plot
from tests.unit.eval.report.drawings import hints, parsed, percent_of, words
from tests.unit.eval.report.results import alone, make_result, pair

METRICS = {"ndcg@10": Summary(0.5, 0.25, 1.0, 9), "wrongly_refused": Summary(0.0, 0.0, 0.0, 4)}


def test_zero_and_one_are_at_the_ends_of_the_axis_and_the_rest_between() -> None:
    # The axis goes from 7 % to 84 % of the width: 0.5 is at 7 + 38.5 = 45.5, 0.25 at 7 + 19.25 = 26.25.
    root = parsed(interval_plot(alone(metrics=METRICS), ["ndcg@10", "wrongly_refused"]))
    markers = [percent_of(item, "x") for item in root.iter("svg") if "marker" in item.get("class", "")]
    assert markers == [45.5, 7.0]
    whiskers = [item for item in root.iter("line") if "whisker" in item.attrib["class"]]
    assert (percent_of(whiskers[0], "x1"), percent_of(whiskers[0], "x2")) == (26.25, 84.0)


def test_numbers_and_titles_stand_beside_the_markers() -> None:
    root = parsed(interval_plot(alone(metrics=METRICS), ["ndcg@10", "wrongly_refused"]))
    shown = words(root)
    assert "nDCG in the first 10" in shown
    assert "wrongly refused (less is better)" in shown
    assert {"0.500", "0.000"} <= set(shown)
    assert hints(root)[0] == "nDCG in the first 10 0.500 (0.250 to 1.000)"


def test_each_result_has_its_letter_shape_and_name() -> None:
    second = make_result(name="other", metrics={"ndcg@10": Summary(0.75, 0.7, 0.8, 9)})
    root = parsed(interval_plot(pair(second), ["ndcg@10"]))
    shown = words(root)
    assert shown[:2] == ["A: handmade (baseline)", "B: other"]
    assert {"A", "B"} <= set(shown)
    first, other = [item for item in root.iter("svg") if "marker" in item.get("class", "")]
    assert {child.tag for child in first} != {child.tag for child in other}, "a circle and a path"


def test_result_without_a_value_says_so() -> None:
    root = parsed(interval_plot(pair(make_result(metrics={})), ["hit@1"]))
    assert words(root).count("no value") == 1


@pytest.mark.parametrize("number", [0, 1, 20])
def test_height_has_room_for_every_row(number: int) -> None:
    names = [f"measure {place}" for place in range(number)]
    metrics = dict.fromkeys(names, Summary(0.5, 0.4, 0.6, 9))
    root = parsed(interval_plot(alone(metrics=metrics), names))
    height_px = float(root.attrib["height"])
    assert all(0 <= float(item.attrib["y"]) < height_px for item in root.iter("text"))
    assert len(hints(root)) == number
