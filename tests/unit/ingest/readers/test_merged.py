from prism.ingest.readers.merged import MAX_REPEATED_CHARS, Cell, Part, joined_down, plain_rows


def cells(*texts: str) -> list[Cell]:
    return [Cell(text) for text in texts]


def test_a_label_merged_downwards_is_in_each_of_its_rows():
    rows = [cells("City", "Fee"), [Cell("Pune", rows=2), Cell("20")], cells("30"), cells("Goa", "5")]
    assert plain_rows(rows, 1) == (
        [["City", "Fee"], ["Pune", "20"], ["Pune", "30"], ["Goa", "5"]],
        ["City", "Fee"],
    )


def test_a_long_text_merged_downwards_is_said_once():
    text = "x" * (MAX_REPEATED_CHARS + 1)
    assert plain_rows([[Cell(text, rows=2), Cell("a")], cells("b")], None)[0] == [[text, "a"], ["", "b"]]


def test_a_cell_merged_across_keeps_the_columns_in_line():
    assert plain_rows([cells("a", "b", "c"), [Cell("wide", columns=2), Cell("d")]], 1)[0] == [
        ["a", "b", "c"],
        ["wide", "", "d"],
    ]


def test_merged_names_go_on_in_the_next_row():
    rows = [
        [Cell(""), Cell("Class 1", columns=2), Cell("Total")],
        cells("", "A", "B", ""),
        cells("R1", "1", "2", "3"),
    ]
    plain, names = plain_rows(rows, 1)
    assert plain[0] == ["", "Class 1", "Class 1", "Total"]
    assert names == ["", "Class 1 A", "Class 1 B", "Total"]


def test_numbers_below_merged_names_are_no_names():
    rows = [[Cell("x"), Cell("Class", columns=2)], cells("R1", "1", "2"), cells("R2", "3", "4")]
    assert plain_rows(rows, 1)[1] == ["x", "Class", "Class"]


def test_a_title_over_the_whole_table_is_not_a_column_name():
    rows = [[Cell("Fees 2024", columns=2)], cells("City", "Fee"), cells("Pune", "20")]
    assert plain_rows(rows, 1) == ([["Fees 2024", ""], ["City", "Fee"], ["Pune", "20"]], ["City", "Fee"])
    assert plain_rows(rows, None)[1] == ["City", "Fee"]


def test_two_marked_header_rows_are_joined():
    rows = [cells("Fee", "Days"), cells("INR", "number"), cells("20", "3")]
    assert plain_rows(rows, 2)[1] == ["Fee INR", "Days number"]


def test_without_a_mark_the_builder_guesses():
    assert plain_rows([cells("a", "b"), cells("1", "2")], None)[1] is None


def test_spans_beyond_the_table_and_empty_tables_do_no_harm():
    assert plain_rows([], 1) == ([], [])
    assert plain_rows([[Cell("a", rows=10**9, columns=0), Cell("b")]], None)[0] == [["a", "b"]]
    assert len(plain_rows([[Cell("a", columns=10**9)]], None)[0][0]) == 1000


def test_cells_that_go_on_from_above_are_one_cell_as_long_as_they_follow_each_other():
    lines = [
        [Part("a", merge="restart"), Part("x", columns=2)],
        [Part("", merge="continue"), Part("b"), Part("c", merge="continue")],
        [Part("d", merge="restart"), Part("e"), Part("f")],
    ]
    assert joined_down(lines) == [
        [Cell("a", rows=2), Cell("x", columns=2)],
        [Cell("b"), Cell("c")],
        [Cell("d"), Cell("e"), Cell("f")],
    ]


def test_names_over_several_columns_are_a_header_also_without_a_mark():
    rows = [[Cell(""), Cell("Class 1", columns=2)], cells("", "A", "B"), cells("R1", "1", "2")]
    assert plain_rows(rows, None)[1] == ["", "Class 1 A", "Class 1 B"]
    assert plain_rows([[Cell("2024"), Cell("x", columns=2)], *rows[1:]], None)[1] is None


def test_a_form_is_not_taken_for_a_table_with_a_header():
    rows = [
        [Cell("Name"), Cell("Asha", columns=2), Cell("Date")],
        [Cell("Street"), Cell("Long Lane", columns=3)],
        [Cell("City"), Cell("Pune", columns=3)],
    ]
    assert plain_rows(rows, None) == (
        [["Name", "Asha", "", "Date"], ["Street", "Long Lane", "", ""], ["City", "Pune", "", ""]],
        None,
    )


def test_rows_of_as_many_cells_are_columns_wherever_their_edges_are():
    lines = [[Part("a"), Part("b", columns=2)], [Part("c", columns=2), Part("d")]]
    assert joined_down(lines) == [[Cell("a"), Cell("b")], [Cell("c"), Cell("d")]]
