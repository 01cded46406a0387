import pytest

from prism.ingest.readers.delimited import find_delimiter, split_records


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("item;state;qty\nlamp;KA;31\nfan;TN;8", ";"),
        ("item\tstate\tqty\nlamp\tKA\t31", "\t"),
        ("item|state|qty\nlamp|KA|31", "|"),
        ("item,state\nlamp,KA", ","),
        ("item;price\nlamp;3,50\nfan;8,20", ";"),
        ("x;1,5;2,5\ny;3,5;4,5", ";"),
        ("id,tags\n1,a;b\n2,c;d", ","),
        ('a,b\n"x;y;z",1\n"p;q;r",2', ","),
        ("name\nAsha\nRavi", ","),
        ("note;amount\nfirst, second, third;1\nnone;2", ";"),
    ],
)
def test_ing_04_the_delimiter_is_the_one_that_splits_evenly(text, delimiter):
    assert find_delimiter(text) == delimiter


def cells(text: str) -> list[tuple[str, ...]]:
    return [record.cells for record in split_records(text, ",")]


def test_quoted_cells_hold_delimiters_line_breaks_and_doubled_quotes():
    assert cells('a,"b,c",d\n"two\nlines","say ""hi""",x\n') == [
        ("a", "b,c", "d"),
        ("two\nlines", 'say "hi"', "x"),
    ]


def test_ing_07_an_unclosed_quote_costs_only_its_own_line():
    records = split_records('a,b,c\n1,2,3\n4,"oops,6\n7,8,9\n10,11,12', ",")
    assert [record.cells for record in records if not record.fault] == [
        ("a", "b", "c"),
        ("1", "2", "3"),
        ("7", "8", "9"),
        ("10", "11", "12"),
    ]
    assert [(record.line, record.cells) for record in records if record.fault] == [(3, ("4", '"oops', "6"))]


def test_ing_07_a_quote_that_closes_in_another_row_is_not_closed():
    records = split_records('a,b\n"open,1\nx,"y"\nlast,2', ",")
    assert [record.line for record in records if record.fault] == [2]
    assert records[-1].cells == ("last", "2")


def test_a_stray_quote_inside_a_cell_stands_for_itself():
    assert cells('5" pipe,10\n"a "b" c",2') == [('5" pipe', "10"), ('a "b" c', "2")]


def test_lines_are_counted_over_quoted_line_breaks():
    assert [record.line for record in split_records('a,"x\ny"\nb,c', ",")] == [1, 3]
