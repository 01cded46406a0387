"""The operations cases (DEP-01, DEP-08, DEP-09); DEP-07 is in test_offline.py."""

from __future__ import annotations

import ast
import io
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism import ModelMissingError, ModelUnfitError, Prism
from prism.settings import Settings
from tests.integration.conftest import OpenPrism
from tests.processes import run_prism, run_python
from tests.shelf import FIVE_SENTENCES, legs_of, write

LONG = " ".join(f"Cycle {n} settles at {n % 24} hours for a fee of {n} rupees." for n in range(90))
QUESTIONS = ("Leiden algorithm", "error 0x80070005", "settlement fee of cycle 17", "सीमा", "zxqv")


@pytest.mark.parametrize("restarts", [1, 3])
def test_dep_01_after_a_restart_every_route_gives_the_same(open_prism: OpenPrism, tmp_path, restarts):
    with open_prism() as prism:
        files = {**FIVE_SENTENCES, "long.txt": LONG, "hi.txt": "दैनिक सीमा दो लाख है।"}
        assert prism.ingest(write(tmp_path, files)).count("added") == len(files)
        before = seen(prism)
    for _ in range(restarts):
        with open_prism() as prism:
            assert seen(prism) == before


def test_dep_01_after_a_crash_without_closing_every_route_gives_the_same(tmp_path: Path, make_prism):
    (source,) = write(tmp_path, {"rule.txt": "The Quokka rule allows 42 days."})
    code = (
        "import os, sys; from prism import Prism; "
        f"prism = Prism.open(); prism.ingest({str(source.path)!r}); os._exit(9)"
    )
    assert run_python("-c", code, folder=tmp_path).code == 9
    with make_prism(tmp_path / "storage" / "data") as prism:
        for leg, engine in legs_of(prism):
            assert [item.document for item in engine.retrieve("Quokka rule").passages] == ["rule.txt"], leg
        assert prism.status().consistent


def seen(prism: Prism) -> dict[str, object]:
    """Counts, and for each leg, leaves and merged, what each question finds."""
    status = prism.status()
    found = {
        (leg, question, leaves): engine.retrieve(question, 20, leaves=leaves).passages
        for leg, engine in legs_of(prism)
        for question in QUESTIONS
        for leaves in (True, False)
    }
    assert status.consistent
    return {"found": found, "counts": (status.documents, status.leaves, status.vectors, status.keyword_docs)}


def use(overlay: Mapping[str, Any], folder: Path) -> None:
    """Index a file and ask: by then every model was needed."""
    with Prism.open(Settings(), overlay=overlay) as prism:
        prism.ingest(write(folder, {"a.txt": "The limit is 42."}))
        prism.ask("What is the limit?")


@pytest.mark.parametrize(
    "model",
    [
        {"embedder": {"path": "MISSING"}},
        {"answerer": "local", "local": {"path": "MISSING/model.gguf"}},
        {"reranker": {"model": "MISSING"}},
    ],
    ids=["embedder", "local", "reranker"],
)
def test_dep_08_a_missing_model_is_named_with_its_path_in_five_seconds(tmp_path: Path, model):
    missing = str(tmp_path / "no-such-model")
    overlay = {
        "storage.path": tmp_path / "storage",
        "rerank.kind": "cross_encoder" if "reranker" in model else "none",
        "models": {
            part: {key: str(value).replace("MISSING", missing) for key, value in values.items()}
            if isinstance(values, dict)
            else values
            for part, values in model.items()
        },
    }
    began = time.monotonic()
    with pytest.raises(ModelMissingError) as raised:
        use(overlay, tmp_path)
    assert missing in str(raised.value)
    assert "models." in str(raised.value)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("part", ["embedder", "reranker", "local"])
def test_dep_08_an_unfit_model_is_named_with_its_path(tmp_path: Path, part):
    folder = tmp_path / "odd-model"
    folder.mkdir()
    (folder / "config.json").write_text(
        '{"architectures": ["T5ForConditionalGeneration"], "model_type": "t5"}'
    )
    (folder / "model.gguf").write_bytes(b"not a gguf at all")
    settings = {
        "embedder": {"embedder": {"path": str(folder)}},
        "reranker": {"reranker": {"model": str(folder)}},
        "local": {"answerer": "local", "local": {"path": str(folder / "model.gguf")}},
    }[part]
    overlay = {
        "storage.path": tmp_path / "storage",
        "models": settings,
        "rerank.kind": "cross_encoder" if part == "reranker" else "none",
    }
    with pytest.raises((ModelUnfitError, ModelMissingError)) as raised:
        use(overlay, tmp_path)
    assert str(folder) in str(raised.value)


def test_dep_08_the_command_line_names_a_missing_model_without_a_traceback(tmp_path: Path):
    environ = {"PRISM__MODELS__EMBEDDER__PATH": str(tmp_path / "no-such-model")}
    ended = run_prism("ask", "What is the limit?", folder=tmp_path, environ=environ, watch=True)
    assert ended.code == 1
    assert str(tmp_path / "no-such-model") in ended.err
    assert "Traceback" not in ended.err
    assert ended.attempts == ()


PAGES = 268

CHAPTER = """
import sys
from prism import Prism

with Prism.open() as prism:
    report = prism.ingest(sys.argv[1])
    print(report.files[0].status, report.files[0].page_count, flush=True)
    for question in sys.argv[2:]:
        found = prism.ask(question)
        print([(page.label, item.quote) for item in found.citations for page in item.pages], flush=True)
print("alive", flush=True)
"""


def book(pages: int) -> bytes:
    """A PDF of full pages; each tells the fee of its own warehouse."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for number in range(1, pages + 1):
        rules = [
            f"Clause {number}.{n}: goods of class {n} stay {number % 28 + n} days at quay {n}."
            for n in range(10)
        ]
        text = canvas.beginText(50, 780)
        text.textLines([f"Warehouse W{number} charges a fee of {1000 + number} rupees.", *rules])
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def test_dep_09_after_a_book_of_268_pages_the_process_lives_and_answers(tmp_path: Path) -> None:
    (source,) = write(tmp_path, {"book.pdf": book(PAGES)})
    questions = [f"What fee does warehouse W{number} charge?" for number in (1, 134, PAGES)]
    ended = run_python("-c", CHAPTER, source.path, *questions, folder=tmp_path)
    assert ended.code == 0, ended.err
    status, *answers, last = ended.out.splitlines()
    assert (status, last) == (f"added {PAGES}", "alive")
    for number, answer in zip((1, 134, PAGES), answers, strict=True):
        page, quote = ast.literal_eval(answer)[0]
        assert page == str(number)
        assert f"{1000 + number} rupees" in quote
