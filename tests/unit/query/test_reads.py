"""Questions and leaves in several languages, for an embedder that reads English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from prism.query.parts import QueryParts
from prism.query.reads import reads
from prism.settings import Settings, overlay_settings
from prism.stores.active import Snapshot
from prism.stores.keywords import KeywordIndex, LeafTokens
from prism.text.tokens import tokenize
from prism.types import Scope
from tests.fakes import LetterEmbedder

ENGLISH = "The harbour is at the mouth of the river."
SPANISH = "El puerto está en la desembocadura del río."
HINDI = "बंदरगाह नदी के मुहाने पर है।"
ASKED_IN_SPANISH = "¿Dónde está el puerto de la ciudad?"


def asked(
    question: str,
    documents: Mapping[str, Sequence[str]],
    *,
    scope: frozenset[str] | None = None,
    languages: Sequence[str] = ("en",),
) -> bool:
    """`reads` over these leaves by document, ten places in the dense leg's ranking."""
    index = KeywordIndex(Path("unused"))
    index.add(
        LeafTokens(f"{document}{at}", document, 1, tokenize(text))
        for document, texts in documents.items()
        for at, text in enumerate(texts)
    )
    generations = dict.fromkeys(documents, 1)
    parts = QueryParts(
        snapshot=Snapshot(1, "default", generations, index.view(generations)),
        scope=Scope(document_ids=scope),
        catalogue=None,
        vectors=None,
        embedder=LetterEmbedder(),
        reranker=None,
        settings=overlay_settings(
            Settings(), {"models.embedder.languages": list(languages), "retrieval.retrieve_k": 10}
        ),
    )
    return reads(question, parts)


@pytest.mark.parametrize(
    ("question", "leaf"),
    [
        (ASKED_IN_SPANISH, SPANISH),
        ("Où est le port de la ville ?", "Le port est à l'embouchure du fleuve et de la ville."),
        ("Wo ist der Hafen der Stadt?", "Der Hafen ist an der Mündung des Flusses."),
        ("Onde fica o porto da cidade?", "O porto fica na foz do rio e não na cidade."),
        ("बंदरगाह कहाँ पर है?", HINDI),
    ],
)
def test_a_language_that_question_and_documents_share_and_the_model_does_not_is_not_read(
    question: str, leaf: str
) -> None:
    assert not asked(question, {"a": [leaf, leaf]})
    assert asked(question, {"a": [leaf, leaf]}, languages=[])


def test_the_languages_of_the_settings_are_read() -> None:
    assert asked(ASKED_IN_SPANISH, {"a": [SPANISH]}, languages=["en", "es"])
    assert not asked("Where is the harbour of the city?", {"a": [ENGLISH]}, languages=["es"])


@pytest.mark.parametrize(
    "question",
    [
        "Where is the harbour of the city?",
        "Where is the Puerto de la Luz?",
        "puerto ciudad",
        "Puerto de Valparaíso",
        "4.2.1",
        "",
    ],
)
def test_over_spanish_leaves_a_question_that_is_not_surely_spanish_is_read(question: str) -> None:
    assert asked(question, {"a": [SPANISH, SPANISH]})


def test_a_question_over_documents_in_another_language_keeps_what_the_model_can_do() -> None:
    assert asked(ASKED_IN_SPANISH, {"a": [ENGLISH, ENGLISH]})
    assert asked("Onde fica o porto da cidade?", {"a": [SPANISH, SPANISH]})
    assert asked(ASKED_IN_SPANISH, {})


@pytest.mark.parametrize(
    ("spanish", "english", "is_read"),
    [(4, 20, True), (5, 20, False), (5, 200, False), (1, 2, True), (1, 1, False), (2, 1, False)],
)
def test_leaves_in_the_language_crowd_the_ranking_from_half_of_its_places_on(
    spanish: int, english: int, is_read: bool
) -> None:
    assert asked(ASKED_IN_SPANISH, {"a": [SPANISH] * spanish, "b": [ENGLISH] * english}) is is_read


def test_only_leaves_in_scope_crowd() -> None:
    documents = {"a": [SPANISH] * 10, "b": [ENGLISH] * 10}
    assert not asked(ASKED_IN_SPANISH, documents)
    assert asked(ASKED_IN_SPANISH, documents, scope=frozenset({"b"}))
    assert not asked(ASKED_IN_SPANISH, documents, scope=frozenset({"a"}))
