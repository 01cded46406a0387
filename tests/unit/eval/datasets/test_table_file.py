"""A table as people save it is read as they see it, or refused by file, row and next step."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from eval.datasets.table_file import FileRow, read_table
from prism.errors import UsageError

ROWS = [["question", "source"], ["What is it?", "a.txt"], ["And what, if anything, is “that”?", "b.txt"]]
FOUND = (
    FileRow("row 2", {"question": "What is it?", "source": "a.txt"}),
    FileRow("row 3", {"question": "And what, if anything, is “that”?", "source": "b.txt"}),
)


def saved(folder: Path, text: str, name: str = "q.csv", encoding: str = "utf-8") -> Path:
    file = folder / name
    file.write_bytes(text.encode(encoding))
    return file


def table(separator: str, line_end: str = "\r\n") -> str:
    return line_end.join(separator.join(f'"{cell}"' for cell in row) for row in ROWS) + line_end


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_usual_separators_encodings_and_line_ends_are_read_alike(
    tmp_path: Path, separator: str, encoding: str, line_end: str
) -> None:
    titles, rows = read_table(saved(tmp_path, table(separator, line_end), encoding=encoding))
    assert titles == ("question", "source")
    assert rows == FOUND


def test_a_first_line_may_tell_the_separator(tmp_path: Path) -> None:
    # Under ';' alone the title row would be one cell.
    titles, rows = read_table(saved(tmp_path, "sep=|\r\nquestion|source\r\nWhat; really?|a.txt\r\n"))
    assert titles == ("question", "source")
    assert rows == (FileRow("row 3", {"question": "What; really?", "source": "a.txt"}),)


def test_the_separator_is_the_one_under_which_there_is_a_column_of_questions(tmp_path: Path) -> None:
    # By commas there would be three cells, of which none is 'question'.
    text = 'question;"source, page, or both"\nWhat?;a.txt\n'
    assert read_table(saved(tmp_path, text))[0] == ("question", "source, page, or both")


def test_a_table_with_one_column_is_not_cut_at_commas(tmp_path: Path) -> None:
    _, rows = read_table(saved(tmp_path, "question\nWho, if anyone; and\twhen?\n", name="q.txt"))
    assert rows == (FileRow("row 2", {"question": "Who, if anyone; and\twhen?"}),)


def test_quoted_line_breaks_separators_and_marks_are_part_of_a_cell(tmp_path: Path) -> None:
    text = 'question,quote\n"What\r\nis ""it"", then?",x\nNext?,y\n'
    _, rows = read_table(saved(tmp_path, text))
    assert [row.cells["question"] for row in rows] == ['What\r\nis "it", then?', "Next?"]
    assert [row.place for row in rows] == ["row 2", "row 3"]


def test_empty_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    _, rows = read_table(saved(tmp_path, "\n,,\nquestion,source\n\n , \nWhat?,a.txt\n,,\n"))
    assert rows == (FileRow("row 6", {"question": "What?", "source": "a.txt"}),)


def test_a_row_may_be_shorter_than_the_titles(tmp_path: Path) -> None:
    _, rows = read_table(saved(tmp_path, "question,source,page\nWhat?\nWho?,a.txt\n"))
    assert [row.cells for row in rows] == [{"question": "What?"}, {"question": "Who?", "source": "a.txt"}]


def test_a_row_may_be_longer_by_empty_cells(tmp_path: Path) -> None:
    _, rows = read_table(saved(tmp_path, "question,source\nWhat?,a.txt,, \n"))
    assert rows[0].cells == {"question": "What?", "source": "a.txt"}


def test_a_row_that_is_longer_is_refused_and_not_cut(tmp_path: Path) -> None:
    file = saved(tmp_path, "question,source\nWhat?,a.txt\nWho, then?,a.txt\n")
    with pytest.raises(UsageError) as refused:
        read_table(file)
    assert str(refused.value) == (
        f"{file}, row 3: 'a.txt' stands in a column without a title. Put quotation marks around a cell that "
        "holds a comma, or give the column a title."
    )


def test_a_column_without_title_is_named_by_its_place_when_it_holds_something(tmp_path: Path) -> None:
    titles, rows = read_table(saved(tmp_path, "question,,\nWhat?,note,\n"))
    assert titles == ("question", "column 2 (no title)")
    assert rows[0].cells == {"question": "What?", "column 2 (no title)": "note"}


def test_an_open_quotation_mark_is_refused_and_swallows_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"q\.csv, line 4: not a table .* every quotation mark closed"):
        read_table(saved(tmp_path, 'question\n"What?\nWho?\nWhen?\n'))


def test_a_mark_that_is_not_doubled_is_refused_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"q\.csv, line 2: not a table .*doubled"):
        read_table(saved(tmp_path, 'question,source\n"Yes" is what?,a.txt\n'))


def test_a_mark_within_a_cell_stays(tmp_path: Path) -> None:
    _, rows = read_table(saved(tmp_path, 'question,source\nWhat is "KYC"?,a.txt\n'))
    assert rows[0].cells["question"] == 'What is "KYC"?'


@pytest.mark.parametrize("name", ["q.csv", "q.tsv", "q.txt", "q.json", "q.jsonl"])
def test_an_empty_file_has_neither_titles_nor_rows(tmp_path: Path, name: str) -> None:
    assert read_table(saved(tmp_path, "", name)) == ((), ())


def test_a_header_alone_has_titles(tmp_path: Path) -> None:
    assert read_table(saved(tmp_path, "question,source\n")) == (("question", "source"), ())


def test_a_list_and_lines_of_objects_are_read_alike(tmp_path: Path) -> None:
    objects = [{"question": "What?", "page": 3, "source": ["a", "b"]}, {}, {"question": "कौन?", "page": None}]
    expected = (
        ("question", "page", "source"),
        (
            FileRow("entry 1", {"question": "What?", "page": 3, "source": ["a", "b"]}),
            FileRow("entry 3", {"question": "कौन?"}),
        ),
    )
    as_list = saved(tmp_path, json.dumps(objects, ensure_ascii=False), "q.json")
    as_lines = saved(tmp_path, "\n".join(json.dumps(item) for item in objects), "q.jsonl")
    assert read_table(as_list) == expected
    assert read_table(as_lines) == expected


def test_false_and_0_are_not_empty(tmp_path: Path) -> None:
    file = saved(tmp_path, '[{"question": "?", "answerable": false, "page": 0, "source": []}]', "q.json")
    assert read_table(file)[1][0].cells == {"question": "?", "answerable": False, "page": 0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1}\n{"a": 2}', "not JSON .* With one object a line, call it q.jsonl"),
        ('{"questions": []}', "a list of objects is wanted"),
        ("[1, 2]", "a list of objects is wanted"),
    ],
)
def test_json_of_another_form_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=rf"q\.json: {said}"):
        read_table(saved(tmp_path, text, "q.json"))


@pytest.mark.parametrize("name", ["q.xlsx", "q.XLS", "q.ods", "questions"])
def test_a_spreadsheet_is_refused_with_the_way_out(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"come as \.csv.*Save as, CSV UTF-8"):
        read_table(saved(tmp_path, "", name))


def test_a_spreadsheet_under_another_name_is_refused_with_the_way_out(tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>" * 50)
    with pytest.raises(UsageError, match=r"q\.csv: not a text file.*Save as, CSV UTF-8"):
        read_table(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.csv: cannot be read"):
        read_table(tmp_path / "none.csv")
