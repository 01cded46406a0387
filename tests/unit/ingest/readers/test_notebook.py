import json

import pytest

from prism.errors import UnreadableError
from prism.ingest.readers.notebook import read
from prism.ingest.readers.protocol import SourceFile


def load(*cells: dict, **more: object):
    return read(SourceFile(json.dumps({"cells": cells, **more}).encode(), "n.ipynb", "n"))


def code(source: str, *outputs: dict) -> dict:
    return {"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": list(outputs)}


def test_cells_are_read_by_their_kind_and_are_spans_of_their_own():
    loaded = load(
        {"cell_type": "markdown", "source": ["# Fees\n", "\n", "All *fees*."]},
        code("# not a heading\nprint(1)", {"output_type": "stream", "text": ["1\n"]}),
        {"cell_type": "raw", "source": "As it is."},
    )
    assert loaded.text == "Fees\n\nAll fees.\n\n# not a heading\nprint(1)\n\n1\n\nAs it is."
    assert [(page.label, loaded.text[page.start : page.end]) for page in loaded.pages] == [
        ("cell 1", "Fees\n\nAll fees."),
        ("cell 2", "# not a heading\nprint(1)\n\n1"),
        ("cell 3", "As it is."),
    ]
    assert [section.path for section in loaded.sections] == [("Fees",)]
    assert [block.kind for block in loaded.blocks] == ["code", "code"]
    assert loaded.title == "Fees"


@pytest.mark.parametrize(
    ("output", "seen"),
    [
        ({"output_type": "execute_result", "data": {"text/plain": ["42"], "text/html": "<b>42</b>"}}, "42"),
        ({"output_type": "display_data", "data": {"text/html": "<p>Only <b>this</b></p>"}}, "Only this"),
        ({"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": ["…"]}, "KeyError: 'x'"),
        ({"output_type": "stream", "text": "\x1b[31mred\x1b[0m"}, "red"),
        ({"output_type": "pyout", "text": ["old"]}, "old"),
    ],
)  # fmt: skip
def test_what_code_printed_is_read(output, seen):
    assert load(code("x", output)).text == f"x\n\n{seen}"


def test_pictures_are_counted():
    figure = {
        "output_type": "display_data",
        "data": {"image/png": "iVBOR", "text/plain": "<Figure size 1x1>"},
    }
    loaded = load(code("plot()", figure))
    assert loaded.text == "plot()"
    assert loaded.warnings == ("1 picture left out",)


def test_the_third_format_is_read():
    cells = [{"cell_type": "heading", "level": 2, "source": "Old"}, {"cell_type": "code", "input": "y = 1"}]
    loaded = read(SourceFile(json.dumps({"worksheets": [{"cells": cells}]}).encode(), "n.ipynb", "n"))
    assert loaded.text == "Old\n\ny = 1"


@pytest.mark.parametrize("data", ['{"cells": [', "[]", "{}", "hello", "[" * 100_000, '{"cells": 5}'])
def test_what_is_no_notebook_is_refused(data):
    with pytest.raises(UnreadableError, match=r"n\.ipynb: (damaged|not a notebook)"):
        read(SourceFile(data.encode(), "n.ipynb", "n"))


def test_odd_cells_are_passed_over():
    assert (
        load(5, {}, {"cell_type": "code", "source": None, "outputs": [3, {"data": []}]}, code("x")).text
        == "x"
    )
