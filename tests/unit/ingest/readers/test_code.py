import pytest

from prism.ingest.readers.code import read
from prism.ingest.readers.code_names import MAX_NAMED_CHARS
from prism.ingest.readers.protocol import SourceFile

PYTHON = '''import re

class Cart:
    """class Not(this)"""

    def total(self):
        return sum(self.prices())

# Adds.
@cached
def add(a, b):
    # def nothing(): pass
    return a + b
'''


def load(text: str | bytes, name: str = "a.py"):
    return read(SourceFile(text if isinstance(text, bytes) else text.encode(), name, "a"))


def test_the_text_stays_as_it_is():
    loaded = load(PYTHON)
    assert loaded.text == PYTHON
    assert loaded.title == "a.py"


def test_classes_and_functions_are_sections_and_what_is_outermost_a_block():
    loaded = load(PYTHON)
    assert [section.path for section in loaded.sections] == [("Cart",), ("Cart", "total"), ("add",)]
    texts = [loaded.text[block.start : block.end] for block in loaded.blocks]
    assert texts[0] == "import re"
    assert texts[1].startswith("class Cart:")
    assert texts[2].startswith("# Adds.\n@cached\ndef add")
    assert {block.kind for block in loaded.blocks} == {"code"}


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        (
            "a.js",
            "class Foo {\n  run(b) { return help(b); }\n}\nexport async function later() {}\n",
            ["Foo", "later"],
        ),
        (
            "a.go",
            "package main\ntype T struct {}\nfunc (t *T) Run(x int) int { return other(x) }\n",
            ["T", "Run"],
        ),
        ("A.java", "public class Foo {\n    public int run(int y) { return other(y); }\n}\n", ["Foo", "run"]),
        (
            "a.c",
            "static int add(int a) { return a; }\nint main(void) { add(1); return 0; }\n",
            ["add", "main"],
        ),
        ("a.rs", "struct P { x: i32 }\npub fn go(a: i32) -> i32 { other(a) }\n", ["P", "go"]),
        ("a.rb", "class A\n  def run(x)\n    foo x\n  end\nend\n", ["A", "run"]),
        ("a.sh", "build() {\n  ls\n}\nbuild x\n", ["build"]),
        ("a.sql", "CREATE TABLE IF NOT EXISTS fees (id INT);\nSELECT count(*) FROM fees;\n", ["fees"]),
        ("a.ini", "[db]\nhost=1\n[web]\nport=2\n", ["db", "web"]),
        ("a.toml", '[db]\nhosts = [\n  "a"\n]\n[[web.x]]\nport = 2\n', ["db", "web.x"]),
        ("a.yaml", "a:\n  b: 1\nc: 2\n", ["a", "c"]),
        ("a.tex", "\\section{Fees}\nText\n\\subsection{Limits}\n", ["Fees", "Limits"]),
        ("a.properties", "a=1\n", []),
    ],
)
def test_many_languages_have_their_names(name, text, names):
    assert [section.path[-1] for section in load(text, name).sections] == names


def test_offsets_are_those_of_the_stored_text():
    loaded = load("x = 1\r\n\r\ndef f():\r\n    pass\r\n")
    (section,) = loaded.sections
    assert loaded.text[section.start :].startswith("def f")


def test_a_declared_encoding_is_followed():
    text = "# -*- coding: koi8-r -*-\nname = 'Москва'\n"
    assert load(text.encode("koi8-r")).text == text


def test_a_very_long_text_is_read_without_names():
    loaded = load("def f(): pass\n" * (MAX_NAMED_CHARS // 14 + 1))
    assert loaded.sections == ()
    assert len(loaded.blocks) == 1
