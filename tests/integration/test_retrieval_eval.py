"""`python -m eval retrieval` on the real engine; published figures and bm25s's own scores as anchors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pytest

from eval.__main__ import main
from eval.datasets.beir import read_beir
from eval.datasets.files import read_jsonl
from eval.machine import REPOSITORY, code_now
from eval.outcome.result import Result, read_result
from eval.runs.run import MEASURED, run
from prism.settings import KeywordSettings, Settings, overlay_settings
from prism.stores.keywords import KeywordIndex, LeafTokens
from prism.text.tokens import query_tokens, tokenize

SAMPLE = REPOSITORY / "eval" / "datasets" / "sample"
DATA = os.environ.get("PRISM_DATA")
needs_data = pytest.mark.skipif(not DATA, reason="PRISM_DATA does not name a folder of labelled data")

WHOLE_ABSTRACTS = {
    "chunk.leaf_tokens": 2048,
    "chunk.parent_tokens": (),
    "chunk.context_tokens": 0,
    "merge.enabled": False,
    "retrieval.retrieve_k": 100,
    "rerank.kind": "none",
}
"""One passage a document, as those who publish figures index them: no longer one of them than the embedder
reads of it, nothing put before it, and one search's own order."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors and indexes for all tests of the module: the same corpus is embedded once."""
    return tmp_path_factory.mktemp("cache")


def labelled(name: str) -> Path:
    folder = Path(DATA or "") / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder


# ── the command ─────────────────────────────────────────────────────────────────────────────────


def test_a_second_run_of_the_sample_embeds_nothing_and_gives_the_same_figures(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results: list[Result] = []
    for name in ("first", "second"):
        given = ["--dataset", str(SAMPLE), "--limit", "9", "--name", name, "--cache", str(cache)]
        assert main(["retrieval", *given, "--results", str(tmp_path)]) == 0
        (file,) = tmp_path.glob(f"{name}-*.json")
        results.append(read_result(file))
        assert f"result: {file}" in capsys.readouterr().out
    first, second = results
    assert (first.counts["asked"], first.counts["cut"], first.counts["failed"]) == (9, 57, 0)
    assert first.index["leaves_embedded"] > 0
    assert (second.index["leaves_embedded"], second.index["built_in_s"]) == (0, None)
    assert second.metrics == first.metrics
    assert [(row.ranking, row.passages, row.stages) for row in second.rows] == [
        (row.ranking, row.passages, row.stages) for row in first.rows
    ]
    assert first.metrics["recall@20"].mean > 0.5


OWN = [
    ("Question", "Source", "Page", "Quote", "Keyword", "Answerable", "Remarks"),
    (
        "How do I fix error 0x80070005?",
        "terminal-troubleshooting.md",
        "",
        "Restore rights of\nthe update account",
        "",
        "",
        "",
    ),
    ("By when must members pay in for window W9?", "Settlement-Handbook", "3", "", "", "", "its table"),
    ("Who runs the personnel department?", r"C:\policies\hr-policy.docx", "", "", "", "yes", ""),
    (
        "My laptop was taken on the train. How soon must I tell somebody?",
        "",
        "",
        "",
        "within two hours",
        "",
        "",
    ),
    ("Who is in charge at Belvan Harbour?", "settlement-centers.csv", "", "", "", "", ""),
    ("How long must a shop keep receipts?", "", "", "The merchant keeps receipts for ever", "", "", ""),
    ("What is the dress code for counter staff?", "", "", "", "", "no", ""),
    (
        "किसी ने कॉल करके मेरा गुप्त कोड पूछा। अब क्या करूँ?",
        "suchna-wallet-seema",
        "",
        "तुरंत फ़ोन काट दें",
        "",
        "",
        "",
    ),
    ("What does a member owe under 17(b)?", "", "", "", "", "", ""),
    ("What part of the daily traffic lands in slot W12?", "settlement-handbook.pdf", "99", "", "", "", ""),
]
"""Questions as a spreadsheet holds them: one by quote, page, document and keyword each, others that cannot be
scored."""


def test_a_table_of_ones_own_questions_explains_itself(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "my questions.csv"
    rows = ("\t".join(f'"{cell}"' if "\n" in cell else cell for cell in row) for row in OWN)
    file.write_text("\r\n".join(rows), encoding="utf-16")
    given = ["--dataset", str(file), "--documents", str(SAMPLE / "documents"), "--name", "mine"]
    assert main(["retrieval", *given, "--cache", str(cache), "--results", str(tmp_path)]) == 0

    shown = capsys.readouterr().out
    for said in (
        "my questions: 10 questions asked, 5 scored by quote, page, document, keyword, 4 unscorable, 0 ",
        "10 questions about 14 documents; columns read: question, source, page, quote, keyword, answerable.",
        "Columns passed over: Remarks.",
        # Whether words and page are there is known only once the documents are read.
        "A passage is told right from wrong: 3 by quote, 2 by page, 1 by document, 1 by keyword.",
        "there is no document 'settlement-centers.csv'. Is 'settlement-centres.csv' meant? (5)",
        "its quote does not stand in the document as read: 'The merchant keeps receipts for ever' (6)",
        "it says neither source nor quote nor keyword, so a passage cannot be told right from wrong (9)",
        "there is no page '99' in 'settlement-handbook.pdf' as read (its pages: i, ii, 1, 2, 3, 4, 5) (10)",
        "settings: the defaults; k=5; ",
        "\nrecall in the first 5 ",
        "\nmilliseconds ",
    ):
        assert said in shown
    (result_file,) = tmp_path.glob("mine-*.json")
    assert f"python -m eval report {result_file} " in shown

    result = read_result(result_file)
    # What is printed as 3 is the fifth sheet, after i and ii.
    assert result.rows[1].gold == {"settlement-handbook.pdf#p5": 1}
    assert [row.question_id for row in result.rows if row.is_scored] == ["1", "2", "3", "4", "8"]
    assert result.rows[6].answerable is False
    found = {row.question_id: row.metrics["recall@20"] for row in result.rows if row.is_scored}
    assert found == {"1": 1.0, "2": 1.0, "3": 1.0, "4": 1.0, "8": 1.0}


# ── anchors ─────────────────────────────────────────────────────────────────────────────────────


def scifact(cache: Path, **overlay: Any) -> Result:
    dataset = read_beir(labelled("scifact"), cache / "corpora")
    settings = overlay_settings(Settings(), {**WHOLE_ABSTRACTS, **overlay})
    return run(dataset, settings, name="anchor", code=code_now(*MEASURED), cache=cache)


@needs_data
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_dense_search_alone_has_the_published_figure_on_scifact(cache: Path) -> None:
    """all-MiniLM-L6-v2 on SciFact has nDCG@10 of .6451 in the MTEB leaderboard's results."""
    result = scifact(cache, **{"retrieval.keyword_weight": 0.0})
    assert result.counts["scored"] == 300
    assert result.metrics["ndcg@10"].mean == pytest.approx(0.645, abs=0.002)


@needs_data
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_keyword_search_alone_is_as_good_as_published_on_scifact(cache: Path) -> None:
    """BM25 has nDCG@10 of .665 in the paper of BEIR (Thakur et al. 2021) and of .679 in Pyserini, flat."""
    result = scifact(cache, **{"retrieval.dense_weight": 0.0})
    assert result.metrics["ndcg@10"].mean >= 0.67


@needs_data
def test_keyword_scores_equal_those_of_bm25s_over_the_same_tokens(tmp_path: Path) -> None:
    folder = labelled("xquad/en")
    entries = read_jsonl(folder / "corpus.jsonl")
    tokens = [tokenize(f"{entry.get('title', '')}\n{entry['text']}") for entry in entries]
    names = [str(entry["_id"]) for entry in entries]
    own = KeywordSettings()
    index = KeywordIndex(tmp_path / "index", k1=own.k1, b=own.b)
    index.add(LeafTokens(name, "corpus", 1, held) for name, held in zip(names, tokens, strict=True))
    view = index.view({"corpus": 1})
    theirs = bm25s.BM25(method="lucene", k1=own.k1, b=own.b)
    theirs.index([list(held) for held in tokens], show_progress=False)

    compared = 0
    for query in read_jsonl(folder / "queries.jsonl"):
        terms = list(dict.fromkeys(query_tokens(query["text"], view.languages)))
        known = [term for term in terms if term in theirs.vocab_dict]
        hits = view.search_tokens(terms, len(names))
        if not known:
            assert hits == ()
            continue
        expected = dict(zip(names, theirs.get_scores(known).tolist(), strict=True))
        ours = {hit.node_id: hit.score for hit in hits}
        assert ours.keys() == {name for name, score in expected.items() if score > 0}
        np.testing.assert_allclose(
            [ours[name] for name in ours], [expected[name] for name in ours], rtol=1e-5
        )
        # bm25s adds in single precision: places may change where it cannot tell two scores apart.
        in_our_order = np.array([expected[hit.node_id] for hit in hits])
        assert (np.diff(in_our_order) <= 1e-5 * in_our_order[:-1]).all()
        compared += 1
    assert compared > 1000
