from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from prism.engine import Prism
from prism.errors import NotFoundError, StoreError, StoreMismatchError, UsageError
from prism.types import Answer, Scope, Source, TextDelta
from tests.fakes import LetterEmbedder

FILES = {"locker.txt": "Locker code is 4471.", "leave.txt": "Annual leave is fifteen days."}


class FailingEmbedder(LetterEmbedder):
    def embed(self, texts, on_batch=None):
        raise RuntimeError("429")


def names(prism: Prism, question: str, **options) -> list[str]:
    return [passage.document for passage in prism.retrieve(question, **options).passages]


def by_keyword(prism: Prism, word: str) -> list[str]:
    return names(prism.with_settings(retrieval={"dense_weight": 0.0}), word)


def identity(prism: Prism, name: str) -> str:
    return prism.document(name).document_id


# ── documents ───────────────────────────────────────────────────────────────────────────────────


def test_a_document_is_named_by_id_beginning_of_id_or_name(prism: Prism, add) -> None:
    add(prism, FILES)
    info = prism.document("locker.txt")
    assert prism.document(info.document_id) == info
    assert prism.document(info.document_id[:8]) == info


@pytest.mark.parametrize("wanted", ["unknown.txt", "", "ab"])
def test_a_document_nobody_knows_is_named_in_the_error(prism: Prism, add, wanted: str) -> None:
    add(prism, FILES)
    for call in (prism.document, prism.delete, prism.undo, prism.purge):
        with pytest.raises(NotFoundError, match="prism documents"):
            call(wanted)


def test_ing_32_a_deleted_document_answers_no_more_and_undo_brings_it_back(
    prism: Prism, open_prism, add
) -> None:
    add(prism, FILES)
    assert prism.delete("locker.txt").status == "deleted"
    assert "locker.txt" not in names(prism, "locker code")
    assert by_keyword(prism, "4471") == []
    again = open_prism()
    assert by_keyword(again, "4471") == []
    assert again.undo("locker.txt").status == "active"
    assert by_keyword(again, "4471") == ["locker.txt"]


def test_deleting_and_undoing_twice_changes_nothing_more(prism: Prism, add) -> None:
    add(prism, FILES)
    prism.delete("locker.txt")
    assert prism.delete("locker.txt").status == "deleted"
    prism.undo("locker.txt")
    assert prism.undo("locker.txt").status == "active"


def test_ing_45_a_document_that_was_never_complete_can_be_deleted_and_not_undone(open_prism, add) -> None:
    prism = open_prism(embedder=FailingEmbedder())
    assert add(prism, FILES).count("failed") == 2
    assert {info.status for info in prism.documents()} == {"failed"}

    with pytest.raises(UsageError, match="failed, not deleted"):
        prism.undo("locker.txt")
    assert prism.delete("locker.txt").status == "deleted"
    prism.purge("leave.txt")
    assert prism.documents() == []


def test_ing_30_a_failing_update_through_the_engine_leaves_the_old_text(open_prism, add) -> None:
    prism = open_prism()
    add(prism, FILES)
    prism = open_prism(embedder=FailingEmbedder())
    report = add(prism, {"locker.txt": "Locker code is 9999."})
    assert report.count("failed") == 1
    assert by_keyword(prism, "4471") == ["locker.txt"]
    assert by_keyword(prism, "9999") == []


def test_purging_leaves_no_word_in_any_file_of_the_folder(
    prism: Prism, open_prism, add, tmp_path: Path
) -> None:
    add(prism, {"secret.txt": "The quixotry of the vault.", **FILES})
    prism = open_prism()
    prism.purge("secret.txt")

    for file in (tmp_path / "store").rglob("*"):
        assert file.is_dir() or b"quixotry" not in file.read_bytes(), file
    assert prism.status().consistent
    assert by_keyword(open_prism(), "quixotry") == []


def test_a_purge_that_breaks_off_still_takes_the_bytes(
    prism: Prism, add, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(prism, FILES)
    active = prism._storage.active("default")

    def broken(document_id: str) -> None:
        raise OSError("disk")

    monkeypatch.setattr(active.vectors, "delete_document", broken)
    with pytest.raises(OSError, match="disk"):
        prism.purge("locker.txt")
    kept = [path.read_text() for path in (tmp_path / "store" / "originals").rglob("*") if path.is_file()]
    assert kept == [FILES["leave.txt"]]

    monkeypatch.undo()
    assert not prism.status().consistent
    assert prism.doctor()
    assert prism.status().consistent


def test_ing_33_a_purged_file_may_come_again(prism: Prism, add) -> None:
    add(prism, FILES)
    prism.purge("locker.txt")
    assert add(prism, FILES).count("added") == 1
    assert by_keyword(prism, "4471") == ["locker.txt"]


def test_a_page_is_shown_with_its_text_until_the_document_is_deleted(prism: Prism, add) -> None:
    add(prism, FILES)
    page = prism.page("locker.txt", 1)
    assert (page.text, page.page.label, page.image_png) == ("Locker code is 4471.", "1", None)
    with pytest.raises(NotFoundError, match="no page 2; it has 1"):
        prism.page("locker.txt", 2)
    prism.delete("locker.txt")
    with pytest.raises(NotFoundError, match="is deleted"):
        prism.page("locker.txt", 1)


def test_one_path_may_be_given_by_itself(prism: Prism, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Alpha rule.")
    assert prism.ingest(str(tmp_path / "a.txt")).count("added") == 1
    assert prism.ingest(tmp_path / "a.txt").count("unchanged") == 1


# ── questions ───────────────────────────────────────────────────────────────────────────────────


def test_ret_02_a_question_before_any_document_is_told_so(prism: Prism) -> None:
    found = prism.retrieve("locker")
    assert found.passages == ()
    assert [notice.code for notice in found.notices] == ["no_documents"]
    answer = prism.ask("locker")
    assert answer.abstained
    assert answer.text.startswith("Insufficient information")


@pytest.mark.parametrize(("question", "k"), [("q", 0), ("q", -1), ("x" * 8001, None)])
def test_a_call_that_makes_no_sense_is_refused(prism: Prism, question: str, k: int | None) -> None:
    with pytest.raises(UsageError):
        prism.retrieve(question, k)
    with pytest.raises(UsageError):
        prism.stream(question, k=k)


def test_gen_08_the_deltas_of_a_stream_join_to_the_answers_text(prism: Prism, add) -> None:
    add(prism, FILES)
    events = list(prism.stream("What is the locker code?"))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == answer.text
    assert "4471" in answer.text
    assert answer.citations[0].passage.document == "locker.txt"


def test_every_answer_has_a_trace_that_is_kept(prism: Prism, open_prism, add) -> None:
    add(prism, FILES)
    trace_id = prism.ask("What is the locker code?").trace_id
    prism.feedback(trace_id, helpful=True)
    body = open_prism().trace(trace_id)
    assert (body["trace_id"], body["kind"], body["question"]) == (trace_id, "ask", "What is the locker code?")


def test_a_trace_nobody_knows_is_an_error(prism: Prism) -> None:
    with pytest.raises(NotFoundError):
        prism.trace("unknown")
    with pytest.raises(NotFoundError):
        prism.feedback("unknown", helpful=False)


def test_a_stream_that_is_abandoned_lets_go_of_its_snapshot(prism: Prism, add) -> None:
    add(prism, FILES)
    stream = prism.stream("What is the locker code?")
    next(stream)
    stream.close()
    add(prism, {"locker.txt": "Locker code is 9999."})
    assert prism.status().consistent


def test_scope_and_workspace_keep_documents_apart(prism: Prism, add) -> None:
    add(prism, FILES)
    add(prism, {"other.txt": "Locker code elsewhere is 5555."}, workspace="other")
    assert names(prism, "locker code", scope=Scope("other")) == ["other.txt"]
    assert "other.txt" not in names(prism, "locker code")
    only = Scope("default", frozenset({identity(prism, "leave.txt")}))
    assert names(prism, "locker code", scope=only) == ["leave.txt"]


def test_dep_01_the_same_question_gives_the_same_passages_after_reopening(open_prism, add) -> None:
    prism = open_prism()
    add(prism, {f"{number}.txt": f"Rule {number} on locker codes and leave." for number in range(6)})
    before = [(item.node_id, item.score) for item in prism.retrieve("locker codes", 6).passages]
    after = [(item.node_id, item.score) for item in open_prism().retrieve("locker codes", 6).passages]
    assert before == after


def test_many_threads_may_ask_while_documents_come_and_go(prism: Prism, add) -> None:
    add(prism, FILES)
    stop = threading.Event()

    def ask(_: int) -> int:
        count = 0
        while not stop.is_set() or not count:
            found = prism.retrieve("locker code", 5)
            assert all(passage.text for passage in found.passages)
            count += 1
        return count

    with ThreadPoolExecutor(3) as pool:
        asking = [pool.submit(ask, number) for number in range(3)]
        for round_ in range(3):
            add(prism, {"locker.txt": f"Locker code is {round_}."})
            prism.delete("leave.txt")
            prism.undo("leave.txt")
        stop.set()
        assert all(future.result(timeout=60) for future in asking)
    assert prism.status().consistent


def test_async_twins_give_the_same(prism: Prism, add, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Locker code is 4471.")

    async def run():
        await prism.aingest(tmp_path / "a.txt")
        found = await prism.aretrieve("locker code")
        answer = await prism.aask("What is the locker code?")
        events = [event async for event in prism.astream("What is the locker code?")]
        return found, answer, events

    found, answer, events = asyncio.run(run())
    assert found.passages[0].document == "a.txt"
    assert answer.text == events[-1].text


# ── the index ───────────────────────────────────────────────────────────────────────────────────


def test_status_counts_what_is_there(prism: Prism, add) -> None:
    add(prism, FILES)
    prism.delete("leave.txt")
    prism.ask("What is the locker code?")
    status = prism.status()
    assert (status.documents, status.leaves, status.active_leaves) == (1, 2, 1)
    assert (status.vectors, status.keyword_docs, status.consistent) == (2, 2, True)
    assert (status.answers, status.abstained) == (1, 0)


def test_ret_19_another_embedder_of_the_same_size_is_refused_until_the_index_is_rebuilt(
    open_prism, add
) -> None:
    class Other(LetterEmbedder):
        name = "letters@2"

    add(open_prism(), FILES)
    prism = open_prism(embedder=Other())
    for call in (prism.retrieve, prism.ask):
        with pytest.raises(StoreMismatchError, match="doctor --rebuild"):
            call("locker")
    with pytest.raises(StoreMismatchError):
        add(prism, FILES)
    assert not prism.status().consistent

    prism.doctor(rebuild_index=True)

    assert prism.status().consistent
    assert by_keyword(prism, "4471") == ["locker.txt"]


def test_asking_an_empty_folder_does_not_bind_it_to_an_embedder(open_prism, add) -> None:
    class Other(LetterEmbedder):
        name = "letters@2"

    open_prism().ask("anything?")
    assert add(open_prism(embedder=Other()), FILES).count("added") == 2


def test_a_rebuild_finds_the_same_and_counts_every_leaf_once(prism: Prism, add) -> None:
    add(prism, FILES)
    prism.delete("leave.txt")
    before = [item.node_id for item in prism.retrieve("locker code").passages]
    prism.doctor(rebuild_index=True)
    status = prism.status()
    assert (status.leaves, status.vectors, status.keyword_docs) == (2, 2, 2)
    assert [item.node_id for item in prism.retrieve("locker code").passages] == before
    prism.undo("leave.txt")
    assert by_keyword(prism, "annual") == ["leave.txt"]


def test_the_doctor_finds_nothing_when_all_is_well_and_mends_what_is_missing(prism: Prism, add) -> None:
    add(prism, FILES)
    assert prism.doctor() == []
    prism._storage.active("default").vectors.delete_document(identity(prism, "locker.txt"))

    (finding,) = prism.doctor()
    assert "locker.txt: missing or foreign vectors" in finding.problem
    assert prism.status().consistent


def test_a_backup_restored_elsewhere_answers_the_same(open_prism, add, tmp_path: Path) -> None:
    prism = open_prism()
    add(prism, FILES)
    prism.delete("leave.txt")
    conversation = prism.conversation()
    conversation.ask("What is the locker code?")
    archive = prism.backup(tmp_path / "one.zip")

    other = open_prism(folder="elsewhere")
    other.restore(archive)

    assert by_keyword(other, "4471") == ["locker.txt"]
    assert {info.document: info.status for info in other.documents()} == {
        "locker.txt": "active",
        "leave.txt": "deleted",
    }
    assert [turn.question for turn in other.conversation(conversation.id).turns()] == [
        "What is the locker code?"
    ]
    assert other.status().consistent
    with pytest.raises(UsageError, match="holds documents already"):
        other.restore(archive)


@pytest.mark.parametrize("section", ["storage", "vectors"])
def test_what_an_open_engine_stands_on_cannot_change(prism: Prism, section: str) -> None:
    with pytest.raises(UsageError, match=f"{section} cannot change"):
        prism.with_settings(**{section: {}})


def test_keyword_parameters_change_with_the_settings(prism: Prism, add) -> None:
    add(prism, {"short.txt": "Locker code.", "long.txt": "Locker " + "filler words " * 5})
    scores = {}
    for b in (0.0, 1.0):
        other = prism.with_settings(keywords={"b": b}, retrieval={"dense_weight": 0.0})
        trace = other.trace(other.retrieve("locker", leaves=True).trace_id)
        scores[b] = [hit["score"] for hit in trace["legs"][0]["hits"]]
    # With b = 0 length does not count, so that both leaves, holding the word once, score alike.
    assert len(set(scores[0.0])) == 1
    assert len(set(scores[1.0])) == 2


def test_engines_over_one_storage_build_one_at_a_time(prism: Prism) -> None:
    other = prism.with_settings(retrieval={"k": 3})
    assert other._storage.ingest_lock is prism._storage.ingest_lock
    assert other.settings.retrieval.k == 3


def test_a_closed_engine_holds_no_connection(prism: Prism, add) -> None:
    add(prism, FILES)
    connection = prism._storage.catalogue._database.read()
    prism.close()
    with pytest.raises(StoreError, match="closed"):
        connection.execute("SELECT 1")


# ── what no store can take ──────────────────────────────────────────────────────────────────────


def test_ing_24_half_a_character_in_a_question_or_an_id_does_no_harm(prism: Prism, add) -> None:
    add(prism, FILES)
    asked = "locker \ud835 code\x00"
    found = prism.retrieve(asked)
    assert found.question == "locker \N{REPLACEMENT CHARACTER} code"
    assert prism.ask(asked).trace_id
    conversation = prism.conversation("talk \udcff")
    conversation.ask(asked)
    assert conversation.turns()[0].question == found.question
    prism.feedback(found.trace_id, helpful=True, comment="\ud835")
    for call in (prism.document, prism.trace, prism.delete):
        with pytest.raises(NotFoundError):
            call("\ud835")


def test_ing_39_a_workspace_cannot_lead_out_of_the_storage_folder(prism: Prism, add, tmp_path: Path) -> None:
    (source := tmp_path / "a.txt").write_text("words")
    calls = [
        lambda name: prism.ingest(source, workspace=name),
        lambda name: prism.retrieve("words", scope=Scope(name)),
        lambda name: prism.ask("words", scope=Scope(name)),
        lambda name: prism.conversation(scope=Scope(name)),
        prism.documents,
        prism.jobs,
        prism.status,
        prism.conversations,
    ]
    for call in calls:
        for name in ("../../evil", "..", "a/b", "", "\ud835"):
            with pytest.raises(UsageError, match="workspace"):
                call(name)


def test_an_empty_path_is_not_this_folder(prism: Prism) -> None:
    with pytest.raises(UsageError, match="empty path"):
        prism.ingest("")


def test_storage_cannot_change_under_a_dotted_key_either(prism: Prism) -> None:
    for key in ("storage.path", "vectors.hnsw_m"):
        with pytest.raises(UsageError, match="cannot change"):
            prism.with_settings(**{key: 8})


def test_a_closed_engine_says_so_instead_of_working_on(open_prism, add) -> None:
    prism = open_prism()
    add(prism, {"a.txt": "the cap is ten"})
    prism.close()
    for use in (prism.documents, lambda: prism.ask("cap"), lambda: prism.ingest([])):
        with pytest.raises(StoreError, match="was closed"):
            use()


def test_a_source_without_its_file_fails_alone_and_says_what_to_check(open_prism, tmp_path) -> None:
    (tmp_path / "good.txt").write_text("the cap is ten")
    report = open_prism().ingest([Source(tmp_path / "gone.txt", "n.txt"), tmp_path / "good.txt"])
    failed, added = report.files
    assert (failed.status, added.status) == ("failed", "added")
    assert "gone.txt" in failed.reason
    assert "Check that it is a file" in failed.reason
