"""A small document and an answer about it, for the LlamaIndex parts to carry."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from prism.types import Answer, Citation, Node, Notice, PageRef, Passage, Sentence

TEXT = "Leave is 15 days. Ask three days ahead."


@pytest.fixture
def leaf() -> Node:
    return Node(
        node_id="leaf-1",
        document_id="doc-1",
        generation=3,
        level=0,
        ordinal=7,
        parent_id="parent-1",
        start=10,
        end=27,
        text="Leave is 15 days.",
        tokens=5,
        header="Rule | Days",
        context="HR policy > Leave > page 2",
    )


@pytest.fixture
def passage() -> Passage:
    return Passage(
        rank=1,
        node_id="leaf-1",
        leaf_ids=("leaf-1",),
        document="hr/policy.pdf",
        document_id="doc-1",
        generation=3,
        pages=(PageRef("iv", 4), PageRef("1", 5)),
        start=0,
        end=len(TEXT),
        text=TEXT,
        score=0.8,
        legs={"dense": 1, "keyword": None},
        header="Rule | Days",
    )


@pytest.fixture
def make_answer(passage: Passage) -> Callable[..., Answer]:
    def make(text: str = "Leave is 15 days. [1]", *, abstained: bool = False) -> Answer:
        citation = Citation(1, passage, "Leave is 15 days.", 0, 17, (PageRef("iv", 4),))
        return Answer(
            question="How long is leave?",
            text=text,
            abstained=abstained,
            citations=() if abstained else (citation,),
            sentences=(Sentence(text, (1,), "supported"),),
            nearest=(passage,) if abstained else (),
            notices=(Notice("quoted", "The answer quotes the documents."),),
            conversation_id=None,
            trace_id="t1",
            model="quote",
            timings_ms={"answer": 1.0},
        )

    return make
