"""Results side by side: letters, the baseline, and how many there may be."""

from __future__ import annotations

import pytest

from eval.report.blocks import Heading, Paragraph
from eval.report.sides import side_by_side, under_headings
from prism.errors import UsageError
from tests.unit.eval.report.results import make_result


def test_result_alone_has_no_letter() -> None:
    (side,) = side_by_side([make_result()])
    assert (side.letter, side.name, side.headed("mean")) == ("", "handmade", "mean")


def test_first_of_several_is_the_baseline() -> None:
    first, second = side_by_side([make_result(), make_result(name="other")])
    assert (first.name, second.name) == ("A: handmade (baseline)", "B: other")
    assert (second.place, second.headed("mean")) == (1, "B: mean")


@pytest.mark.parametrize("number", [0, 7])
def test_too_few_or_many_are_refused(number: int) -> None:
    with pytest.raises(UsageError, match=f"{number} results; it shows 1 to 6"):
        side_by_side([make_result()] * number)


def test_blocks_stand_under_headings_only_where_there_are_several() -> None:
    words = [[Paragraph("one")], [Paragraph("two")]]
    assert under_headings(side_by_side([make_result()]), words[:1]) == (Paragraph("one"),)
    both = under_headings(side_by_side([make_result(), make_result(name="other")]), words)
    assert both == (
        Heading("A: handmade (baseline)"),
        Paragraph("one"),
        Heading("B: other"),
        Paragraph("two"),
    )
