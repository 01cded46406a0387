"""The drawing: well-formed, with every panel, line and place where the numbers put them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from eval.bench.log import Record
from eval.bench.plot import draw, write_plot
from eval.bench.result import compare
from tests.unit.eval.bench.records import RECORDS

SVG = "{http://www.w3.org/2000/svg}"


def lines(text: str, build: str) -> list[list[tuple[float, float]]]:
    """The points of each line of a build, in the order of the panels."""
    root = ElementTree.fromstring(text)  # noqa: S314 - written by this test
    return [
        [tuple(map(float, point.split(","))) for point in item.attrib["points"].split()]  # type: ignore[misc]
        for item in root.iter(f"{SVG}polyline")
        if item.attrib["class"] == build
    ]


def test_drawing_has_a_title_and_a_line_per_build_and_panel() -> None:
    text = draw(compare(RECORDS))
    root = ElementTree.fromstring(text)  # noqa: S314
    assert "Prism" in (root.findtext(f"{SVG}title") or "")
    assert len(lines(text, "prism")) == len(lines(text, "plain")) == 3
    assert "prefers-color-scheme:dark" in text


def test_larger_values_stand_higher_and_larger_sizes_further_right() -> None:
    # The panel of `add` comes first: 1,000 leaves 20 and 40 ms, 10,000 leaves 10 and 100 ms.
    text = draw(compare(RECORDS))
    (small, prism_small), (large, prism_large) = lines(text, "prism")[0]
    (_, plain_small), (_, plain_large) = lines(text, "plain")[0]
    assert small < large
    assert prism_large > prism_small > plain_small > plain_large, "SVG counts downwards"


def test_scale_is_logarithmic() -> None:
    # 10, 20, 40 and 80 ms stand the same distance apart.
    values = {1000: (10.0, 20.0), 10_000: (40.0, 80.0)}
    records = [
        Record(leaves, 1, build, "add", value)
        for leaves, pair in values.items()
        for build, value in zip(("prism", "plain"), pair, strict=True)
    ]
    text = draw(compare(records))
    heights = [y for build in ("prism", "plain") for _, y in lines(text, build)[0]]
    first, third, second, fourth = heights
    assert first - second == pytest.approx(second - third, abs=0.2)
    assert second - third == pytest.approx(third - fourth, abs=0.2)


def test_one_size_alone_is_drawn_within_its_panel() -> None:
    text = draw(compare([record for record in RECORDS if record.leaves == 1000]))
    width, height = map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', text)[0])
    for build in ("prism", "plain"):
        for (x, y), *_ in lines(text, build):
            assert 0 < x < width
            assert 0 < y < height


def test_drawing_is_written_as_a_file(tmp_path: Path) -> None:
    write_plot(tmp_path / "performance.svg", RECORDS)
    assert (tmp_path / "performance.svg").read_text(encoding="utf-8") == draw(compare(RECORDS))
