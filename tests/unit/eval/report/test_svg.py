"""Parts of drawings: named, escaped, cut where they would not fit."""

from __future__ import annotations

import pytest

from eval.report import svg
from tests.unit.eval.report.drawings import parsed, percent_of, words
from tests.unit.eval.report.results import TAG


def test_drawing_has_a_name_for_those_who_do_not_see_it() -> None:
    root = parsed(svg.drawing("Quality", 'all "of" it', 40, []))
    assert root.attrib["aria-label"] == 'Quality. all "of" it'
    assert (root.attrib["role"], root.attrib["width"], root.attrib["height"]) == ("img", "100%", "40")
    assert root.findtext("title") == "Quality"


def test_words_are_text_and_nothing_else() -> None:
    root = parsed(svg.drawing("t", "d", 40, [svg.text(5, 10, TAG, "label"), *svg.key([("", TAG)], 0)[0]]))
    assert words(root) == [TAG, TAG]
    assert root.find(".//img") is None


@pytest.mark.parametrize(
    ("given", "shown"), [("short", "short"), ("exactly ten", "exactly t…"), ("two\nlines", "two lines")]
)
def test_long_words_end_with_an_ellipsis(given: str, shown: str) -> None:
    assert svg.shortened(given, 10) == shown


def test_key_fills_rows_and_tells_where_it_ends() -> None:
    # Seven entries in three columns are three rows of 20 px, below the 10 px above them.
    parts, end_px = svg.key([("<circle/>", str(place)) for place in range(7)], 10, columns=3)
    assert end_px == 10 + 3 * 20
    places = [(percent_of(item, "x"), float(item.attrib["y"])) for item in map(parsed, parts)]
    assert places[:4] == [(0.0, 10.0), (33.33, 10.0), (66.67, 10.0), (0.0, 30.0)]
    assert svg.key([], 10) == ([], 10)


def test_markers_differ_in_shape_besides_colour() -> None:
    assert len(set(svg.SHAPES)) == 6
