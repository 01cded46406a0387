"""Which document a person means: by its path, its name, or its name without the ending."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

CLOSE: Final = 0.4
"""How like a name must be to be suggested: difflib's ratio, 1 being the same (its own default is 0.6; half a
file name is often right)."""

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """The documents meant, or why they cannot be told."""

    documents: tuple[str, ...]
    problem: str = ""


def match(wanted: str, names: Sequence[str]) -> Match:
    """The document that `wanted` names.

    A path may be longer or shorter than ours, with either slash, but one must be the end of the other: the
    same name in another folder is another document. Commas may stand between several names, since they may
    also stand within one.
    """
    parts = [part.strip() for part in wanted.split(",") if part.strip()]
    each = [_meant(part, names) for part in parts]
    if len(parts) > 1 and all(len(found) == 1 for found in each):
        return Match(tuple(dict.fromkeys(found[0] for found in each)))
    documents = _meant(wanted, names)
    return Match(documents) if len(documents) == 1 else Match((), _problem(wanted, documents, names))


def _meant(wanted: str, names: Sequence[str]) -> tuple[str, ...]:
    if wanted in names:
        return (wanted,)
    given = _parts(wanted)
    if not given:
        return ()
    with_ending = {name: _parts(name) for name in names}
    without = {name: (*parts[:-1], PurePosixPath(parts[-1]).stem) for name, parts in with_ending.items()}
    for parts_of in (with_ending, without):
        shared = {name: _shared_end(given, parts) for name, parts in parts_of.items()}
        most = max(shared.values(), default=0)
        if most:
            return tuple(name for name, count in shared.items() if count == most)
    return ()


def _shared_end(given: Parts, parts: Parts) -> int:
    """How many parts the shorter path has where it is the end of the longer one, else 0."""
    shorter = min(len(given), len(parts))
    return shorter if given[-shorter:] == parts[-shorter:] else 0


def _parts(name: str) -> Parts:
    folded = unicodedata.normalize("NFC", name.strip().replace("\\", "/")).casefold()
    return tuple(part for part in folded.split("/") if part not in ("", "."))


def _problem(wanted: str, documents: Sequence[str], names: Sequence[str]) -> str:
    if documents:
        return f"several documents are called {wanted!r}: {', '.join(documents)}. Write the folder too."
    by_end = {_parts(name)[-1]: name for name in reversed(names)}
    given = _parts(wanted)
    near = difflib.get_close_matches(given[-1], by_end, n=1, cutoff=CLOSE) if given else []
    meant = f" Is {by_end[near[0]]!r} meant?" if near else ""
    return f"there is no document {wanted!r}.{meant}"
