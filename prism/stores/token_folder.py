"""Where a workspace's token vectors lie, and what is there.

<folder>/<recipe>/<document_id>-<generation>.tokens
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from prism.errors import StoreError
from prism.stores.boundary import Reached, unwatched
from prism.stores.token_files import DRAFT_SUFFIX

Group = tuple[str, int]

_SUFFIX: Final = ".tokens"


class TokenFolder:
    """The files of all recipes, by build. Every method raises `StoreError` where the disk does not obey."""

    def __init__(self, folder: Path, reached: Reached = unwatched) -> None:
        """`folder` is the workspace's; it need not be there. `reached` is told every boundary."""
        self._folder = folder
        self._reached = reached

    def file(self, recipe: str, group: Group) -> Path:
        """Where the token vectors of a build are, or would be."""
        return self._folder / _plain(recipe) / _name(group)

    def make(self, recipe: str) -> None:
        """Make the folder of a recipe."""
        folder = self._folder / _plain(recipe)
        with self.told():
            # Something else may lie where a folder belongs, and what is lost of a projection is made anew.
            for path in (self._folder.parent, self._folder, folder):
                if path.exists() and not path.is_dir():
                    path.unlink()
            folder.mkdir(parents=True, exist_ok=True)

    def finished(self, recipe: str) -> set[Group]:
        """The builds of a recipe of which there is a whole file."""
        folder = self._folder / _plain(recipe)
        with self.told():
            names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        return {group for name in names if name.endswith(_SUFFIX) and (group := _group(name))}

    def stored(self) -> frozenset[Group]:
        """Every build of which there is a file of any recipe, or the draft of one."""
        return frozenset(group for file in self._files() if (group := _group(file.name)))

    def remove(self, group: Group) -> None:
        """Remove the files of a build, of whatever recipe, and their drafts."""
        files = [folder / _name(group) for folder in self._recipes()]
        files += [file.with_name(f"{file.name}{DRAFT_SUFFIX}") for file in files]
        self._remove("a build", [file for file in files if file.exists()])

    def remove_drafts(self) -> None:
        """Remove every draft."""
        self._remove("drafts", [file for file in self._files() if file.name.endswith(DRAFT_SUFFIX)])

    def remove_others(self, recipe: str) -> None:
        """Remove what is of another recipe."""
        self._remove("other recipes", [path for path in self._recipes() if path.name != _plain(recipe)])

    def remove_all(self) -> None:
        """Remove everything."""
        blocking = [path for path in (self._folder.parent, self._folder) if path.is_file()]
        self._remove("all", [*blocking, *([self._folder] if self._folder.is_dir() else [])])

    @contextmanager
    def told(self) -> Iterator[None]:
        """Around what reads or writes here: an `OSError` is raised as a `StoreError` that says what to do."""
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"{error.filename or self._folder}: the token vectors cannot be read or written "
                f"({error.strerror or error}). Check free space and permissions; what they lack is made from "
                "the catalogue before the next question."
            ) from error

    def _recipes(self) -> list[Path]:
        with self.told():
            return [path for path in self._folder.iterdir() if path.is_dir()] if self._folder.is_dir() else []

    def _files(self) -> list[Path]:
        folders = self._recipes()
        with self.told():
            return [file for folder in folders for file in folder.iterdir()]

    def _remove(self, what: str, paths: Collection[Path]) -> None:
        if not paths:
            return
        with self.told():
            self._reached(f"tokens: before removing {what}")
            for path in paths:
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
        self._reached(f"tokens: after removing {what}")


def _plain(name: str) -> str:
    """A name as that of one file or folder, whatever is in it."""
    return quote(name, safe="@+").replace(".", "%2E")


def _name(group: Group) -> str:
    return f"{_plain(group[0])}-{group[1]}{_SUFFIX}"


def _group(name: str) -> Group | None:
    """The build whose file, or draft of it, bears this name; None for any other file."""
    stem, suffix, rest = name.partition(_SUFFIX)
    document_id, _, generation = stem.rpartition("-")
    if not suffix or not document_id or not generation.isdecimal() or rest not in ("", DRAFT_SUFFIX):
        return None
    return unquote(document_id), int(generation)
