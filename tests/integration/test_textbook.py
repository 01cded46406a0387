"""The textbook check: each question ranks its sentence first, whichever way the five sentences come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from prism import Prism
from tests.integration.conftest import OpenPrism
from tests.shelf import FIVE_SENTENCES, first, legs_of, write

IN_ONE: Mapping[str, Mapping[str, str]] = {
    "five files": FIVE_SENTENCES,
    "five paragraphs": {"all.txt": "\n\n".join(FIVE_SENTENCES.values())},
    "five lines": {"all.txt": "\n".join(FIVE_SENTENCES.values())},
    "one paragraph": {"all.txt": " ".join(FIVE_SENTENCES.values())},
    "markdown list": {"all.md": "# Notes\n\n" + "\n".join(f"- {each}" for each in FIVE_SENTENCES.values())},
}
QUESTIONS = [
    ("How to fix Error 0x80070005 Access Denied?", "errors.txt"),
    ("What algorithm partitions knowledge graphs in Microsoft GraphRAG?", "graphs.txt"),
    ("Which architecture has native 4-bit precision?", "gpu.txt"),
    ("How can a model be aligned without a reward model?", "alignment.txt"),
    ("Which M and efConstruction should HNSW have?", "vectors.txt"),
]


@pytest.fixture(scope="module", params=IN_ONE)
def corpus(request, make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("textbook")
    with make_prism(folder / "storage") as prism:
        prism.ingest(write(folder / "files", IN_ONE[request.param]))
        yield prism


@pytest.mark.parametrize(("question", "file"), QUESTIONS)
def test_the_right_sentence_is_found_first(corpus: Prism, question, file):
    for leg, engine in legs_of(corpus):
        assert FIVE_SENTENCES[file] in first(engine.retrieve(question)).text, leg


@pytest.mark.parametrize(("question", "file"), QUESTIONS)
def test_the_right_sentence_is_quoted_first(corpus: Prism, question, file):
    answer = corpus.ask(question)
    assert not answer.abstained
    quoted = answer.sentences[0]
    assert FIVE_SENTENCES[file].removesuffix(".") in quoted.text
    citation = next(item for item in answer.citations if item.n == quoted.citations[0])
    assert FIVE_SENTENCES[file].removesuffix(".") in citation.quote
    assert quoted.support == "supported"
