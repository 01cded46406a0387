"""A backup taken while documents come, change and go is one moment of the folder, and waits for nobody."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from prism import Prism
from prism.models.protocols import OnBatch, Vectors
from prism.stores.boundary import unwatched
from tests.crash import PickyEmbedder, State, half_seen, open_folder, state_of, visible_leaves
from tests.integration.operations import hold, ingest_new, prose, sources

NONE = frozenset[str]()


class Doing:
    """Does something at every boundary whose name begins so, but not at those that this reaches itself."""

    def __init__(self, begins: str, act: Callable[[str], None], times: int | None = None) -> None:
        self._begins, self._act, self._left = begins, act, times
        self.is_on = False

    def __call__(self, boundary: str) -> None:
        if self.is_on and self._left != 0 and boundary.startswith(self._begins):
            self._left = None if self._left is None else self._left - 1
            self.is_on = False
            self._act(boundary)
            self.is_on = True


def in_another_thread(call: Callable[[], object]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(call).result()


def restored(archive: Path, folder: Path) -> Prism:
    prism = open_folder(folder)
    prism.restore(archive)
    return prism


def originals_missing(prism: Prism) -> list[str]:
    return [finding.problem for finding in prism.doctor() if "the copy kept of the file" in finding.problem]


def whole(state: State) -> State:
    """Without what only its own run knows: builds that failed or were cut, and the files kept for them."""
    shown = tuple(row for row in state.documents if row[1] in ("active", "deleted"))
    return replace(state, documents=shown, originals={})


def test_a_backup_does_not_wait_for_a_long_ingest(tmp_path: Path) -> None:
    class WaitingEmbedder(PickyEmbedder):
        def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
            embedding.set()
            assert backed_up.wait(60)
            return super().embed(texts, on_batch)

    embedding, backed_up = threading.Event(), threading.Event()
    with open_folder(tmp_path / "store", embedder=WaitingEmbedder()) as prism:
        with ThreadPoolExecutor(1) as pool:
            report = pool.submit(ingest_new, prism, tmp_path)
            assert embedding.wait(60)
            archive = prism.backup(tmp_path / "during.zip")
            backed_up.set()
            report.result()
        wanted = state_of(prism)

    with restored(archive, tmp_path / "restored") as prism:
        assert prism.status().documents == 0
        assert {info.status for info in prism.documents()} == {"interrupted"}
        prism.resume()
        assert state_of(prism) == wanted


@pytest.mark.slow
def test_a_backup_at_any_boundary_of_an_ingest_restores_to_old_or_new_and_can_be_gone_on_with(
    tmp_path: Path,
) -> None:
    archives: list[tuple[str, Path]] = []

    def back_up(boundary: str) -> None:
        archive = tmp_path / f"{len(archives)}.zip"
        in_another_thread(lambda: prism.backup(archive))
        archives.append((boundary, archive))

    doing = Doing("", back_up)
    prism = open_folder(tmp_path / "store", doing)
    with prism:
        hold(prism, tmp_path)
        before = visible_leaves(prism)
        doing.is_on = True
        ingest_new(prism, tmp_path)
        doing.is_on = False
        after, wanted = visible_leaves(prism), state_of(prism)

    allowed = {name: (before.get(name, NONE), after.get(name, NONE)) for name in {*before, *after}}
    assert len(archives) > 20
    for number, (boundary, archive) in enumerate(archives):
        with restored(archive, tmp_path / f"restored-{number}") as opened:
            assert not half_seen(visible_leaves(opened), allowed), boundary
            assert opened.status().consistent, boundary
            assert originals_missing(opened) == [], boundary
            ingest_new(opened, tmp_path)
            assert visible_leaves(opened) == after, boundary
            assert state_of(opened) == wanted, boundary


CHANGES: tuple[tuple[str, Callable[[Prism, Path], object]], ...] = (
    ("update", ingest_new),
    ("delete", lambda prism, _: prism.delete("cargo.txt")),
    ("purge", lambda prism, _: prism.purge("cargo.txt")),
    ("doctor", lambda prism, _: prism.doctor()),
    ("rebuild", lambda prism, _: prism.doctor(rebuild_index=True)),
)


@pytest.mark.parametrize(("name", "change"), CHANGES, ids=[name for name, _ in CHANGES])
def test_what_changes_while_a_backup_is_written_is_not_in_it(
    name: str, change: Callable[[Prism, Path], object], tmp_path: Path
) -> None:
    doing = Doing("backup: after copying", lambda _: in_another_thread(lambda: change(prism, tmp_path)), 1)
    prism = open_folder(tmp_path / "store", doing)
    with prism:
        hold(prism, tmp_path)
        before, state = visible_leaves(prism), state_of(prism)
        doing.is_on = True
        archive = prism.backup(tmp_path / "one.zip")
        doing.is_on = False
        changed = state_of(prism)
    with open_folder(tmp_path / "store") as again:
        assert state_of(again) == changed

    with restored(archive, tmp_path / "restored") as opened:
        assert visible_leaves(opened) == before
        assert whole(state_of(opened)) == whole(state)
        assert opened.status().consistent
        # A purge takes the bytes at once, from under a backup too.
        assert len(originals_missing(opened)) == (1 if name == "purge" else 0)


@pytest.mark.slow
def test_backups_one_after_another_while_others_write_are_all_whole(tmp_path: Path) -> None:
    editions = {
        f"{name}.txt": [prose(f"{name} book, edition {edition}", 120) for edition in range(4)]
        for name in ("berth", "cargo", "fuel")
    }
    written = threading.Event()
    archives: list[Path] = []
    with open_folder(tmp_path / "store", unwatched) as prism:

        def put(name: str, text: str) -> None:
            prism.ingest(sources(tmp_path, {name: text}))

        def write() -> None:
            try:
                for turn in range(24):
                    name = list(editions)[turn % 3]
                    put(name, editions[name][turn % 4])
                    if turn % 4 == 1:
                        prism.delete(name)
                        prism.undo(name)
                    if turn % 7 == 6:
                        prism.purge(name)
            finally:
                written.set()

        def back_up() -> None:
            while not written.is_set() or not archives:
                archives.append(prism.backup(tmp_path / f"{len(archives)}.zip"))

        put("berth.txt", editions["berth.txt"][0])
        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(write), pool.submit(back_up)]:
                done.result()
        assert prism.status().consistent
        assert prism.doctor() == []

    for number, archive in enumerate(archives[:: max(1, len(archives) // 12)]):
        with restored(archive, tmp_path / f"restored-{number}") as opened:
            assert opened.status().consistent
            for name, leaves in visible_leaves(opened).items():
                assert any(all(leaf in text for leaf in leaves) for text in editions[name])
            with zipfile.ZipFile(archive) as packed:
                kept = {Path(file).name for file in packed.namelist()}
            gone = {problem.split(":")[0] for problem in originals_missing(opened)}
            shown = {info.document: info for info in opened.documents() if info.status == "active"}
            assert gone <= set(shown)
            for name in set(shown) - gone:
                info = shown[name]
                hashed = opened._storage.catalogue.content_hash(info.document_id, info.generation)
                assert hashed in kept
