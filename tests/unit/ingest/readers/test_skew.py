import pytest
from PIL import Image

from prism.ingest.readers.skew import straightening
from tests.scans import picture_of

LINES = ["The harbour office charges forty crowns a day", "for every berth at the northern quay, and the"] * 6


def page() -> Image.Image:
    tall = Image.new("L", (2000, 2400), 255)
    tall.paste(picture_of(LINES), (0, 200))
    return tall


@pytest.mark.parametrize("degrees", [-11, -6, -3, 2, 4.5, 9])
def test_a_page_askew_is_set_straight(degrees):
    askew = page().rotate(degrees, fillcolor=255)
    assert straightening(askew) == pytest.approx(-degrees, abs=0.5)


def test_a_page_on_its_side_is_too():
    askew = page().rotate(90, expand=True).rotate(5, fillcolor=255)
    assert straightening(askew) == pytest.approx(-5, abs=0.5)


def test_a_straight_page_stays():
    assert straightening(page()) == 0
    assert straightening(page().rotate(0.5, fillcolor=255)) == 0


@pytest.mark.parametrize("picture", [Image.new("L", (900, 900), 255), Image.new("L", (1, 900), 0),
                                     Image.effect_noise((900, 700), 80)])  # fmt: skip
def test_a_picture_without_lines_stays(picture):
    assert straightening(picture) == 0
