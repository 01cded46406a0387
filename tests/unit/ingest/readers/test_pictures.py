import io
from contextlib import suppress

import pytest
from PIL import Image

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.readers import pictures
from prism.ingest.readers.pictures import for_reading, open_pages, shown
from tests.scans import saved


def half(mode: str, dark, light) -> Image.Image:
    """Left half dark, right half light; large enough not to be enlarged."""
    picture = Image.new(mode, (1600, 100), light)
    picture.paste(dark, (0, 0, 800, 100))
    return picture


def ends(picture: Image.Image) -> tuple[int, int]:
    return picture.getpixel((400, 50)), picture.getpixel((1200, 50))


@pytest.mark.parametrize(
    "picture",
    [
        half("1", 0, 1),
        half("L", 0, 255),
        half("LA", (0, 255), (255, 255)),
        half("L", 0, 255).convert("P"),
        half("RGB", "black", "white"),
        half("RGBA", (0, 0, 0, 255), (9, 9, 9, 0)),
        half("CMYK", (0, 0, 0, 255), (0, 0, 0, 0)),
        half("YCbCr", (0, 128, 128), (255, 128, 128)),
        half("HSV", (0, 0, 0), (0, 0, 255)),
        half("I;16", 300, 65000),
        half("I", 1000, 900000),
        half("F", -0.5, 0.5),
    ],
    ids=lambda picture: picture.mode,
)
def test_every_mode_becomes_grey_on_white(picture):
    grey = for_reading(picture)
    assert grey.mode == "L"
    dark, light = ends(grey)
    assert dark <= 2
    assert light >= 253


def test_white_letters_on_nothing_are_laid_on_black():
    picture = half("RGBA", (255, 255, 255, 255), (255, 255, 255, 0))
    assert ends(for_reading(picture)) == (255, 0)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF"])
def test_every_format_is_one_page(form):
    pages, page = open_pages(saved(half("RGB", "black", "white"), form), "a")
    assert pages == 1
    dark, light = ends(page(0))
    assert dark < 20
    assert light > 235


def test_a_tiff_has_a_page_per_frame():
    frames = [Image.new("1", (1600, 100), colour) for colour in (0, 1, 0)]
    pages, page = open_pages(saved(frames[0], "TIFF", save_all=True, append_images=frames[1:]), "a")
    assert [page(index).getpixel((5, 5)) for index in range(pages)] == [0, 255, 0]


def test_of_a_moving_picture_the_first_frame_counts():
    frames = [Image.new("L", (1600, 100), colour) for colour in (0, 255)]
    pages, page = open_pages(saved(frames[0], "GIF", save_all=True, append_images=frames[1:]), "a")
    assert pages == 1
    assert page(0).getpixel((5, 5)) == 0


def test_a_photograph_is_turned_as_the_camera_noted():
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held on its side
    _, page = open_pages(saved(half("L", 0, 255), "JPEG", exif=exif), "a")
    turned = page(0)
    assert turned.size == (100, 1600)
    assert turned.getpixel((50, 400)) < 10
    assert turned.getpixel((50, 1200)) > 245


def test_a_large_picture_is_scaled_down():
    picture = for_reading(Image.new("1", (9000, 9000)))
    assert picture.width * picture.height <= pictures.MAX_PIXELS
    assert picture.width == picture.height


def test_a_small_one_is_enlarged():
    assert for_reading(Image.new("L", (400, 300))).size == (800, 600)
    assert min(for_reading(Image.new("L", (1, 1))).size) >= 3


def test_a_picture_of_more_dots_than_fit_is_refused():
    bomb = saved(Image.new("1", (20_000, 20_000)), "PNG")
    with pytest.raises(TooLargeError, match=r"bomb\.png: the picture has more than 179 million dots"):
        open_pages(bomb, "bomb.png")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF"])
def test_a_damaged_picture_is_told(form):
    whole = saved(Image.effect_noise((300, 300), 50), form)
    for share in (0.02, 0.3, 0.7):
        with pytest.raises(UnreadableError, match=r"^a\.x: damaged"):
            open_pages(whole[: int(len(whole) * share)], "a.x")[1](0)


def test_every_garbled_byte_gives_a_picture_or_an_error_of_ours():
    whole = saved(Image.effect_noise((60, 60), 50), "TIFF")
    for place in range(0, 200, 3):
        broken = bytearray(whole)
        broken[place] ^= 0xFF
        with suppress(UnreadableError, TooLargeError):
            pages, page = open_pages(bytes(broken), "a")
            for index in range(pages):
                assert page(index).mode == "L"


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "CMYK", "I;16"])
def test_a_page_is_shown_as_png(mode):
    png = shown(saved(Image.new(mode, (3000, 1500)), "TIFF"), "a", 0)
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.format == "PNG"
        assert picture.size == (2000, 1000)
