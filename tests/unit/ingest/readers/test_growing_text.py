import pytest

from prism.errors import TooLargeError
from prism.ingest.readers.growing_text import GrowingText
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings


def test_every_piece_stands_where_it_is_said_to_stand():
    text = GrowingText(SourceFile(b"", "a", "a"))
    assert [text.append("one", "\n\n"), text.append("two", "\n")] == [0, 4]
    assert (text.whole(), text.length) == ("one\ntwo", 7)


def test_a_text_over_the_limit_names_file_limit_and_setting():
    text = GrowingText(SourceFile(b"", "a.json", "a", ReadSettings(max_chars=1000)))
    text.append("x" * 1000, "")
    with pytest.raises(TooLargeError, match=r"a\.json: more than 1,000 characters.*read\.max_chars"):
        text.append("y", "")
