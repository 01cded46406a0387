"""What the tokens of a question weigh, worked by hand from how many leaves hold a word."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from prism.query.token_weights import FLOOR, MIN_LEAVES, UNSEEN, weigh_tokens

Span = tuple[int, int]


@dataclass(frozen=True)
class Held:
    """How many of some leaves hold a token."""

    frequencies: Mapping[str, int] = field(default_factory=dict)
    leaf_count: int = 1000
    languages: frozenset[str] = frozenset({"en"})

    def document_frequency(self, token: str) -> int:
        return self.frequencies.get(token, 0)


def rarity(held_by: int, of: int) -> float:
    """IDF of a word over that of a word in one leaf alone: ln((of + 1) / (held_by + ½)) each."""
    return math.log((of + 1) / (held_by + 0.5)) / math.log((of + 1) / 1.5)


def places(question: str, pattern: str = r"\w+|[^\w\s]") -> list[Span]:
    """Spans of words and of single marks, as most tokenizers cut."""
    return [found.span() for found in re.finditer(pattern, question)]


def weights(question: str, held: Held, pattern: str = r"\w+|[^\w\s]") -> dict[str, float]:
    spans = places(question, pattern)
    found = weigh_tokens(question, spans, held)
    assert len(found) == len(spans)
    return {question[start:end]: weight for (start, end), weight in zip(spans, found, strict=True)}


def test_a_word_of_one_leaf_weighs_1_and_others_by_their_rarity() -> None:
    found = weights("unicorn network cap", Held({"unicorn": 1, "network": 10, "cap": 100}))
    assert found["unicorn"] == pytest.approx(1.0)
    assert found["network"] == pytest.approx(rarity(10, 1000)) == pytest.approx(0.7007, abs=1e-4)
    assert found["cap"] == pytest.approx(rarity(100, 1000)) == pytest.approx(0.3535, abs=1e-4)


def test_function_words_and_words_that_stand_nearly_everywhere_weigh_the_floor() -> None:
    found = weights("what is the bank", Held({"bank": 900, "the": 3}))
    assert found == {"what": FLOOR, "is": FLOOR, "the": FLOOR, "bank": FLOOR}


def test_a_word_that_no_leaf_holds_weighs_as_a_fairly_rare_one() -> None:
    held = Held({"unicorn": 1, "bank": 400})
    found = weights("unicorn zebra bank", held)
    assert found["zebra"] == UNSEEN
    assert found["bank"] < found["zebra"] < found["unicorn"]


def test_among_few_leaves_words_weigh_as_among_a_hundred() -> None:
    # Of 5 leaves 4 hold it. Counted among 5 it would weigh the floor.
    few = weights("cap", Held({"cap": 4}, leaf_count=5))
    assert few["cap"] == pytest.approx(rarity(4, MIN_LEAVES)) == pytest.approx(0.7390, abs=1e-4)
    assert few == weights("cap", Held({"cap": 4}, leaf_count=MIN_LEAVES))
    assert few != weights("cap", Held({"cap": 4}, leaf_count=MIN_LEAVES + 50))


def test_punctuation_weighs_nothing_also_inside_a_word() -> None:
    found = weights("Why LQT-6312?", Held({"lqt-6312": 1}))
    assert found == {"Why": FLOOR, "LQT": 1.0, "-": 0.0, "6312": 1.0, "?": 0.0}


def test_a_text_without_words_weighs_nothing() -> None:
    assert weights("?! … –", Held()) == {"?": 0.0, "!": 0.0, "…": 0.0, "–": 0.0}
    assert weigh_tokens("", [], Held()).shape == (0,)


def test_the_pieces_of_a_word_weigh_what_the_word_weighs() -> None:
    held = Held({"network": 10, "net": 999, "work": 999})
    found = weights("networks", held, "net|works")
    assert found == pytest.approx({"net": rarity(10, 1000), "works": rarity(10, 1000)})


def test_a_token_that_reaches_beyond_its_word_belongs_to_none() -> None:
    assert weights("cap limit", Held({"cap": 1}), "cap lim|it") == {"cap lim": 0.0, "it": UNSEEN}


def test_a_function_word_is_one_in_the_language_of_the_whole_question() -> None:
    # Alone, `how` may be a German name; `die` is an article in German and a verb in English.
    held = Held({"die": 10, "mushroom": 10}, languages=frozenset({"de", "en", "es"}))
    english = weights("how do many mushrooms die", held)
    assert english == pytest.approx(
        {"how": FLOOR, "do": FLOOR, "many": FLOOR, "mushrooms": rarity(10, 1000), "die": rarity(10, 1000)}
    )
    assert weights("wie ist die Frist", held)["die"] == FLOOR


def test_capitals_make_a_name_of_a_function_word_unless_everything_is_in_capitals() -> None:
    held = Held({"IT": 1, "polici": 1})
    assert weights("the IT policy", held) == {"the": FLOOR, "IT": 1.0, "policy": 1.0}
    assert weights("WHAT IS THE POLICY", held) == {"WHAT": FLOOR, "IS": FLOOR, "THE": FLOOR, "POLICY": 1.0}


def test_a_token_may_count_the_blank_before_its_word() -> None:
    held = Held({"cap": 1, "limit": 1})
    assert weights("cap limit", held, r" ?\w+") == {"cap": 1.0, " limit": 1.0}
    assert weights("cap  limit", held, r"\w+| {2}") == {"cap": 1.0, "  ": 0.0, "limit": 1.0}


def test_of_the_forms_of_a_word_the_one_best_known_counts() -> None:
    # German and English stems of one word; in an English leaf only `run` is stored.
    held = Held({"run": 10}, languages=frozenset({"de", "en"}))
    assert weights("running", held)["running"] == pytest.approx(rarity(10, 1000))


def test_hindi_words_keep_their_vowel_signs_and_weigh_by_their_stems() -> None:
    held = Held({"सीम": 1, "हिंद": 100}, languages=frozenset({"hi"}))
    found = weights("हिन्दी की सीमा", held, r"\S+")
    assert found == pytest.approx({"हिन्दी": rarity(100, 1000), "की": FLOOR, "सीमा": 1.0})


def test_a_run_of_chinese_weighs_as_the_best_known_of_its_parts() -> None:
    held = Held({"年假": 10, "政策": 2}, languages=frozenset({"zh"}))
    found = weights("年假政策?", held, "年假|政策|[?]")
    assert found == pytest.approx({"年假": rarity(10, 1000), "政策": rarity(10, 1000), "?": 0.0})


def test_marks_beside_other_scripts_weigh_nothing() -> None:
    held = Held({"банк": 1, "dias": 100}, languages=frozenset({"es", "ru"}))
    found = weights("банков? ¿días!", held)
    assert found == pytest.approx({"банков": 1.0, "?": 0, "¿": 0, "días": rarity(100, 1000), "!": 0})
