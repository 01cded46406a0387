import pytest

from prism.errors import UnreadableError
from prism.ingest.readers.json_lines import read
from prism.ingest.readers.protocol import SourceFile


def load(text: str):
    return read(SourceFile(text.encode(), "a.jsonl", "a"))


def test_bad_lines_are_listed_and_good_ones_read():
    loaded = load('{"a": 1}\nbad\n\n{"a": 2, "b": {"c": "x"}}\n')
    assert loaded.text == "a: 1\na: 2; b.c: x"
    assert [page.label for page in loaded.pages] == ["line 1", "line 4"]
    assert loaded.warnings == ("not JSON: line 2; left out",)


def test_a_line_that_breaks_off_is_left_out_whole():
    loaded = load('{"a": 1}\n{"a": 2}\n{"a": 3, "b": ')
    assert loaded.text == "a: 1\na: 2"
    assert loaded.warnings == ("not JSON: line 3; left out",)


def test_records_over_several_lines_are_read():
    assert load('{\n"a": 1\n}\n').text == "a: 1"


def test_no_json_at_all_is_refused():
    with pytest.raises(UnreadableError, match="not JSON"):
        load("hello\nworld\n")


def test_ten_thousand_lines_are_spans_of_their_own():
    loaded = load("".join(f'{{"ref": "R-{n}", "amount": {n}}}\n' for n in range(10_000)))
    assert loaded.text.split("\n")[7431] == "ref: R-7431; amount: 7431"
    assert len(loaded.pages) == 10_000
