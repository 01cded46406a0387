"""A workspace's token vectors: kept by recipe, found when finished, never stale, damage made known."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from prism.errors import StoreDamagedError, StoreError, UsageError
from prism.stores import token_vectors
from prism.stores.leaf_sets import leaf_set
from prism.stores.token_vectors import WorkspaceTokens

DOC = ("doc", 1)


def rows(*numbers: int) -> np.ndarray:
    """A row of two for each number."""
    return np.array([[number, -number] for number in numbers], dtype=np.int8).reshape(-1, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "tokens" / "default"


@pytest.fixture
def tokens(folder: Path) -> WorkspaceTokens:
    kept = WorkspaceTokens(folder)
    kept.keep("r")
    return kept


def put(tokens: WorkspaceTokens, group: tuple[str, int] = DOC, **leaves: np.ndarray) -> None:
    tokens.add(*group, list(leaves), list(leaves.values()))
    tokens.finish(*group)


def got(tokens: WorkspaceTokens, *node_ids: str, group: tuple[str, int] = DOC) -> dict[str, list]:
    return {key: found.tolist() for key, found in tokens.get(dict.fromkeys(node_ids, group)).items()}


def damage(folder: Path) -> None:
    """The first number of the build's first leaf."""
    file = folder / "r" / "doc-1.tokens"
    data = bytearray(file.read_bytes())
    data[0] ^= 1
    file.write_bytes(data)


def test_leaves_are_found_once_their_build_is_finished(tokens: WorkspaceTokens) -> None:
    tokens.add(*DOC, ["a"], [rows(1)])
    assert (got(tokens, "a"), tokens.generations()) == ({}, frozenset())
    tokens.add(*DOC, ["b"], [rows(2, 3)])
    tokens.finish(*DOC)
    assert got(tokens, "a", "b") == {"a": [[1, -1]], "b": [[2, -2], [3, -3]]}
    assert tokens.generations() == {DOC}


def test_what_was_finished_is_found_after_a_restart_and_drafts_are_not(
    tokens: WorkspaceTokens, folder: Path
) -> None:
    put(tokens, a=rows(1))
    tokens.add("doc", 2, ["b"], [rows(2)])
    tokens.close()
    again = WorkspaceTokens(folder)
    again.keep("r")
    assert again.generations() == {DOC}
    assert again.stored() == {DOC, ("doc", 2)}
    again.remove_drafts()
    assert again.stored() == {DOC}


def test_a_build_without_leaves_has_no_file(tokens: WorkspaceTokens) -> None:
    tokens.finish(*DOC)
    assert tokens.stored() == frozenset()


def test_a_leaf_of_another_build_is_not_given(tokens: WorkspaceTokens) -> None:
    put(tokens, a=rows(1))
    assert got(tokens, "a", group=("doc", 2)) == {}
    assert tokens.get({}) == {}


def test_a_discarded_build_is_gone_whether_finished_or_not(tokens: WorkspaceTokens) -> None:
    put(tokens, a=rows(1))
    tokens.add("doc", 2, ["b"], [rows(2)])
    for generation in (1, 2, 3):
        tokens.discard("doc", generation)
    assert (got(tokens, "a"), tokens.generations(), tokens.stored()) == ({}, frozenset(), frozenset())
    put(tokens, a=rows(9))
    assert got(tokens, "a") == {"a": [[9, -9]]}, "the old file is not read any more"


def test_every_build_of_a_document_goes_with_it(tokens: WorkspaceTokens) -> None:
    for group in (DOC, ("doc", 2), ("other", 1)):
        put(tokens, group, a=rows(1))
    tokens.delete_document("doc")
    assert tokens.stored() == {("other", 1)}


def test_another_recipe_starts_anew_and_removes_what_was(tokens: WorkspaceTokens, folder: Path) -> None:
    put(tokens, a=rows(1))
    before = tokens.losses
    tokens.keep("r")
    assert tokens.losses == before
    tokens.keep("s")
    assert (tokens.recipe, tokens.generations(), got(tokens, "a")) == ("s", frozenset(), {})
    assert not (folder / "r").exists()
    assert tokens.losses > before


def test_another_recipes_builds_can_be_looked_at_without_losing_any(tokens: WorkspaceTokens) -> None:
    put(tokens, a=rows(1))
    assert tokens.generations("s") == frozenset()
    assert tokens.generations("r") == tokens.generations() == {DOC}
    assert got(tokens, "a") == {"a": [[1, -1]]}


def test_a_recipe_that_cannot_be_removed_is_told_and_not_in_the_way(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(boundary: str) -> None:
        if "other recipes" in boundary:
            raise OSError("sick disk")

    tokens = WorkspaceTokens(folder, broken)
    tokens.keep("r")
    put(tokens, a=rows(1))
    tokens.keep("s")
    put(tokens, a=rows(2))
    assert "sick disk" in caplog.text
    assert got(tokens, "a") == {"a": [[2, -2]]}
    tokens.discard(*DOC)
    assert tokens.stored() == frozenset()


def test_without_a_recipe_nothing_is_kept_and_files_can_still_be_removed(
    tokens: WorkspaceTokens, folder: Path
) -> None:
    put(tokens, a=rows(1))
    plain = WorkspaceTokens(folder)
    assert (plain.recipe, plain.generations(), got(plain, "a")) == (None, frozenset(), {})
    with pytest.raises(UsageError, match="keep"):
        plain.add(*DOC, ["a"], [rows(1)])
    plain.discard(*DOC)
    assert plain.stored() == frozenset()


# ── damage ──────────────────────────────────────────────────────────────────────────────────────


def test_a_damaged_leaf_is_left_out_and_its_build_made_again(
    tokens: WorkspaceTokens, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(tokens, a=rows(1), b=rows(2))
    damage(folder)
    before = tokens.losses
    assert got(tokens, "a", "b") == {"b": [[2, -2]]}
    assert tokens.generations() == frozenset()
    assert tokens.losses > before
    assert "doc-1 are made again" in caplog.text
    tokens.discard(*DOC)
    put(tokens, a=rows(1), b=rows(2))
    assert got(tokens, "a", "b") == {"a": [[1, -1]], "b": [[2, -2]]}


def test_a_file_cut_short_while_it_is_open_is_made_again(
    tokens: WorkspaceTokens, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(tokens, a=rows(1), b=rows(2))
    assert got(tokens, "a") == {"a": [[1, -1]]}
    os.truncate(folder / "r" / "doc-1.tokens", 0)
    assert got(tokens, "a", "b") == {}
    assert tokens.generations() == frozenset()
    assert "doc-1 are made again" in caplog.text
    tokens.discard(*DOC)
    put(tokens, a=rows(1), b=rows(2))
    assert got(tokens, "a", "b") == {"a": [[1, -1]], "b": [[2, -2]]}


@pytest.mark.parametrize("harm", ["gone", "empty", "foreign", "folder"])
def test_a_file_that_is_no_file_of_ours_is_made_again(
    tokens: WorkspaceTokens, folder: Path, harm: str
) -> None:
    put(tokens, a=rows(1))
    file = folder / "r" / "doc-1.tokens"
    file.unlink()
    if harm == "folder":
        file.mkdir()
    elif harm != "gone":
        file.write_bytes(b"" if harm == "empty" else b"something else entirely, of some length")
    with pytest.raises(StoreDamagedError):
        tokens.check(DOC)
    assert got(tokens, "a") == {}
    assert tokens.generations() == frozenset()
    tokens.discard(*DOC)
    put(tokens, a=rows(1))
    assert tokens.check(DOC) == leaf_set(["a"])


def test_a_leaf_the_file_lacks_makes_its_build_known_as_damaged(tokens: WorkspaceTokens) -> None:
    put(tokens, a=rows(1))
    assert got(tokens, "a", "b") == {"a": [[1, -1]]}
    assert tokens.generations() == frozenset()


def test_a_check_reads_everything(tokens: WorkspaceTokens, folder: Path) -> None:
    put(tokens, a=rows(1), b=rows(2))
    assert tokens.check(DOC) == leaf_set(["b", "a"])
    tokens.close()
    damage(folder)
    with pytest.raises(StoreDamagedError, match="leaf a"):
        tokens.check(DOC)


def test_all_can_be_dropped_and_made_anew(tokens: WorkspaceTokens, folder: Path) -> None:
    put(tokens, a=rows(1))
    tokens.add("doc", 2, ["b"], [rows(2)])
    before = tokens.losses
    tokens.drop()
    assert not folder.exists()
    assert (tokens.generations(), tokens.losses > before) == (frozenset(), True)
    put(tokens, a=rows(3))
    assert got(tokens, "a") == {"a": [[3, -3]]}


# ── boundaries, files, threads ──────────────────────────────────────────────────────────────────


def test_each_durable_effect_lies_between_two_boundaries(folder: Path) -> None:
    seen: list[tuple[str, bool, bool]] = []

    def reached(boundary: str) -> None:
        file = folder / "r" / "doc-1.tokens"
        seen.append((boundary, file.with_name(f"{file.name}.partial").exists(), file.exists()))

    tokens = WorkspaceTokens(folder, reached)
    tokens.keep("r")
    put(tokens, a=rows(1))
    tokens.discard(*DOC)
    assert seen == [
        ("tokens: before writing a slice", False, False),
        ("tokens: after writing a slice", True, False),
        ("tokens: before a file takes its place", True, False),
        ("tokens: after a file took its place", False, True),
        ("tokens: before removing a build", False, True),
        ("tokens: after removing a build", False, False),
    ]


@pytest.mark.parametrize("failing", ["writing a slice", "a file takes its place", "removing a build"])
def test_a_full_disk_is_told_and_the_build_can_be_done_again(folder: Path, failing: str) -> None:
    is_full = True

    def reached(boundary: str) -> None:
        if is_full and boundary == f"tokens: before {failing}":
            raise OSError(28, "No space left on device")

    tokens = WorkspaceTokens(folder, reached)
    tokens.keep("r")

    def put_and_discard() -> None:
        put(tokens, a=rows(1))
        tokens.discard(*DOC)

    with pytest.raises(StoreError, match="No space left"):
        put_and_discard()
    is_full = False
    tokens.discard(*DOC)
    assert tokens.stored() == frozenset()
    put(tokens, a=rows(1))
    assert got(tokens, "a") == {"a": [[1, -1]]}


def test_no_more_files_are_open_than_allowed(
    tokens: WorkspaceTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_vectors, "OPEN_FILES", 2)
    wanted = {f"{number}": ("doc", number) for number in range(5)}
    for node_id, group in wanted.items():
        put(tokens, group, **{node_id: rows(int(node_id))})
    for _ in range(2):
        assert {key: int(found[0, 0]) for key, found in tokens.get(wanted).items()} == {
            key: int(key) for key in wanted
        }
        assert len(tokens._open) == 2


def test_questions_read_while_builds_come_and_go(tokens: WorkspaceTokens) -> None:
    put(tokens, a=rows(7))
    wrong: list[object] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            found = got(tokens, "a")
            if found not in ({}, {"a": [[7, -7]]}):
                wrong.append(found)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(60):
        tokens.discard(*DOC)
        put(tokens, a=rows(7))
    is_over.set()
    for reader in readers:
        reader.join()
    assert wrong == []
