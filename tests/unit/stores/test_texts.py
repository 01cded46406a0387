from __future__ import annotations

import pytest

from prism.stores.texts import TextCache


class Record:
    """Texts by document, and every reading of one."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.readings: list[str] = []

    def read(self, document_id: str, generation: int) -> str:
        self.readings.append(document_id)
        return self.texts.get(document_id, "")


def test_a_text_is_read_once() -> None:
    record = Record(one="the text")
    cache = TextCache(record.read)
    assert (cache.get("one", 1), cache.get("one", 1)) == ("the text", "the text")
    assert record.readings == ["one"]


def test_generations_are_kept_apart() -> None:
    cache = TextCache(lambda document_id, generation: f"{document_id} {generation}")
    assert (cache.get("one", 1), cache.get("one", 2)) == ("one 1", "one 2")


def test_a_forgotten_text_is_read_again() -> None:
    record = Record(one="first", two="other")
    cache = TextCache(record.read)
    cache.get("one", 1)
    cache.get("two", 1)
    record.texts["one"] = "second"
    cache.forget("one")
    assert (cache.get("one", 1), cache.get("two", 1)) == ("second", "other")
    assert record.readings == ["one", "two", "one"]


def test_a_text_that_is_gone_is_not_kept_as_empty() -> None:
    record = Record()
    cache = TextCache(record.read)
    assert cache.get("one", 1) == ""
    record.texts["one"] = "there now"
    assert cache.get("one", 1) == "there now"


def test_texts_kept_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prism.stores.texts.TEXT_CACHE_CHARS", 15)
    record = Record(one="ten chars.", two="ten chars.", three="ten chars.")
    cache = TextCache(record.read)
    for name in ("one", "two", "three", "three", "one"):
        assert cache.get(name, 1) == "ten chars."
    assert record.readings == ["one", "two", "three", "one"]
