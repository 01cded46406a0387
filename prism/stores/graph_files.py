"""Is an HNSW graph on the disk whole? Looked at before Chroma loads it, where no seal vouches for it.

Chroma keeps a graph as hnswlib does (Malkov & Yashunin's own library), cut into files:

    header.bin        100 bytes, see `_HEADER`
    data_level0.bin   per element: links of the lowest layer, vector, label
    length.bin        per element: the vector's length before it was scaled to 1 (float32)
    link_lists.bin    per element: bytes of its upper layers' links (uint32), then those links

It loads whatever is there; a link to an element that does not exist ends the process. Finding every such
number out of its range costs about 40 ms per 10,000 elements.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_HEADER = struct.Struct("<iQQQQQQiIQQQdQ")
_UNIT_TOLERANCE = 1e-2
_MOST_SCALE = 10
"""Of layers: 1 / ln(neighbours), below 1.5 from two neighbours on."""
_MOST_CONSTRUCTION = 1_000_000


@dataclass(frozen=True, slots=True)
class _Graph:
    """The header's facts. Bytes are per element of `data_level0.bin`."""

    elements: int
    element_bytes: int
    label_at: int
    vector_at: int
    top_layer: int
    entry: int
    upper_links: int
    lowest_links: int


def check_graph(folder: Path) -> None:
    """Raise `ValueError` (saying what) where the files of a graph are broken, `OSError` where one cannot be
    read."""
    graph = _header((folder / "header.bin").read_bytes())
    if graph.elements:
        _check_elements((folder / "data_level0.bin").read_bytes(), graph)
        _check_lengths((folder / "length.bin").read_bytes(), graph)
        _check_upper_layers((folder / "link_lists.bin").read_bytes(), graph)


def _header(content: bytes) -> _Graph:
    if len(content) != _HEADER.size:
        raise ValueError(f"header.bin has {len(content)} bytes instead of {_HEADER.size}")
    numbers = _HEADER.unpack(content)
    _, first, room, elements, size, label_at, vector_at, top, entry, upper, lowest, *rest = numbers
    _, scale, ef_construction = rest
    graph = _Graph(elements, size, label_at, vector_at, top, entry, upper, lowest)
    fits = (
        first == 0
        and elements <= room
        and vector_at == 4 + 4 * lowest
        and label_at == size - 8
        and label_at > vector_at
        and (label_at - vector_at) % 4 == 0
        and (entry < elements and top >= 0 if elements else True)
        and (math.isfinite(scale) and 0 < scale < _MOST_SCALE and ef_construction < _MOST_CONSTRUCTION)
    )
    if not fits:
        raise ValueError("header.bin contradicts itself")
    return graph


def _check_elements(content: bytes, graph: _Graph) -> None:
    if len(content) != graph.elements * graph.element_bytes:
        raise ValueError(
            f"data_level0.bin has {len(content):,} bytes instead of {graph.elements * graph.element_bytes:,}"
        )
    rows = np.frombuffer(content, np.uint8).reshape(graph.elements, graph.element_bytes)
    counts = _column(rows, 0, 2, "<u2")[:, 0]
    links = _column(rows, 4, graph.vector_at, "<u4")
    used = np.arange(graph.lowest_links) < counts[:, None]
    if counts.max() > graph.lowest_links or (links[used] >= graph.elements).any():
        raise ValueError("data_level0.bin links to elements that do not exist")
    vectors = _column(rows, graph.vector_at, graph.label_at, "<f4")
    # A vector of zeros cannot be scaled and stays as it is.
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        is_unit = (np.abs(lengths - 1) < _UNIT_TOLERANCE) | (lengths == 0)
    if not is_unit.all():
        raise ValueError("data_level0.bin holds vectors that are not of length 1")
    labels = _column(rows, graph.label_at, graph.element_bytes, "<u8")[:, 0]
    if len(np.unique(labels)) != graph.elements:
        raise ValueError("data_level0.bin holds a label twice")


def _check_lengths(content: bytes, graph: _Graph) -> None:
    if len(content) != 4 * graph.elements:
        raise ValueError(f"length.bin has {len(content):,} bytes instead of {4 * graph.elements:,}")
    lengths = np.frombuffer(content, "<f4")
    if not (np.isfinite(lengths) & (lengths >= 0)).all():
        raise ValueError("length.bin holds what is no length")


def _check_upper_layers(content: bytes, graph: _Graph) -> None:
    layer_bytes = 4 + 4 * graph.upper_links
    at = 0
    for element in range(graph.elements):
        if at + 4 > len(content):
            raise ValueError("link_lists.bin ends too soon")
        (size,) = struct.unpack_from("<I", content, at)
        at += 4
        layers, rest = divmod(size, layer_bytes)
        is_possible = layers <= graph.top_layer and at + size <= len(content)
        if rest or not is_possible or (element == graph.entry and layers != graph.top_layer):
            raise ValueError("link_lists.bin contradicts header.bin")
        for start in range(at, at + size, layer_bytes):
            words = np.frombuffer(content, "<u4", 1 + graph.upper_links, start)
            count = int(words[0]) & 0xFFFF
            if count > graph.upper_links or (words[1 : 1 + count] >= graph.elements).any():
                raise ValueError("link_lists.bin links to elements that do not exist")
        at += size
    if at != len(content):
        raise ValueError("link_lists.bin is too long")


def _column(rows: np.ndarray[Any, Any], start: int, end: int, kind: str) -> np.ndarray[Any, Any]:
    """The bytes `start:end` of every row as numbers."""
    return np.ascontiguousarray(rows[:, start:end]).view(kind)
