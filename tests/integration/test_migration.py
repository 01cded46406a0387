"""A storage folder of an older format opens, is brought up to date, and loses nothing."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from prism import Prism, StoreError
from prism.models.embedder import FolderEmbedder
from prism.models.loaded import Models
from prism.settings import Settings, overlay_settings
from prism.stores.boundary import Reached, unwatched
from prism.stores.schema import FORMAT_VERSION
from prism.stores.storage import Storage
from tests.crash import Camera

OLD = Path(__file__).parents[1] / "data" / "storage-format-1"
LOCKER = "What is the locker code of the north hall?"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    shutil.copytree(OLD, tmp_path / "old")
    return tmp_path / "old"


def open_with(folder: Path, embedder: FolderEmbedder, reached: Reached = unwatched) -> Prism:
    settings = overlay_settings(Settings(), {"storage.path": folder})
    return Prism(settings, Storage(settings, reached), Models(settings, embedder=embedder))


def format_of(file: Path) -> int:
    connection = sqlite3.connect(file)
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    connection.close()
    return found


def check_nothing_is_lost(prism: Prism) -> None:
    assert [(info.document, info.status, info.generation) for info in prism.documents()] == [
        ("locker.txt", "active", 1),
        ("old.txt", "deleted", 1),
        ("rate.txt", "active", 2),
        ("staff.csv", "active", 1),
        ("सीमा.txt", "active", 1),
    ]
    assert prism.conversations() == ["first"]
    turns = prism.conversation("first").turns()
    assert [turn.question for turn in turns] == [LOCKER, "What is the berth rate?"]
    assert "4471" in turns[0].answer
    assert prism.trace(turns[0].trace_id)
    files = [(item.document, item.status) for job in reversed(prism.jobs()) for item in job.files]
    assert files[:2] == [("broken.pdf", "failed"), ("locker.txt", "added")]
    assert files[-1] == ("rate.txt", "updated")
    answer = prism.ask(LOCKER)
    assert "4471" in answer.text
    assert [item.passage.document for item in answer.citations] == ["locker.txt"]
    assert "325" in prism.ask("What is the berth rate?").text
    assert "दो लाख" in prism.ask("दैनिक निकासी सीमा क्या है?").text
    assert prism.undo("old.txt").status == "active"
    assert prism.status().consistent
    assert prism.status().answers >= 3


@pytest.mark.parametrize("without", [(), ("vectors",), ("keywords",), ("vectors", "keywords")])
def test_a_folder_of_format_1_opens_and_loses_nothing(
    old: Path, embedder: FolderEmbedder, without: tuple[str, ...]
) -> None:
    assert format_of(old / "catalogue.sqlite") == 1
    for projection in without:
        shutil.rmtree(old / projection)
    with open_with(old, embedder) as prism:
        check_nothing_is_lost(prism)
    assert format_of(old / "catalogue.sqlite") == FORMAT_VERSION
    assert format_of(old / "catalogue.format1.backup") == 1


def test_a_migration_killed_at_any_boundary_is_made_good(
    old: Path, embedder: FolderEmbedder, tmp_path: Path
) -> None:
    camera = Camera(old, tmp_path / "album")
    camera.is_on = True
    open_with(old, embedder, camera).close()
    images = [image for boundary, image in camera.images if boundary.startswith("migration")]
    assert len(images) >= 4
    for image in images:
        with open_with(image, embedder) as prism:
            check_nothing_is_lost(prism)


def test_the_copy_of_the_old_format_can_replace_the_catalogue(old: Path, embedder: FolderEmbedder) -> None:
    open_with(old, embedder).close()
    shutil.move(old / "catalogue.format1.backup", old / "catalogue.sqlite")
    with open_with(old, embedder) as prism:
        check_nothing_is_lost(prism)


def test_purging_reaches_the_copy_of_the_old_format(old: Path, embedder: FolderEmbedder) -> None:
    with open_with(old, embedder) as prism:
        assert (old / "catalogue.format1.backup").exists()
        prism.purge("locker.txt")
    for file in old.rglob("*"):
        if file.is_file() and "vectors" not in file.parts:
            assert b"emptied every Friday" not in file.read_bytes(), file


def test_a_newer_format_is_refused_plainly_and_left_as_it_is(old: Path, embedder: FolderEmbedder) -> None:
    connection = sqlite3.connect(old / "catalogue.sqlite")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    connection.close()
    before = (old / "catalogue.sqlite").read_bytes()
    with pytest.raises(StoreError, match=r"newer Prism.*Upgrade.*--storage"):
        open_with(old, embedder)
    assert (old / "catalogue.sqlite").read_bytes() == before
