"""What a sick machine does to a storage folder: told plainly, and nothing half written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from prism import StoreDamagedError, StoreError
from tests.crash import files_below, open_folder, state_of, visible_leaves
from tests.integration.operations import HELD, NEW, hold, ingest_new, sources
from tests.processes import surroundings

CATALOGUE = "catalogue.sqlite"


@pytest.fixture
def held(tmp_path: Path) -> Path:
    """A closed storage folder with documents, and one archive of it outside."""
    with open_folder(tmp_path / "store") as prism:
        hold(prism, tmp_path)
        prism.backup(tmp_path / "archive.zip")
    return tmp_path / "store"


def garble(content: bytes, start: int, end: int) -> bytes:
    return content[:start] + bytes((byte * 7 + 13) % 256 for byte in content[start:end]) + content[end:]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda content: b"",
    "cut to a few bytes": lambda content: content[:17],
    "cut in half": lambda content: content[: len(content) // 2],
    "header overwritten": lambda content: garble(content, 0, 100),
    "something else": lambda content: b"not a catalogue at all " * 400,
    "all but the header overwritten": lambda content: garble(content, 100, len(content)),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_dep_05_a_damaged_catalogue_is_refused_naming_the_backup_and_kept(held: Path, name: str) -> None:
    file = held / CATALOGUE
    file.write_bytes(DAMAGE[name](file.read_bytes()))
    before = file.read_bytes()
    with pytest.raises(StoreDamagedError, match=r"catalogue.*restore .*archive\.zip") as refused:
        open_folder(held).status()
    assert str(file) in str(refused.value)
    assert file.read_bytes() == before

    with open_folder(held.parent / "new") as prism:
        prism.restore(held.parent / "archive.zip")
        assert set(visible_leaves(prism)) == set(HELD)
        assert prism.status().consistent


def test_a_missing_catalogue_does_not_become_a_new_empty_one(held: Path) -> None:
    (held / CATALOGUE).unlink()
    with pytest.raises(StoreDamagedError, match=r"is missing, but originals/ is there.*archive\.zip"):
        open_folder(held)
    assert not (held / CATALOGUE).exists()


@pytest.mark.parametrize("damage", ["deleted", "garbled", "emptied"])
def test_a_lost_log_costs_no_file_and_is_told(tmp_path: Path, damage: str) -> None:
    with open_folder(tmp_path / "store") as prism:
        hold(prism, tmp_path)
        shutil.copytree(tmp_path / "store", tmp_path / "killed")
    log = tmp_path / "killed" / f"{CATALOGUE}-wal"
    assert log.stat().st_size
    if damage == "deleted":
        log.unlink()
    else:
        content = log.read_bytes()
        log.write_bytes(garble(content, 40, len(content)) if damage == "garbled" else b"")
    before = files_below(tmp_path / "killed" / "originals")
    with pytest.raises(StoreDamagedError, match=r"knows no document.*-wal.*originals"):
        open_folder(tmp_path / "killed")
    assert files_below(tmp_path / "killed" / "originals") == before


def test_last_changes_lost_with_the_log_cost_no_file_and_are_told(
    held: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_folder(held) as prism:
        ingest_new(prism, tmp_path)
        shutil.copytree(held, tmp_path / "killed")
    (tmp_path / "killed" / f"{CATALOGUE}-wal").unlink()
    before = files_below(tmp_path / "killed" / "originals")
    with open_folder(tmp_path / "killed") as prism:
        assert set(visible_leaves(prism)) == set(HELD)
        assert "may have lost its last changes" in caplog.text
        assert files_below(tmp_path / "killed" / "originals") == before
        ingest_new(prism, tmp_path)
        assert prism.status().consistent


def test_without_a_backup_the_way_back_is_the_originals(held: Path) -> None:
    (held.parent / "archive.zip").unlink()
    (held / CATALOGUE).write_bytes(b"x" * 5000)
    with pytest.raises(StoreDamagedError, match=r"No backup was found.*originals"):
        open_folder(held)


def test_pages_damaged_in_the_middle_are_told_by_whatever_reads_them(held: Path) -> None:
    file = held / CATALOGUE
    content = file.read_bytes()
    file.write_bytes(garble(content, 8192, len(content) - 4096))

    def read_all() -> None:
        with open_folder(held) as prism:
            prism.documents()
            prism.retrieve("quay fee", 50)
            state_of(prism)

    with pytest.raises(StoreDamagedError, match="catalogue"):
        read_all()


@pytest.mark.parametrize("name", ["keywords", "originals", "tokens", "vectors"])
def test_a_file_in_the_place_of_a_folder_is_mended_or_told(held: Path, name: str) -> None:
    shutil.rmtree(held / name)
    (held / name).write_text("no folder")
    try:
        with open_folder(held) as prism:
            prism.ingest(sources(held.parent, {"new.txt": "The fuel rule sets nine crowns."}))
            found = set(visible_leaves(prism))
    except StoreError as error:
        told = str(error)
    else:
        told, found = name, found | {"new.txt"}
        assert found >= set(HELD)
    assert name in told


def test_a_storage_path_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match=r"cannot create the storage folder.*--storage"):
        open_folder(tmp_path / "file" / "store")


def test_a_folder_in_the_place_of_the_catalogue_is_refused(tmp_path: Path) -> None:
    (tmp_path / "store" / CATALOGUE).mkdir(parents=True)
    with pytest.raises(StoreError, match=CATALOGUE):
        open_folder(tmp_path / "store")


def run(script: str, *arguments: str, folder: Path) -> str:
    """What a script says on standard output in a process of its own, which must end well."""
    root = Path(__file__).parents[2]
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script, *arguments],
        cwd=root,
        env={**surroundings(folder), "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout


# ── a full disk: no file may grow beyond a limit ────────────────────────────────────────────────

LIMITED = """
import resource, signal, sys
from pathlib import Path
from prism import PrismError, Source
from tests.crash import open_folder
from tests.integration.operations import NEW
folder = Path(sys.argv[1])
prism = open_folder(folder / "store")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
told = []
def attempt(act):
    try:
        report = act()
        told.extend(file.reason for file in getattr(report, "files", ()) if file.status == "failed")
    except PrismError as error:
        told.append(str(error))
attempt(lambda: prism.ingest([Source(folder / "files" / name, name) for name in NEW]))
attempt(lambda: prism.ask("What does the berth book say?"))
attempt(lambda: prism.delete("cargo.txt"))
attempt(lambda: prism.backup(folder / "full.zip"))
attempt(prism.close)
print("\\n".join(told))
"""


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [0, 4, 40, 130, 400, 1000])
def test_a_full_disk_is_told_and_everything_works_once_there_is_space(
    held: Path, tmp_path: Path, kilobytes: int
) -> None:
    pytest.importorskip("resource", reason="limits of file size are a matter of Unix")
    with open_folder(held) as prism:
        before = visible_leaves(prism)
    sources(tmp_path, dict(NEW))
    told = run(LIMITED, str(tmp_path), str(kilobytes * 1024), folder=tmp_path)
    assert "Traceback" not in told
    assert not (tmp_path / "full.zip.partial").exists()
    with open_folder(held) as prism:
        seen = visible_leaves(prism)
        for name, leaves in before.items():
            assert seen.get(name) in (leaves, None) or name == "berths.txt"
        assert prism.status().consistent
        with open_folder(tmp_path / "undisturbed") as other:
            hold(other, tmp_path)
            ingest_new(other, tmp_path)
            ingest_new(prism, tmp_path)
            if prism.document("cargo.txt").status == "deleted":
                prism.undo("cargo.txt")
            assert visible_leaves(prism) == visible_leaves(other)
            assert state_of(prism) == state_of(other)


# ── a folder that may not be written ────────────────────────────────────────────────────────────

READ_ONLY = """
import os, sys
from pathlib import Path
from prism import StoreError
from tests.crash import open_folder
os.setuid(65534)
try:
    open_folder(Path(sys.argv[1]))
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to become another user"
)
def test_a_folder_without_write_permission_is_refused_plainly(held: Path, tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        store = shutil.copytree(held, Path(place) / "store")
        told = run(READ_ONLY, str(store), folder=tmp_path)
    assert str(store) in told
    assert "--storage" in told
