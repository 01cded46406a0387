"""How much an encoder computes, worked by hand, and what is embedded."""

from __future__ import annotations

import json
from pathlib import Path

from eval.bench.embedding import Shape, leaves_per_s, sample_leaves
from tests.fakes import LetterEmbedder

TINY = Shape(layers=2, hidden=3, inner=5, heads=1)


def test_operations_of_a_tiny_encoder_worked_by_hand() -> None:
    # One token, one layer: 4·3·3 projections, 2·3·5 through the inner layer, 2·1·3 attention = 72 products of
    # a multiplication and an addition; two layers.
    assert TINY.flops(1) == 2 * 2 * 72


def test_attention_grows_with_the_square_of_the_length() -> None:
    # Per layer and token 36 + 30 whatever the length, and 6 times the length.
    assert TINY.flops(10) == 2 * 2 * 10 * (66 + 60)


def test_shape_is_read_from_the_folder(tmp_path: Path) -> None:
    config = {
        "num_hidden_layers": 6,
        "hidden_size": 384,
        "intermediate_size": 1536,
        "num_attention_heads": 12,
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert Shape.of(tmp_path) == Shape(6, 384, 1536, 12)


def test_minilm_takes_21_million_operations_a_token_besides_attention() -> None:
    # 12 h² weights a layer: 6 · 12 · 384² = 10.6 million, each multiplied and added once.
    shape = Shape(6, 384, 1536, 12)
    assert shape.flops(1) - 2 * 6 * 2 * 384 == 2 * 6 * 12 * 384**2


def test_sample_leaves_are_the_leaves_of_every_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The fund pays interest every quarter. " * 60)
    (tmp_path / "b.txt").write_text("A short note.")
    texts = sample_leaves(tmp_path, LetterEmbedder())  # type: ignore[arg-type]
    assert texts[-1] == "A short note."
    assert len(texts) > 2
    assert "".join(texts[:-1]).replace(" ", "") == "Thefundpaysinteresteveryquarter." * 60


def test_rate_asks_for_every_text_once() -> None:
    asked: list[str] = []
    assert leaves_per_s(asked.extend, ["one", "two", "three"]) > 0
    assert asked == ["one", "two", "three"]
