"""What integration tests share: files to ingest, and what was found said in names and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.llms import CustomLLM
from pydantic import Field, PrivateAttr

from prism import Answer, Passage, Prism, Retrieval, Scope, Source
from prism.models.choose import Chosen

KEYWORD_ALONE: Mapping[str, Any] = {"retrieval": {"dense_weight": 0}}
DENSE_ALONE: Mapping[str, Any] = {"retrieval": {"keyword_weight": 0}}

FIVE_SENTENCES: Mapping[str, str] = {
    "gpu.txt": "The Blackwell architecture introduces native support for 4-bit floating point precision.",
    "errors.txt": "Error code 0x80070005 means Access Denied and occurs when a registry update is refused.",
    "alignment.txt": "Direct Preference Optimization (DPO) aligns a language model without a reward model.",
    "vectors.txt": "HNSW search quality depends on M between 16 and 64 and efConstruction of 200.",
    "graphs.txt": "The Leiden algorithm improves on Louvain and builds the communities of GraphRAG.",
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> list[Source]:
    """The files written below `folder`, as sources named by their relative paths."""
    sources = []
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        sources.append(Source(path, name))
    return sources


def names(found: Retrieval | Answer) -> list[str]:
    """Document names of the passages (of an answer: of its citations), best first."""
    passages = found.passages if isinstance(found, Retrieval) else [item.passage for item in found.citations]
    return [passage.document for passage in passages]


def texts(found: Retrieval) -> str:
    """All that was found, header included."""
    return "\n".join(f"{passage.header}\n{passage.text}" for passage in found.passages)


def first(found: Retrieval) -> Passage:
    assert found.passages, "nothing was found"
    return found.passages[0]


def id_of(prism: Prism, name: str) -> str:
    return prism.document(name).document_id


def only(prism: Prism, *documents: str) -> Scope:
    """A scope of these documents alone."""
    return Scope(prism.settings.storage.workspace, frozenset(id_of(prism, name) for name in documents))


def legs_of(prism: Prism) -> Iterator[tuple[str, Prism]]:
    """The same engine searching by one leg at a time, and by both."""
    yield "keyword", prism.with_settings(**KEYWORD_ALONE)
    yield "dense", prism.with_settings(**DENSE_ALONE)
    yield "both", prism


class ScriptedModel(CustomLLM):
    """A language model that says what the test tells it to, and remembers what it was shown.

    `reply` gets the messages of a call and returns the pieces of the answer in the order they are streamed.
    """

    window_tokens: int = 8192
    reply: Callable[[Sequence[ChatMessage]], Iterable[str]] = Field(exclude=True)
    _prompts: list[list[ChatMessage]] = PrivateAttr(default_factory=list)

    @property
    def prompts(self) -> list[list[ChatMessage]]:
        return self._prompts

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(
            context_window=self.window_tokens, num_output=256, is_chat_model=True, model_name="scripted"
        )

    def chat(self, messages: Sequence[ChatMessage], **_: Any) -> ChatResponse:
        self._prompts.append(list(messages))
        return _response("".join(self.reply(messages)), "")

    def stream_chat(self, messages: Sequence[ChatMessage], **_: Any) -> Iterator[ChatResponse]:
        self._prompts.append(list(messages))
        said = ""
        for piece in self.reply(messages):
            said += piece
            yield _response(said, piece)

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text="".join(self.reply([ChatMessage(content=prompt)])))

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Iterator[CompletionResponse]:
        for piece in self.reply([ChatMessage(content=prompt)]):
            yield CompletionResponse(text=piece, delta=piece)


def says(*pieces: str) -> Chosen:
    """An answerer that streams these pieces whatever it is asked."""
    return answering(lambda _: pieces)


def answering(reply: Callable[[Sequence[ChatMessage]], Iterable[str]], **options: Any) -> Chosen:
    return Chosen(kind="local", llm=ScriptedModel(reply=reply, **options), name="scripted")


def prompts_of(answerer: Chosen) -> list[list[ChatMessage]]:
    assert isinstance(answerer.llm, ScriptedModel)
    return answerer.llm.prompts


def _response(said: str, delta: str) -> ChatResponse:
    return ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, content=said), delta=delta)
