"""What stands out in a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from eval.outcome.result import Result

LEAST_QUESTIONS: Final = 5
"""Of fewer questions a share says nothing: each one moves it by more than 0.2."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that stands out: a name for scripts, what is seen with its figures, and what to try."""

    name: str
    says: str
    advice: str = ""


def setting(result: Result, name: str) -> str:
    """A setting by its dotted name, with the value it had: `retrieval.k (now 7)`."""
    return f"{name} (now {result.settings[name]})" if name in result.settings else f"{name} (now the default)"
