import pytest

from prism.ingest.readers.html import read
from prism.ingest.readers.protocol import SourceFile


def page(markup: str | bytes):
    return read(SourceFile(markup if isinstance(markup, bytes) else markup.encode(), "p.html", "p"))


def test_ing_23_text_outside_any_section_is_kept_and_code_is_not():
    loaded = page(
        "<html><head><title>Fees &amp; limits</title><style>p{color:red}</style></head><body>"
        "<nav><a href=/>Home</a></nav><script>var x = 1;</script><p>Limit is 42</p>"
        "<section><h2>Cards</h2><p>Per day</p></section>loose words<template>later</template>"
        "<div hidden>secret</div><div style='display: none'>unseen</div></body></html>"
    )
    assert loaded.text == "Limit is 42\n\nCards\n\nPer day\n\nloose words"
    assert loaded.title == "Fees & limits"


def test_headings_open_sections_with_their_path():
    loaded = page("<h1>Rules</h1><p>a</p><h2>Cards</h2><p>b</p><h2>Loans</h2><p>c</p><h1>Annex</h1>")
    assert [section.path for section in loaded.sections] == [
        ("Rules",),
        ("Rules", "Cards"),
        ("Rules", "Loans"),
        ("Annex",),
    ]
    assert [loaded.text[section.start :].split("\n")[0] for section in loaded.sections] == [
        "Rules",
        "Cards",
        "Loans",
        "Annex",
    ]


def test_table_rows_keep_their_cells_under_a_header():
    loaded = page(
        "<table><caption>Fees</caption><tr><th>Item</th><th>Fee</th></tr>"
        "<tr><td>ATM <b>with</b>drawal</td><td>₹20</td></tr>"
        "<tr><td>NEFT</td><td>₹5<br>per use</td></tr></table>"
    )
    assert loaded.text == "Fees\n\nItem | Fee\nATM withdrawal | ₹20\nNEFT | ₹5 per use"
    (table,) = loaded.tables
    assert table.header == "Item | Fee"
    assert loaded.text[table.start : table.end].count("\n") == 2


def test_a_table_that_only_lays_out_the_page_is_running_text():
    loaded = page("<table><tr><td><p>One.</p><table><tr><td>a</td><td>1</td></tr></table></td></tr></table>")
    assert loaded.text == "One.\n\na | 1"


def test_lists_keep_bullets_and_numbers():
    loaded = page(
        "<p>Need:</p><ul><li>a card</li><li>a PIN<ol><li>new</li><li>old</li></ol></li></ul><p>End.</p>"
    )
    assert loaded.text == "Need:\n\n- a card\n- a PIN\n  1. new\n  2. old\n\nEnd."


def test_preformatted_text_keeps_its_lines():
    assert page("<pre>def f():\n    return 1\n</pre>").text == "def f():\n    return 1"


def test_inline_tags_do_not_part_words_and_breaks_do():
    assert page("<p>un<b>believ</b>able<br>next</p>").text == "unbelievable\nnext"


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="windows-1251">',
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    ],
)
def test_the_charset_of_the_meta_tag_is_followed(declaration):
    loaded = page(f"<html><head>{declaration}</head><body>ё и Ё</body></html>".encode("cp1251"))
    assert (loaded.text, loaded.warnings) == ("ё и Ё", ())


def test_deep_nesting_is_no_obstacle():
    assert page("<div>" * 3000 + "deep" + "</div>" * 3000).text == "deep"


def test_markup_in_text_stays_text():
    assert page("<p>a &lt;img src=x&gt; b</p>").text == "a <img src=x> b"


@pytest.mark.parametrize(
    "markup", ["notes.txt", "http://example.org", "<?xml version='1.0'?><html><p>x", "<?xml x<p>y"]
)
def test_pages_that_hardly_are_html_are_read_without_a_warning(markup, recwarn):
    assert page(markup).text
    assert not recwarn.list
