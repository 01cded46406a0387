"""The events of an answer as the plain text LlamaIndex streams."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any

from llama_index.core.schema import NodeWithScore

from prism.llamaindex.conversions import answer_metadata, answer_sources
from prism.types import Answer, Notice, TextDelta

Event = TextDelta | Notice | Answer


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a stream puts what is known only at its end: both are filled in place."""

    nodes: list[NodeWithScore]
    metadata: dict[str, Any]


def text_of(events: Iterable[Event], sources: Sources) -> Generator[str, None, None]:
    """The answer's text piece by piece. An answer that came without deltas comes as one piece.

    Closing this iterator closes `events`, which stops the model behind it.
    """
    told = False
    try:
        for event in events:
            if isinstance(event, TextDelta):
                told = True
                yield event.text
            elif isinstance(event, Answer):
                sources.nodes.extend(answer_sources(event))
                sources.metadata.update(answer_metadata(event))
                if not told:
                    yield event.text
    finally:
        close = getattr(events, "close", None)
        if close is not None:
            close()
