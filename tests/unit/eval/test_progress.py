"""How far a run is."""

from __future__ import annotations

import pytest

from eval.progress import shown_progress
from prism.types import IngestProgress


def test_progress_of_both_kinds_can_be_told(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress("k = 3") as (on_indexing, on_question):
        on_indexing(IngestProgress("done", "a.txt", 1, 1, 1, 1.0, None))
        on_question(1, 2)
        on_question(2, 2)
    assert capsys.readouterr().out == "", "standard output is for the result"
