"""Delete, undo, purge, update, upload again, restart: gone is gone everywhere, what stays is the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from prism import NotFoundError, Prism
from prism.llamaindex.docstore import CatalogueDocumentStore
from prism.types import Node
from tests.integration.conftest import OpenPrism
from tests.shelf import DENSE_ALONE, KEYWORD_ALONE, id_of, names, texts, write

FILLER = " ".join(f"Paragraph {n} of this record deals with ordinary office matters." for n in range(70))
SECRET = f"{FILLER} The vault opens with the word Xylograph. {FILLER}"
OTHERS = {
    "gym.txt": "The gym opens at six and closes at ten.",
    "park.txt": f"Parking is free on Sundays. {FILLER}",
    "hi.txt": "दैनिक सीमा दो लाख रुपये है।",
}
QUESTION = "Which word opens the vault? Xylograph"


class ActiveNodes:
    """The catalogue's active nodes, as the docstore view reads them."""

    def __init__(self, prism: Prism) -> None:
        self._nodes = prism._storage.catalogue.nodes
        self._generations = prism._storage.catalogue.active_generations("default")

    def nodes(self, node_ids):
        return {
            key: stored.node for key, stored in self._nodes.get(list(node_ids), self._generations).items()
        }

    def children(self, parent_ids):
        return {}

    def node_ids(self):
        levels = range(4)
        return [key for level in levels for key in self._nodes.node_ids(self._generations, level=level)]


def nodes_of(prism: Prism) -> list[Node]:
    reader = ActiveNodes(prism)
    return list(reader.nodes(reader.node_ids()).values())


def places_holding(prism: Prism, word: str) -> dict[str, int]:
    """In how many results of each route the word occurs."""
    docstore = CatalogueDocumentStore(ActiveNodes(prism))
    routes = {
        "dense": prism.with_settings(**DENSE_ALONE).retrieve(QUESTION, 100, leaves=True),
        "keyword": prism.with_settings(**KEYWORD_ALONE).retrieve(QUESTION, 100, leaves=True),
        "merged": prism.retrieve(QUESTION, 100),
    }
    counts = {name: sum(word in item.text for item in found.passages) for name, found in routes.items()}
    counts["parents"] = sum(word in node.text for node in nodes_of(prism) if node.level > 0)
    counts["docstore"] = sum(word in node.get_content() for node in docstore.docs.values())
    answer = prism.ask(QUESTION)
    counts["answer"] = answer.text.count(word)
    counts["cited and nearest"] = sum(
        word in passage.text for passage in (*(item.passage for item in answer.citations), *answer.nearest)
    )
    return counts


def nowhere(prism: Prism, word: str = "Xylograph") -> bool:
    counts = places_holding(prism, word)
    assert len(counts) == 7
    return not any(counts.values())


def everywhere(prism: Prism, word: str = "Xylograph") -> bool:
    return all(count for name, count in places_holding(prism, word).items() if name != "cited and nearest")


@pytest.fixture
def filled(open_prism: OpenPrism, tmp_path: Path) -> Prism:
    prism = open_prism()
    report = prism.ingest(write(tmp_path / "files", {"secret.txt": SECRET, **OTHERS}))
    assert report.count("added") == 4
    assert everywhere(prism)
    return prism


def reopened(prism: Prism, open_prism: OpenPrism) -> Prism:
    prism.close()
    return open_prism()


def now_and_reopened(prism: Prism, open_prism) -> Iterator[Prism]:
    """The engine as it is, then, closed and opened again, as it is after a restart."""
    yield prism
    yield reopened(prism, open_prism)


def test_a_deleted_document_is_nowhere_at_once_and_after_reopening(filled: Prism, open_prism: OpenPrism):
    filled.delete(id_of(filled, "secret.txt"))
    assert nowhere(filled)
    with pytest.raises(NotFoundError):
        filled.page(id_of(filled, "secret.txt"), 1)
    again = reopened(filled, open_prism)
    assert nowhere(again)
    assert again.document("secret.txt").status == "deleted"


def test_undo_brings_it_back_at_once_and_after_reopening(filled: Prism, open_prism: OpenPrism):
    before = filled.retrieve(QUESTION, 20).passages
    filled.delete(id_of(filled, "secret.txt"))
    filled = reopened(filled, open_prism)
    filled.undo(id_of(filled, "secret.txt"))
    assert everywhere(filled)
    assert filled.retrieve(QUESTION, 20).passages == before
    again = reopened(filled, open_prism)
    assert everywhere(again)
    assert again.retrieve(QUESTION, 20).passages == before


def test_a_purged_document_leaves_no_byte(filled: Prism, open_prism: OpenPrism):
    identity = id_of(filled, "secret.txt")
    leaves = filled.status().leaves
    filled.purge(identity)
    assert nowhere(filled)
    assert filled.status().leaves < leaves
    assert filled.status().consistent
    with pytest.raises(NotFoundError):
        filled.document("secret.txt")
    with pytest.raises(NotFoundError):
        filled.undo(identity)
    folder = filled.settings.storage.path
    again = reopened(filled, open_prism)
    assert nowhere(again)
    assert again.status().consistent
    again.close()
    kept = [path for path in folder.rglob("*") if path.is_file() and b"Xylograph" in path.read_bytes()]
    # The question itself stands in the traces.
    assert {path.name.split("-")[0] for path in kept} <= {"catalogue.sqlite"}
    kept = [path for path in folder.rglob("*") if path.is_file() and b"vault opens with" in path.read_bytes()]
    assert kept == []


def test_an_update_replaces_everywhere_and_nothing_old_comes_back(filled: Prism, open_prism, tmp_path):
    newer = SECRET.replace("Xylograph", "Zeppelin")
    report = filled.ingest(write(tmp_path / "newer", {"secret.txt": newer}))
    assert report.count("updated") == 1
    for prism in now_and_reopened(filled, open_prism):
        assert nowhere(prism, "Xylograph")
        assert places_holding(prism, "Zeppelin")["docstore"]
        assert prism.status().consistent
        last = prism
    last.delete(id_of(last, "secret.txt"))
    last.undo(id_of(last, "secret.txt"))
    assert nowhere(last, "Xylograph")
    assert last.doctor() == []


def test_an_upload_after_a_delete_answers_again_and_only_with_its_own_text(filled, open_prism, tmp_path):
    filled.delete(id_of(filled, "secret.txt"))
    newer = SECRET.replace("Xylograph", "Zeppelin")
    filled.ingest(write(tmp_path / "newer", {"secret.txt": newer}))
    for prism in now_and_reopened(filled, open_prism):
        assert nowhere(prism, "Xylograph")
        assert places_holding(prism, "Zeppelin")["docstore"]
        last = prism
    last.ingest(write(tmp_path / "files", {"secret.txt": SECRET}))
    assert everywhere(last)
    assert nowhere(last, "Zeppelin")


QUESTIONS = (
    "When does the gym open?",
    "Is parking free on Sundays?",
    "सीमा कितनी है?",
    "office matters",
    QUESTION,
)


def test_the_same_question_gives_the_same_passages_in_the_same_order_after_reopening(filled, open_prism):
    before = {question: filled.retrieve(question, 20) for question in QUESTIONS}
    answers = {question: filled.ask(question) for question in QUESTIONS}
    for _ in range(2):
        filled = reopened(filled, open_prism)
        for question in QUESTIONS:
            assert filled.retrieve(question, 20).passages == before[question].passages
            again = filled.ask(question)
            assert (again.text, again.citations) == (answers[question].text, answers[question].citations)


def test_the_order_of_coming_does_not_change_what_is_found(open_prism, make_prism, tmp_path):
    files = {"secret.txt": SECRET, **OTHERS}
    found = []
    for number, order in enumerate((list(files), list(reversed(files)))):
        with make_prism(tmp_path / f"storage-{number}") as prism:
            for name in order:
                prism.ingest(write(tmp_path / "files", {name: files[name]}))
            found.append({question: prism.retrieve(question, 20).passages for question in QUESTIONS})
    assert found[0] == found[1]


def test_delete_and_undo_many_times_leave_the_index_as_it_was(filled: Prism):
    before, status = filled.retrieve(QUESTION, 20).passages, filled.status()
    for _ in range(5):
        filled.delete(id_of(filled, "secret.txt"))
        assert "secret.txt" not in names(filled.retrieve(QUESTION, 20))
        filled.undo(id_of(filled, "secret.txt"))
    assert filled.retrieve(QUESTION, 20).passages == before
    after = filled.status()
    assert (after.leaves, after.vectors, after.keyword_docs) == (
        status.leaves,
        status.vectors,
        status.keyword_docs,
    )
    assert "Xylograph" in texts(filled.retrieve(QUESTION))
