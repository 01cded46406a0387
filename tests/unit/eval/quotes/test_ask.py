"""Sentences chosen by letters: token vectors see words, the vector of a sentence all its letters at once."""

from __future__ import annotations

import pytest

from eval.datasets.dataset import LabelledQuestion, Quote
from eval.quotes.ask import BY_EMBEDDING, BY_TOKENS, Way, quoter
from prism.settings import overlay_settings
from prism.types import Scope
from tests.fakes import LetterTokenEmbedder
from tests.unit.eval.runs.conftest import SETTINGS

FILES = {
    "cap.txt": "The cap on wire transfers is ten thousand. It rose in May.",
    "leave.txt": "Annual leave is fifteen days.",
}
KEY_OF = {name: name for name in FILES}
QUESTION = LabelledQuestion(
    "q",
    "cap on wire transfers",
    unit="quote",
    quotes=(Quote("cap.txt", "The cap on wire transfers is ten thousand."),),
)


@pytest.fixture
def with_tokens(embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.runs.collection.load_embedder", lambda settings, **_: LetterTokenEmbedder())


def test_every_way_chooses_from_the_same_passages(make_dataset, opened, with_tokens) -> None:
    ways = [BY_EMBEDDING, BY_TOKENS, Way("none of it", 0.0)]
    with (
        opened(make_dataset(FILES, QUESTION)) as collection,
        quoter(collection, SETTINGS, KEY_OF) as asker,
    ):
        judged = asker.ask(QUESTION, ways, Scope())
    assert judged.keys() == {"embedding", "token vectors", "none of it"}
    assert all(row.best and row.best_two and row.quoted and row.ms > 0 for row in judged.values())


def test_only_what_is_in_scope_is_searched(make_dataset, opened, with_tokens) -> None:
    with opened(make_dataset(FILES, QUESTION)) as collection:
        other = collection.prism.document("leave.txt").document_id
        with quoter(collection, SETTINGS, KEY_OF) as asker:
            judged = asker.ask(QUESTION, [BY_TOKENS], Scope(document_ids=frozenset({other})))
    assert not judged["token vectors"].best_two


def test_an_answer_shows_as_many_quotes_as_the_settings_say(make_dataset, opened, with_tokens) -> None:
    found = {}
    with opened(make_dataset(FILES, QUESTION)) as collection:
        for ratio in (0.0, 1.0):
            settings = overlay_settings(SETTINGS, {"answer.quote_ratio": ratio})
            with quoter(collection, settings, KEY_OF) as asker:
                found[ratio] = asker.ask(QUESTION, [BY_TOKENS], Scope())["token vectors"].quotes
    assert found == {0.0: 3, 1.0: 1}


def test_without_token_vectors_both_ways_embed(make_dataset, opened) -> None:
    with (
        opened(make_dataset(FILES, QUESTION)) as collection,
        quoter(collection, SETTINGS, KEY_OF) as asker,
    ):
        judged = asker.ask(QUESTION, [BY_EMBEDDING, BY_TOKENS], Scope())
    assert [(row.best, row.quotes) for row in judged.values()] == [(True, judged["embedding"].quotes)] * 2
