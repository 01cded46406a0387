"""Semantic: a chunk ends where the meaning turns.

Neighbouring sentences are embedded, their cosine distances smoothed, and a boundary is set where the smoothed
distance exceeds a percentile of the document's own. Chunks have a least and a greatest size: the percentile
alone would cut a text of three sentences, and leave a hundred pages on one subject whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.ingest.chunkers.protocol import Tools
from prism.ingest.chunkers.structure import divide, sentence_places
from prism.models.protocols import Vectors
from prism.settings import ChunkSettings
from prism.text.pack import Chunk, Levels, Unit, fit, floored, measured, pack, visible_span
from prism.types import SourceText

Distances = NDArray[np.float64]

KERNEL: Final = (0.25, 0.5, 0.25)
"""One noisy sentence, a heading or a "Thanks.", must not look like a change of subject."""

SLICE_UNITS: Final = 512
"""Sentences embedded at once; only the last vector of a slice outlives it."""


def cut(source: SourceText, settings: ChunkSettings, tools: Tools) -> Levels:
    """Leaves from sentence to sentence, `chunk.semantic_min_tokens` to `chunk.semantic_max_tokens` long."""
    text, most = source.text, settings.semantic_max_tokens
    measure = floored(tools.count_tokens)
    division = divide(source, [sentence_places(text)], measure, tools.window_tokens)
    pieces = measured(text, division.pieces(), measure)
    units = [unit for unit in fit(pieces, most, division, measure) if unit.tokens]
    distances = neighbour_distances(
        [text[unit.start : unit.end].strip() for unit in units], tools.embed, buffer=settings.semantic_buffer
    )
    ends = boundaries(smooth(distances), settings.semantic_percentile)
    leaves: list[Chunk] = []
    for group in group_units(units, ends, least=settings.semantic_min_tokens, most=most):
        span = visible_span(text, group[0].start, group[-1].end)
        if span is not None:
            leaves.append(Chunk(*span, None, sum(unit.tokens for unit in group)))
    return (tuple(leaves),)


def neighbour_distances(
    texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors], *, buffer: int = 0
) -> Distances:
    """1 − cosine of each text and the next, one fewer than texts.

    Args:
        buffer: how many neighbours on each side are embedded together with a text.
    """
    distances: list[float] = []
    before: Vectors | None = None
    for start in range(0, len(texts), SLICE_UNITS):
        places = range(start, min(start + SLICE_UNITS, len(texts)))
        vectors = embed([" ".join(texts[max(0, at - buffer) : at + buffer + 1]) for at in places])
        rows = vectors if before is None else np.vstack([before, vectors])
        distances += (1.0 - np.einsum("nd,nd->n", rows[:-1], rows[1:], dtype=np.float64)).tolist()
        before = vectors[-1:]
    return np.array(distances, dtype=np.float64)


def smooth(distances: Distances) -> Distances:
    """Each value with its neighbours, weighted ¼ ½ ¼. At an end, where one neighbour is missing, the weights
    of those there are sum to 1: a missing neighbour is no distance of 0."""
    return _with_neighbours(distances) / _with_neighbours(np.ones_like(distances))


def _with_neighbours(values: Distances) -> Distances:
    before, own, after = KERNEL
    padded = np.pad(values, 1)
    return np.asarray(before * padded[:-2] + own * padded[1:-1] + after * padded[2:])


def boundaries(smoothed: Distances, percentile: float) -> tuple[int, ...]:
    """After which texts the meaning turns: where the smoothed distance to the next is above the percentile
    (between two values, by straight line)."""
    if not len(smoothed):
        return ()
    return tuple(np.flatnonzero(smoothed > np.percentile(smoothed, percentile)).tolist())


def group_units(units: Sequence[Unit], ends: Sequence[int], *, least: int, most: int) -> Iterator[list[Unit]]:
    """The units in runs that end at a boundary once they hold `least` tokens; a run of more than `most` is
    packed evenly into several; a last run that is too short joins the one before where that fits."""
    turns, run, tokens = set(ends), list[Unit](), 0
    runs: list[list[Unit]] = []
    for place, unit in enumerate(units):
        run.append(unit)
        tokens += unit.tokens
        if place in turns and tokens >= least:
            runs.append(run)
            run, tokens = [], 0
    if run and runs and tokens < least:
        runs[-1] += run
    elif run:
        runs.append(run)
    for run in runs:
        yield from pack(run, most)
