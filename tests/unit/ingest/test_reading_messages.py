from __future__ import annotations

import dataclasses
import json

import pytest

from prism.ingest import reading_messages as messages
from prism.ingest.reading_messages import MessageError, source_text, structure_of
from prism.types import BlockSpan, Box, PageSpan, SectionSpan, SourceText, TableSpan

FULL = SourceText(
    text="Fees\n\na | b\n1 | 2",
    title="Fees 😀",
    media_type="text/markdown",
    pages=(PageSpan(1, "iv", 0, 5), PageSpan(2, "1", 5, 17)),
    sections=(SectionSpan(0, ("Fees", "All")),),
    tables=(TableSpan(6, 17, "a | b"),),
    blocks=(BlockSpan(6, 17, "list"),),
    boxes=(Box(0, 4, 0.1, 0.2, 0.3, 0.4),),
    unread_sheets=(2,),
    warnings=("odd \ufffd",),
)


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(structure_of(FULL)), **fields}).encode()


def test_every_field_of_a_text_arrives() -> None:
    assert all(getattr(FULL, field.name) for field in dataclasses.fields(SourceText))
    assert source_text(FULL.text, structure_of(FULL)) == FULL


@pytest.mark.parametrize(
    "structure",
    [
        b"",
        b"[]",
        b"\xff",
        b"{}",
        b"[" * 100_000,
        changed(title=7),
        changed(title="\ud800"),
        changed(pages=None),
        changed(pages=[[1, "1", 0]]),
        changed(pages=[[1, "1", 0, 18]]),
        changed(pages=[[1, "1", -1, 5]]),
        changed(pages=[[1, "1", 5, 4]]),
        changed(pages=[[True, "1", 0, 5]]),
        changed(pages=[[1, "1", 0.5, 5]]),
        changed(pages=7),
        changed(pages=[7]),
        changed(sections=[[99, ["a"]]]),
        changed(sections=[[0, "a"]]),
        changed(sections=[[0, ["\x00"]]]),
        changed(blocks=[[0, 1, "other"]]),
        changed(blocks=[[0, 1, []]]),
        changed(boxes=[[0, 1, 0.1, 0.2, 0.3, float("nan")]]),
        changed(boxes=[[0, 1, 0.1, 0.2, 0.3, 10**400]]),
        changed(boxes=[[0, 1, 0.1, 0.2, 0.3, None]]),
        changed(unread_sheets=["1"]),
        changed(warnings=[None]),
    ],
)
def test_what_is_no_structure_of_the_text_is_refused(structure: bytes) -> None:
    with pytest.raises(MessageError):
        source_text(FULL.text, structure)


@pytest.mark.parametrize("text", ["a\x00", "\ufeffa"])
def test_a_text_that_no_store_can_hold_is_refused(text: str) -> None:
    with pytest.raises(MessageError):
        source_text(text, changed(pages=[], sections=[], tables=[], blocks=[], boxes=[]))


def test_messages_have_a_length_each_kind_may_have() -> None:
    assert messages.most_bytes(messages.READY, 10) == 0
    assert messages.most_bytes(messages.TEXT, 10) == 40
    with pytest.raises(MessageError):
        messages.most_bytes(b"?", 10)


@pytest.mark.parametrize("payload", [b"[1]", b"[1,2,3]", b"[-1,2]", b'["1",2]', b"{}", b"1"])
def test_a_page_is_two_numbers(payload: bytes) -> None:
    assert messages.said_page(b"[3,500]") == (3, 500)
    with pytest.raises(MessageError):
        messages.said_page(payload)


def test_so_many_texts_are_said() -> None:
    assert messages.said_texts(b'["a","b"]', 2) == ("a", "b")
    with pytest.raises(MessageError):
        messages.said_texts(b'["a"]', 2)
