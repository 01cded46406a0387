"""Chunks of several levels: lengths worked by hand, and what must hold of any text."""

from __future__ import annotations

from itertools import pairwise

import regex
from hypothesis import given
from hypothesis import strategies as st

from prism.text.division import plain_division
from prism.text.pack import Levels, Unit, floored, pack, visible_span
from prism.text.pack import chunk_levels as chunk_levels_of

SIZES = (16, 8, 4)


def words(text: str) -> int:
    return len(text.split())


def units(*lengths: int) -> list[Unit]:
    return [Unit(place, place + 1, length) for place, length in enumerate(lengths)]


def lengths(groups: list[list[Unit]]) -> list[list[int]]:
    return [[unit.tokens for unit in group] for group in groups]


def chunk_levels(text: str, sizes, count, **options) -> Levels:
    return chunk_levels_of(plain_division(text), sizes, floored(count), **options)


def leaf_texts(text: str, sizes=SIZES, count=words, **options) -> list[str]:
    return [text[chunk.start : chunk.end] for chunk in chunk_levels(text, sizes, count, **options)[-1]]


def test_groups_are_as_few_as_can_be_and_even() -> None:
    assert lengths(pack(units(3, 3, 3, 3), 9)) == [[3, 3], [3, 3]]
    assert lengths(pack(units(1, 1, 1, 1, 1), 4)) == [[1, 1, 1], [1, 1]]
    assert lengths(pack(units(2, 2), 4)) == [[2, 2]]
    assert pack([], 4) == []


def test_a_unit_longer_than_the_size_stands_alone() -> None:
    assert lengths(pack(units(1, 9, 1), 4)) == [[1], [9], [1]]


def test_overlap_repeats_whole_units_from_the_group_before() -> None:
    assert lengths(pack(units(2, 2, 1, 3, 2), 5, overlap=2)) == [[2, 2, 1], [1, 3], [2]]


def test_overlap_never_repeats_a_whole_group() -> None:
    groups = pack(units(1, 4, 1, 4), 4, overlap=4)
    starts = [group[0].start for group in groups]
    assert starts == sorted(set(starts))


def test_levels_nest_and_name_their_parent() -> None:
    text = "One two three. Four five six. Seven eight nine. Ten eleven twelve."
    top, leaves = chunk_levels(text, (6, 3), words)
    assert [text[chunk.start : chunk.end] for chunk in top] == [
        "One two three. Four five six.",
        "Seven eight nine. Ten eleven twelve.",
    ]
    assert [(text[chunk.start : chunk.end], chunk.parent) for chunk in leaves] == [
        ("One two three.", 0),
        ("Four five six.", 0),
        ("Seven eight nine.", 1),
        ("Ten eleven twelve.", 1),
    ]
    assert [chunk.parent for chunk in top] == [None, None]


def test_a_sentence_too_long_is_cut_between_words_and_evenly() -> None:
    assert leaf_texts("a b c d e f", (4,)) == ["a b c", "d e f"]


def test_chk_04_a_word_too_long_is_cut_between_graphemes() -> None:
    family = "👨‍👩‍👧‍👦"
    for text in ("고객" * 50, family * 20, "고객" * 50 + family):
        pieces = leaf_texts(text, (2,), len)
        assert "".join(pieces) == text
        assert all(len(piece) <= 2 or piece == family for piece in pieces)
        assert family not in text or family in "".join(pieces)
        assert [grapheme for piece in pieces for grapheme in regex.findall(r"\X", piece)] == regex.findall(
            r"\X", text
        )


def test_chk_04_a_single_grapheme_too_long_is_passed_whole() -> None:
    assert leaf_texts("👨‍👩‍👧‍👦", (4, 2), len) == ["👨‍👩‍👧‍👦"]


def test_chk_06_repeated_text_takes_each_its_own_place() -> None:
    text = "".join(f"{('Same line here.', 'Pay by Friday.', 'See it.')[n % 3]}\n" for n in range(300))
    leaves = chunk_levels(text, (40, 20), words, overlap=4)[-1]
    starts = [chunk.start for chunk in leaves]
    assert starts == sorted(set(starts))
    assert leaves[0].start == 0
    assert leaves[-1].end == len(text) - 1


def test_chk_08_hindi_is_cut_after_the_danda_with_and_without_a_space() -> None:
    for joint in ("", " ", "\n"):
        sentence = "यह नियम सभी पर लागू है।"
        pieces = leaf_texts(joint.join([sentence] * 30), (12, 6))
        assert len(pieces) == 30
        assert set(pieces) == {sentence}


def test_chk_09_chinese_is_cut_at_its_full_stop_and_never_over_the_cap() -> None:
    text = "本公司员工每年享有十五天带薪年假。" * 200
    pieces = leaf_texts(text, (200, 100, 40), len)
    assert all(len(piece) <= 40 and piece.endswith("。") for piece in pieces)
    assert "".join(pieces) == text


def test_chk_09_thai_without_spaces_stays_under_the_cap_on_grapheme_boundaries() -> None:
    text = "พนักงานทุกคนมีสิทธิลาพักร้อนปีละสิบห้าวัน" * 60
    pieces = leaf_texts(text, (400, 100), len)
    assert all(len(piece) <= 100 for piece in pieces)
    assert "".join(pieces) == text
    assert [mark for piece in pieces for mark in regex.findall(r"\X", piece)] == regex.findall(r"\X", text)


def test_a_tokenizer_that_takes_a_long_word_for_one_unknown_token_does_not_make_a_giant_chunk() -> None:
    text = "QUJDREVGR0hJSktM" * 500
    pieces = leaf_texts(text, (128, 32), words)
    assert max(map(len, pieces)) <= 32 * 8
    assert "".join(pieces) == text


def test_chk_12_blank_stretches_make_no_chunk() -> None:
    assert chunk_levels("", SIZES, words) == ((), (), ())
    assert chunk_levels(" \n\t\u200b\ufeff\u00a0 \n", SIZES, words) == ((), (), ())
    pieces = leaf_texts("# One\n\n \u200b \n\n# Two\n\n" + " \n" * 50 + "Some words follow here.", (4,))
    assert all(piece.strip("\u200b \n") for piece in pieces)


def test_a_visible_span_has_no_blanks_at_its_ends() -> None:
    assert visible_span("\ufeff\n a b \n", 0, 7) == (3, 6)
    assert visible_span(" \u200b ", 0, 3) is None


ANY_TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab. \n\t।。高客👨\u200d👩\u0301\u093e\u200b!?7,"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=300,
)


@given(text=ANY_TEXT, overlap=st.integers(0, 3), count=st.sampled_from([len, words]))
def test_of_any_text_every_visible_character_is_in_a_leaf_and_levels_nest(text, overlap, count) -> None:
    levels = chunk_levels(text, SIZES, count, overlap=overlap)
    covered = {place for leaf in levels[-1] for place in range(leaf.start, leaf.end)}
    missing = "".join(character for place, character in enumerate(text) if place not in covered)
    assert visible_span(missing, 0, len(missing)) is None
    for above, below in pairwise(levels):
        for chunk in below:
            assert chunk.parent is not None
            assert above[chunk.parent].start <= chunk.start < chunk.end <= above[chunk.parent].end
    for level in levels:
        starts = [chunk.start for chunk in level]
        assert starts == sorted(set(starts))
