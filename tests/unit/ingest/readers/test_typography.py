import pytest

from prism.ingest.readers.pdf_line import HYPHEN_AT_END
from prism.ingest.readers.typography import join_lines


@pytest.mark.parametrize(
    ("before", "after", "words", "joined"),
    [
        ("the infor" + HYPHEN_AT_END, "mation", {}, "the information"),
        ("a long" + HYPHEN_AT_END, "term plan", {"long-term": 1}, "a long-term plan"),
        ("a long" + HYPHEN_AT_END, "term plan", {"long": 3, "term": 4}, "a long-term plan"),
        ("co" + HYPHEN_AT_END, "operate", {"cooperate": 2, "co-operate": 1}, "cooperate"),
        ("Category" + HYPHEN_AT_END, "II banks", {}, "Category-II banks"),
        ("2024" + HYPHEN_AT_END, "25", {}, "2024-25"),
        ("in 2024-", "25", {}, "in 2024-25"),
        ("rates –", "April", {}, "rates – April"),
        ("plain", "words", {}, "plain words"),
        ("震动监测工", "作。下", {}, "震动监测工作。下"),
        ("版本", "2", {}, "版本 2"),
        ("적립 제외", "대상", {}, "적립 제외 대상"),
    ],
)
def test_a_word_split_at_a_line_end_is_made_whole(before, after, words, joined):
    assert join_lines(before, after, words) == joined
