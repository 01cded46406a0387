import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.rst import read


def load(text: str):
    return read(SourceFile(text.encode(), "a.rst", "a"))


def test_headings_nest_as_underlined():
    loaded = load("Intro.\n\n=====\nGuide\n=====\n\nLeave\n-----\n\nText.\n\nPay\n---\n\nMore.\n")
    assert loaded.text == "Intro.\n\nGuide\n\nLeave\n\nText.\n\nPay\n\nMore."
    assert [section.path for section in loaded.sections] == [("Guide",), ("Guide", "Leave"), ("Guide", "Pay")]
    assert loaded.title == "Guide"


def test_marks_are_removed_and_lines_of_a_paragraph_joined():
    assert (
        load("An *em*, **strong**, ``code``\nand `link <https://x.org>`_.").text
        == "An em, strong, code and link."
    )


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        (":ref:`the guide <guide>`", "the guide"),
        (":class:`~foo.bar.Baz`", "Baz"),
        (":py:func:`foo.run`", "foo.run"),
        (":class:`!Quiet`", "Quiet"),
        (":kbd:`Ctrl+C`", "Ctrl+C"),
        ("|release|", "|release|"),
        ("Broken *emph", "Broken *emph"),
        ("an `unclosed", "an `unclosed"),
        ("see [1]_\n\n.. [1] A note.", "see [1]\n\n[1] A note."),
    ],
)
def test_roles_and_faults_leave_their_text(written, seen):
    assert load(written).text == seen


def test_lists_keep_their_marks_and_are_blocks():
    loaded = load("Do:\n\n- one\n- two\n\n  a. x\n  b. y\n\nEnd.")
    assert loaded.text == "Do:\n\n- one\n- two\n  a. x\n  b. y\n\nEnd."
    (block,) = loaded.blocks
    assert (loaded.text[block.start : block.end], block.kind) == ("- one\n- two\n  a. x\n  b. y", "list")


def test_code_is_verbatim():
    loaded = load(
        "::\n\n    def f():\n        # no heading\n        ----\n\n.. code-block:: python\n   :linenos:\n\n"
        "   x = 1\n"
    )
    assert loaded.text == "def f():\n    # no heading\n    ----\n\nx = 1"
    assert [block.kind for block in loaded.blocks] == ["code", "code"]


def test_tables_are_rows_with_their_column_names():
    loaded = load("=====  ===\nPlan   Fee\n=====  ===\nBasic  12\nGold   34\n=====  ===\n")
    assert loaded.text == "Plan | Fee\nBasic | 12\nGold | 34"
    assert loaded.tables[0].header == "Plan | Fee"


def test_a_row_of_names_that_begins_with_an_empty_cell_is_kept():
    table = "=====  ===  ===\n       Min  Max\n=====  ===  ===\nWidth  4    9\n=====  ===  ==="
    loaded = load(f"{table}\n")
    assert loaded.text == " | Min | Max\nWidth | 4 | 9"
    assert loaded.tables[0].header == " | Min | Max"
    assert load("::\n\n  " + table.replace("\n", "\n  ")).text == table


def test_names_over_several_columns_stand_above_each():
    loaded = load(
        "+-------+-------------+\n| Zone  | Sales       |\n|       +------+------+\n|       | 2023 | 2024 |\n"
        "+=======+======+======+\n| North | 5    | 6    |\n+-------+------+------+\n"
    )
    assert loaded.text.endswith("North | 5 | 6")
    assert loaded.tables[0].header == "Zone | Sales / 2023 | Sales / 2024"


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        (".. note:: Mind the *gap*.", "Note: Mind the gap."),
        (".. warning::\n\n   Hot.\n\n   Very.", "Warning: Hot.\n\nVery."),
        (".. versionadded:: 3.2\n   The *x* argument.", "New in version 3.2\n\nThe x argument."),
        (".. py:function:: foo(a, b)\n   :noindex:\n\n   Does :term:`things`.", "foo(a, b)\n\nDoes things."),
        (".. only:: html\n\n   Only *here*.", "Only here."),
        (".. image:: x.png\n   :alt: Two ducks", "Two ducks"),
        ("term : kind\n   Its meaning.", "term : kind\nIts meaning."),
        (":Author: Asha\n:orphan:", "Author: Asha"),
        ("-f FILE  the file", "-f FILE: the file"),
        ("| one\n|   two", "one\n  two"),
        (".. tip::\n\n   .. unknown:: x\n\n      Deep *inside*.", "Tip:\n\nx\n\nDeep inside."),
        ("====  ===\na     b\nabc\n===", "====  ===\na     b\nabc\n==="),
    ],
)
def test_what_a_directive_or_a_faulty_part_says_is_kept(written, seen):
    assert load(f"Before.\n\n{written}\n\nAfter.").text == f"Before.\n\n{seen}\n\nAfter."


@pytest.mark.parametrize(
    "written",
    [
        ".. toctree::\n   :maxdepth: 2\n\n   a\n   b",
        ".. automodule:: foo\n   :members:",
        ".. comment",
        ".. _target:",
    ],
)
def test_what_says_nothing_takes_nothing_with_it(written):
    loaded = load(f"Before.\n\n{written}\n\nAfter.")
    assert loaded.text == "Before.\n\nAfter."
    assert loaded.warnings == ()


@pytest.mark.parametrize(
    "written",
    [
        ".. include:: {path}",
        ".. raw:: html\n   :file: {path}",
        ".. csv-table::\n   :file: {path}",
        ".. literalinclude:: {path}",
        ".. include:: {path}\n   :literal:",
    ],
)
def test_no_other_file_is_ever_inserted(written, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    loaded = load(f"Before.\n\n{written.format(path=secret)}\n\nAfter.")
    assert loaded.text == "Before.\n\nAfter."
    assert "left out" in loaded.warnings[0]


def test_nothing_is_printed(capfd):
    load("Title\n==\n\n*a\n\n:foo:`x`\n\n.. bar::\n\n+--+\n|a\n")
    assert capfd.readouterr() == ("", "")


PIECES = st.sampled_from(
    ["a\n", "b c\n", "\n", "====\n", "----\n", "- x\n", "1. y\n", "   ", ".. note::\n", ".. foo:: z\n",
     "::\n", "``", "*", "`q`_", "|s|", ":r:`t`", "+--+\n|a |\n+--+\n", "=  =\n", ">>> 1\n",
     ":f: g\n", ".. [1] h\n", "__ i\n", ".. |s| image:: x\n"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_text_is_read_and_spans_lie_in_it(text):
    loaded = load(text)
    for spans in (loaded.pages, loaded.tables, loaded.blocks):
        assert all(0 <= span.start <= span.end <= len(loaded.text) for span in spans)
        assert [span.start for span in spans] == sorted(span.start for span in spans)
    assert not any("plain text" in warning for warning in loaded.warnings)
