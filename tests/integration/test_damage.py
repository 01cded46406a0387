"""A projection that is deleted or broken is made again from the record, and never leaves a quiet gap.

Real Chroma and keyword files, over so many leaves (from 1,000) that the graphs lie on the disk, and an
embedder that counts letters.
"""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from prism import ModelError, Prism, Scope, StoreError
from prism.errors import ModelCallError
from prism.models.protocols import Vectors
from prism.stores.chroma import DATABASE_FILE
from prism.stores.seal import SEAL_FILE
from prism.text import tokens
from tests.crash import open_folder, state_of
from tests.fakes import LetterEmbedder
from tests.shelf import DENSE_ALONE, KEYWORD_ALONE, write

ROOT = Path(__file__).parents[2]

WORKSPACES = ("default", "other")
DOCUMENTS = {"default": 11, "other": 11}
QUESTIONS = ("the quick zebra of the lazy king", "jumping boxes quiz wizards", "plain old bread and butter")
CHUNKS: Mapping[str, Any] = {"chunk": {"leaf_tokens": 16, "parent_tokens": [48, 96]}}

Damage = Callable[[Path], object]
Ranking = list[tuple[str, float]]


def document(seed: int) -> str:
    """A hundred sentences of twelve made-up words."""
    chance = random.Random(seed)
    words = [
        "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(400)
    ]
    return "\n".join(" ".join(chance.choices(words, k=12)).capitalize() + "." for _ in range(105))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed folder with two workspaces of over 1,000 leaves, and a deleted document."""
    folder = tmp_path_factory.mktemp("whole")
    with open_folder(folder / "store", **CHUNKS) as prism:
        for number, workspace in enumerate(WORKSPACES):
            names = {f"{n}.txt": document(100 * number + n).encode() for n in range(DOCUMENTS[workspace])}
            prism.ingest(write(folder / "files", names), workspace=workspace)
        prism.delete("10.txt")
        assert all(prism.status(workspace).leaves > 1000 for workspace in WORKSPACES)
    return folder / "store"


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(whole, tmp_path / "store"))


@pytest.fixture
def reopen(folder: Path) -> Iterator[Callable[..., Prism]]:
    with ExitStack() as opened:
        yield lambda **options: opened.enter_context(open_folder(folder, **CHUNKS, **options))


@pytest.fixture(scope="module")
def healthy(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ranking]:
    copy = tmp_path_factory.mktemp("healthy") / "store"
    shutil.copytree(whole, copy)
    with open_folder(copy, **CHUNKS) as prism:
        return rankings(prism)


def rankings(prism: Prism) -> dict[str, Ranking]:
    """Node ids and scores per leg, workspace and question."""
    found = {}
    for workspace in WORKSPACES:
        prism.retrieve(QUESTIONS[0], scope=Scope(workspace))
    for leg, overlay in (("dense", DENSE_ALONE), ("keyword", KEYWORD_ALONE)):
        engine = prism.with_settings(**overlay, rerank={"kind": "none"})
        for workspace in WORKSPACES:
            for question in QUESTIONS:
                hits = engine.retrieve(question, 5, Scope(workspace), leaves=True).passages
                found[f"{leg} {workspace} {question}"] = [(hit.node_id, round(hit.score, 5)) for hit in hits]
    return found


def check(prism: Prism, healthy: Mapping[str, Ranking]) -> None:
    assert rankings(prism) == healthy
    assert all(prism.status(workspace).consistent for workspace in WORKSPACES)
    assert prism.doctor() == []
    assert prism.undo("10.txt").status == "active"


def codes(prism: Prism, workspace: str = "default") -> list[str]:
    return [notice.code for notice in prism.retrieve(QUESTIONS[0], scope=Scope(workspace)).notices]


def scramble(file: Path, share: float = 1.0) -> None:
    """Overwrite the middle `share` of a file with random bytes."""
    content = file.read_bytes()
    start = int(len(content) * (1 - share) / 2)
    end = max(start + 1, len(content) - start)
    file.write_bytes(content[:start] + random.Random(1).randbytes(end - start) + content[end:])


def halve(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def nudge(file: Path) -> None:
    """Change one bit in the middle."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def take_anothers(file: Path) -> None:
    """Put the file of the same name of another graph, or of another workspace, in its place."""
    other = next(path for path in file.parents[1].glob(f"*/{file.name}") if path.parent != file.parent)
    shutil.copyfile(other, file)


def make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


HARMS: Mapping[str, Damage] = {
    "deleted": Path.unlink,
    "emptied": lambda file: file.write_bytes(b""),
    "halved": halve,
    "random": scramble,
    "random in the middle": lambda file: scramble(file, 0.1),
    "one bit": nudge,
    "another's": take_anothers,
    "a folder": make_folder,
}
GRAPH_FILES = ("data_level0.bin", "header.bin", "length.bin", "link_lists.bin", "index_metadata.pickle")


def graph_file(folder: Path, name: str) -> Path:
    """A file of the larger of the graphs."""
    return max(sorted((folder / "vectors").glob(f"*/{name}")), key=lambda file: file.stat().st_size)


# ── the vectors ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("name", [*GRAPH_FILES, DATABASE_FILE])
def test_a_damaged_vector_file_is_noticed_and_the_vectors_are_made_again(
    folder: Path,
    reopen: Callable[..., Prism],
    healthy: Mapping[str, Ranking],
    caplog: pytest.LogCaptureFixture,
    name: str,
    harm: str,
) -> None:
    file = folder / "vectors" / name if name == DATABASE_FILE else graph_file(folder, name)
    if name == DATABASE_FILE and harm == "another's":
        pytest.skip("there is one for all workspaces")
    before = file.read_bytes()
    HARMS[harm](file)
    if file.is_file() and file.read_bytes() == before:
        pytest.skip("both graphs have the same header")
    with caplog.at_level(logging.WARNING):
        prism = reopen()
        assert "index_completed" in codes(prism)
    assert name in caplog.text
    assert rankings(prism) == healthy
    prism.close()
    caplog.clear()
    check(reopen(), healthy)
    assert not caplog.records


def age(folder: Path) -> None:
    """As if the files had been written an hour ago."""
    for file in (folder / "vectors").rglob("*.bin"):
        written_ns = file.stat().st_mtime_ns - 3600 * 10**9
        os.utime(file, ns=(written_ns, written_ns))


def test_bytes_that_change_without_a_trace_are_noticed_by_the_doctor(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking]
) -> None:
    age(folder)
    prism = reopen()
    prism.retrieve(QUESTIONS[0])
    prism.close()
    file = graph_file(folder, "link_lists.bin")
    written_ns = file.stat().st_mtime_ns
    nudge(file)
    os.utime(file, ns=(written_ns, written_ns))
    prism = reopen()
    assert [finding.outcome for finding in prism.doctor()] == ["mended"] * len(WORKSPACES)
    check(prism, healthy)


@pytest.mark.parametrize("name", [f"{DATABASE_FILE}-journal", f"{DATABASE_FILE}-wal"])
def test_a_foreign_journal_is_not_played_into_the_vectors(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking], name: str
) -> None:
    (folder / "vectors" / name).write_bytes(random.Random(2).randbytes(5000))
    prism = reopen()
    assert codes(prism) == []
    check(prism, healthy)


@pytest.mark.parametrize(
    "gone",
    [["vectors"], ["keywords"], ["vectors", "keywords"], ["tokens"], ["vectors", "keywords", "tokens"]],
)
@pytest.mark.parametrize("leaves", ["nothing", "a file"])
def test_dep_01_a_deleted_projection_is_made_again_when_the_folder_is_opened(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking], gone: list[str], leaves: str
) -> None:
    for name in gone:
        shutil.rmtree(folder / name)
        if leaves == "a file":
            (folder / name).write_text("no folder")
    prism = reopen()
    check(prism, healthy)
    prism.close()
    assert codes(reopen()) == []


@pytest.mark.parametrize("name", [*GRAPH_FILES, DATABASE_FILE])
@pytest.mark.parametrize(
    "harm", ["deleted", "emptied", "halved", "random", "random in the middle", "a folder"]
)
def test_damage_after_a_kill_is_noticed_where_it_contradicts_itself(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking], name: str, harm: str
) -> None:
    (folder / "vectors" / SEAL_FILE).unlink()
    file = folder / "vectors" / name if name == DATABASE_FILE else graph_file(folder, name)
    HARMS[harm](file)
    prism = reopen()
    assert rankings(prism) == healthy
    assert prism.status().consistent


def test_a_folder_that_was_not_closed_is_opened_without_making_anything_again(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking]
) -> None:
    (folder / "vectors" / SEAL_FILE).unlink()
    prism = reopen()
    assert codes(prism) == []
    check(prism, healthy)


def test_deleting_and_replacing_leaves_graphs_that_pass_the_look_without_a_seal(
    folder: Path, reopen: Callable[..., Prism], tmp_path: Path
) -> None:
    prism = reopen()
    prism.purge("3.txt")
    for round_ in range(3):
        names = {f"{n}.txt": document(1000 + 10 * round_ + n).encode() for n in range(4)}
        assert not prism.ingest(write(tmp_path / "new", names)).count("failed")
    prism.close()
    (folder / "vectors" / SEAL_FILE).unlink()
    prism = reopen()
    assert codes(prism) == []
    assert prism.doctor() == []


def test_vectors_that_cannot_be_made_again_are_told_at_every_question(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking]
) -> None:
    class Failing(LetterEmbedder):
        def embed(self, *_: object, **__: object) -> Vectors:
            raise ModelCallError("the model is away")

    scramble(graph_file(folder, "data_level0.bin"))
    prism = reopen(embedder=Failing())
    for _ in range(2):
        assert "index_incomplete" in codes(prism)
    with pytest.raises(ModelError, match="away"):
        prism.doctor()
    prism.close()
    check(reopen(), healthy)


def test_a_file_that_may_not_be_read_costs_no_vectors(
    folder: Path,
    reopen: Callable[..., Prism],
    healthy: Mapping[str, Ranking],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(file: Path) -> None:
        raise PermissionError(13, "Permission denied", str(file))

    prism = reopen()
    with monkeypatch.context() as patch:
        patch.setattr("prism.stores.checksums.file_sum", refused)
        with pytest.raises(StoreError, match=r"Permission denied.*permissions"):
            prism.retrieve(QUESTIONS[0])
    assert codes(prism) == []
    check(prism, healthy)


def graphs(folder: Path) -> set[str]:
    return {path.name for path in (folder / "vectors").iterdir() if path.is_dir()}


def test_a_rebuild_leaves_nothing_of_the_graphs_before(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking]
) -> None:
    before = graphs(folder)
    prism = reopen()
    assert [finding.outcome for finding in prism.doctor(rebuild_index=True)] == ["mended", "mended"]
    check(prism, healthy)
    assert len(graphs(folder)) == len(WORKSPACES)
    assert not graphs(folder) & before


def test_graphs_of_no_collection_go_at_the_next_opening(folder: Path, reopen: Callable[..., Prism]) -> None:
    stray = folder / "vectors" / "00000000-1111-2222-3333-444444444444"
    stray.mkdir()
    (stray / "data_level0.bin").write_bytes(b"vectors of somebody")
    (folder / "vectors" / "notes").mkdir()
    before = graphs(folder)
    assert codes(reopen()) == []
    assert graphs(folder) == before - {stray.name}


REBUILDER = """
import os, signal, sys
from pathlib import Path
from tests.crash import open_folder
from tests.integration.test_damage import CHUNKS

def told(progress):
    if progress.files_done == 7:
        os.kill(os.getpid(), signal.SIGKILL)

open_folder(Path(sys.argv[1]), **CHUNKS).doctor(rebuild_index=True, on_progress=told)
"""


def test_a_rebuild_that_is_killed_is_finished_by_the_next_question(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking]
) -> None:
    command = [sys.executable, "-c", REBUILDER, str(folder)]
    killed = subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603
    assert killed.returncode == -signal.SIGKILL
    prism = reopen()
    assert not prism.status().consistent
    assert codes(prism) == ["index_completed"]
    check(prism, healthy)


# ── the keyword index ───────────────────────────────────────────────────────────────────────────


def base_files(folder: Path) -> list[str]:
    return sorted(path.name for path in next((folder / "keywords" / "default").glob("base-*")).iterdir())


KEYWORD_FILES = (
    "current.json",
    "data.csc.index.npy",
    "group_codes.npy",
    "indices.csc.index.npy",
    "indptr.csc.index.npy",
    "lengths.npy",
    "params.index.json",
    "rows.json",
    "vocab.index.json",
)


def test_the_keyword_index_has_the_files_damaged_here(folder: Path) -> None:
    assert set(base_files(folder)) | {"current.json"} == set(KEYWORD_FILES)


@pytest.mark.parametrize("harm", [harm for harm in HARMS if harm != "another's"])
@pytest.mark.parametrize("name", KEYWORD_FILES)
def test_a_damaged_keyword_file_is_noticed_and_made_again_without_tokenizing(
    folder: Path,
    reopen: Callable[..., Prism],
    healthy: Mapping[str, Ranking],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    harm: str,
) -> None:
    (file,) = (folder / "keywords" / "default").rglob(name)
    HARMS[harm](file)
    tokenized = count_tokenizing(monkeypatch)
    prism = reopen()
    assert prism.status().consistent
    assert tokenized == []
    check(prism, healthy)


def test_a_file_of_another_workspaces_keyword_index_is_noticed(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking]
) -> None:
    shutil.rmtree(folder / "keywords" / "default")
    shutil.copytree(folder / "keywords" / "other", folder / "keywords" / "default")
    check(reopen(), healthy)


@pytest.mark.parametrize("base", ["base-99", "../other/base-1", "", ".", "..", "/etc"])
def test_a_base_that_is_not_there_is_made_again(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking], base: str
) -> None:
    file = folder / "keywords" / "default" / "current.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "base": base}))
    check(reopen(), healthy)


# ── opening ─────────────────────────────────────────────────────────────────────────────────────


def count_tokenizing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts tokenized from now on, wherever in Prism."""
    seen: list[str] = []
    real = tokens.tokenize

    def tokenize(text: str, *arguments: Any, **options: Any) -> Any:
        seen.append(text)
        return real(text, *arguments, **options)

    users = [module for name, module in sys.modules.items() if name.startswith("prism.")]
    for module in users:
        if getattr(module, "tokenize", None) is real:
            monkeypatch.setattr(module, "tokenize", tokenize)
    return seen


def test_opening_tokenizes_and_embeds_nothing(
    folder: Path, reopen: Callable[..., Prism], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenized = count_tokenizing(monkeypatch)

    class Unasked(LetterEmbedder):
        def embed(self, *_: object, **__: object) -> Vectors:
            raise AssertionError("a leaf was embedded")

    prism = reopen(embedder=Unasked())
    assert all(prism.status(workspace).consistent for workspace in WORKSPACES)
    assert tokenized == []
    assert codes(prism) == []
    # The question, and nothing that is as long as a leaf.
    assert set(tokenized) <= {QUESTIONS[0]}


# ── the token vectors ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("who", ["a question", "the doctor"])
def test_a_damaged_token_file_is_never_read_otherwise_than_written_and_is_made_again(
    folder: Path, reopen: Callable[..., Prism], healthy: Mapping[str, Ranking], harm: str, who: str
) -> None:
    with open_folder(folder, **CHUNKS) as prism:
        wanted = state_of(prism).token_vectors
    file, other, *_ = sorted((folder / "tokens" / "default").rglob("*.tokens"))
    if harm == "another's":
        shutil.copyfile(other, file)
    else:
        HARMS[harm](file)
    prism = reopen()
    if who == "the doctor":
        problems = [finding.problem for finding in prism.doctor() if finding.workspace == "default"]
        assert len(problems) == 1
        assert "token vectors" in problems[0]
    else:
        codes(prism)
        assert state_of(prism).token_vectors.items() <= wanted.items()
        assert prism.status().consistent == (harm == "deleted"), "that was made good before the question"
        assert codes(prism) == ([] if harm == "deleted" else ["index_completed"])
    assert state_of(prism).token_vectors == wanted
    check(prism, healthy)
