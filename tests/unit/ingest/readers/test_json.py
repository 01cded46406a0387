import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.readers.json import read
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings
from prism.types import SourceText


def load(data: str | bytes, **settings: object) -> SourceText:
    content = data.encode() if isinstance(data, str) else data
    return read(SourceFile(content, "a.json", "a", ReadSettings(**settings)))


def test_nested_values_are_lines_with_their_path():
    loaded = load('{"name": "John", "address": {"city": "Pune", "zip": "411001"}, "tags": ["a", "b"]}')
    assert loaded.text == "name: John\naddress.city: Pune\naddress.zip: 411001\ntags: a, b"
    assert [section.path for section in loaded.sections] == [("address",), ("tags",)]
    assert [page.label for page in loaded.pages] == ["1"]


def test_the_objects_of_a_list_are_records_with_spans_of_their_own():
    loaded = load(
        '[{"name": "Asha", "age": 31}, {"name": "Ravi", "pets": [{"kind": "cat"}, {"kind": "dog"}]}]'
    )
    assert loaded.text == "name: Asha; age: 31\nname: Ravi; pets[0].kind: cat; pets[1].kind: dog"
    assert [page.label for page in loaded.pages] == ["record 1", "record 2"]
    assert [(table.start, table.end) for table in loaded.tables] == [(0, len(loaded.text))]


def test_a_list_inside_an_object_names_its_records():
    loaded = load('{"count": 2,\n "orders": [{"id": 7},\n {"id": 8}],\n "owner": {"name": "Asha"}}')
    assert loaded.text == "count: 2\n\norders\n\nid: 7\nid: 8\n\nowner.name: Asha"
    labels = {page.label: loaded.text[page.start : page.end] for page in loaded.pages}
    assert labels == {
        "line 1": "count: 2",
        "orders": "orders",
        "orders record 1": "id: 7",
        "orders record 2": "id: 8",
        "line 4": "owner.name: Asha",
    }
    assert [section.path for section in loaded.sections] == [("orders",), ("owner",)]


def test_a_long_record_has_a_line_per_value_and_keeps_its_paragraphs():
    loaded = load(json.dumps([{"id": 1, "body": "One.\n\nTwo."}, {"id": 2}]))
    assert loaded.text == "id: 1\nbody: One.\n\nTwo.\n\nid: 2"


@pytest.mark.parametrize(
    "written", ["12345678901234567890123", "1e22", "1.10", "-0.0", "NaN", "1E-7", "null", "true"]
)
def test_numbers_and_words_stay_as_written(written):
    assert load(f'{{"a": {written}}}').text == f"a: {written}"


def test_equal_keys_are_all_kept():
    assert load('{"a": 1, "a": 2}').text == "a: 1\na: 2"


def test_empty_containers_are_told_and_empty_strings_left_out():
    assert load('{"a": [], "b": {}, "c": ""}').text == "a: []\nb: {}"


def test_escapes_are_read():
    assert load(r'{"a": "caf\u00e9 \\d C:\q"}').text == r"a: café \d C:\q"
    assert load(r'{"a": "caf\u00"}').text == r"a: caf\u00"
    assert load(r'{"a": "caf\u00e9 \ud83d\ude00 \"x\""}').text == 'a: café 😀 "x"'


@pytest.mark.parametrize("text", ["[" * 100_000 + "]" * 100_000, '{"a":' * 5_000 + "1" + "}" * 5_000])
def test_depth_is_no_matter(text):
    assert load(text).text


def test_what_stands_before_a_fault_is_read_and_the_fault_told():
    loaded = load('{"name": "John",\n "age": 30,\n "hobbies": ["reading", "run')
    assert loaded.text == "name: John\nage: 30\nhobbies: reading"
    assert loaded.warnings == ("damaged JSON, read up to line 3: a string is not closed",)


def test_comments_and_commas_at_the_end_are_allowed():
    assert load('// settings\n{"a": 1, /* two */ "b": [1, 2,],}').text == "a: 1\nb: 1, 2"


@pytest.mark.parametrize("text", ["hello", "{'a': 1}", "}", '"open'])
def test_what_is_no_json_from_the_start_is_refused(text):
    with pytest.raises(UnreadableError, match=r"a\.json: not JSON \(line 1: .*\)\. Correct it"):
        load(text)


def test_values_one_after_the_other_are_records():
    loaded = load('{"a": 1}\n{"a": 2}\n')
    assert [page.label for page in loaded.pages] == ["record 1", "record 2"]


def test_a_list_of_rows_is_a_row_per_line():
    assert load('[["name", "age"], ["Asha", 31]]').text == "name, age\nAsha, 31"


def test_other_encodings_are_read():
    assert load('{"a": "Zürich"}'.encode("utf-16")).text == "a: Zürich"


def test_a_text_over_the_limit_is_refused():
    with pytest.raises(TooLargeError, match="1,000 characters"):
        load(json.dumps([{"a": "x" * 90}] * 20), max_chars=1000)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=25,
)


@given(JSON)
def test_every_value_is_in_the_text_and_spans_lie_in_it(value):
    loaded = load(json.dumps(value))
    assert loaded.warnings == ()
    for leaf in leaves(value):
        assert all(line in loaded.text for line in leaf.strip().splitlines())
    for spans in (loaded.pages, loaded.tables):
        starts = [span.start for span in spans]
        assert starts == sorted(starts)
        assert all(0 <= span.start <= span.end <= len(loaded.text) for span in spans)
    assert all(left.end <= right.start for left, right in zip(loaded.pages, loaded.pages[1:], strict=False))


@given(JSON, st.integers(0, 200))
def test_no_cut_makes_it_fail_otherwise(value, at):
    with suppress(UnreadableError):
        load(json.dumps(value)[: at + 1])


def leaves(value):
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
