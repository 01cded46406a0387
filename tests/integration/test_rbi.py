"""Real circulars: all of them ingest, and the page that answers is among the best leaves' pages."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from prism import Prism, Retrieval
from tests.integration.conftest import OpenPrism

DATA = os.environ.get("PRISM_DATA")
pytestmark = [
    pytest.mark.skipif(not DATA, reason="PRISM_DATA is not set"),
    pytest.mark.slow,
]
CIRCULARS = Path(DATA or ".") / "rbi_circulars"
WANTED, OF, K = 23, 27, 5


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CIRCULARS / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def key_of() -> Mapping[str, str]:
    """Key of each file that is there."""
    present = {path.name for path in (CIRCULARS / "pdfs").iterdir()}
    return {row["file"]: row["key"] for row in rows("files.jsonl") if row["file"] in present}


@pytest.fixture(scope="module")
def prism(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    with make_prism(tmp_path_factory.mktemp("rbi")) as prism:
        report = prism.ingest(CIRCULARS / "pdfs")
        assert report.count("added") == len(report.files) == OF, [
            (file.document, file.reason) for file in report.files if file.status != "added"
        ]
        yield prism


def gold_pages() -> Mapping[str, set[str]]:
    gold: defaultdict[str, set[str]] = defaultdict(set)
    for line in (CIRCULARS / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, page, _ = line.split("\t")
        gold[question].add(page)
    return gold


def pages(found: Retrieval, key_of: Mapping[str, str]) -> list[str]:
    return [f"{key_of[item.document]}#p{page.sheet}" for item in found.passages for page in item.pages]


def test_every_circular_is_indexed_consistently(prism: Prism):
    status = prism.status()
    assert status.documents == OF
    assert status.consistent
    assert all(info.page_count and info.leaves for info in prism.documents())


def test_the_answering_page_is_among_the_best_leaves_for_most_questions(prism: Prism, key_of, capsys):
    gold = gold_pages()
    questions = [
        row
        for row in rows("queries.jsonl")
        if row["answerable"]
        and row["lang"] == "en"
        and any(page.split("#")[0] in key_of.values() for page in gold[row["_id"]])
    ]
    assert len(questions) >= OF
    misses = []
    for row in questions:
        found = pages(prism.retrieve(row["text"], K, leaves=True), key_of)
        if not gold[row["_id"]].intersection(found):
            misses.append(
                f"{row['_id']}: {row['text']}\n    wanted {sorted(gold[row['_id']])}, found {found}"
            )
    with capsys.disabled():
        print(f"\nrbi_circulars: {len(questions) - len(misses)} of {len(questions)} at {K} leaves")
        print("\n".join(misses))
    assert len(misses) <= len(questions) - round(WANTED / OF * len(questions))


def test_questions_without_an_answer_are_mostly_left_unanswered(prism: Prism):
    asked = [row["text"] for row in rows("queries.jsonl") if not row["answerable"] and row["lang"] == "en"]
    assert asked
    for question in asked:
        answer = prism.ask(question)
        assert answer.abstained or answer.citations
