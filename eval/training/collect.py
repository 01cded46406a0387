"""Collect: what the searches find for each question, through the engine's own stages."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Final

from eval.datasets.dataset import LabelledQuestion
from eval.machine import UNKNOWN, Code, settings_hash
from eval.runs.cache import Kept, content_key
from eval.runs.collection import Collection
from eval.runs.locate import Gold, gold_of
from eval.runs.places import Places
from eval.training.pool import FoundLeaf, Pool, choose, from_bytes, is_right, to_bytes
from eval.training.rarity import count, shares, words_of
from eval.training.sets import TrainingSet
from prism.errors import PrismError
from prism.types import LEAF_LEVEL

MEASURED: Final = (
    "prism",
    "eval/datasets",
    "eval/runs",
    "eval/machine.py",
    "eval/training/collect.py",
    "eval/training/pool.py",
    "eval/training/rarity.py",
    "eval/training/sets.py",
)
"""Code whose changes make other pools."""

REDUCED: Final = "reduced_search"
"""The notice that one of the searches failed."""

OnQuestion = Callable[[int, int], None]


def collect(
    opened: Collection,
    chosen: TrainingSet,
    values: Kept,
    code: Code,
    on_question: OnQuestion | None = None,
) -> tuple[Pool, ...]:
    """A pool for each question of the set, in their order.

    Args:
        values: each pool is kept there at once, so that a run that was stopped goes on.

    Raises:
        PrismError: retrieval fails, or one of its searches does.
    """
    questions = chosen.dataset.questions
    keys = _keys(questions, opened, chosen, code)
    known = {key: from_bytes(data) for key, data in values.get(keys).items()}
    collector = _Collector(opened, chosen) if len(known) < len(questions) else None
    for number, (key, question) in enumerate(zip(keys, questions, strict=True), start=1):
        if collector is not None and key not in known:
            known[key] = collector.pool(question)
            values.put({key: to_bytes(known[key])})
        if on_question is not None:
            on_question(number, len(questions))
    return tuple(known[key] for key in keys)


class _Collector:
    """Asks the questions of one set."""

    def __init__(self, opened: Collection, chosen: TrainingSet) -> None:
        self._opened = opened
        self._chosen = chosen
        self._places = Places(opened)
        self._nodes = opened.storage.catalogue.nodes
        infos = opened.prism.documents()
        self._active = {info.document_id: info.generation for info in infos if info.status == "active"}
        leaves = self._nodes.get(self._nodes.node_ids(self._active, LEAF_LEVEL), self._active)
        self._rarity = count((item.node.indexed_text for item in leaves.values()), opened.embedder.tokenize)

    def pool(self, question: LabelledQuestion) -> Pool:
        """What the searches find for a question, and what its tokens weigh."""
        gold = gold_of(question, self._chosen.dataset.key_of, self._places.text_of, self._places.pages_of)
        leaves = choose(self._found(question, gold)) if gold.grades else ()
        return Pool(
            question.question_id,
            question.text,
            self._weights(question.text),
            tuple(leaf.text for leaf in leaves),
            tuple(bool(leaf.is_right) for leaf in leaves),
        )

    def _found(self, question: LabelledQuestion, gold: Gold) -> list[FoundLeaf]:
        """The leaves as fusion has them, before any reranking."""
        self._opened.embedder.forget()
        prism = self._opened.prism
        retrieval = prism.retrieve(question.text)
        # An answer may come of one search alone; what is kept to learn from may not.
        for notice in retrieval.notices:
            if notice.code == REDUCED:
                raise PrismError(f"{self._chosen.name}, question {question.question_id!r}: {notice.message}")
        fused = prism.trace(retrieval.trace_id)["fused"]
        ids = [item["node_id"] for item in fused]
        nodes = self._nodes.get(ids, self._active)
        answers = question.answers if self._chosen.has_spans else ()
        found = []
        for node_id, piece in zip(ids, self._places.of_nodes(ids), strict=True):
            node = nodes[node_id].node
            is_relevant = not gold.grades.keys().isdisjoint(gold.units_of(piece))
            found.append(
                FoundLeaf(node.indexed_text, is_right(node.text, is_relevant=is_relevant, answers=answers))
            )
        return found

    def _weights(self, question: str) -> tuple[float, ...]:
        embedder = self._opened.embedder
        pieces = embedder.tokenize(question)
        words = words_of(question, embedder.token_offsets(question))
        return shares([pieces[place] for place in words], self._rarity)


def _keys(
    questions: Sequence[LabelledQuestion], opened: Collection, chosen: TrainingSet, code: Code
) -> list[bytes]:
    """Where the pools are kept: under other settings, by other code or over other documents they are others.
    What code of no known commit kept may be any code's, so none of it is found again."""
    shaping = (
        chosen.dataset.fingerprint,
        opened.embedder.name,
        settings_hash(opened.prism.settings),
        code.commit if code.commit != UNKNOWN else uuid.uuid4().hex,
        code.changes,
    )
    return [content_key("pool", *shaping, question.question_id, question.text) for question in questions]
