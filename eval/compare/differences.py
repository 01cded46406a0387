"""What differs between two runs: whatever may be why their figures do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from eval.outcome.result import Result

PASSING: Final = ("load_1_min",)
"""Facts of a machine that differ between any two runs."""

DEFAULT: Final = "default"
MISSING: Final = "none"


@dataclass(frozen=True, slots=True)
class Differing:
    """A fact that is not the same in both."""

    name: str
    a: str
    b: str


def differences(a: Result, b: Result) -> tuple[Differing, ...]:
    """Settings first, then models, code, libraries, machine. Dates and names always differ and are left out.

    Where no setting that was set differs but the hash of all settings does, a default has changed with the
    code, and the hashes are told.
    """
    settings = tuple(_between("", a.settings, b.settings, DEFAULT))
    hashes = {"all settings, by hash": (a.settings_hash, b.settings_hash)} if not settings else {}
    facts = {
        **hashes,
        "passages given (k)": (str(a.k), str(b.k)),
        "commit": (_commit(a), _commit(b)),
    }
    return (
        *settings,
        *_between("model, ", a.models, b.models),
        *(Differing(name, *values) for name, values in facts.items() if values[0] != values[1]),
        *_between("library, ", a.libraries, b.libraries),
        *_between("machine, ", _lasting(a.machine), _lasting(b.machine)),
    )


def _between(
    prefix: str, a: Mapping[str, Any], b: Mapping[str, Any], missing: str = MISSING
) -> Iterator[Differing]:
    for name in dict.fromkeys((*a, *b)):
        values = [_text(facts[name]) if name in facts else missing for facts in (a, b)]
        if values[0] != values[1]:
            yield Differing(f"{prefix}{name}", *values)


def _lasting(machine: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in machine.items() if name not in PASSING}


def _commit(result: Result) -> str:
    return f"{result.commit} with uncommitted changes" if result.dirty else result.commit


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
