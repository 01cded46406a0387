"""What of a run is worse than the baseline, beyond chance."""

from __future__ import annotations

from dataclasses import dataclass

from eval.compare.comparison import compare
from eval.compare.measures import Measured
from eval.outcome.result import Result
from prism.errors import UsageError


@dataclass(frozen=True, slots=True)
class Checked:
    """A run beside the baseline: the measures that dropped beyond chance, those that changed otherwise, and
    the questions that failed."""

    dropped: tuple[Measured, ...]
    changed: tuple[Measured, ...]
    failed: tuple[str, ...]

    @property
    def is_red(self) -> bool:
        """Whether the change must not go in."""
        return bool(self.dropped or self.failed)


def check(baseline: Result, now: Result) -> Checked:
    """Compare a run with the baseline, question by question.

    Raises:
        UsageError: the baseline is of other questions or documents.
    """
    asked = [[row.question_id for row in result.rows] for result in (baseline, now)]
    if baseline.fingerprint != now.fingerprint or asked[0] != asked[1]:
        raise UsageError(
            f"The baseline is of other questions or documents than {now.dataset} holds now. If they were "
            "changed on purpose: python -m eval gate --accept."
        )
    measures = compare(baseline, now).measures
    return Checked(
        dropped=tuple(item for item in measures if item.verdict == "worse"),
        changed=tuple(item for item in measures if item.verdict != "worse" and item.difference.mean != 0),
        failed=tuple(f"{row.question_id}: {row.error}" for row in now.rows if row.error),
    )
