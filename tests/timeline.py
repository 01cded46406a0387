"""When each generation of a document may have been visible, as one writer saw it from outside."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

Version: TypeAlias = tuple[str, int]
"""document_id and generation."""

T = TypeVar("T")


@dataclass
class Span:
    """A generation may be seen from the moment its showing began until its hiding had ended."""

    start: float
    end: float = float("inf")


@dataclass
class Timeline:
    """Kept by the one thread that changes documents; read once all threads are done."""

    spans: dict[Version, list[Span]] = field(default_factory=lambda: defaultdict(list))
    _shown: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def change(self, document_id: str, generation: Callable[[], int | None]) -> Iterator[None]:
        """Around one change of a document; `generation` tells afterwards which one is shown, if any."""
        began = time.perf_counter()
        yield
        shown = generation()
        ended = time.perf_counter()
        before = self._shown.pop(document_id, None)
        if shown is not None:
            self._shown[document_id] = shown
        if before == shown:
            return
        if before is not None:
            self.spans[document_id, before][-1].end = ended
        if shown is not None:
            self.spans[document_id, shown].append(Span(began))

    def shows_together(self, versions: Iterable[Version], began: float, ended: float) -> bool:
        """Whether at one moment between `began` and `ended` all of these may have been visible."""
        wanted = [self.spans.get(version, []) for version in versions]
        moments = [began, *(span.start for spans in wanted for span in spans if began < span.start <= ended)]
        return any(
            all(any(span.start <= moment <= span.end for span in spans) for spans in wanted)
            for moment in moments
        )


def timed(call: Callable[[], T]) -> tuple[float, T, float]:
    """When a call began, what it gave, when it ended."""
    began = time.perf_counter()
    result = call()
    return began, result, time.perf_counter()
