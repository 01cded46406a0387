"""The keyword leg alone on public labelled data: nDCG@10 must not fall below what was measured.

Needs the folder that PRISM_DATA names (BEIR form). The figures are in docs/keywords.md.
"""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import ir_measures
import pytest
from ir_measures import nDCG

from prism.stores.keywords import KeywordIndex, LeafTokens
from prism.text.tokens import tokenize

DATA = os.environ.get("PRISM_DATA")

pytestmark = pytest.mark.skipif(not DATA, reason="PRISM_DATA does not name a folder of labelled data")


def rows(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def ndcg_at_10(folder: Path, index_folder: Path) -> float:
    """Mean over the judged queries; one leaf per document, as the file gives it."""
    index = KeywordIndex(index_folder)
    index.add(
        LeafTokens(row["_id"], "corpus", 1, tokenize(f"{row.get('title', '')}\n{row['text']}"))
        for row in rows(folder / "corpus.jsonl")
    )
    view = index.view({"corpus": 1})
    with (folder / "qrels.tsv").open(encoding="utf-8") as file:
        judgements = [
            ir_measures.Qrel(query, document, int(grade))
            for query, document, grade in list(csv.reader(file, delimiter="\t"))[1:]
        ]
    judged = {judgement.query_id for judgement in judgements}
    run = [
        ir_measures.ScoredDoc(row["_id"], hit.node_id, hit.score)
        for row in rows(folder / "queries.jsonl")
        if row["_id"] in judged
        for hit in view.search(row["text"], 10)
    ]
    return float(ir_measures.calc_aggregate([nDCG @ 10], judgements, run)[nDCG @ 10])


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("xquad/en", 0.96),
        ("xquad/hi", 0.95),
        ("cranfield", 0.385),
        pytest.param("scifact", 0.68, marks=pytest.mark.slow),
    ],
)
def test_keyword_search_alone_ranks_as_well_as_measured(name: str, least: float, tmp_path: Path) -> None:
    folder = Path(DATA or "") / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    assert ndcg_at_10(folder, tmp_path) >= least
