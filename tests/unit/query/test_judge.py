"""The evidence that is put before the gate, gathered by hand from a pool of leaves.

By letters "cap" meets "cap" by 1, "cat" by 2/3, "dog" by 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from prism.query.calibration import BY_COVERAGE, Calibration, Curve
from prism.query.climb import Tree
from prism.query.condense import Standalone
from prism.query.judge import GATE_LEAVES, judge
from prism.query.late_interaction import Interaction
from prism.query.order import Ordered
from prism.query.parts import QueryParts
from prism.settings import Settings, overlay_settings
from prism.stores.active import Snapshot
from prism.stores.keywords import KeywordIndex, LeafTokens
from prism.text.tokens import tokenize
from prism.types import Candidate, LeafHit, Node, Ranking, Scope, Verdict
from tests.fakes import LetterTokenEmbedder

BY_SENTENCE = Calibration(
    (Curve({"sentence": 4.0}, -2.0), Curve({"coverage": 4.0}, -3.0)), 0.4, made_under=None, provenance={}
)
DENSE = Ranking("dense", "q", (LeafHit("a", 1, 0.75), LeafHit("b", 2, 0.5)))


@dataclass
class Bench:
    """Judges a question by leaves `a`, `b`, … of these texts, best first."""

    folder: Path

    def judge(
        self,
        question: str | Standalone,
        *texts: str,
        context: str = "",
        rankings: Sequence[Ranking] = (DENSE,),
        late: bool = True,
        calibration: Calibration = BY_COVERAGE,
        holds_code: bool = False,
        is_one_word: bool = False,
        **gate: Any,
    ) -> Verdict:
        asked = Standalone((question,), question) if isinstance(question, str) else question
        nodes = {
            chr(ord("a") + at): Node(
                chr(ord("a") + at), "doc", 1, 0, at, None, 0, len(text), text, "", context
            )
            for at, text in enumerate(texts)
        }
        words = {node_id: tokenize(node.indexed_text) for node_id, node in nodes.items()}
        keywords = KeywordIndex(self.folder)
        keywords.add(LeafTokens(node_id, "doc", 1, tokens) for node_id, tokens in words.items())
        parts = QueryParts(
            snapshot=Snapshot(1, "default", {"doc": 1}, keywords.view({"doc": 1})),
            scope=Scope(),
            catalogue=SimpleNamespace(nodes=Words(words)),
            vectors=None,
            embedder=LetterTokenEmbedder(),
            reranker=None,
            settings=overlay_settings(Settings(), {"gate": gate}),
            calibration=calibration,
        )
        return judge(
            asked,
            Ordered(tuple(Candidate(node_id, 1.0) for node_id in nodes), met(asked.text, nodes, late=late)),
            rankings,
            Tree(nodes, {}, {}),
            parts,
            holds_code=holds_code,
            is_one_word=is_one_word,
        )


@dataclass(frozen=True)
class Words:
    """The keyword tokens of the leaves, as the catalogue keeps them."""

    tokens: Mapping[str, tuple[str, ...]]

    def tokens_of(self, node_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        return {node_id: self.tokens[node_id] for node_id in node_ids}


def met(question: str, nodes: Mapping[str, Node], *, late: bool) -> Interaction | None:
    """The question's words, each worth the same, and the words of all leaves."""
    if not late:
        return None
    embedder = LetterTokenEmbedder()
    tokens = embedder.query_tokens(question)
    _, rows = embedder.embed_with_tokens([node.indexed_text for node in nodes.values()])
    return Interaction(tokens, np.ones(len(tokens.spans)), dict(zip(nodes, rows, strict=True)))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "keywords")


def test_everything_that_was_found_is_gathered(bench: Bench) -> None:
    verdict = bench.judge("cap", "dog", "cat cap. dog dog.")
    assert verdict.features == {
        "sentence": pytest.approx(1.0),
        "weakest": pytest.approx(1.0),
        "cosine": 0.75,
        "coverage": 1.0,
        "missing_names": 0.0,
        "missing_figures": 0.0,
        "negated": 0.0,
    }


def test_names_and_figures_are_looked_for_in_the_leaf_of_the_best_sentence(bench: Bench) -> None:
    verdict = bench.judge("cap of Napoleon in 1815", "cap of Wellington", "Napoleon 1815")
    assert verdict.features["missing_names"] == 1.0
    assert verdict.features["missing_figures"] == 1.0
    titled = bench.judge("cap of Napoleon in 1815", "cap of Wellington", context="Napoleon > 1815")
    assert titled.features["missing_names"] == titled.features["missing_figures"] == 0.0


def test_the_best_cosine_of_all_dense_searches_counts(bench: Bench) -> None:
    better = Ranking("dense", "rephrased", (LeafHit("b", 1, 0.875),))
    words = Ranking("keyword", "q", (LeafHit("a", 1, 12.0),))
    nothing = Ranking("dense", "other", ())
    assert bench.judge("cap", "dog", rankings=(DENSE, better, words, nothing)).features["cosine"] == 0.875
    assert bench.judge("cap", "dog", rankings=(words, nothing)).features["cosine"] is None


def test_only_the_best_leaves_are_evidence(bench: Bench) -> None:
    dogs = ["dog"] * (GATE_LEAVES - 1)
    assert bench.judge("cap", *dogs, "cap").features["coverage"] == 1.0
    beyond = bench.judge("cap", "dog", *dogs, "cap").features
    assert (beyond["coverage"], beyond["sentence"]) == (0.0, 0.0)


def test_an_empty_pool_is_no_evidence(bench: Bench) -> None:
    verdict = bench.judge("cap", rankings=())
    assert (verdict.features["coverage"], verdict.features["sentence"], verdict.abstain) == (0.0, None, True)


# ── follow-ups ──────────────────────────────────────────────────────────────────────────────────


def follow_up(focus: str, *, is_guess: bool) -> Standalone:
    return Standalone((f"What is the cap? {focus}", focus), focus, joined=True, is_guess=is_guess)


def test_what_answers_the_turn_before_is_no_evidence_for_a_guessed_follow_up(bench: Bench) -> None:
    verdict = bench.judge(follow_up("Mongolia?", is_guess=True), "the cap is ten")
    known = {name: value for name, value in verdict.features.items() if value is not None}
    assert known == {"coverage": 0.0, "negated": 0.0}
    assert verdict.abstain


def test_a_guessed_follow_up_whose_own_words_are_found_is_judged_whole(bench: Bench) -> None:
    verdict = bench.judge(follow_up("leave?", is_guess=True), "the cap is ten", "leave is paid")
    assert verdict.features["coverage"] == 1.0
    assert verdict.features["cosine"] == 0.75
    assert verdict.features["sentence"] is not None


def test_a_follow_up_that_is_none_by_guess_leans_on_the_turn_before(bench: Bench) -> None:
    features = bench.judge(follow_up("Mongolia?", is_guess=False), "the cap is ten").features
    assert 0.0 < (features["coverage"] or 0.0) < 1.0
    assert features["sentence"] is not None


# ── curves and thresholds ───────────────────────────────────────────────────────────────────────


def test_without_late_interaction_the_curve_over_the_share_of_terms_decides(bench: Bench) -> None:
    # 4 · 1 - 2 by the sentence; 4 · 1 - 3 by the share of terms.
    with_it = bench.judge("cap", "cap", calibration=BY_SENTENCE)
    without = bench.judge("cap", "cap", calibration=BY_SENTENCE, late=False)
    assert with_it.score == pytest.approx(1 / (1 + math.exp(-2)))
    assert without.score == pytest.approx(1 / (1 + math.exp(-1)))
    assert [name for name, value in without.features.items() if value is None] == [
        "sentence",
        "weakest",
        "missing_names",
        "missing_figures",
    ]


def test_the_threshold_of_the_settings_is_stronger_than_the_calibrations(bench: Bench) -> None:
    assert bench.judge("cap", "cap", calibration=BY_SENTENCE).threshold == 0.4
    verdict = bench.judge("cap", "cap", calibration=BY_SENTENCE, threshold=0.95)
    assert (verdict.threshold, verdict.abstain) == (0.95, True)


def test_a_gate_that_is_off_refuses_nothing_and_still_says_what_it_saw(bench: Bench) -> None:
    verdict = bench.judge("cap LQT-6312", "dog", enabled=False, threshold=0.9)
    assert (verdict.threshold, verdict.abstain) == (0.0, False)
    assert verdict.unknown_codes == ("LQT-6312",)
    assert verdict.score < 0.1


# ── what names one thing ────────────────────────────────────────────────────────────────────────


def test_a_held_code_and_a_single_word_that_is_held_are_evidence(bench: Bench) -> None:
    plain = bench.judge("cap", "cap").score
    assert bench.judge("cap", "cap", is_one_word=True).score > plain
    assert bench.judge("cap", "cap", holds_code=True).score > plain
    unknown = bench.judge("cap", "dog").score
    assert bench.judge("cap", "dog", is_one_word=True).score == unknown


def test_a_code_that_any_leaf_of_the_pool_mentions_is_known(bench: Bench) -> None:
    dogs = ["dog"] * GATE_LEAVES
    assert bench.judge("what is LQT-6312", *dogs, "see LQT 6312").unknown_codes == ()
    assert bench.judge("what is LQT-6312", *dogs, context="LQT-6312").unknown_codes == ()
    assert bench.judge("what is LQT-6312", *dogs).unknown_codes == ("LQT-6312",)


def test_a_code_of_the_turn_before_is_not_asked_for_again(bench: Bench) -> None:
    question = Standalone(("what is LQT-6312? the cap?", "the cap?"), "the cap?", joined=True)
    assert bench.judge(question, "cap").unknown_codes == ()
