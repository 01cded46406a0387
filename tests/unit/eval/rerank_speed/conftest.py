"""Collections over invented documents, as the runs are tested with."""

from __future__ import annotations

from tests.unit.eval.runs.conftest import embedder, make_dataset, opened  # noqa: F401
