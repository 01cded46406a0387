"""Every hook of LlamaIndex and its clients that Prism's models override or lean on. When an upgrade
moves one, this fails before anything answers differently."""

import inspect

import openai
import pytest
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.llm import LLM
from llama_index.embeddings.huggingface import HuggingFaceEmbedding
from llama_index.llms.groq import Groq
from llama_index.llms.openai import OpenAI
from llama_index.llms.openai_like import OpenAILike
from llama_index.postprocessor.sbert_rerank import SentenceTransformerRerank

from prism.models.embedding import FolderEmbedding
from prism.models.gguf import GgufLLM
from prism.models.remote import CompatibleLLM, GroqLLM, load_groq
from prism.models.rerank_postprocessor import CrossEncoderRerank
from prism.models.schema_output import SchemaOutputLLM
from prism.settings import RemoteModelSettings

HOOKS = [
    (HuggingFaceEmbedding, FolderEmbedding, "_embed", ["inputs", "prompt_name"]),
    (SentenceTransformerRerank, CrossEncoderRerank, "_postprocess_nodes", ["nodes", "query_bundle"]),
    (OpenAI, GroqLLM, "_chat", ["messages"]),
    (OpenAI, GroqLLM, "_stream_chat", ["messages"]),
    (OpenAI, GroqLLM, "_complete", ["prompt"]),
    (OpenAI, GroqLLM, "_stream_complete", ["prompt"]),
    (OpenAI, GroqLLM, "_achat", ["messages"]),
    (OpenAI, GroqLLM, "_astream_chat", ["messages"]),
    (OpenAI, GroqLLM, "_acomplete", ["prompt"]),
    (OpenAI, GroqLLM, "_astream_complete", ["prompt"]),
    (LLM, SchemaOutputLLM, "structured_predict", ["output_cls", "prompt", "llm_kwargs"]),
    (LLM, SchemaOutputLLM, "astructured_predict", ["output_cls", "prompt", "llm_kwargs"]),
    (LLM, SchemaOutputLLM, "_structured_stream_call", ["output_cls", "prompt", "llm_kwargs"]),
    (LLM, SchemaOutputLLM, "_structured_astream_call", ["output_cls", "prompt", "llm_kwargs"]),
    (LLM, SchemaOutputLLM, "_extend_messages", ["messages"]),
]


def parameters(cls, name):
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    found = inspect.signature(getattr(cls, name)).parameters.values()
    return [item.name for item in found if item.name != "self" and item.kind not in kinds]


@pytest.mark.parametrize(
    ("parent", "ours", "name", "expected"), HOOKS, ids=[f"{p.__name__}.{n}" for p, _, n, _ in HOOKS]
)
def test_the_hook_is_there_with_the_parameters_we_rely_on(parent, ours, name, expected):
    assert parameters(parent, name) == expected
    assert parameters(ours, name) == expected


def test_the_classes_are_what_llama_index_expects():
    assert issubclass(GgufLLM, LLM)
    assert issubclass(GroqLLM, Groq)
    assert issubclass(CompatibleLLM, OpenAILike)
    assert issubclass(FolderEmbedding, HuggingFaceEmbedding)
    assert issubclass(CrossEncoderRerank, SentenceTransformerRerank)


@pytest.mark.parametrize(
    ("public", "hook"),
    [
        ("chat", "_chat"),
        ("stream_chat", "_stream_chat"),
        ("complete", "_chat"),
        ("stream_complete", "_stream_chat"),
    ],
)
def test_every_public_call_of_the_openai_class_ends_in_a_guarded_hook(monkeypatch, public, hook):
    class ReachedError(Exception):
        pass

    def reached(*_args, **_kwargs):
        raise ReachedError

    monkeypatch.setattr(GroqLLM, hook, reached)
    llm = load_groq(RemoteModelSettings(), "k")
    with pytest.raises(ReachedError):
        getattr(llm, public)([ChatMessage(role="user", content="x")] if "chat" in public else "x")


def test_the_plain_class_still_sends_another_servers_key(monkeypatch):
    """The trap that the transport closes: should this fail, the library has mended it."""
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-trap")
    assert Groq(model="m").api_key == "sk-trap"
    assert "sk-trap" in repr(Groq(model="m"))


def test_the_plain_class_still_multiplies_retries():
    """LlamaIndex repeats `max_retries` times around a client that repeats as often itself."""
    plain = Groq(model="m", api_key="k", max_retries=3)
    assert plain._get_client().max_retries == plain.max_retries == 3


def test_the_client_takes_a_transport_and_leaves_authentication_to_it():
    named = inspect.signature(openai.OpenAI.__init__).parameters
    assert {"http_client", "max_retries", "admin_api_key", "webhook_secret", "base_url"} <= set(named)
    assert openai.OpenAI(api_key="k").custom_auth is None


def test_the_runtime_offers_what_the_gguf_model_uses():
    xllamacpp = pytest.importorskip("xllamacpp")
    params = xllamacpp.CommonParams()
    for name in ("n_ctx", "n_parallel", "verbosity", "warmup", "offline", "ui", "endpoint_slots", "api_keys"):
        assert hasattr(params, name), name
    assert hasattr(params.cpuparams, "n_threads")
    for name in ("handle_chat_completions", "handle_completions", "listening_address"):
        assert hasattr(xllamacpp.Server, name), name
