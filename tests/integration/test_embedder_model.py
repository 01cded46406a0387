"""The packaged all-MiniLM-L6-v2, for real."""

import shutil
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import SentenceSplitter

from prism.errors import ModelCallError, ModelMissingError, ModelUnfitError
from prism.models.embedder import load_embedder
from prism.settings import EmbedderSettings


@pytest.fixture(scope="module")
def embedder():
    return load_embedder(EmbedderSettings(threads=1))


def test_vectors_are_unit_float32_in_the_order_given(embedder):
    texts = ["a long sentence about annual leave and its limits " * 3, "short", "", "एक"]
    vectors = embedder.embed(texts)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    for text, vector in zip(texts, vectors, strict=True):
        assert np.allclose(embedder.embed([text])[0], vector, atol=1e-5)


def test_a_question_is_nearest_to_its_answer(embedder):
    passages = embedder.embed(["Employees get 24 days of annual leave.", "The router has a reset button."])
    scores = passages @ embedder.embed_query("How much vacation do I have?")
    assert scores[0] > scores[1] + 0.2


def test_vectors_equal_those_of_sentence_transformers(embedder):
    from sentence_transformers import SentenceTransformer

    texts = ["Error 0x80070005 means access denied.", "HNSW"]
    expected = SentenceTransformer(str(embedder.folder), local_files_only=True).encode(
        texts, normalize_embeddings=True
    )
    assert np.allclose(embedder.embed(texts), expected, atol=1e-5)


def test_no_texts_give_no_vectors(embedder):
    assert embedder.embed([]).shape == (0, 384)


class Recorder:
    """Stands between the embedding and the network: notes each batch, then lets it be computed."""

    def __init__(self, embedding, before=None):
        self.batches: list[list[str]] = []
        self._encode, self._before = embedding._model.encode, before

    def __call__(self, texts, **options):
        if self._before:
            self._before(texts)
        self.batches.append(texts)
        return self._encode(texts, **options)


def test_progress_is_told_after_each_batch():
    seen: list[int] = []
    # Three tokens each ([CLS], the letter, [SEP]): ten fit into 32.
    load_embedder(EmbedderSettings(batch_tokens=32, threads=1)).embed(["a"] * 25, seen.append)
    assert seen == [10, 20, 25]


def test_no_batch_goes_over_its_tokens(monkeypatch):
    embedder = load_embedder(EmbedderSettings(batch_tokens=512, threads=1))
    recorder = Recorder(embedder.llama_index)
    monkeypatch.setattr(embedder.llama_index._model, "encode", recorder)
    texts = [" ".join(["leave"] * (number % 6 * 20)) for number in range(60)] + ["word " * 600]
    embedder.embed(texts)
    lengths = [[min(embedder.token_count(text) + 2, 256) for text in batch] for batch in recorder.batches]
    computed = [len(batch) * max(batch) for batch in lengths]
    assert sum(map(len, recorder.batches)) == len(texts)
    assert max(computed) <= 512


def test_twenty_thousand_texts_need_no_more_memory_than_their_result(embedder, monkeypatch):
    """The network is left out here: it is the number of texts that must cost nothing."""
    model = embedder.llama_index
    monkeypatch.setattr(model._model, "encode", lambda texts, **_: np.eye(len(texts), 384, dtype=np.float32))
    texts = ["one leaf"] * 20_000
    tracemalloc.start()
    try:
        vectors = embedder.embed(texts)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert vectors.shape == (20_000, 384)
    assert peak_bytes < 1.05 * vectors.nbytes


def test_a_vector_does_not_depend_on_the_texts_beside_it(embedder):
    texts = ["annual leave and its limits " * (number % 20 + 1) for number in range(30)]
    together = embedder.embed(texts)
    alone = np.stack([embedder.embed([text])[0] for text in texts[:20]])
    assert np.abs(together[:20] - alone).max() < 1e-6
    assert np.array_equal(embedder.embed(texts), together)
    assert np.abs(embedder.embed(texts[::-1])[::-1] - together).max() < 1e-6


def test_a_question_waits_for_one_batch_and_not_for_a_document(monkeypatch):
    embedder = load_embedder(EmbedderSettings(batch_tokens=32, threads=1))
    model = embedder.llama_index
    question = threading.Thread(target=embedder.embed_query, args=("question",))

    def ask_during_the_first_batch(texts):
        if texts != ["question"] and not recorder.batches:
            question.start()
            while not model._turns.waiting:
                threading.Event().wait(0.005)

    recorder = Recorder(model, ask_during_the_first_batch)
    monkeypatch.setattr(model._model, "encode", recorder)
    embedder.embed(["a"] * 100)
    question.join()
    assert len(recorder.batches) == 11
    assert recorder.batches[1] == ["question"]


def test_numbers_that_are_not_finite_are_an_error(monkeypatch, embedder):
    bad = np.full((1, 384), np.nan, dtype=np.float32)
    monkeypatch.setattr(embedder.llama_index._model, "encode", lambda *_, **__: bad)
    with pytest.raises(ModelCallError, match="not finite"):
        embedder.embed(["x"])


def test_many_threads_get_the_same_vectors(embedder):
    texts = [f"text number {number}" * (number % 7 + 1) for number in range(24)]
    expected = embedder.embed(texts)
    results: list[float] = []

    def check():
        results.append(float(np.abs(embedder.embed(texts) - expected).max()))

    threads = [threading.Thread(target=check) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert max(results) < 1e-5


def test_the_llama_index_embedding_is_real_and_gives_the_same_vectors(embedder):
    model = embedder.llama_index
    assert isinstance(model, BaseEmbedding)
    assert np.allclose(model.get_text_embedding("leave"), embedder.embed(["leave"])[0], atol=1e-6)
    assert np.allclose(model.get_query_embedding("leave"), embedder.embed_query("leave"), atol=1e-6)
    assert len(model.get_text_embedding_batch(["a", "b", "c"])) == 3


def test_tokens_are_counted_at_any_length_without_a_warning(embedder, recwarn):
    assert embedder.token_count("hello world " * 1000) == 2000
    assert embedder.token_count("unaffordable") == len(embedder.tokenize("unaffordable"))
    assert not recwarn.list


def test_the_tokenizer_serves_a_sentence_splitter(embedder):
    splitter = SentenceSplitter(chunk_size=32, chunk_overlap=0, tokenizer=embedder.tokenize)
    chunks = splitter.split_text("The limit is one lakh rupees per day. " * 20)
    assert len(chunks) > 3
    assert all(embedder.token_count(chunk) <= 32 for chunk in chunks)


def test_offsets_give_back_the_text(embedder):
    text = "Réf. LQT-6312: naïve café, 年假"
    spans = [text[start:end] for start, end in embedder.token_offsets(text)]
    assert "".join(spans) == text.replace(" ", "")


def test_dep_08_half_a_model_is_named_without_loading(embedder, tmp_path):
    half = shutil.copytree(embedder.folder, tmp_path / "half")
    weights = half / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1_000_000])
    with pytest.raises(ModelMissingError, match=r"cut off: 1000000 of 90868376 bytes"):
        load_embedder(EmbedderSettings(path=half))


def test_a_folder_whose_config_belongs_to_another_model_is_unfit(embedder, tmp_path):
    mixed = shutil.copytree(embedder.folder, tmp_path / "mixed")
    (mixed / "config.json").write_text('{"architectures": ["NoSuchModel"], "model_type": "no-such"}')
    with pytest.raises(ModelUnfitError, match=r"mixed.*models\.embedder\.path"):
        load_embedder(EmbedderSettings(path=mixed)).embed(["x"])


def test_the_packaged_model_and_a_copy_of_it_have_one_identity(embedder, tmp_path):
    copy = shutil.copytree(embedder.folder, tmp_path / "all-MiniLM-L6-v2")
    assert load_embedder(EmbedderSettings(path=copy)).name == embedder.name


OFFLINE = """
import socket, sys
def refuse(*args, **kwargs): raise SystemExit("network attempt: %r" % (args,))
connect = socket.socket.connect
def guarded(self, address):
    host = address[0] if isinstance(address, tuple) else "unix"
    if host not in ("127.0.0.1", "::1", "unix"): refuse(address)
    return connect(self, address)
socket.socket.connect = guarded
socket.getaddrinfo = lambda host, *rest, **named: refuse(host)
from prism.models.embedder import load_embedder
from prism.models.choose import choose_answerer
from prism.settings import EmbedderSettings, load_settings
assert load_embedder(EmbedderSettings(threads=1)).embed(["x"]).shape == (1, 384)
settings = load_settings(overlay={"models.answerer": "local", "models.local.threads": 1})
chosen = choose_answerer(settings, environ={}, ask=None)
assert chosen.llm.complete("x", max_tokens=2).text is not None
"""


def test_dep_07_dep_08_the_embedded_models_start_and_answer_without_a_network_attempt(tmp_path):
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", OFFLINE],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
