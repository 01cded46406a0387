"""Where token vectors lie: names, listings, and what is removed."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from prism.errors import StoreError
from prism.stores.token_folder import TokenFolder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "tokens" / "default"


@pytest.fixture
def folder(root: Path) -> TokenFolder:
    return TokenFolder(root)


def put(folder: TokenFolder, recipe: str, *groups: tuple[str, int], suffix: str = "") -> None:
    folder.make(recipe)
    for group in groups:
        file = folder.file(recipe, group)
        file.with_name(file.name + suffix).write_bytes(b"x")


def names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_a_file_bears_its_recipe_document_and_generation(folder: TokenFolder, root: Path) -> None:
    assert folder.file("pca-64", ("d0c", 7)) == root / "pca-64" / "d0c-7.tokens"


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a-b", "über mich", "a.tokens"])
def test_no_name_leads_elsewhere_and_each_is_found_again(folder: TokenFolder, root: Path, name: str) -> None:
    put(folder, name, (name, 3))
    assert len(names(root)) == 1
    assert folder.file(name, (name, 3)).parent.parent == root
    assert folder.finished(name) == {(name, 3)}


def test_drafts_and_foreign_files_are_not_finished(folder: TokenFolder, root: Path) -> None:
    put(folder, "r", ("a", 1))
    put(folder, "r", ("b", 1), suffix=".partial")
    for foreign in (".DS_Store", "a-x.tokens", "-1.tokens", "a-1.tokens.old", "readme"):
        (root / "r" / foreign).write_bytes(b"x")
    assert folder.finished("r") == {("a", 1)}
    assert folder.finished("other") == set()
    assert folder.stored() == {("a", 1), ("b", 1)}


def test_a_build_is_removed_from_every_recipe_with_its_drafts(folder: TokenFolder, root: Path) -> None:
    put(folder, "r", ("a", 1), ("a", 11), ("aa", 1))
    put(folder, "s", ("a", 1))
    put(folder, "s", ("a", 1), suffix=".partial")
    folder.remove(("a", 1))
    assert names(root) == ["r/a-11.tokens", "r/aa-1.tokens"]


def test_drafts_other_recipes_and_all_are_removed(folder: TokenFolder, root: Path) -> None:
    put(folder, "r", ("a", 1))
    put(folder, "r", ("b", 1), suffix=".partial")
    put(folder, "s", ("a", 1))
    folder.remove_drafts()
    assert names(root) == ["r/a-1.tokens", "s/a-1.tokens"]
    folder.remove_others("r")
    assert names(root) == ["r/a-1.tokens"]
    assert not (root / "s").exists()
    folder.remove_all()
    assert not root.exists()


def test_nothing_there_is_nothing_to_do_and_no_boundary(root: Path) -> None:
    seen: list[str] = []
    folder = TokenFolder(root, seen.append)
    folder.remove(("a", 1))
    folder.remove_drafts()
    folder.remove_others("r")
    folder.remove_all()
    assert (folder.stored(), folder.finished("r"), seen) == (frozenset(), set(), [])


@pytest.mark.parametrize("blocked", ["tokens", "tokens/default", "tokens/default/r"])
def test_a_file_where_a_folder_belongs_gives_way(tmp_path: Path, folder: TokenFolder, blocked: str) -> None:
    file = tmp_path / blocked
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("in the way")
    assert folder.stored() == frozenset()
    put(folder, "r", ("a", 1))
    assert folder.finished("r") == {("a", 1)}


def test_a_blocked_folder_can_be_dropped(tmp_path: Path, folder: TokenFolder) -> None:
    (tmp_path / "tokens").write_text("in the way")
    folder.remove_all()
    assert not (tmp_path / "tokens").exists()


def test_a_disk_that_does_not_obey_is_told_with_what_to_do(root: Path) -> None:
    def full(boundary: str) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    put(TokenFolder(root), "r", ("a", 1))
    with pytest.raises(StoreError, match=r"Read-only file system.*permissions"):
        TokenFolder(root, full).remove(("a", 1))
