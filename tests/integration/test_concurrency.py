"""Questions from several threads while documents come, change, go and return: nothing stale or foreign."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from prism import Answer, Passage, Prism, Scope, Source
from prism.ingest.identify import document_id
from tests.timeline import Timeline, timed

WORKSPACES = ("north", "south")
TOPICS = ("berth fees", "cargo insurance", "night mooring", "fuel deliveries", "crew lodging", "waste carts")
ASKING_THREADS = 4
ASKS = 200
CYCLES = 50


@dataclass(frozen=True)
class Asked:
    workspace: str
    began: float
    ended: float
    answer: Answer

    @property
    def passages(self) -> list[Passage]:
        return [*(citation.passage for citation in self.answer.citations), *self.answer.nearest]


def edition(workspace: str, topic: str, number: int) -> str:
    return "\n\n".join(
        f"{workspace.title()} port, {topic}, edition {number}, rule {rule}. The charge for {topic} at quay "
        f"{rule} of the {workspace} port is {number * 10 + rule} crowns a day, due to the {workspace} desk. "
        f"Whoever asks for {topic} after dusk at quay {rule} pays {number * 10 + rule + 5} crowns instead."
        for rule in range(1, 6)
    )


class Harbour:
    """The one writer: puts editions in, hides and shows them, and keeps the timeline."""

    def __init__(self, prism: Prism, folder: Path) -> None:
        self.timeline = Timeline()
        self._prism = prism
        self._folder = folder

    def put(self, prism: Prism, workspace: str, topic: str, text: str) -> str:
        name = f"{topic.replace(' ', '-')}.txt"
        file = self._folder / workspace / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        identity = document_id(workspace, name)
        with self.timeline.change(identity, lambda: self._shown(identity)):
            report = prism.ingest([Source(file, name)], workspace=workspace)
            assert [item.status for item in report.files] in (["added"], ["updated"]), report
        return identity

    def delete(self, identity: str) -> None:
        with self.timeline.change(identity, lambda: self._shown(identity)):
            self._prism.delete(identity)

    def undo(self, identity: str) -> None:
        with self.timeline.change(identity, lambda: self._shown(identity)):
            self._prism.undo(identity)

    def _shown(self, identity: str) -> int | None:
        info = self._prism.document(identity)
        return info.generation if info.status == "active" else None


def ask_until(prism: Prism, seed: int, is_done: Callable[[int], bool]) -> list[Asked]:
    chance = random.Random(seed)
    asked: list[Asked] = []
    while not is_done(len(asked)):
        workspace, topic, quay = chance.choice(WORKSPACES), chance.choice(TOPICS), chance.randint(1, 5)
        question = f"What is the charge for {topic} at quay {quay}?"
        began, answer, ended = timed(lambda q=question, w=workspace: prism.ask(q, scope=Scope(w)))
        asked.append(Asked(workspace, began, ended, answer))
    return asked


@pytest.mark.slow
def test_200_asks_against_50_cycles_in_two_workspaces_see_nothing_stale_and_nothing_foreign(
    open_prism: Callable[..., Prism], tmp_path: Path
) -> None:
    prism = open_prism()
    harbour = Harbour(prism, tmp_path / "files")
    ids = {
        (workspace, topic): harbour.put(prism, workspace, topic, edition(workspace, topic, 1))
        for workspace in WORKSPACES
        for topic in TOPICS
    }
    written = threading.Event()
    chance = random.Random(3)

    def write() -> None:
        try:
            for cycle in range(CYCLES):
                workspace, topic = WORKSPACES[cycle % 2], chance.choice(TOPICS)
                harbour.put(prism, workspace, topic, edition(workspace, topic, cycle + 2))
                harbour.delete(ids[workspace, topic])
                harbour.undo(ids[workspace, topic])
        finally:
            written.set()

    def is_done(asked: int) -> bool:
        return asked >= ASKS // ASKING_THREADS and written.is_set()

    with ThreadPoolExecutor(ASKING_THREADS + 1) as pool:
        writing = pool.submit(write)
        asking = [pool.submit(ask_until, prism, seed, is_done) for seed in range(ASKING_THREADS)]
        writing.result()
        asked = [item for future in asking for item in future.result()]

    assert len(asked) >= ASKS
    assert sum(not item.answer.abstained for item in asked) > ASKS / 2
    for item in asked:
        foreign = ({*WORKSPACES} - {item.workspace}).pop()
        assert not [passage for passage in item.passages if foreign in passage.text]
        versions = {(passage.document_id, passage.generation) for passage in item.passages}
        assert harbour.timeline.shows_together(versions, item.began, item.ended), item
    for workspace in WORKSPACES:
        status = prism.status(workspace)
        assert status.consistent
        assert (status.documents, status.leaves) == (len(TOPICS), status.active_leaves)


@pytest.mark.slow
def test_cutting_leaves_anew_under_load_never_shows_a_mixture_of_generations(
    open_prism: Callable[..., Prism], tmp_path: Path
) -> None:
    prism = open_prism()
    fine = prism.with_settings(chunk={"leaf_tokens": 32, "parent_tokens": [96, 300]})
    harbour = Harbour(prism, tmp_path / "files")
    text = edition("north", "berth fees", 1)
    harbour.put(prism, "north", "berth fees", text)
    written = threading.Event()

    def cut_anew() -> None:
        try:
            for turn in range(20):
                harbour.put(prism if turn % 2 else fine, "north", "berth fees", text)
        finally:
            written.set()

    def look() -> list[tuple[float, list[Passage], float]]:
        seen = []
        while not written.is_set():
            found = timed(
                lambda: prism.retrieve(
                    "What is the charge for berth fees?", 20, Scope("north"), leaves=True
                ).passages
            )
            seen.append((found[0], list(found[1]), found[2]))
        return seen

    with ThreadPoolExecutor(4) as pool:
        writing = pool.submit(cut_anew)
        looking = [pool.submit(look) for _ in range(3)]
        writing.result()
        seen = [item for future in looking for item in future.result()]

    assert len(seen) > 20
    generations = set()
    for began, passages, ended in seen:
        assert passages
        shown = {(passage.document_id, passage.generation) for passage in passages}
        assert len(shown) == 1
        assert harbour.timeline.shows_together(shown, began, ended)
        assert all(passage.text == text[passage.start : passage.end] for passage in passages)
        spans = sorted((passage.start, passage.end) for passage in passages)
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        generations |= shown
    assert len(generations) > 2
