"""The forms scripts rely on: a key that goes or changes its name breaks them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from prism import wire
from prism.types import (
    Answer,
    Citation,
    Copy,
    DocumentInfo,
    FileReport,
    IngestReport,
    JobFile,
    JobInfo,
    Notice,
    PageRef,
    Passage,
    Retrieval,
    Sentence,
    Status,
)

PASSAGE = Passage(
    1, "n", ("n",), "d.pdf", "doc", 2, (PageRef("iv", 4),), 10, 19, "सीमा दस है", 0.5, {"dense": 1}, "A | B"
)
CITATION = Citation(1, PASSAGE, "सीमा", 10, 14, (PageRef("iv", 4),))
PASSAGE_KEYS = {
    "rank",
    "node_id",
    "leaf_ids",
    "document",
    "document_id",
    "pages",
    "start",
    "end",
    "text",
    "score",
    "legs",
}


def plain(value):
    """Through JSON and back, as a script sees it."""
    return json.loads(json.dumps(value, ensure_ascii=False))


def test_ingest_gives_every_file_and_totals_by_status() -> None:
    report = IngestReport(
        (
            FileReport("/p/a.txt", "a.txt", "doc", "added", "", 3, 1, ("a guess",), 0.5),
            FileReport("/p/b.pdf", "b.pdf", None, "failed", "locked", 0, 0, (), 0.1),
        ),
        0.6,
    )
    made = plain(wire.ingest_json(report))
    assert made.keys() == {"files", "totals"}
    assert made["totals"] == {
        "added": 1,
        "updated": 0,
        "unchanged": 0,
        "skipped": 0,
        "failed": 1,
        "seconds": 0.6,
    }
    assert made["files"][0] == {
        "path": "/p/a.txt",
        "document": "a.txt",
        "document_id": "doc",
        "status": "added",
        "reason": "",
        "chunks": 3,
        "page_count": 1,
        "warnings": ["a guess"],
        "seconds": 0.5,
    }
    stopped = FileReport("/p/c.txt", "c.txt", None, "cancelled", "", 0, 0, (), 0.0)
    made = plain(wire.ingest_json(IngestReport((stopped,), 0.6, "job")))
    assert (made["totals"]["cancelled"], made["job_id"]) == (1, "job")


def test_a_job_shows_each_of_its_files() -> None:
    file = JobFile(0, "/p/a.txt", "a.txt", None, "failed", "locked", "t1", "t2")
    made = plain(wire.jobs_json([JobInfo("job", "w", "done", "", "t0", "t3", (file,))]))
    assert made == {
        "jobs": [
            {
                "job_id": "job",
                "workspace": "w",
                "state": "done",
                "reason": "",
                "started_at": "t0",
                "finished_at": "t3",
                "files": [
                    {
                        "ordinal": 0,
                        "path": "/p/a.txt",
                        "document": "a.txt",
                        "document_id": None,
                        "status": "failed",
                        "reason": "locked",
                        "started_at": "t1",
                        "finished_at": "t2",
                    }
                ],
            }
        ]
    }


def test_a_passage_names_both_legs_and_its_pages() -> None:
    made = plain(wire.passage_json(PASSAGE))
    assert made.keys() >= PASSAGE_KEYS
    assert made["legs"] == {"dense": 1, "keyword": None}
    assert made["pages"] == [{"label": "iv", "sheet": 4}]
    assert made["text"] == "सीमा दस है"
    assert (made["copies"], made["copy_of"]) == ([], None)


def test_a_passage_lists_the_other_places_that_say_the_same() -> None:
    copy = Copy("m", "e.pdf", "other", 1, (PageRef("9", 9),), 5, 14)
    made = plain(wire.passage_json(replace(PASSAGE, copies=(copy,), copy_of=2)))
    assert made["copy_of"] == 2
    assert made["copies"] == [
        {
            "node_id": "m",
            "document": "e.pdf",
            "document_id": "other",
            "pages": [{"label": "9", "sheet": 9}],
            "start": 5,
            "end": 14,
        }
    ]


def test_a_citation_is_a_passage_with_number_and_quote() -> None:
    made = plain(wire.citation_json(CITATION))
    assert made.keys() >= PASSAGE_KEYS | {"n", "quote"}
    assert (made["n"], made["quote"], made["quote_start"], made["quote_end"]) == (1, "सीमा", 10, 14)


def test_a_retrieval_has_its_passages_notices_and_trace() -> None:
    made = plain(wire.retrieval_json(Retrieval("q", (PASSAGE,), (Notice("c", "m"),), {"total": 1.0}, "t")))
    assert made.keys() == {"question", "passages", "notices", "timings_ms", "trace_id"}
    assert made["notices"] == [{"code": "c", "message": "m"}]


def test_an_answer_has_the_keys_scripts_rely_on() -> None:
    answer = Answer(
        "q",
        "It is ten [1].",
        False,
        (CITATION,),
        (Sentence("It is ten [1].", (1,), "supported"),),
        (),
        (),
        "c",
        "t",
        "quote",
        {"total": 1.0},
    )
    made = plain(wire.answer_json(answer))
    assert made.keys() == {
        "answer",
        "abstained",
        "citations",
        "sentences",
        "nearest",
        "notices",
        "conversation_id",
        "trace_id",
        "model",
        "timings_ms",
    }
    assert made["answer"] == "It is ten [1]."
    assert made["sentences"] == [{"text": "It is ten [1].", "citations": [1], "support": "supported"}]


def test_documents_and_status_have_the_keys_scripts_rely_on() -> None:
    info = DocumentInfo("doc", "d.pdf", "D", "default", "active", 1, 2, 3, "v", 1, "2024", ("w",))
    (made,) = plain(wire.documents_json([info]))["documents"]
    assert made.keys() >= {
        "document_id",
        "document",
        "status",
        "page_count",
        "leaves",
        "bytes",
        "version",
        "added_at",
        "warnings",
    }
    status = plain(wire.status_json(Status(1, 2, 2, 2, 2, True, {"embedder": "e"}, 1, 0, {"catalogue": 9})))
    assert status == {
        "documents": 1,
        "leaves": 2,
        "active_leaves": 2,
        "vectors": 2,
        "keyword_docs": 2,
        "consistent": True,
        "models": {"embedder": "e"},
        "answers": 1,
        "abstained": 0,
        "abstain_rate": 0.0,
        "bytes": {"catalogue": 9},
    }


@pytest.mark.parametrize(("answers", "abstained", "rate"), [(0, 0, None), (8, 2, 0.25), (3, 3, 1.0)])
def test_the_abstain_rate_is_a_share_of_the_answers_and_null_without_any(answers, abstained, rate) -> None:
    status = Status(1, 2, 2, 2, 2, True, {}, answers, abstained, {})
    assert plain(wire.status_json(status))["abstain_rate"] == rate
