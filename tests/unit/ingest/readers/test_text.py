from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.text import read


def text(content: str):
    return read(SourceFile(content.encode(), "t.txt", "t"))


def test_form_feeds_part_pages_and_the_text_stays_as_it_is():
    loaded = text("one\n\ftwo\n\f\fthree\n\f\n")
    assert loaded.text == "one\n\ftwo\n\f\fthree\n\f\n"
    assert [(page.label, loaded.text[page.start : page.end]) for page in loaded.pages] == [
        ("1", "one\n"),
        ("2", "two\n"),
        ("3", ""),
        ("4", "three\n\f\n"),
    ]
    assert [(page.start, page.end) for page in text("plain").pages] == [(0, 5)]


def test_underlined_lines_are_headings_where_the_line_is_as_long_as_they_are():
    loaded = text("Rules\n=====\n\nx\n\nFees\n----\n\ny\n\nItem   Fee\n---\nATM 5\n\nLast\n====\n")
    assert [(section.start, section.path) for section in loaded.sections] == [
        (0, ("Rules",)),
        (16, ("Rules", "Fees")),
        (52, ("Last",)),
    ]
