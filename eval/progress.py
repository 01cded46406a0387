"""How far a run is, as a bar on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from prism.types import IngestProgress


@contextmanager
def shown_progress(label: str = "") -> Iterator[tuple[Any, Any]]:
    """Two functions to tell of indexing and of questions; the bar stands on standard error."""
    begin = f"{label}: " if label else ""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def told(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total)
            bars.update(tasks[name], completed=done, total=total)

        def on_indexing(progress: IngestProgress) -> None:
            told(f"{begin}indexing, documents", progress.files_done, progress.files_total)

        def on_question(done: int, total: int) -> None:
            told(f"{begin}asking, questions", done, total)

        yield on_indexing, on_question
