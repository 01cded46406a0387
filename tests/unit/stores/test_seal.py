from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from prism.stores.chroma import DATABASE_FILE
from prism.stores.leaf_sets import leaf_set
from prism.stores.seal import (
    GRAPH_IDS_FILE,
    SEAL_FILE,
    break_seal,
    broken_parts,
    read_seal,
    remove_journals,
    write_seal,
)

HELD = {"default": {("doc", 2): leaf_set(["a", "b"])}, "empty": {}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as Chroma leaves it: a graph that is on the disk, and one that is not yet."""
    (tmp_path / DATABASE_FILE).write_bytes(b"rows")
    for name, files in {"kept": ["data_level0.bin", GRAPH_IDS_FILE], "begun": ["data_level0.bin"]}.items():
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_bytes(b"numbers")
    return tmp_path


def test_a_seal_comes_back_as_it_was_written(folder: Path) -> None:
    write_seal(folder, HELD)
    seal = read_seal(folder)
    assert seal
    assert seal.workspaces == HELD
    assert sorted(seal.files) == [DATABASE_FILE, "kept/data_level0.bin", f"kept/{GRAPH_IDS_FILE}"]
    assert broken_parts(folder, seal) == []


@pytest.mark.parametrize("name", [DATABASE_FILE, "kept/data_level0.bin", f"kept/{GRAPH_IDS_FILE}"])
def test_a_change_breaks_it(folder: Path, name: str) -> None:
    write_seal(folder, HELD)
    seal = read_seal(folder)
    assert seal
    (folder / name).write_bytes(b"other!!")
    assert [part.split()[0] for part in broken_parts(folder, seal)] == [name]


def test_a_file_left_alone_since_the_seal_before_keeps_its_sum(folder: Path) -> None:
    file = folder / "kept" / "data_level0.bin"
    os.utime(file, ns=(10**18, 10**18))
    write_seal(folder, HELD)
    before = read_seal(folder)
    assert before
    file.write_bytes(b"garbled")
    os.utime(file, ns=(10**18, 10**18))
    write_seal(folder, HELD, before)
    again = read_seal(folder)
    assert again
    assert again.files == before.files
    assert broken_parts(folder, again) == []
    assert len(broken_parts(folder, again, read_all=True)) == 1


def test_a_graph_of_which_chroma_takes_no_notice_may_change(folder: Path) -> None:
    write_seal(folder, HELD)
    seal = read_seal(folder)
    assert seal
    (folder / "begun" / "data_level0.bin").write_bytes(b"whatever memory held")
    assert broken_parts(folder, seal) == []


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"format": 2}', '{"format": 9, "files": {}, "workspaces": {}}']
    + [json.dumps({"format": 2, "files": {"a": files}, "workspaces": {}}) for files in (1, [1], ["x", "y"])]
    + [json.dumps({"format": 1, "files": {"a": [1, 2]}, "workspaces": {}})],
)
def test_what_cannot_be_read_vouches_for_nothing(folder: Path, content: str) -> None:
    (folder / SEAL_FILE).write_text(content)
    assert read_seal(folder) is None


def test_a_broken_seal_is_gone_and_breaking_none_is_no_error(folder: Path) -> None:
    write_seal(folder, HELD)
    break_seal(folder)
    break_seal(folder)
    assert read_seal(folder) is None


def test_journals_beside_a_sealed_database_are_removed_and_nothing_else(folder: Path) -> None:
    for ending in ("journal", "wal", "shm"):
        (folder / f"{DATABASE_FILE}-{ending}").write_bytes(b"x")
    before = {path.name for path in folder.iterdir()} - {
        f"{DATABASE_FILE}-{e}" for e in ("journal", "wal", "shm")
    }
    remove_journals(folder)
    assert {path.name for path in folder.iterdir()} == before
