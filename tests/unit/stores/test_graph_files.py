from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from prism.stores.graph_files import check_graph

LINKS, UPPER, NUMBERS, ELEMENTS = 4, 2, 3, 5
VECTOR_AT = 4 + 4 * LINKS
LABEL_AT = VECTOR_AT + 4 * NUMBERS
SIZE = LABEL_AT + 8


def header(
    elements: int = ELEMENTS,
    top: int = 1,
    entry: int = 2,
    size: int = SIZE,
    scale: float = 0.5,
    construction: int = 100,
) -> bytes:
    shape = (1, 0, 10, elements, size, LABEL_AT, VECTOR_AT, top, entry, UPPER, LINKS, UPPER)
    values = (*shape, scale, construction)
    return struct.pack("<iQQQQQQiIQQQdQ", *values)


def element(
    number: int, links: tuple[int, ...] = (), count: int | None = None, label: int | None = None
) -> bytes:
    vector = np.zeros(NUMBERS, "<f4")
    vector[number % NUMBERS] = 1
    listed = struct.pack(f"<{LINKS}I", *(*links, *[0] * (LINKS - len(links))))
    return (
        struct.pack("<HH", len(links) if count is None else count, 0)
        + listed
        + vector.tobytes()
        + struct.pack("<Q", number + 1 if label is None else label)
    )


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Five elements in a ring; the third is the entry and the only one in the upper layer."""
    (tmp_path / "header.bin").write_bytes(header())
    ring = [element(n, ((n + 1) % ELEMENTS, (n - 1) % ELEMENTS)) for n in range(ELEMENTS)]
    (tmp_path / "data_level0.bin").write_bytes(b"".join(ring))
    (tmp_path / "length.bin").write_bytes(np.ones(ELEMENTS, "<f4").tobytes())
    upper = struct.pack("<III", 0, 0, 0)
    lists = [
        struct.pack("<I", len(upper)) + upper if n == 2 else struct.pack("<I", 0) for n in range(ELEMENTS)
    ]
    (tmp_path / "link_lists.bin").write_bytes(b"".join(lists))
    return tmp_path


def write(name: str, at: int, content: bytes) -> Callable[[Path], None]:
    def harm(graph: Path) -> None:
        file = graph / name
        before = file.read_bytes()
        file.write_bytes(before[:at] + content + before[at + len(content) :])

    return harm


def cut(name: str) -> Callable[[Path], None]:
    return lambda graph: (graph / name).write_bytes((graph / name).read_bytes()[:-1]) and None


def lengthen(name: str) -> Callable[[Path], None]:
    return lambda graph: (graph / name).write_bytes((graph / name).read_bytes() + b"\0\0\0\0") and None


def test_a_whole_graph_passes(graph: Path) -> None:
    check_graph(graph)


def test_an_empty_graph_passes_whatever_its_other_files_hold(graph: Path) -> None:
    (graph / "header.bin").write_bytes(header(elements=0, top=-1, entry=2**32 - 1))
    (graph / "data_level0.bin").write_bytes(b"what memory held")
    check_graph(graph)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (cut("header.bin"), "header.bin has 99 bytes instead of 100"),
        (write("header.bin", 0, header(size=SIZE + 4)), "contradicts itself"),
        (write("header.bin", 0, header(entry=5)), "contradicts itself"),
        (write("header.bin", 0, header(elements=11)), "contradicts itself"),
        (write("header.bin", 0, header(top=2)), r"link_lists\.bin contradicts header"),
        (write("header.bin", 0, header(entry=1)), r"link_lists\.bin contradicts header"),
        (cut("data_level0.bin"), "data_level0.bin has"),
        (lengthen("data_level0.bin"), "data_level0.bin has"),
        (write("data_level0.bin", 0, element(0, (1, 5))), "elements that do not exist"),
        (write("data_level0.bin", 0, element(0, count=5)), "elements that do not exist"),
        (write("data_level0.bin", VECTOR_AT, b"\x00\x00\x80\x40"), "not of length 1"),
        (write("data_level0.bin", VECTOR_AT, b"\x00\x00\xc0\x7f"), "not of length 1"),
        (write("data_level0.bin", 0, element(0, label=2)), "a label twice"),
        (cut("length.bin"), "length.bin has"),
        (write("length.bin", 0, b"\x00\x00\xc0\x7f"), "no length"),
        (write("length.bin", 0, b"\x00\x00\x80\xbf"), "no length"),
        (cut("link_lists.bin"), "ends too soon"),
        (lengthen("link_lists.bin"), "too long"),
        (write("link_lists.bin", 0, struct.pack("<I", 7)), "contradicts header"),
        (write("link_lists.bin", 12, struct.pack("<II", 1, 9)), "elements that do not exist"),
        (write("link_lists.bin", 12, struct.pack("<I", 3)), "elements that do not exist"),
    ],
)
def test_what_cannot_be_is_told(graph: Path, harm: Callable[[Path], None], told: str) -> None:
    harm(graph)
    with pytest.raises(ValueError, match=told):
        check_graph(graph)


@pytest.mark.parametrize("name", ["header.bin", "data_level0.bin", "length.bin", "link_lists.bin"])
def test_a_file_that_is_missing_is_told(graph: Path, name: str) -> None:
    (graph / name).unlink()
    with pytest.raises(FileNotFoundError, match=name):
        check_graph(graph)


def test_links_beyond_the_count_are_leftovers_and_do_not_matter(graph: Path) -> None:
    write("data_level0.bin", 4 + 4 * 3, struct.pack("<I", 99))(graph)
    check_graph(graph)


def test_a_vector_of_zeros_is_allowed(graph: Path) -> None:
    write("data_level0.bin", VECTOR_AT, bytes(4 * NUMBERS))(graph)
    check_graph(graph)


@pytest.mark.parametrize("wrong", [{"scale": float("nan")}, {"scale": -1.0}, {"construction": 2**40}])
def test_a_header_that_would_end_the_process_later_is_noticed(graph: Path, wrong: dict) -> None:
    (graph / "header.bin").write_bytes(header(**wrong))
    with pytest.raises(ValueError, match="contradicts itself"):
        check_graph(graph)
