from prism.ingest.readers.word_places import PlacedWord, boxes_of


def placed(*texts: str) -> list[PlacedWord]:
    return [PlacedWord(text, (float(at), 0.0, float(at) + 1, 1.0)) for at, text in enumerate(texts)]


def found(text: str, words: list[PlacedWord], start: int = 0) -> list[tuple[str, float]]:
    return [(text[box.start : box.end], box.left) for box in boxes_of(text, start, len(text), words)]


def test_words_are_found_in_order():
    words = placed("the", "cap", "is", "the", "limit")
    assert found("the cap is the limit", words) == [
        ("the", 0),
        ("cap", 1),
        ("is", 2),
        ("the", 3),
        ("limit", 4),
    ]


def test_offsets_are_those_of_the_document():
    assert found("before the cap", placed("the", "cap"), start=7) == [("the", 0), ("cap", 1)]


def test_running_lines_that_were_taken_out_leave_the_others_in_place():
    assert found("the cap", placed("ACME", "7", "the", "cap")) == [("the", 2), ("cap", 3)]


def test_a_word_split_by_a_line_end_has_two_boxes():
    text = "the regulation cap"
    assert found(text, placed("the", "regu-", "lation", "cap")) == [
        ("the", 0), ("regu", 1), ("lation", 2), ("cap", 3),
    ]  # fmt: skip


def test_a_compound_split_at_its_hyphen_has_two_boxes():
    assert found("a low-cost loan", placed("a", "low-", "cost", "loan")) == [
        ("a", 0), ("low-", 1), ("cost", 2), ("loan", 3),
    ]  # fmt: skip


def test_no_words_no_boxes():
    assert found("text", []) == []
    assert found("", placed("a")) == []
