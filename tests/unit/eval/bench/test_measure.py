"""What is measured is checked: a build that is fast and wrong ends the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.bench.builds import Answered, Scope
from eval.bench.material import Question, Ready
from eval.bench.measure import index_phase, query_phase, use_phase
from eval.bench.quantities import names_of
from eval.bench.schedule import Schedule
from prism.errors import PrismError
from prism.models.protocols import Vectors

SCHEDULE = Schedule(indexings=1, changes=3, reopenings=2, questions=3, scoped_questions=2)
DOCUMENTS = [Ready(name, f"{name}.txt", "v", name, (), 0) for name in ("a", "b", "c", "d", "new")]


class Shelf:
    """Stands for `Material`: five documents of one leaf each, the last one spare."""

    leaves = 4
    document_count = 4
    questions = tuple(Question(name, name, name, frozenset({name, "b"})) for name in "abcd")

    def documents(self) -> Iterable[Ready]:
        return iter(DOCUMENTS[:4])

    def spare_documents(self) -> tuple[Ready, ...]:
        return tuple(DOCUMENTS[4:])

    def about(self, document: Ready) -> tuple[Question, ...]:
        return (Question(document.text, document.text, document.text, frozenset()),)

    def leaf_ids(self) -> list[str]:
        return ["a", "b", "c", "d"]

    def leaf_vectors(self) -> Vectors:
        return np.eye(4, dtype=np.float32)

    def question_vector(self, text: str) -> Vectors:
        vector: Vectors = np.eye(4, dtype=np.float32)["abcd".index(text)]
        return vector


@dataclass
class Disk:
    """What is kept in a folder, by the folder's name."""

    kept: dict[str, set[str]] = field(default_factory=dict)


class SetBuild:
    """A build that keeps names in a set; each of its faults can be switched on."""

    def __init__(self, folder: Path, disk: Disk, fault: str = "") -> None:
        self._folder, self._disk, self._fault = folder, disk, fault
        self._held: set[str] | None = None
        self.embeds = False
        self.deletes_for_good = False

    def index(self, documents: Iterable[Ready]) -> float:
        self._folder.mkdir()
        self._disk.kept[self._folder.name] = {document.document_id for document in documents}
        return 0.5

    def open(self) -> None:
        self._held = set(self._disk.kept[self._folder.name])

    def close(self) -> None:
        if self._held is not None and self._fault != "forgets":
            self._disk.kept[self._folder.name] = self._held
        self._held = None

    def ask(self, question: Question, scope: Scope = None) -> Answered:
        assert self._held is not None
        seen = self._held if scope is None else self._held & scope
        found = sorted(seen, key=lambda name: (name != question.text, name))
        if self._fault == "leaks" and scope is not None:
            found.append("stranger")
        return Answered(tuple(found), {"retrieve": 2.0})

    def nearest(self, vector: Vectors, k: int) -> Sequence[str]:
        return ["a", "b", "c", "d"]

    def embed_questions(self) -> None:
        self.embeds = True

    def prepare_changes(self) -> None: ...

    def add(self, document: Ready) -> None:
        assert self._held is not None
        if self._fault != "does not add":
            self._held.add(document.document_id)

    def delete(self, document_id: str) -> None:
        assert self._held is not None
        if self._fault != "does not delete":
            self._held.discard(document_id)

    purge = delete


def measured(tmp_path: Path, fault: str = "") -> dict[str, tuple[float, Any]]:
    disk = Disk()
    material: Any = Shelf()

    def make(folder: Path) -> SetBuild:
        return SetBuild(folder, disk, fault)

    steps = (
        *index_phase(make, tmp_path / "work", material),
        *use_phase(make, tmp_path / "work", material, SCHEDULE),
    )
    return {name: (value, details) for name, value, details in steps}


def test_the_phases_measure_all_that_is_asked_of_them(tmp_path: Path) -> None:
    assert measured(tmp_path).keys() == names_of("index") | names_of("use")


def test_rate_is_leaves_by_the_seconds_the_build_tells(tmp_path: Path) -> None:
    assert measured(tmp_path)["indexing_rate"][0] == 8.0


def test_operations_are_repeated_as_scheduled(tmp_path: Path) -> None:
    found = measured(tmp_path)
    assert len(found["reopen"][1]["all"]) == 2
    assert len(found["add"][1]["all"]) == 1, "there is one spare document"
    assert len(found["delete"][1]["all"]) == len(found["purge"][1]["all"]) == 1, (
        "a quarter of four documents each"
    )
    assert found["query_p50"][1]["questions"] == 3
    assert found["query_p50"][1]["stages_p50_ms"] == {"retrieve": 2.0}
    assert found["scoped_one_p50"][1]["questions"] == 2


def test_a_build_that_deletes_for_good_is_not_purged_besides(tmp_path: Path) -> None:
    disk = Disk()

    def make(folder: Path) -> SetBuild:
        build = SetBuild(folder, disk)
        build.deletes_for_good = True
        return build

    list(index_phase(make, tmp_path / "work", Shelf()))  # type: ignore[arg-type]
    steps = list(use_phase(make, tmp_path / "work", Shelf(), SCHEDULE))  # type: ignore[arg-type]
    found = {name: (value, details) for name, value, details in steps}
    assert found["purge"] == found["delete"]


def test_questions_are_embedded_after_memory_was_noted(tmp_path: Path) -> None:
    disk, material = Disk(), Shelf()
    builds: list[SetBuild] = []

    def make(folder: Path) -> SetBuild:
        builds.append(SetBuild(folder, disk))
        return builds[-1]

    list(index_phase(make, tmp_path / "work", material))  # type: ignore[arg-type]
    embeds = {
        name: builds[-1].embeds
        for name, _, _ in use_phase(make, tmp_path / "work", material, SCHEDULE)  # type: ignore[arg-type]
    }
    assert embeds["query_embedded_p50"]
    assert not any(embeds[name] for name in ("query_p50", "scoped_tenth_p50", "reopen", "answering_memory"))


def test_without_embedding_only_its_quantity_is_missing(tmp_path: Path) -> None:
    disk = Disk()

    def make(folder: Path) -> SetBuild:
        return SetBuild(folder, disk)

    list(index_phase(make, tmp_path / "work", Shelf()))  # type: ignore[arg-type]
    steps = use_phase(make, tmp_path / "work", Shelf(), SCHEDULE, embeds=False)  # type: ignore[arg-type]
    assert {name for name, _, _ in steps} == names_of("use") - {"query_embedded_p50"}


def test_asking_alone_leaves_what_was_indexed_as_it_is(tmp_path: Path) -> None:
    disk, material = Disk(), Shelf()

    def make(folder: Path) -> SetBuild:
        return SetBuild(folder, disk)

    list(index_phase(make, tmp_path / "work", material))  # type: ignore[arg-type]
    for embeds, missing in ((True, set()), (False, {"query_embedded_p50"})):
        steps = query_phase(make, tmp_path / "work", material, SCHEDULE, embeds=embeds)  # type: ignore[arg-type]
        found = {name: details for name, _, details in steps}
        assert found.keys() == names_of("query") - missing
        assert found["query_p50"]["stages_p50_ms"] == {"retrieve": 2.0}
        assert disk.kept["work"] == {"a", "b", "c", "d"}
    assert names_of("query") < names_of("use")


def test_recall_is_taken_from_the_graph(tmp_path: Path) -> None:
    assert measured(tmp_path)["recall"][0] == 1.0


def test_warming_up_leaves_nothing_behind(tmp_path: Path) -> None:
    measured(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["work"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("leaks", "outside its scope"),
        ("does not add", "was added and is not found"),
        ("does not delete", "came back"),
        ("forgets", "lost by a restart"),
    ],
)
def test_a_build_that_is_wrong_ends_the_run(tmp_path: Path, fault: str, said: str) -> None:
    with pytest.raises(PrismError, match=said):
        measured(tmp_path, fault)
