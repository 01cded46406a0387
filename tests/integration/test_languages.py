"""Spanish questions, which the packaged embedder hardly reads, by the real models (tests/data/spanish)."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from math import log2
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from prism import Prism
from tests.integration.conftest import Shelf

SPANISH = Path(__file__).parents[1] / "data" / "spanish"
BY_KEYWORDS_ALONE = {"retrieval.dense_weight": 0.0, "rerank.kind": "none"}
AS_IF_READ = {"models.embedder.languages": []}


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SPANISH / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def collection(shelf: Shelf) -> Prism:
    return shelf({f"{row['_id']}.txt": row["text"] for row in rows("corpus.jsonl")})


def ndcg(prism: Prism, overlay: Mapping[str, Any]) -> float:
    """Mean over the questions; each has one paragraph that answers it."""
    asked = prism.with_settings(**overlay)
    with (SPANISH / "qrels.tsv").open(encoding="utf-8") as file:
        gold = {row["query-id"]: f"{row['corpus-id']}.txt" for row in csv.DictReader(file, delimiter="\t")}
    gains = []
    for question in rows("queries.jsonl"):
        found = asked.retrieve(question["text"], 40).passages
        ranking = list(dict.fromkeys(passage.document for passage in found))[:10]
        wanted = gold[question["_id"]]
        gains.append(1 / log2(ranking.index(wanted) + 2) if wanted in ranking else 0.0)
    return fmean(gains)


def test_spanish_questions_over_spanish_documents_find_no_less_than_keywords_alone(collection: Prism) -> None:
    keywords = ndcg(collection, BY_KEYWORDS_ALONE)
    assert keywords > 0.9
    assert ndcg(collection, {}) >= keywords
    # The set can tell: with the weights of a language that is read, it finds less.
    assert ndcg(collection, AS_IF_READ) < keywords


def test_the_trace_says_whether_the_language_is_read(collection: Prism) -> None:
    def is_read(question: str) -> bool:
        return bool(collection.trace(collection.retrieve(question).trace_id)["reads"])

    assert not is_read("¿Qué mercancías pasan por el puerto de la ciudad?")
    assert is_read("What goods pass through the port of the city?")
    assert is_read("Casa de Contratación")
