import json
from pathlib import Path

import huggingface_hub.constants
import pytest

from prism.errors import ModelMissingError
from prism.models.hub import cached_folder, fetch, find_model, is_hub_name
from prism.models.offline import HUB_SWITCHES, SET_BY_PRISM

NAME = "cross-encoder/ms-marco-MiniLM-L-6-v2"
SETTING = "models.reranker.model"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty hub cache, and a folder to work in that holds nothing."""
    folder = tmp_path / "hub"
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(folder))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return folder


@pytest.fixture
def forbidden(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv(SET_BY_PRISM, raising=False)


def write_model(folder):
    folder.mkdir(parents=True)
    config = {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    return folder


def write_cached(cache, name=NAME):
    """The model as the hub's client keeps it: a snapshot that the name of the branch leads to."""
    kept = cache / f"models--{name.replace('/', '--')}"
    (kept / "refs").mkdir(parents=True)
    (kept / "refs" / "main").write_text("c0ffee")
    return write_model(kept / "snapshots" / "c0ffee")


@pytest.mark.parametrize("name", [NAME, "a/b", "BAAI/bge-reranker-v2-m3"])
def test_owner_and_name_are_a_name_on_a_hub(cache, name):
    assert is_hub_name(name)


@pytest.mark.parametrize("path", ["reranker", "/models/ce", "./a/b", "../a/b", "a/b/c", "~/ce", "a\\b", "a/"])
def test_anything_else_is_a_path(cache, path):
    assert not is_hub_name(path)


def test_where_a_folder_is_called_like_the_owner_it_is_a_path(cache):
    Path("models").mkdir()
    assert not is_hub_name("models/reranker")
    with pytest.raises(ModelMissingError, match=r"models/reranker does not exist"):
        find_model("models/reranker", setting=SETTING)


def test_a_folder_is_taken_as_it_is(cache, tmp_path):
    folder = write_model(tmp_path / "ce")
    assert find_model(str(folder), setting=SETTING).path == folder


def test_what_was_fetched_before_is_found_offline(cache, forbidden):
    snapshot = write_cached(cache)
    assert cached_folder(NAME, setting=SETTING) == snapshot
    found = find_model(NAME, setting=SETTING)
    assert (found.path, found.kind) == (snapshot, "cross-encoder")


@pytest.mark.parametrize("switch", HUB_SWITCHES)
def test_what_is_not_here_is_not_fetched_where_somebody_forbids_it(cache, monkeypatch, switch):
    for name in (*HUB_SWITCHES, SET_BY_PRISM):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(switch, "1")
    with pytest.raises(ModelMissingError) as raised:
        find_model(NAME, setting=SETTING)
    message = str(raised.value)
    assert NAME in message
    assert switch in message
    assert f"set {SETTING} to a folder" in message


def test_a_model_that_lacks_a_file_is_not_taken_as_whole(cache, forbidden):
    (write_cached(cache) / "model.safetensors").unlink()
    with pytest.raises(ModelMissingError, match="nor whole in the model hub's cache"):
        find_model(NAME, setting=SETTING)


def test_fetching_ends_after_its_time(cache):
    with pytest.raises(ModelMissingError, match=r"could not be fetched .*not done within 0\.001 s"):
        fetch(NAME, setting=SETTING, timeout_s=0.001)
