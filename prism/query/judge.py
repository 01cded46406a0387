"""Judge: gather the evidence on a question from what was found, and put it before the gate."""

from __future__ import annotations

from collections.abc import Sequence

from prism.models.protocols import token_embedder
from prism.query.climb import Tree
from prism.query.condense import Standalone
from prism.query.evidence import best_sentence, features
from prism.query.gate import gate, missing_codes
from prism.query.order import Ordered
from prism.query.parts import QueryParts
from prism.types import Ranking, Verdict

GATE_LEAVES = 5
"""How many of the best leaves are looked at."""


def judge(
    question: Standalone,
    ordered: Ordered,
    rankings: Sequence[Ranking],
    tree: Tree,
    parts: QueryParts,
    *,
    holds_code: bool,
    is_one_word: bool,
) -> Verdict:
    """The gate's verdict.

    Args:
        ordered: the pool, best first.
        rankings: of the legs.
        holds_code: the question names a code that some passages hold.
        is_one_word: it is a single term.
    """
    best = [tree.nodes[item.node_id] for item in ordered.pool[:GATE_LEAVES]]
    found = list(parts.catalogue.nodes.tokens_of(leaf.node_id for leaf in best).values())
    keywords, interaction, embedder = (
        parts.snapshot.keywords,
        ordered.interaction,
        token_embedder(parts.embedder),
    )
    coverage = keywords.coverage(question.text, found)
    cosines = [ranking.hits[0].score for ranking in rankings if ranking.leg == "dense" and ranking.hits]
    sentence = best_sentence(best, interaction, embedder) if interaction and embedder else None
    if question.is_guess and not keywords.coverage(question.focus, found):
        # Nothing of this turn's own words was found: the evidence is about the turn before.
        coverage, cosines, sentence = 0.0, [], None
    settings = parts.settings.gate
    return gate(
        features(
            question.text,
            sentence,
            weights=interaction.weights if interaction else None,
            cosine=max(cosines, default=None),
            coverage=coverage,
        ),
        parts.calibration,
        threshold=settings.threshold if settings.enabled else 0.0,
        names_one_thing=holds_code or (is_one_word and coverage == 1.0),
        unknown_codes=missing_codes(
            question.focus, [tree.nodes[item.node_id].indexed_text for item in ordered.pool]
        ),
    )
