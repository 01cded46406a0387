"""A model fetched by its name: the hub's own client against a hub on loopback."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub.constants
import pytest

from prism.errors import ModelMissingError
from prism.models.offline import HUB_SWITCHES, SET_BY_PRISM, stay_offline
from prism.models.rerank_selftest import PASSAGES, QUESTIONS
from prism.models.reranker import FolderReranker, load_reranker
from prism.settings import RerankerSettings
from tests.hub_server import HubServer
from tests.tiny_cross_encoder import save, tiny_tokenizer, untrained_model

NAME = "somebody/tiny-reranker"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub") / "tiny"
    tokenizer = tiny_tokenizer()
    save(untrained_model(tokenizer), tokenizer, folder)
    (folder / "pytorch_model.bin").write_bytes(b"weights that can carry code")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "config.json").write_text("{}")
    return folder


@pytest.fixture
def hub(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """The hub that this process' children know, and an empty cache. Nobody but Prism is against fetching."""
    for name in (*HUB_SWITCHES, SET_BY_PRISM):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    with HubServer(NAME, model).running() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        yield server


def load() -> FolderReranker:
    return load_reranker(RerankerSettings(model=NAME))


def test_a_model_is_fetched_once_by_its_name_and_scores(hub: HubServer) -> None:
    stay_offline()
    reranker = load()
    assert reranker.name.startswith("tiny-reranker@")
    assert len(reranker.score(QUESTIONS[0], PASSAGES)) == len(PASSAGES)
    assert {"config.json", "tokenizer.json", "model.safetensors"} <= hub.served
    requests = len(hub.asked)
    assert load().name == reranker.name
    assert len(hub.asked) == requests, "what is on this machine is not asked for again"


def test_neither_weights_that_can_carry_code_nor_other_runtimes_are_fetched(hub: HubServer) -> None:
    load()
    assert not {file for file in hub.served if file.startswith("onnx/") or file.endswith(".bin")}


def test_no_key_of_the_hub_is_sent_along(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "0")
    load()
    assert hub.asked
    assert not any("hf_secret" in str(headers) for _, _, headers in hub.asked)


def test_this_process_stays_offline(hub: HubServer) -> None:
    stay_offline()
    load()
    assert [os.environ[name] for name in HUB_SWITCHES] == ["1", "1"]


def test_where_somebody_else_is_offline_nothing_is_asked(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelMissingError, match="HF_HUB_OFFLINE"):
        load()
    assert hub.asked == []


def test_a_name_that_the_hub_does_not_know_is_told_with_its_setting(hub: HubServer) -> None:
    with pytest.raises(ModelMissingError) as raised:
        load_reranker(RerankerSettings(model="somebody/unknown"))
    message = str(raised.value)
    assert "somebody/unknown" in message
    assert "RepositoryNotFoundError" in message
    assert "models.reranker.model" in message


def test_a_hub_that_cannot_be_reached_is_told_with_the_next_step(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelMissingError, match=r"could not be fetched .*Check the name and the network"):
        load()


def test_a_fetch_that_broke_off_is_gone_on_with(hub: HubServer, tmp_path: Path) -> None:
    load()
    (weights,) = (tmp_path / "cache").rglob("snapshots/*/model.safetensors")
    weights.unlink()
    hub.asked.clear()
    assert load().name
    assert weights.is_file()
