import asyncio
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms import CustomLLM
from llama_index.core.prompts import PromptTemplate
from pydantic import BaseModel, Field

from prism.errors import ModelCallError
from prism.models.schema_output import SchemaOutputLLM


class Limit(BaseModel):
    """A limit."""

    amount: int


class Scripted(SchemaOutputLLM, CustomLLM):
    """Replies `reply` and keeps what it was sent."""

    reply: str
    finish_reason: str = "stop"
    sent: list[Any] = Field(default_factory=list)

    @property
    def metadata(self):
        return LLMMetadata(is_chat_model=True)

    def chat(self, messages, **kwargs):
        self.sent.append((list(messages), kwargs))
        message = ChatMessage(role="assistant", content=self.reply)
        return ChatResponse(message=message, additional_kwargs={"finish_reason": self.finish_reason})

    async def achat(self, messages, **kwargs):
        return self.chat(messages, **kwargs)

    def complete(self, prompt, formatted=False, **kwargs):
        raise AssertionError("a chat model is chatted with")

    stream_complete = complete


def test_the_schema_goes_with_the_messages_and_the_object_comes_back():
    llm = Scripted(reply='{"amount": 5}')
    prompt = PromptTemplate("The limit of {account}?")
    assert llm.structured_predict(Limit, prompt, account="{savings}") == Limit(amount=5)
    assert asyncio.run(llm.astructured_predict(Limit, prompt, account="{savings}")) == Limit(amount=5)
    messages, options = llm.sent[0]
    assert messages[-1].content == "The limit of {savings}?"
    assert options["response_format"]["json_schema"]["schema"] == Limit.model_json_schema()


def test_a_structured_llm_sends_braces_as_they_are():
    llm = Scripted(reply='{"amount": 5}')
    response = llm.as_structured_llm(Limit).chat([ChatMessage(role="user", content="{context_str} {0} {")])
    assert response.raw == Limit(amount=5)
    assert llm.sent[0][0][-1].content == "{context_str} {0} {"


@pytest.mark.parametrize("reply", ["", "Sure!", '{"amount": "many"}', "[]"])
def test_output_of_another_form_is_an_error(reply):
    with pytest.raises(ModelCallError, match="no Limit"):
        Scripted(reply=reply).structured_predict(Limit, PromptTemplate("x"))


def test_output_cut_off_says_so():
    with pytest.raises(ModelCallError, match="longest output"):
        Scripted(reply='{"amou', finish_reason="length").structured_predict(Limit, PromptTemplate("x"))
