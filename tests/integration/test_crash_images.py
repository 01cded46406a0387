"""A kill between any two durable effects leaves the old state or the new, and can be finished."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from prism.stores import migrate
from prism.stores.schema import MIGRATIONS
from tests.crash import Camera, half_seen, open_folder, state_of, visible_leaves
from tests.integration.operations import OPERATIONS, PURGED_WORD, Operation, hold


def strays(folder: Path) -> list[Path]:
    """What a cut operation may leave lying about."""
    bases = list(folder.glob("keywords/*/base-*"))
    return [*folder.rglob("*.partial"), *folder.rglob("*.new"), *bases[1:]]


def files_with(word: str, folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if word.encode() in path.read_bytes()]


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_kill_at_any_boundary_leaves_old_or_new_and_finishing_gives_the_undisturbed_state(
    operation: Operation, tmp_path: Path
) -> None:
    store, camera = tmp_path / "store", Camera(tmp_path / "store", tmp_path / "album")
    prism = open_folder(store, camera)
    operation.begin(prism, tmp_path)
    prism.close()
    # Opened anew, so that the keyword index has a base on the disk.
    prism = open_folder(store, camera)
    before = visible_leaves(prism)
    camera.is_on = True
    operation.act(prism, tmp_path)
    camera.is_on = False
    prism.close()
    with open_folder(store) as undisturbed:
        after, wanted = visible_leaves(undisturbed), state_of(undisturbed)

    assert camera.images or operation.name == "close"
    none = frozenset[str]()
    allowed = {name: (before.get(name, none), after.get(name, none)) for name in {*before, *after}}
    for boundary, image in camera.images:
        with open_folder(image) as opened:
            assert not half_seen(visible_leaves(opened), allowed), boundary
            assert opened.status().consistent, boundary
            operation.finish(opened, tmp_path)
            assert visible_leaves(opened) == after, boundary
            assert state_of(opened) == wanted, boundary
        with open_folder(image) as again:
            assert state_of(again) == wanted, boundary
        assert not strays(image), boundary
        if operation.name == "purge":
            assert not files_with(PURGED_WORD, image), boundary
        shutil.rmtree(image)


@pytest.mark.slow
def test_a_kill_at_any_boundary_of_a_migration_is_made_good_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, camera = tmp_path / "store", Camera(tmp_path / "store", tmp_path / "album")
    with open_folder(store) as prism:
        hold(prism, tmp_path)
        wanted = state_of(prism)
    steps = ("CREATE TABLE one (x INTEGER) STRICT", "CREATE TABLE two (x INTEGER) STRICT")
    monkeypatch.setattr(migrate, "MIGRATIONS", (*MIGRATIONS, *steps))
    monkeypatch.setattr(migrate, "FORMAT_VERSION", len(MIGRATIONS) + 2)
    camera.is_on = True
    open_folder(store, camera).close()

    kept = f"catalogue.format{len(MIGRATIONS)}.backup"
    migrations = [image for boundary, image in camera.images if boundary.startswith("migration")]
    assert len(migrations) == 6
    for image in migrations:
        with open_folder(image) as opened:
            assert state_of(opened) == wanted
            assert opened._storage._database.read().execute("SELECT count(*) FROM two").fetchone()[0] == 0
        assert (image / kept).exists()
        assert not list(image.glob("*.partial"))
