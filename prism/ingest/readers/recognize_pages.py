"""Text recognition of the pages of a file: two side by side, with word of what could not be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from PIL import Image

from prism.ingest.readers.recognize import Recognizer
from prism.ingest.readers.recognized_page import RecognizedPage
from prism.text.listing import listed

_SIDE_BY_SIDE = min(2, os.cpu_count() or 1)
"""Pages at a time. Each is a process that keeps one core busy; more would take the machine from its owner."""


def recognize_pages(
    sheets: Sequence[int],
    picture_of: Callable[[int], Image.Image],
    recognizer: Recognizer,
    on_recognizing: Callable[[int], None],
) -> dict[int, RecognizedPage]:
    """What is read on each of the sheets.

    Args:
        picture_of: gives a sheet's grey picture; called here, in order, no more than two ahead.
        on_recognizing: told each sheet before it is begun.
    """
    done: dict[int, RecognizedPage] = {}
    with ThreadPoolExecutor(_SIDE_BY_SIDE, "recognize") as pool:
        running: dict[Future[RecognizedPage], int] = {}
        waiting = list(reversed(sheets))
        while waiting or running:
            while waiting and len(running) < _SIDE_BY_SIDE:
                sheet = waiting.pop()
                on_recognizing(sheet)
                running[pool.submit(recognizer.read, picture_of(sheet))] = sheet
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                done[running.pop(future)] = future.result()
    return done


def page_warnings(read: Mapping[int, RecognizedPage], recognizer: Recognizer) -> Iterator[str]:
    """What whoever reads the document should know of its pages that are pictures."""
    by_state: dict[str, list[int]] = {}
    for sheet, page in sorted(read.items()):
        by_state.setdefault(page.reason or page.state, []).append(sheet)
    for state, sheets in by_state.items():
        if state == "blank":
            continue
        said = _SAID.get(state, state)
        yield f"sheet {listed(sheets)}: {said}"
    if recognizer.lacking and set(by_state) - {"blank"}:
        yield recognizer.lacking


_SAID = {
    "read": "recognized from a picture (OCR), where letters may be mistaken",
    "partly": "a picture of which only a part could be recognized",
    "unsure": "a picture whose text could not be recognized",
}
