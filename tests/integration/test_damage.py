"""A projection that is deleted or broken is made again from the record, and never leaves a quiet gap."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from prism import Prism, Scope, StoreDamagedError
from tests.integration.conftest import OpenPrism
from tests.shelf import legs_of, names, write

FILES = {"locker.txt": "The locker code is 4471.", "leave.txt": "Annual leave is fifteen days."}


@pytest.fixture
def filled(open_prism: OpenPrism, tmp_path: Path) -> Path:
    """A closed storage folder with two workspaces and a deleted document."""
    with open_prism() as prism:
        prism.ingest(write(tmp_path / "files", {**FILES, "old.txt": "The old locker code is 9920."}))
        prism.ingest(write(tmp_path / "files", FILES), workspace="other")
        prism.delete("old.txt")
    return tmp_path / "storage"


def check(prism: Prism) -> None:
    for _, engine in legs_of(prism):
        assert names(engine.retrieve("What is the locker code?"))[0] == "locker.txt"
    assert names(prism.retrieve("What is the locker code?", scope=Scope("other")))[0] == "locker.txt"
    assert prism.undo("old.txt").status == "active"
    assert "old.txt" in names(
        prism.with_settings(retrieval={"keyword_weight": 0}).retrieve("old locker code")
    )
    assert prism.status().consistent
    assert prism.doctor() == []


@pytest.mark.parametrize("gone", [["vectors"], ["keywords"], ["vectors", "keywords"]])
def test_dep_01_a_deleted_projection_is_made_again_when_the_folder_is_opened(
    filled: Path, open_prism: OpenPrism, gone: list[str]
):
    for name in gone:
        shutil.rmtree(filled / name)
    check(open_prism())


@pytest.mark.parametrize(
    "harm",
    [lambda content: b"garbage" * 50, lambda content: content[: len(content) // 2]],
    ids=["junk", "cut"],
)
def test_a_broken_vector_store_is_named_and_a_rebuild_mends_it(
    filled: Path, open_prism: OpenPrism, harm: Callable[[bytes], bytes]
):
    file = filled / "vectors" / "chroma.sqlite3"
    file.write_bytes(harm(file.read_bytes()))
    prism = open_prism()
    with pytest.raises(StoreDamagedError, match=r"vectors.*doctor --rebuild"):
        prism.retrieve("What is the locker code?")
    prism.doctor(rebuild_index=True)
    check(prism)
