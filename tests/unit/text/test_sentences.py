"""Sentence, word and grapheme spans: nothing lost, ends where a reader would put them."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from prism.text.sentences import LONG_SENTENCE_CHARS, Spans, grapheme_spans, sentence_spans, word_spans

FAMILY = "👨\u200d👩\u200d👧\u200d👦"

texts = st.one_of(
    st.text(),
    st.text(alphabet=".!?…।॥。！？؟ \n\r\t'\"”)（[1]aAबि़กำ\u200d\ufe0f\u0301"),
    st.lists(
        st.sampled_from(["No. ", "5", "The ", "é", "।", "\n", "\r\n", "- ", "a | b", "k: v; q: w", FAMILY])
    ).map("".join),
)
every_cutter = pytest.mark.parametrize("cut", [sentence_spans, word_spans, grapheme_spans])


def sentences(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in sentence_spans(text)]


@every_cutter
@given(text=texts)
def test_pieces_cover_the_text_without_gap_or_overlap(cut: Callable[[str], Spans], text: str) -> None:
    spans = cut(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    assert all(left[1] == right[0] for left, right in pairwise(spans))


@every_cutter
@given(text=texts)
def test_no_piece_begins_inside_a_grapheme(cut: Callable[[str], Spans], text: str) -> None:
    boundaries = {match.start() for match in regex.finditer(r"\X", text)}
    assert all(start in boundaries for start, _ in cut(text))


@given(text=texts)
def test_white_space_belongs_to_the_sentence_before(text: str) -> None:
    assert all(not text[start].isspace() for start, _ in sentence_spans(text)[1:])


@every_cutter
def test_the_empty_text_has_no_pieces(cut: Callable[[str], Spans]) -> None:
    assert cut("") == ()


@pytest.mark.parametrize("gap", [" ", ""])
def test_chk_08_a_danda_ends_a_sentence_with_or_without_a_space(gap: str) -> None:
    text = gap.join(["भुगतान की सीमा बढ़ गई है।", "नया नियम एक अप्रैल से लागू है।", "धन्यवाद।"])
    assert sentences(text)[:2] == ["भुगतान की सीमा बढ़ गई है।", "नया नियम एक अप्रैल से लागू है।"]


def test_chk_08_verse_numbers_stay_with_their_verse() -> None:
    assert sentences("पहला चरण॥ १ ॥ दूसरा चरण॥ २ ॥") == ["पहला चरण॥ १ ॥", "दूसरा चरण॥ २ ॥"]


def test_an_opening_double_danda_stays_with_what_it_opens() -> None:
    assert sentences("नियम लागू है। ॥ शुभ लाभ ॥ आगे पढ़ें।") == ["नियम लागू है।", "॥ शुभ लाभ ॥", "आगे पढ़ें।"]


def test_chk_09_chinese_is_cut_at_its_own_stops() -> None:
    text = "员工每年有二十四天年假。" * 400
    assert sentences(text) == ["员工每年有二十四天年假。"] * 400


def test_chk_09_long_thai_is_cut_at_spaces_only() -> None:
    phrase = "พนักงานมีสิทธิลาพักร้อนปีละยี่สิบสี่วัน"
    text = " ".join([phrase] * 30)
    pieces = sentences(text)
    assert len(pieces) > 1
    assert all(len(piece) <= LONG_SENTENCE_CHARS for piece in pieces)
    assert all(piece.startswith("พนักงาน") and piece.endswith("วัน") for piece in pieces)


def test_chk_04_units_that_cannot_be_cut_stay_whole() -> None:
    assert sentence_spans("고객" * 50) == ((0, 100),)
    assert grapheme_spans(FAMILY + "सीमा") == ((0, 7), (7, 9), (9, 11))
    assert word_spans(FAMILY + " सीमा") == ((0, 8), (8, 12))


def test_words_of_scripts_without_spaces_are_single_graphemes_with_the_vowels_around_them() -> None:
    text = "年假 24 days กำไร"
    assert [text[start:end] for start, end in word_spans(text)] == [
        "年", "假 ", "24 ", "days ", "กำ", "ไร",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "parts",
    [
        ["Is it due?", "Yes!", "Pay today."],
        ["他来了！", "真的？", "「是的。」", "他说。"],
        ["هل انتهى؟", "نعم.", "شكرا."],
        ["کیا یہ درست ہے؟", "جی ہاں۔", "شکریہ۔"],
        ["Բարեւ։", "Ինչպես ես։"],
        ["ሰላም።", "እንዴት ነህ፧", "ደህና።"],
        ["នេះជាច្បាប់។", "វាថ្មី។"],
        ["ဥပဒေဖြစ်သည်။", "အသစ်ဖြစ်သည်။"],
        ["Τι είναι;", "Αυτό είναι."],
        ["Что это?", "Это правило."],
        ["He waited…", "Then it came."],
    ],
)
def test_every_script_ends_its_sentences(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "See No. 5 and Sec. 7(b) of Art. 12.",
        "The fee is Rs. 5,000 or approx. 3.5 per cent.",
        "Dr. Rao, Mr. Sen and Smt. Devi met J. K. Rowling.",
        "Some devices, e.g. Terminals, i.e. Readers, are free.",
        "Smith vs. Jones is shown in Fig. IV and cl. (a).",
        "Acme Inc. Holdings and Mandi Co. Ltd. Mumbai signed on Jan. 5.",
        "The U.S. Treasury replied.",
        "Well... maybe it was wait… no.",
        "Open README.md or http://a.example/x?y=z.html or write to a.b@c.example.",
        'He shouted "Stop!" and left.',
        "He said (!) that it works.",
        "डॉ. शर्मा ने रु. 500 दिए।",
        "ए. पी. जे. अब्दुल कलाम आए।",
        "Es gilt z. B. ab dem 3. Oktober.",
        "The line was\nwrapped in the\nmiddle.",
    ],
)
def test_a_stop_that_ends_nothing_does_not_cut(sentence: str) -> None:
    assert sentences(f"{sentence} The next one.")[0] == sentence


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Is it free? No.", "The fee is 5."),
        ("It was sold to Acme Inc.", "The board agreed."),
        ("Choose plan B.", "The other is closed."),
        ("The rule dates from 2020.", "The rest is newer."),
        ("Bring pens, paper etc.", "Members may sit."),
        ('"It is closed."', "She left."),
        ("(It rained.)", "We left."),
        ("The cap is ₹500.[1]", "It rose."),
        ("The cap is ₹500. [1]", "It rose."),
        ("The shop is in Main St.", "The door is red."),
        ("Bring the first item.", "2. Bring the rest."),
        ("Bring the first item.", "b. Bring the rest."),
        ("Doors close at 5 p.m.", "Guests leave."),
    ],
)
def test_a_true_end_cuts_even_after_an_abbreviation(first: str, second: str) -> None:
    assert sentences(f"{first} {second}")[-2:] == [sentences(first)[-1], second]


def test_numbering_stays_with_what_it_numbers() -> None:
    assert sentences("4.2. Scope is wide. 1. Open it. 2. Save it. Section 4. Limits apply.") == [
        "4.2. Scope is wide.",
        "1. Open it.",
        "2. Save it.",
        "Section 4. Limits apply.",
    ]


@pytest.mark.slow
def test_one_megabyte_of_prose_and_of_hard_text_is_linear() -> None:
    prose = "The fee of Rs. 500 is due, e.g. on 5 May. It rises later. "
    for unit in (prose, ".", ".'", "- a\n", "1.1.", "a: b; "):
        text = unit * (1_000_000 // len(unit))
        began = time.perf_counter()
        sentence_spans(text)
        assert time.perf_counter() - began < 10, unit
