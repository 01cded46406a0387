"""Stacked bars: as long as their shares, and told apart without colour."""

from __future__ import annotations

import pytest

from eval.report.ranks import gold_ranks
from eval.report.ranks_plot import ranks_plot
from tests.unit.eval.report.drawings import hints, parsed, percent_of, words
from tests.unit.eval.report.results import ROWS, alone, make_result, make_row, pair


def bars(svg: str) -> list[tuple[float, float]]:
    """Place and width of the coloured parts, in per cent of the drawing."""
    rectangles = parsed(svg).iter("rect")
    coloured = [item for item in rectangles if "class" in item.attrib and item.attrib["x"].endswith("%")]
    return [(percent_of(item, "x"), percent_of(item, "width")) for item in coloured]


def test_parts_of_a_bar_follow_one_another_and_fill_it() -> None:
    # Four gold units: one at rank 1, two at 6 to 10, one absent.
    rows = [make_row(stages={"merged": {"a": rank}}) for rank in (1, 6, 10, None)]
    svg = ranks_plot(alone(rows), [gold_ranks(rows)])
    assert bars(svg) == [(0.0, 25.0), (25.0, 50.0), (75.0, 25.0)]
    assert hints(parsed(svg)) == [
        "merged, rank 1: 1 of 4 gold units",
        "merged, rank 6–10: 2 of 4 gold units",
        "merged, absent: 1 of 4 gold units",
    ]
    assert [text for text in words(parsed(svg)) if "%" in text] == ["25 %", "50 %", "25 %"]


def test_every_bar_of_the_hand_made_result_is_full() -> None:
    parts = bars(ranks_plot(alone(), [gold_ranks(ROWS)]))
    starts = [place for place, (x, _) in enumerate(parts) if x == 0.0]
    assert len(starts) == 5, "a bar a stage"
    for begin, end in zip(starts, [*starts[1:], len(parts)], strict=True):
        assert sum(width for _, width in parts[begin:end]) == pytest.approx(100, abs=0.01)


def test_buckets_have_patterns_besides_colours() -> None:
    root = parsed(ranks_plot(alone(), [gold_ranks(ROWS)]))
    patterns = {
        item.attrib["id"]: "".join(child.get("d", child.tag) for child in item)
        for item in root.iter("pattern")
    }
    assert len(patterns) == len(set(patterns.values())) == 6, "the first of seven is bare"
    used = {item.attrib["fill"][5:-1] for item in root.iter("rect") if "fill" in item.attrib}
    assert used <= patterns.keys()


def test_several_results_have_a_bar_each_under_their_letter() -> None:
    other = [make_row(stages={"merged": {"a": None}})]
    svg = ranks_plot(pair(make_result(other)), [gold_ranks(ROWS), gold_ranks(other)])
    assert words(parsed(svg)).count("B") == 1, "it ran one stage"
    assert bars(svg)[-1] == (6.0, 94.0), "all absent, right of its letter"
