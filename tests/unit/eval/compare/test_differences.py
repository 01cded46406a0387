"""What differs between two runs is told."""

from __future__ import annotations

from eval.compare.differences import Differing, differences
from tests.unit.eval.rows import make_result

PLAIN = make_result([])


def test_equal_runs_do_not_differ_whatever_their_date_and_name() -> None:
    assert differences(PLAIN, make_result([], name="again", date="2025-01-01T00:00:00+00:00")) == ()


def test_settings_come_first_and_the_default_is_named() -> None:
    a = make_result([], settings={"retrieval.k": 7}, settings_hash="aa")
    b = make_result(
        [], settings={"retrieval.k": 8, "chunk.parent_tokens": [256, 512]}, settings_hash="bb", commit="ffff"
    )
    assert differences(a, b) == (
        Differing("retrieval.k", "7", "8"),
        Differing("chunk.parent_tokens", "default", "[256, 512]"),
        Differing("commit", "0123456789ab", "ffff"),
    )


def test_a_default_that_changed_with_the_code_is_told_by_the_hash() -> None:
    assert differences(PLAIN, make_result([], settings_hash="other")) == (
        Differing("all settings, by hash", "5e77", "other"),
    )


def test_models_libraries_and_machine_are_named_by_what_they_are() -> None:
    b = make_result(
        [],
        k=7,
        dirty=True,
        models={"embedder": "letters", "reranker": "cross"},
        libraries={"numpy": "2.1"},
        machine={"processor": "abacus", "cores": 4},
    )
    assert differences(PLAIN, b) == (
        Differing("model, reranker", "none", "cross"),
        Differing("passages given (k)", "5", "7"),
        Differing("commit", "0123456789ab", "0123456789ab with uncommitted changes"),
        Differing("library, numpy", "2.0", "2.1"),
        Differing("machine, cores", "2", "4"),
    )


def test_how_busy_the_machine_was_is_no_difference() -> None:
    a, b = (make_result([], machine={"load_1_min": load}) for load in (0.1, 2.0))
    assert differences(a, b) == ()
