"""Choose the sentences of one question in each of several ways, from the same passages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from eval.datasets.dataset import LabelledQuestion
from eval.quotes.judge import Judged, is_right, judge
from eval.runs.collection import Collection
from eval.runs.locate import Piece, gold_of
from eval.runs.places import Places
from prism.models.protocols import token_embedder
from prism.query.align import align
from prism.query.condense import Standalone, condense
from prism.query.parts import Found, QueryParts
from prism.query.pipeline import search
from prism.query.quote import Quote, choose_quotes
from prism.query.select import TOKENS_WEIGHT, select
from prism.settings import Settings
from prism.trace import Trace
from prism.types import Scope


@dataclass(frozen=True, slots=True)
class Way:
    """How to tell what sentences mean: by token vectors with a weight, or, without one, by embedding them."""

    name: str
    tokens_weight: float | None = None


BY_EMBEDDING = Way("embedding")
BY_TOKENS = Way("token vectors", TOKENS_WEIGHT)


class Quoter:
    """Asks the questions of one collection."""

    def __init__(self, opened: Collection, parts: QueryParts, key_of: Mapping[str, str]) -> None:
        """`key_of`: judged id by document name."""
        self._opened = opened
        self._parts = parts
        self._places = Places(opened)
        self._key_of = key_of

    def ask(self, question: LabelledQuestion, ways: Sequence[Way], scope: Scope) -> dict[str, Judged]:
        """What each way chooses, by its name. Raises `SearchError`."""
        gold = gold_of(question, self._key_of, self._places.text_of, self._places.pages_of)
        parts = replace(self._parts, scope=scope)
        asked, trace = condense(question.text), Trace("ask", question.text, scope.workspace)
        self._opened.embedder.forget()
        found = search(asked, parts, trace, k=parts.settings.retrieval.k)
        names = {passage.rank: passage.document for passage in found.passages}

        def pieces(quotes: Sequence[Quote]) -> list[Piece]:
            return [
                Piece(names[rank], (), quote.start, quote.end, quote.text)
                for quote in quotes
                for rank in quote.ranks[:1]
            ]

        judged = {}
        for way in ways:
            began = time.perf_counter()
            scored = _scored(way, asked, found, parts, trace)
            ms = (time.perf_counter() - began) * 1000
            settings = parts.settings.answer
            judged[way.name] = judge(
                pieces(choose_quotes(scored, max_quotes=2, ratio=0.0)),
                pieces(choose_quotes(scored, max_quotes=settings.max_quotes, ratio=settings.quote_ratio)),
                lambda sentence: is_right(question, gold, sentence),
                ms=ms,
            )
        return judged


def _scored(way: Way, asked: Standalone, found: Found, parts: QueryParts, trace: Trace) -> tuple[Quote, ...]:
    if way.tokens_weight is None:
        return select(asked, found, parts, None)
    return select(asked, found, parts, align(found, parts, trace), tokens_weight=way.tokens_weight)


@contextmanager
def quoter(opened: Collection, settings: Settings, key_of: Mapping[str, str]) -> Iterator[Quoter]:
    """A quoter over a collection as it is now."""
    active = opened.storage.active(settings.storage.workspace)
    # The first question opens the projections and loads the model.
    opened.prism.retrieve("?")
    with active.snapshot() as snapshot:
        yield Quoter(
            opened,
            QueryParts(
                snapshot=snapshot,
                scope=Scope(snapshot.workspace),
                catalogue=opened.storage.catalogue,
                vectors=active.vectors,
                embedder=opened.embedder,
                reranker=opened.reranker,
                settings=settings,
                tokens=active.tokens if token_embedder(opened.embedder) and active.tokens.recipe else None,
            ),
            key_of,
        )
