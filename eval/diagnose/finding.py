"""What stands out in a result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Final

from eval.outcome.result import Result
from prism.settings import Settings

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
    if name in result.settings:
        return f"{name} (now {result.settings[name]})"
    return f"{name} (now {reduce(getattr, name.split('.'), Settings())}, the default)"
