"""Results of trials kept between runs, so that a long series that was stopped goes on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from eval.datasets.dataset import Dataset
from eval.machine import UNKNOWN, Code, settings_hash
from eval.outcome.result import Result, read_result, write_result
from prism.errors import UsageError
from prism.settings import Settings


def remembered(
    cache: Path, dataset: Dataset, settings: Settings, code: Code, run: Callable[[], Result]
) -> Result:
    """The result of these questions under these settings and this code, or a new one, which is kept.

    What was kept by code of no known commit may be that of any code, and what cannot be read is of no use:
    both are measured anew.
    """
    file = cache / "trials" / f"{dataset.name}-{_digest(dataset, settings, code)}.json"
    if file.is_file() and code.commit != UNKNOWN:
        with suppress(UsageError):
            return read_result(file)
    result = run()
    write_result(file, result)
    return result


def _digest(dataset: Dataset, settings: Settings, code: Code) -> str:
    ids = [question.question_id for question in dataset.questions]
    parts = [dataset.fingerprint, settings_hash(settings), code.commit, code.changes, *ids]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
