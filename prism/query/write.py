"""Write: have a capable language model answer from the passages, and ask of it nothing it must invent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import regex
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms import LLM

from prism.errors import ModelCallError, PrismError
from prism.prompts.loader import load_prompt
from prism.query.assemble import print_order
from prism.query.cite import disarm, without_marks
from prism.text.storable import storable_pieces
from prism.types import Passage

SAFETY_SHARE = 0.9
"""Share of the window that is filled, since tokens are counted by another model's tokenizer."""

MESSAGE_OVERHEAD_TOKENS = 8

MIN_PASSAGE_CHARS = 200
"""A passage too long for the window by itself is cut to no less."""

_INVISIBLE_START = regex.compile(r"^[\s\p{Default_Ignorable_Code_Point}\p{Cc}]+")
_TAG = regex.compile(r"<(?=\s*/?\s*passage)", regex.IGNORECASE)


def messages(
    question: str,
    passages: Sequence[Passage],
    history: Sequence[tuple[str, str]],
    *,
    language: str,
    insufficient: str,
    budget_tokens: int,
    count_tokens: Callable[[str], int],
) -> tuple[ChatMessage, ...]:
    """The prompt: instructions, earlier turns, delimited numbered passages, the question last.

    Args:
        history: (question, answer) pairs, oldest first. Their marks are taken out, since those numbers
            belong to other passages.
        budget_tokens: what the model's window leaves for the prompt. The oldest turns go first, then the
            lowest-ranked passages, then the end of the first one.
    """
    system = load_prompt("answer").render(language=language, insufficient=insufficient)
    turns = [
        message
        for asked, answered in history
        for message in (
            ChatMessage(role=MessageRole.USER, content=asked),
            ChatMessage(role=MessageRole.ASSISTANT, content=without_marks(answered)),
        )
    ]
    kept = list(passages)

    def build() -> tuple[ChatMessage, ...]:
        context = "\n\n".join(_show(passage) for passage in print_order(kept))
        last = f"<passages>\n{context}\n</passages>\n\nQuestion: {question}"
        return (
            ChatMessage(role=MessageRole.SYSTEM, content=system),
            *turns,
            ChatMessage(role=MessageRole.USER, content=last),
        )

    def size(prompt: Sequence[ChatMessage]) -> int:
        return sum(count_tokens(message.content or "") + MESSAGE_OVERHEAD_TOKENS for message in prompt)

    prompt = build()
    while size(prompt) > budget_tokens * SAFETY_SHARE:
        if turns:
            del turns[:2]
        elif len(kept) > 1:
            del kept[-1]
        elif kept and len(kept[0].text) > MIN_PASSAGE_CHARS:
            kept[0] = _cut(kept[0])
        else:
            break
        prompt = build()
    return prompt


def stream_answer(llm: LLM, prompt: Sequence[ChatMessage]) -> Iterator[str]:
    """The model's answer as it comes, whitespace and invisible characters at its start dropped.

    Raises:
        ModelCallError: the model failed, or said nothing at all.
    """
    began = False
    try:
        for delta in storable_pieces(chunk.delta or "" for chunk in llm.stream_chat(list(prompt))):
            if not began:
                delta = _INVISIBLE_START.sub("", delta)
            if delta:
                began = True
                yield delta
    except PrismError:
        raise
    except Exception as error:
        raise ModelCallError(
            f"The language model failed while answering ({type(error).__name__}). Try again, or set "
            "models.answerer to 'quote' to have the documents quoted."
        ) from error
    if not began:
        raise ModelCallError(
            "The language model returned an empty answer. Try again, or choose another model."
        )


def _show(passage: Passage) -> str:
    pages = ", ".join(page.label for page in passage.pages)
    header = f"{passage.header}\n" if passage.header else ""
    text = _TAG.sub("‹", disarm(f"{header}{passage.text}"))
    place = f'document="{_attribute(passage.document)}" page="{_attribute(pages)}"'
    return f'<passage number="{passage.rank}" {place}>\n{text}\n</passage>'


def _attribute(text: str) -> str:
    """A name as it may stand between quotes: it cannot close them, nor the passage."""
    return " ".join(text.translate(str.maketrans('"<>', "'‹›")).split())


def _cut(passage: Passage) -> Passage:
    shorter = max(MIN_PASSAGE_CHARS, len(passage.text) * 3 // 4)
    return replace(passage, text=passage.text[:shorter])
