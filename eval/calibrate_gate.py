"""Fit the abstention gate: `PRISM_DATA=… python -m eval.calibrate_gate`.

Questions the corpus answers (XQuAD English over its own paragraphs) against two kinds it does not answer:
*near*, the same questions with their paragraph taken out of scope, so that only its neighbours on the same
subject are left; and *far*, claims of SciFact and questions on circulars. The coefficients printed are those
in `prism/query/gate.py`; `docs/gate.md` keeps the table.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from eval.datasets.beir import read_beir
from eval.datasets.dataset import LabelledQuestion
from eval.datasets.files import read_jsonl
from prism import Prism, Scope
from prism.query import gate

QUESTIONS = 240
FAR_WEIGHT = 1.0
NEAR_WEIGHT = 0.5

Signals = list[tuple[float, float]]


def main() -> None:
    """Print the fitted coefficients and what each threshold lets through."""
    data = Path(os.environ["PRISM_DATA"])
    with tempfile.TemporaryDirectory() as folder:
        answered = read_beir(data / "xquad" / "en", Path(folder))
        questions = answered.questions[:: max(1, len(answered.questions) // QUESTIONS)]
        far = [
            *_texts(data / "scifact", "en")[: QUESTIONS // 2],
            *_texts(data / "rbi_circulars", "en"),
        ]
        with Prism.open(overlay={"storage.path": Path(folder) / "storage"}) as prism:
            prism.ingest(list(answered.sources))
            document_of = {answered.key_of[info.document]: info.document_id for info in prism.documents()}
            everything = frozenset(document_of.values())
            answerable = _signals(prism, ((question.text, None) for question in questions))
            near = _signals(
                prism,
                (
                    (question.text, everything - {document_of[entry] for entry in _gold(question)})
                    for question in questions
                ),
            )
            unrelated = _signals(prism, ((text, None) for text in far))
    _report(answerable, near, unrelated)


def _texts(folder: Path, language: str) -> list[str]:
    rows = read_jsonl(folder / "queries.jsonl")
    return [row["text"] for row in rows if row.get("lang", language) == language]


def _gold(question: LabelledQuestion) -> list[str]:
    return [entry for entry, grade in question.grades.items() if grade > 0]


def _signals(prism: Prism, asked: Iterable[tuple[str, frozenset[str] | None]]) -> Signals:
    signals = []
    for text, documents in asked:
        trace_id = prism.retrieve(text, scope=Scope(document_ids=documents)).trace_id
        verdict = prism.trace(trace_id)["gate"]
        signals.append((verdict["top_cosine"] or 0.0, verdict["coverage"]))
    return signals


def _report(answerable: Signals, near: Signals, far: Signals) -> None:
    for name, signals in (("answerable", answerable), ("near", near), ("far", far)):
        table = np.quantile(np.array(signals), (0.05, 0.25, 0.5, 0.75, 0.95), axis=0)
        cosines, coverages = table[:, 0].round(2), table[:, 1].round(2)
        print(f"{name:<11} n={len(signals):<4} cosine {cosines}  coverage {coverages}")
    features = np.array(answerable + near + far)
    answers = np.array([1] * len(answerable) + [0] * (len(near) + len(far)))
    weights = np.array([1.0] * len(answerable) + [NEAR_WEIGHT] * len(near) + [FAR_WEIGHT] * len(far))
    both = LogisticRegression(C=100.0).fit(features, answers, sample_weight=weights)
    coverage = LogisticRegression(C=100.0).fit(features[:, 1:], answers, sample_weight=weights)
    (cosine_weight, coverage_weight), (bias,) = both.coef_[0], both.intercept_
    print(f"cosine weight {cosine_weight:.2f}, coverage weight {coverage_weight:.2f}, bias {bias:.2f}")
    print(f"coverage alone: weight {coverage.coef_[0][0]:.2f}, bias {coverage.intercept_[0]:.2f}")
    print(f"in prism/query/gate.py: {gate.COSINE_WEIGHT}, {gate.COVERAGE_WEIGHT}, {gate.BIAS}")
    print("threshold  answered of answerable  of near  of far   (both signals | coverage alone)")
    for threshold in (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
        shares = [
            " ".join(
                f"{(model.predict_proba(np.array(signals)[:, columns])[:, 1] >= threshold).mean():6.3f}"
                for signals in (answerable, near, far)
            )
            for model, columns in ((both, slice(0, 2)), (coverage, slice(1, 2)))
        ]
        print(f"{threshold:9.2f}  {shares[0]}  |  {shares[1]}")


if __name__ == "__main__":
    main()
