from prism.ingest.readers.recognized_lines import line_texts, paragraphs_of
from prism.ingest.readers.recognized_page import RecognizedLine, RecognizedPage
from prism.ingest.readers.tesseract import ReadWord


def lines(*texts: str, paragraph: int = 0) -> tuple[RecognizedLine, ...]:
    return tuple(
        RecognizedLine(tuple(ReadWord(word, 95, (1, 1, 1), 0, 0, 9, 9) for word in text.split()), paragraph)
        for text in texts
    )


def paragraphs(*all_lines: RecognizedLine) -> list[list[str]]:
    return [line_texts(found) for found in paragraphs_of(RecognizedPage("read", all_lines, 10, 10))]


def test_lines_of_a_paragraph_stay_together():
    assert paragraphs(*lines("one two", "three."), *lines("Four", paragraph=1)) == [
        ["one two", "three."],
        ["Four"],
    ]


def test_a_sentence_that_plainly_goes_on_is_not_parted():
    parted = (*lines("quay, and the"), *lines("master pays.", paragraph=1), *lines("or more", paragraph=2))
    assert paragraphs(*parted) == [["quay, and the", "master pays."], ["or more"]]


def test_list_items_are_paragraphs_of_their_own():
    given = lines("Rates:", "(a) berths", "at the quay", "(b) moorings", "• boats")
    assert paragraphs(*given) == [["Rates:"], ["(a) berths", "at the quay"], ["(b) moorings"], ["• boats"]]


def test_a_word_that_goes_on_is_marked():
    assert line_texts(lines("the regu-", "lation of", "Anglo-", "Saxon law-")) == [
        "the regu\x02", "lation of", "Anglo-", "Saxon law-",
    ]  # fmt: skip
    assert line_texts(lines("Saxon law-"), goes_on=True) == ["Saxon law\x02"]


def test_a_range_of_numbers_keeps_its_hyphen():
    assert line_texts(lines("pages 7-", "nine")) == ["pages 7-", "nine"]
