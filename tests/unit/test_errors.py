"""The error tree."""

from __future__ import annotations

import inspect
import re

from prism import errors


def drawn_tree() -> dict[str, str]:
    """Each class of the docstring's drawing with its parent."""
    parents: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"    ([│├└─ ]*)(\w+Error)\b", line)
        if found:
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            parents[found[2]] = path[depth - 1] if depth else "Exception"
    return parents


def test_the_tree_drawn_in_the_docstring_is_the_tree_of_classes() -> None:
    classes = dict(inspect.getmembers(errors, inspect.isclass))
    assert drawn_tree() == {name: kind.__base__.__name__ for name, kind in classes.items()}


def test_everything_is_a_prism_error_with_a_docstring_of_its_own() -> None:
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        assert issubclass(kind, errors.PrismError)
        assert kind.__doc__ != Exception.__doc__
