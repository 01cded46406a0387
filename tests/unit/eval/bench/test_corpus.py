"""Generated texts: the same every time, and with word frequencies as of a language."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from eval.bench.corpus import (
    TOPICS,
    WORDS_PER_DOCUMENT,
    make_document,
    make_vocabulary,
    read_sentences,
    zipf_ranks,
)
from prism.errors import UsageError

SENTENCES = (
    "The treasurer reports every quarter what the harbour fund has earned and spent.",
    "Members who settle late pay 2 percent of the amount for each day.",
    "Nobody may hold the keys of both vaults at once.",
)
VOCABULARY = make_vocabulary(2000, seed=0)


def test_document_is_the_same_every_time() -> None:
    assert make_document(3, SENTENCES, VOCABULARY, seed=0) == make_document(3, SENTENCES, VOCABULARY, seed=0)


def test_documents_of_other_numbers_and_seeds_differ() -> None:
    texts = {make_document(number, SENTENCES, VOCABULARY, seed) for number in (0, 1) for seed in (0, 1)}
    assert len(texts) == 4


def test_document_has_the_length_wanted_to_within_a_paragraph() -> None:
    words = len(make_document(0, SENTENCES, VOCABULARY, seed=0).split())
    assert WORDS_PER_DOCUMENT <= words < WORDS_PER_DOCUMENT + 7 * 14


def test_short_words_and_figures_stay_as_they_were() -> None:
    text = make_document(0, SENTENCES, VOCABULARY, seed=0)
    assert set(re.findall(r"\b[A-Za-z]{1,3}\b|\d+", text)) >= {"The", "the", "may", "of", "2"}


def test_replaced_words_keep_their_capital() -> None:
    text = make_document(0, ("Harbour Treasury Members Settlement Interest Penalty.",), VOCABULARY, seed=0)
    words = re.findall(r"[A-Za-z]{2,}", text)
    assert all(word[0].isupper() for word in words)
    known = {"Harbour", "Treasury", "Members", "Settlement", "Interest", "Penalty"}
    replaced = sum(word not in known for word in words) / len(words)
    assert 0.30 < replaced < 0.40


def test_documents_of_one_topic_share_more_words_than_those_of_two() -> None:
    generated = set(VOCABULARY)

    def words(number: int) -> set[str]:
        return {
            w for w in make_document(number, SENTENCES, VOCABULARY, seed=0).lower().split() if w in generated
        }

    assert len(words(1) & words(1 + TOPICS)) > 1.2 * len(words(1) & words(2))


def test_vocabulary_has_different_words_and_begins_alike_whatever_its_size() -> None:
    assert len(set(VOCABULARY)) == 2000
    assert make_vocabulary(50, seed=0) == VOCABULARY[:50]
    assert make_vocabulary(50, seed=1) != VOCABULARY[:50]


def test_ranks_fall_as_one_over_rank() -> None:
    # Of three words the harmonic weights are 1, 1/2, 1/3: shares 6/11, 3/11, 2/11.
    ranks = zipf_ranks(200_000, 3, np.random.default_rng(0))
    shares = np.bincount(ranks, minlength=3) / len(ranks)
    assert shares == pytest.approx([6 / 11, 3 / 11, 2 / 11], abs=0.01)


def test_ranks_never_leave_the_vocabulary() -> None:
    ranks = zipf_ranks(10_000, 7, np.random.default_rng(1))
    assert (ranks.min(), ranks.max()) == (0, 6)


def test_sentences_are_those_of_the_folder_each_once_of_fitting_length(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Too short. " + SENTENCES[0] + " " + SENTENCES[1])
    (tmp_path / "a.txt").write_text(SENTENCES[1] + " यह वाक्य छोड़ दिया जाता है क्योंकि वह हिंदी में है।")
    (tmp_path / "c.csv").write_text(SENTENCES[2])
    assert read_sentences(tmp_path) == (SENTENCES[1], SENTENCES[0])


def test_folder_without_sentences_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(str(tmp_path))):
        read_sentences(tmp_path)
