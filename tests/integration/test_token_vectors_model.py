"""Token vectors of the packaged all-MiniLM-L6-v2, for real."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from prism.models.embedder import FolderEmbedder, load_embedder
from prism.settings import EmbedderSettings

TEXTS = [
    "A bank may not charge more than 2.5 percent for a cash advance.",
    "",
    "Réf. LQT-6312: naïve café, 年假 [SEP] end",
    "annual leave " * 300,
    "short",
]


@pytest.fixture(scope="module")
def embedder() -> FolderEmbedder:
    return load_embedder(EmbedderSettings(threads=1))


@pytest.fixture(scope="module")
def prompted(embedder: FolderEmbedder, tmp_path_factory: pytest.TempPathFactory) -> FolderEmbedder:
    """The same weights with prompts, as E5 has them."""
    folder = tmp_path_factory.mktemp("models") / "prompted"
    folder.mkdir()
    for item in embedder.folder.iterdir():
        (folder / item.name).symlink_to(item)
    file = folder / "config_sentence_transformers.json"
    file.unlink()
    file.write_text(json.dumps({"prompts": {"query": "query: ", "passage": "passage: "}}), encoding="utf-8")
    return load_embedder(EmbedderSettings(threads=1, path=folder))


def passes(embedder: FolderEmbedder, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The batches that go through the network from now on."""
    model, seen = embedder.llama_index._model, []
    encode = model.encode

    def watched(texts, **options):
        seen.append(texts)
        return encode(texts, **options)

    monkeypatch.setattr(model, "encode", watched)
    return seen


@pytest.mark.parametrize("which", ["embedder", "prompted"])
def test_the_vectors_beside_the_token_vectors_are_those_of_embed(
    which: str, request: pytest.FixtureRequest
) -> None:
    chosen = request.getfixturevalue(which)
    vectors, tokens = chosen.embed_with_tokens(TEXTS)
    assert np.abs(vectors - chosen.embed(TEXTS)).max() < 1e-6
    assert [len(rows) for rows in tokens] == [len(chosen.token_spans(text)) for text in TEXTS]
    assert all(rows.dtype == np.int8 and rows.shape[1] == 64 for rows in tokens)


def test_spans_are_those_of_the_tokens_read(embedder: FolderEmbedder, prompted: FolderEmbedder) -> None:
    assert embedder.token_spans(TEXTS[0]) == embedder.token_offsets(TEXTS[0])
    assert prompted.token_spans(TEXTS[0]) == embedder.token_offsets(TEXTS[0])
    # [CLS] and [SEP] are read, too; of "passage: " the word and the colon.
    assert len(embedder.token_spans(TEXTS[3])) == embedder.max_tokens - 2
    assert len(prompted.token_spans(TEXTS[3])) == embedder.max_tokens - 4


def test_each_row_is_the_projected_state_of_its_token(embedder: FolderEmbedder) -> None:
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(embedder.folder, local_files_only=True)
    model = AutoModel.from_pretrained(embedder.folder, local_files_only=True)
    with torch.inference_mode():
        states = model(**tokenizer(TEXTS[0], return_tensors="pt")).last_hidden_state[0, 1:-1].numpy()
    expected = states @ embedder._projection.matrix
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    _, (_, stored) = embedder.embed_with_tokens(["something longer stands before it in the batch", TEXTS[0]])
    found = stored / np.linalg.norm(stored.astype(np.float32), axis=1, keepdims=True)
    assert (found * expected).sum(axis=1).min() > 0.999
    assert np.allclose(embedder.query_tokens(TEXTS[0]).vectors, expected, atol=1e-5)


def test_a_word_is_nearest_to_itself(embedder: FolderEmbedder) -> None:
    question = embedder.query_tokens("cash advance fee")
    _, (tokens,) = embedder.embed_with_tokens([TEXTS[0]])
    spans = embedder.token_spans(TEXTS[0])
    nearest = [spans[row] for row in (question.vectors @ tokens.T).argmax(axis=1)]
    words = [TEXTS[0][start:end] for start, end in nearest]
    assert words[:2] == ["cash", "advance"]


@pytest.mark.parametrize("which", ["embedder", "prompted"])
def test_a_questions_vector_and_tokens_cost_one_pass_and_the_same_question_none(
    which: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: FolderEmbedder = request.getfixturevalue(which)
    chosen.query_tokens("so that the projection is there")
    seen = passes(chosen, monkeypatch)
    question = f"How much is the cash advance fee, {which}?"
    vector = chosen.embed_query(question)
    tokens = chosen.query_tokens(question)
    assert seen == [[question]]
    chosen.embed_query(question)
    assert np.array_equal(chosen.query_tokens(question).vectors, tokens.vectors)
    assert seen == [[question]]
    assert np.allclose(vector, chosen.llama_index.vectors([question], "query")[0], atol=1e-6)
    assert [question[start:end] for start, end in tokens.spans][:3] == ["How", "much", "is"]
    assert np.allclose(np.linalg.norm(tokens.vectors, axis=1), 1, atol=1e-6)


def test_nobody_can_change_what_is_remembered_of_a_question(embedder: FolderEmbedder) -> None:
    vector = embedder.embed_query("Is it kept?")
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 7
    embedder.query_tokens("Is it kept?").vectors[:] = 7
    assert np.abs(embedder.query_tokens("Is it kept?").vectors).max() <= 1


def test_the_recipe_is_known_without_the_model_and_alike_for_a_copy_under_another_name(
    embedder: FolderEmbedder, tmp_path: Path
) -> None:
    copy = tmp_path / "another-name"
    copy.symlink_to(embedder.folder)
    other = load_embedder(EmbedderSettings(path=copy))
    assert other.token_recipe == embedder.token_recipe
    assert other._loaded is None
    assert embedder.token_recipe.endswith("-int8-1")


def test_two_runs_make_the_same_projection(embedder: FolderEmbedder) -> None:
    other = load_embedder(EmbedderSettings(threads=2))
    one, two = (item.embed_with_tokens(TEXTS[:1])[1][0].astype(np.int16) for item in (embedder, other))
    assert np.abs(one - two).max() <= 1


def test_a_model_that_gives_no_states_embeds_questions_all_the_same(
    embedder: FolderEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prism.errors import ModelUnfitError

    plain = load_embedder(EmbedderSettings(threads=1))
    model = plain.llama_index._model
    encode = model.encode

    def without_states(texts, **options):
        found = encode(texts, **options)
        for item in found if options.get("output_value", "") is None else ():
            del item["token_embeddings"]
        return found

    monkeypatch.setattr(model, "encode", without_states)
    assert np.allclose(plain.embed_query("Does it?"), embedder.embed_query("Does it?"), atol=1e-6)
    with pytest.raises(ModelUnfitError, match=r"rerank\.kind"):
        plain.query_tokens("Does it?")


def test_many_threads_get_the_same_token_vectors(embedder: FolderEmbedder) -> None:
    expected = embedder.embed_with_tokens(TEXTS)[1]
    same: list[bool] = []

    def check() -> None:
        found = embedder.embed_with_tokens(TEXTS)[1]
        same.append(all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True)))

    threads = [threading.Thread(target=check) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 3
