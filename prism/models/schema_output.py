"""JSON by schema for language models that take an OpenAI-style `response_format`.

LlamaIndex asks models without function calling for JSON in words and formats the messages as
templates, so a brace in a document breaks the call. Here the runtime is held to the schema, and a chat
prompt without arguments is sent as it stands.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.llms.llm import LLM
from llama_index.core.program.streaming_utils import process_streaming_content_incremental
from llama_index.core.prompts import BasePromptTemplate, ChatPromptTemplate
from pydantic import BaseModel, ValidationError

from prism.errors import ModelCallError


class SchemaOutputLLM(LLM):
    """`structured_predict`, its async and streaming twins, and so `as_structured_llm`, by schema."""

    def structured_predict(
        self,
        output_cls: type[BaseModel],
        prompt: BasePromptTemplate,
        llm_kwargs: Mapping[str, Any] | None = None,
        **prompt_args: Any,
    ) -> BaseModel:
        """An object of `output_cls`.

        Raises:
            ModelCallError: the output was cut off, or is not what the schema asks.
        """
        messages = self._schema_messages(prompt, prompt_args)
        return _parse(output_cls, self.chat(messages, **_with_schema(output_cls, llm_kwargs)))

    async def astructured_predict(
        self,
        output_cls: type[BaseModel],
        prompt: BasePromptTemplate,
        llm_kwargs: Mapping[str, Any] | None = None,
        **prompt_args: Any,
    ) -> BaseModel:
        """As `structured_predict`, off the event loop."""
        messages = self._schema_messages(prompt, prompt_args)
        return _parse(output_cls, await self.achat(messages, **_with_schema(output_cls, llm_kwargs)))

    def _structured_stream_call(
        self,
        output_cls: type[BaseModel],
        prompt: BasePromptTemplate,
        llm_kwargs: Mapping[str, Any] | None = None,
        **prompt_args: Any,
    ) -> Generator[Any, None, None]:
        current = None
        messages = self._schema_messages(prompt, prompt_args)
        for response in self.stream_chat(messages, **_with_schema(output_cls, llm_kwargs)):
            current = process_streaming_content_incremental(response, output_cls, current)
            yield current

    async def _structured_astream_call(
        self,
        output_cls: type[BaseModel],
        prompt: BasePromptTemplate,
        llm_kwargs: Mapping[str, Any] | None = None,
        **prompt_args: Any,
    ) -> AsyncGenerator[Any, None]:
        messages = self._schema_messages(prompt, prompt_args)
        responses = await self.astream_chat(messages, **_with_schema(output_cls, llm_kwargs))

        async def objects() -> AsyncGenerator[Any, None]:
            current = None
            async for response in responses:
                current = process_streaming_content_incremental(response, output_cls, current)
                yield current

        return objects()

    def _schema_messages(self, prompt: BasePromptTemplate, arguments: Mapping[str, Any]) -> list[ChatMessage]:
        if isinstance(prompt, ChatPromptTemplate) and not arguments and not prompt.kwargs:
            return self._extend_messages(
                [message for message in prompt.message_templates if isinstance(message, ChatMessage)]
            )
        return self._extend_messages(prompt.format_messages(llm=self, **arguments))


def _with_schema(output_cls: type[BaseModel], options: Mapping[str, Any] | None) -> dict[str, Any]:
    schema = {"name": output_cls.__name__, "schema": output_cls.model_json_schema(), "strict": True}
    return {**(options or {}), "response_format": {"type": "json_schema", "json_schema": schema}}


def _parse(output_cls: type[BaseModel], response: ChatResponse) -> BaseModel:
    text = response.message.content or ""
    try:
        return output_cls.model_validate_json(text)
    except ValidationError as error:
        if response.additional_kwargs.get("finish_reason") == "length":
            raise ModelCallError(
                f"The model reached its longest output before the {output_cls.__name__} was complete. "
                "Raise max_output_tokens of the model's settings."
            ) from None
        raise ModelCallError(
            f"The model's output is no {output_cls.__name__} ({error.error_count()} fields wrong). "
            "Try again, or use another model."
        ) from None
