"""States of words: read once, punctuation left out, given in the order asked for."""

from __future__ import annotations

import numpy as np
import pytest

from eval.runs.cache import Kept
from eval.training import states as module
from eval.training.states import WordStates
from tests.unit.eval.training.conftest import WordNetwork

TEXTS = ["ab, cd!", "...", "ef"]


def word_states(values: Kept, **changed: object) -> WordStates:
    named = {"embedder": "words@1", "max_tokens": 64, **changed}
    return WordStates(values, **named)  # type: ignore[arg-type]


def test_each_text_has_the_states_of_its_words_in_half_precision(values: Kept, network: WordNetwork) -> None:
    states = word_states(values)
    states.read(TEXTS, "text", network)
    found = states.get([TEXTS[2], TEXTS[0], TEXTS[1]], "text")
    assert [each.dtype for each in found] == [np.float32] * 3
    for rows, words in zip(found, (["ef"], ["ab", "cd"], []), strict=True):
        expected = np.array([network.state(word) for word in words]).reshape(-1, 4)
        assert rows.shape == expected.shape
        assert np.abs(rows - expected).max(initial=0) < 1e-3


def test_what_was_read_is_not_read_again(values: Kept, network: WordNetwork, monkeypatch) -> None:
    monkeypatch.setattr(module, "LOOKED_UP", 2)
    word_states(values).read([TEXTS[0], TEXTS[0]], "text", network)
    word_states(values).read(TEXTS, "text", network)
    assert sorted(text for _, text in network.asked) == sorted(TEXTS)


def test_a_run_that_was_stopped_keeps_the_batches_before(values: Kept, network: WordNetwork) -> None:
    class Stopping(WordNetwork):
        def with_states(self, texts, prompt_name):
            yield next(super().with_states(texts, prompt_name))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        word_states(values).read(TEXTS, "text", Stopping())
    word_states(values).read(TEXTS, "text", network)
    assert network.asked == [("text", TEXTS[0])]


@pytest.mark.parametrize("changed", [{"embedder": "words@2"}, {"max_tokens": 8}])
def test_another_reading_has_other_states(values: Kept, network: WordNetwork, changed) -> None:
    word_states(values).read(["ab"], "text", network)
    with pytest.raises(KeyError):
        word_states(values, **changed).get(["ab"], "text")
    with pytest.raises(KeyError):
        word_states(values).get(["ab"], "query")
