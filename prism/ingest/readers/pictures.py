"""Picture files as grey pictures that stand upright and are of a size to be read: PNG, JPEG, TIFF, BMP, WebP
and GIF, of any depth and colour."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PIL import Image, ImageOps, UnidentifiedImageError

from prism.errors import TooLargeError, UnreadableError

MAX_PIXELS = 20_000_000
"""Larger pictures are scaled down: a page of A3 at 300 dots per inch has 17 million."""

MAX_FILE_PIXELS = 2 * (Image.MAX_IMAGE_PIXELS or 89_478_485)
"""Larger ones are not even opened, since they would not fit into memory: Pillow's own limit."""

_MIN_SIDE = 3
_SMALL_SIDE = 1500
_SMALL_FACTOR = 2
_PAGED_FORMATS = frozenset(("TIFF",))
_DEPTH_MODES = frozenset(("I", "F", "I;16", "I;16B", "I;16L", "I;16N"))


def open_pages(data: bytes, name: str) -> tuple[int, Callable[[int], Image.Image]]:
    """How many pages a picture file has, and what gives each (from 0) as a grey picture. A TIFF has one for
    each frame; of moving pictures the first frame counts.

    Raises:
        UnreadableError: damaged, here or when a page is asked for.
        TooLargeError: more than 178 million dots.
    """
    with _checked(name), Image.open(io.BytesIO(data)) as opened:
        pages = getattr(opened, "n_frames", 1) if opened.format in _PAGED_FORMATS else 1

    def page(index: int) -> Image.Image:
        with _checked(name), Image.open(io.BytesIO(data)) as opened:
            return for_reading(upright(opened, index))

    return pages, page


def shown(data: bytes, name: str, index: int, *, max_pixels: int = 2_000_000) -> bytes:
    """A page of a picture file as PNG, upright, scaled down for the screen. Raises as `open_pages`."""
    with _checked(name), Image.open(io.BytesIO(data)) as opened:
        picture = scaled_down(_in_eight_bits(upright(opened, index)), max_pixels)
        if picture.mode not in ("L", "RGB", "RGBA", "1"):
            picture = picture.convert("RGB")
        png = io.BytesIO()
        picture.save(png, format="PNG")
        return png.getvalue()


def upright(opened: Image.Image, index: int) -> Image.Image:
    """A frame as a person looks at it: turned as the camera noted."""
    if index:
        opened.seek(index)
    opened.draft("RGB", _draft_size(opened.size))  # JPEG alone: decoded at half or a quarter of its size
    return ImageOps.exif_transpose(opened)


def for_reading(picture: Image.Image) -> Image.Image:
    """A grey picture on white, of a size that letters are recognized in."""
    grey = scaled_down(_grey(_in_eight_bits(picture)), MAX_PIXELS)
    if max(grey.size) < _SMALL_SIDE:  # from a screen, where letters are a few dots high
        grey = grey.resize(
            (grey.width * _SMALL_FACTOR, grey.height * _SMALL_FACTOR), Image.Resampling.LANCZOS
        )
    if min(grey.size) < _MIN_SIDE:
        grey = ImageOps.expand(grey, _MIN_SIDE, fill=255)
    return grey


def scaled_down(picture: Image.Image, max_pixels: int) -> Image.Image:
    """The picture with at most `max_pixels`."""
    share = (max_pixels / max(picture.width * picture.height, 1)) ** 0.5
    if share >= 1:
        return picture
    size = (max(int(picture.width * share), 1), max(int(picture.height * share), 1))
    if picture.mode in ("1", "P"):
        picture = picture.convert("L" if picture.mode == "1" else "RGB")
    return picture.resize(size, Image.Resampling.BOX, reducing_gap=2.0)


def _draft_size(size: tuple[int, int]) -> tuple[int, int]:
    share = min((MAX_PIXELS / max(size[0] * size[1], 1)) ** 0.5, 1.0)
    return max(int(size[0] * share), 1), max(int(size[1] * share), 1)


def _in_eight_bits(picture: Image.Image) -> Image.Image:
    """Sixteen bits, whole and real numbers stretched over black to white; others as they are."""
    if picture.mode not in _DEPTH_MODES:
        return picture
    real = picture.convert("F")
    low, high = real.getextrema()
    assert isinstance(low, float) and isinstance(high, float), "one band"  # noqa: S101, PT018
    scale = 255 / (high - low) if high > low else 0.0
    return real.point(lambda value: value * scale - low * scale).convert("L")


def _grey(picture: Image.Image) -> Image.Image:
    """Grey, with what is transparent white; black where white letters would be lost on it."""
    if not picture.has_transparency_data:
        return picture.convert("L")
    layered = picture.convert("RGBA")
    on_white = _laid_on(layered, "white")
    low, high = on_white.getextrema()
    return on_white if low != high else _laid_on(layered, "black")


def _laid_on(layered: Image.Image, colour: str) -> Image.Image:
    ground = Image.new("RGBA", layered.size, colour)
    ground.alpha_composite(layered)
    return ground.convert("L")


@contextmanager
def _checked(name: str) -> Iterator[None]:
    """Whatever a damaged picture does to the decoders, as one of our errors."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd metadata, and of large pictures, which we scale
            yield
    except Image.DecompressionBombError:
        raise TooLargeError(
            f"{name}: the picture has more than {MAX_FILE_PIXELS / 1_000_000:.0f} million dots. "
            "Save it smaller and add it again."
        ) from None
    except UnidentifiedImageError:
        raise UnreadableError(f"{name}: damaged, not a readable picture. Save or copy it again.") from None
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, ZeroDivisionError,
            struct.error, zlib.error, MemoryError, OverflowError, NotImplementedError) as error:  # fmt: skip
        reason = str(error).split("\n", 1)[0] or type(error).__name__
        raise UnreadableError(f"{name}: damaged picture ({reason}). Save or copy it again.") from None
