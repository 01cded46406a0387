"""Vectors to measure with: mixtures of real sentence vectors, so that they lie as an embedder's do.

Independent random vectors have no neighbours worth the name, which makes a graph look worse than it is; real
vectors mixed have topics, near-copies and far-offs. Noise, too, points where real vectors differ.
"""

from __future__ import annotations

import numpy as np

from eval.bench.corpus import TOPICS
from prism.models.protocols import Vectors

SENTENCES_PER_TOPIC = 3
SENTENCES_PER_LEAF = 3
TOPIC_WEIGHT = 0.6
LEAF_NOISE = 0.35
"""Length of the noise beside a mixture of length about 1."""

QUESTION_NOISE = 1.0
"""A question's cosine with its leaf is then about 0.7, as near as MiniLM puts real questions at best."""


def leaf_vectors(count: int, number: int, sentences: Vectors, seed: int) -> Vectors:
    """Vectors of the leaves of a document, float32 (count, d), rows of length 1.

    Args:
        number: the document's number, which decides its topic.
        sentences: shape (n, d), rows of length 1.
    """
    topic_draw = np.random.default_rng([seed, 3, number % TOPICS])
    topic = sentences[topic_draw.integers(len(sentences), size=SENTENCES_PER_TOPIC)].mean(axis=0)
    draw = np.random.default_rng([seed, 4, number])
    chosen = draw.integers(len(sentences), size=(count, SENTENCES_PER_LEAF))
    weights = draw.dirichlet(np.ones(SENTENCES_PER_LEAF), size=count)
    own = np.einsum("ls,lsd->ld", weights, sentences[chosen])
    mixed = TOPIC_WEIGHT * unit(topic[None]) + (1 - TOPIC_WEIGHT) * unit(own)
    return unit(mixed + LEAF_NOISE * _noise(count, sentences, draw))


def question_vectors(leaves: Vectors, sentences: Vectors, seed: int) -> Vectors:
    """A vector near each of these, float32 (n, d), rows of length 1. Arguments as for `leaf_vectors`."""
    draw = np.random.default_rng([seed, 5])
    return unit(leaves + QUESTION_NOISE * _noise(len(leaves), sentences, draw))


def unit(rows: np.ndarray) -> Vectors:
    """Rows scaled to length 1."""
    scaled: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def _noise(count: int, sentences: Vectors, draw: np.random.Generator) -> Vectors:
    """Directions distributed as the sentences are around their mean."""
    return unit(draw.standard_normal((count, len(sentences))) @ (sentences - sentences.mean(axis=0)))
