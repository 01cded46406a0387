from __future__ import annotations

import threading

import pytest

from prism.models import loaded as module
from prism.models.choose import Chosen
from prism.models.loaded import Models
from prism.settings import load_settings, overlay_settings
from tests.fakes import LetterEmbedder, LetterTokenEmbedder, SharedWordsReranker

SETTINGS = load_settings(environ={}, overlay={"rerank.kind": "cross_encoder"})


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was loaded, in order; each load gives a new object."""
    calls: list[str] = []

    def loader(name: str, make):
        def load(*args, **kwargs):
            calls.append(name)
            return make()

        return load

    monkeypatch.setattr(module, "load_embedder", loader("embedder", LetterEmbedder))
    monkeypatch.setattr(module, "load_reranker", loader("reranker", SharedWordsReranker))
    monkeypatch.setattr(
        module, "choose_answerer", loader("answerer", lambda: Chosen(kind="quote", llm=None, name="quote"))
    )
    return calls


def test_nothing_is_loaded_before_it_is_needed_and_then_once(loads: list[str]) -> None:
    models = Models(SETTINGS)
    assert loads == []
    assert models.embedder is models.embedder
    assert models.reranker is models.reranker
    assert models.answerer is models.answerer
    assert loads == ["embedder", "reranker", "answerer"]


def test_models_given_are_used_as_they_are(loads: list[str]) -> None:
    embedder, reranker = LetterEmbedder(), SharedWordsReranker()
    models = Models(SETTINGS, embedder=embedder, reranker=reranker)
    assert models.embedder is embedder
    assert models.reranker is reranker
    assert loads == []


@pytest.mark.parametrize("kind", ["none", "late_interaction"])
def test_a_cross_encoder_that_nobody_asks_for_is_not_loaded(loads: list[str], kind: str) -> None:
    models = Models(overlay_settings(SETTINGS, {"rerank.kind": kind}))
    assert models.reranker is None
    assert loads == []


def test_threads_share_one_load(loads: list[str]) -> None:
    models = Models(SETTINGS)
    seen: list[object] = []
    threads = [threading.Thread(target=lambda: seen.append(models.embedder)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, seen))) == 1
    assert loads == ["embedder"]


def test_other_settings_share_the_models_they_name_alike(loads: list[str]) -> None:
    models = Models(SETTINGS)
    embedder, answerer = models.embedder, models.answerer
    same = models.under(overlay_settings(SETTINGS, {"retrieval.k": 3}))
    assert same.embedder is embedder
    assert same.answerer is answerer
    reranker = same.reranker
    stacked = {"rerank.kind": ["late_interaction", "cross_encoder"]}
    assert same.under(overlay_settings(SETTINGS, stacked)).reranker is reranker
    assert same.under(overlay_settings(SETTINGS, {"rerank.kind": "none"})).reranker is None

    other = models.under(overlay_settings(SETTINGS, {"models.embedder.batch_tokens": 64}))
    assert other.embedder is not embedder


def test_a_model_that_was_given_stays_under_any_settings(loads: list[str]) -> None:
    embedder = LetterEmbedder()
    models = Models(SETTINGS, embedder=embedder)
    other = models.under(overlay_settings(SETTINGS, {"models.embedder.batch_tokens": 64}))
    assert other.embedder is embedder


def test_names_are_told_without_asking_anyone_for_consent(loads: list[str]) -> None:
    models = Models(SETTINGS, embedder=LetterEmbedder())
    assert models.names()["embedder"] == "letters@1"
    assert models.names()["reranker"] == "cross_encoder"
    assert "answerer" not in loads


@pytest.mark.parametrize(
    ("kind", "embedder", "recipe"),
    [
        ("late_interaction", LetterTokenEmbedder(), LetterTokenEmbedder.token_recipe),
        (["late_interaction", "cross_encoder"], LetterTokenEmbedder(), LetterTokenEmbedder.token_recipe),
        ("late_interaction", LetterEmbedder(), None),
        ("cross_encoder", LetterTokenEmbedder(), None),
        ("none", LetterTokenEmbedder(), None),
    ],
)
def test_token_vectors_are_kept_where_they_are_asked_for_and_can_be_had(
    kind: str | list[str], embedder: LetterEmbedder, recipe: str | None
) -> None:
    settings = overlay_settings(SETTINGS, {"rerank.kind": kind})
    assert Models(settings, embedder=embedder).token_recipe == recipe


def test_no_embedder_is_loaded_to_know_that_no_token_vectors_are_asked_for(loads: list[str]) -> None:
    assert Models(SETTINGS).token_recipe is None
    assert loads == []
