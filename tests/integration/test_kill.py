"""Twenty real kills (SIGKILL) of a process that ingests, one after another on the same folder."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prism import Prism, Scope
from prism.models.embedder import FolderEmbedder
from prism.stores.nodes import StoredNode
from prism.types import LEAF_LEVEL
from tests.crash import State, open_folder, state_of
from tests.processes import surroundings

SEED = 45
KILLS = 20
MOST_SIGNS = 6
"""A process lives until so many signs of progress at most, and a random moment longer."""

PLAIN: Mapping[str, Any] = {"retrieval": {"retrieve_k": 1000}}
"""Everything that could be found is found."""

QUESTION = "What must the bank, the merchant or the customer do?"

SAMPLE = Path(__file__).parents[2] / "eval" / "datasets" / "sample" / "documents"

SIGN = "a sign of progress"

INGEST = f"""
import sys
from prism import Prism

def tell(progress):
    # A file found to be in already is no progress.
    print("{SIGN}" if progress.leaves_done else "", flush=True)

with Prism.open(overlay={{"storage.path": sys.argv[1], "rerank.kind": "late_interaction"}}) as prism:
    print("{SIGN}", flush=True)
    report = prism.ingest(sys.argv[2], tell)
    assert not report.count("failed"), report
"""


@pytest.fixture(scope="module")
def files() -> list[Path]:
    """The smaller circulars, or without them the sample documents."""
    if "PRISM_DATA" in os.environ:
        folder = Path(os.environ["PRISM_DATA"]) / "rbi_circulars" / "pdfs"
        return sorted(folder.iterdir(), key=lambda file: file.stat().st_size)[:6]
    return sorted(SAMPLE.iterdir())


def nodes_of(state: State) -> dict[str, dict[str, StoredNode]]:
    """Nodes by document and id."""
    found: dict[str, dict[str, StoredNode]] = {}
    for node_id, stored in state.nodes.items():
        found.setdefault(stored.node.document_id, {})[node_id] = stored
    return found


def assert_close(vectors: Mapping[str, Sequence[float]], wanted: Mapping[str, Sequence[float]]) -> None:
    for node_id, vector in vectors.items():
        np.testing.assert_allclose(vector, wanted[node_id], rtol=0, atol=1e-6)


def assert_close_tokens(state: State, wanted: Mapping[str, Any]) -> None:
    for node_id, rows in state.token_vectors.items():
        np.testing.assert_allclose(rows, wanted[node_id], rtol=0, atol=1)


def assert_old_or_new(prism: Prism, old: State, new: State) -> None:
    """Every document is whole, as it was or as it is to be, and nothing else is stored or found."""
    state = state_of(prism)
    allowed = [nodes_of(old), nodes_of(new)]
    for document_id, nodes in nodes_of(state).items():
        assert nodes in [nodes_by_id.get(document_id) for nodes_by_id in allowed]
    leaves = {key for key, stored in state.nodes.items() if stored.node.level == LEAF_LEVEL}
    assert set(state.tokens) == set(state.vectors) == leaves
    assert sum(state.keyword_leaves.values()) == len(leaves)
    assert set(state.token_vectors) == leaves
    assert len(state.token_files) == len({stored.node.document_id for stored in state.nodes.values()})
    assert_close(state.vectors, {**old.vectors, **new.vectors})
    assert_close_tokens(state, {**old.token_vectors, **new.token_vectors})
    assert prism.status().consistent

    shown = {info.document_id for info in prism.documents() if info.status == "active"}
    hidden = frozenset(info.document_id for info in prism.documents()) - shown
    assert prism.retrieve(QUESTION, 100, Scope("default", hidden), leaves=True).passages == ()
    found = prism.retrieve(QUESTION, 100, leaves=True).passages
    assert found
    assert {passage.node_id for passage in found} <= leaves
    assert {passage.document_id for passage in found} <= shown
    assert all(passage.text == state.nodes[passage.node_id].node.text for passage in found)


def ingest_and_kill(store: Path, given: Path, folder: Path, chance: random.Random) -> bool:
    """Ingest in a process of its own and kill it at a random moment; False when it ended before that."""
    signs, pause_s = chance.randint(1, MOST_SIGNS), chance.uniform(0, 0.5)
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", INGEST, str(store), str(given)],
        cwd=folder,
        env=surroundings(folder),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        try:
            seen = 0
            while seen < signs and (line := process.stdout.readline()):
                seen += line.strip() == SIGN
            time.sleep(pause_s)
            is_killed = process.poll() is None
        finally:
            process.kill()
    assert is_killed or process.returncode == 0
    return is_killed


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ing_45_twenty_kills_in_a_row_leave_old_or_new_and_finishing_gives_the_undisturbed_state(
    tmp_path: Path, files: Sequence[Path], embedder: FolderEmbedder
) -> None:
    given, begun, chance = tmp_path / "files", tmp_path / "begun", random.Random(SEED)
    given.mkdir()
    # Two of the names are there already, with the content of another: these are replaced.
    shutil.copyfile(files[0], given / files[1].name)
    shutil.copyfile(files[1], given / files[-1].name)
    with open_folder(begun, embedder=embedder, **PLAIN) as prism:
        assert prism.ingest(given).count("added") == 2
        old = state_of(prism)
    for file in files:
        shutil.copyfile(file, given / file.name)
    shutil.copytree(begun, tmp_path / "undisturbed")
    with open_folder(tmp_path / "undisturbed", embedder=embedder, **PLAIN) as prism:
        prism.ingest(given)
        new = state_of(prism)

    kills = rounds = 0
    while kills < KILLS:
        rounds += 1
        store = tmp_path / f"store-{rounds}"
        shutil.copytree(begun, store)
        while kills < KILLS and ingest_and_kill(store, given, tmp_path, chance):
            kills += 1
            with open_folder(store, embedder=embedder, **PLAIN) as prism:
                assert_old_or_new(prism, old, new)
        with open_folder(store, embedder=embedder, **PLAIN) as prism:
            prism.ingest(given)
            state = state_of(prism)
            assert_close(state.vectors, new.vectors)
            assert_close_tokens(state, new.token_vectors)
            assert replace(state, vectors={}, token_vectors={}) == replace(new, vectors={}, token_vectors={})
            assert set(state.vectors) == set(new.vectors) == set(state.token_vectors)
            assert prism.doctor() == []
