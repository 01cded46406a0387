import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_cells_over_several_rows_and_columns_stand_where_they_reach():
    loaded = page(
        "<table><thead><tr><th rowspan=2>Card</th><th colspan=2>Fee</th></tr>"
        "<tr><th>ATM</th><th>POS</th></tr>"
        "</thead><tr><td rowspan=2>Gold</td><td>5</td><td>1</td></tr><tr><td>6</td><td>2</td></tr></table>"
    )
    assert loaded.tables[0].header == "Card | Fee ATM | Fee POS"
    assert loaded.text.splitlines()[2:] == ["Gold | 5 | 1", "Gold | 6 | 2"]


def test_signs_in_cells_of_their_own_join_their_numbers():
    loaded = page(
        "<table><tr><td></td><td colspan=3>2021</td><td colspan=3>2020</td></tr>"
        "<tr><td>Loss</td><td>$</td><td>(1,234</td><td>)</td><td>$</td><td>56</td><td></td></tr>"
        "<tr><td>Share</td><td></td><td>4</td><td>%</td><td></td><td>3</td><td>%</td></tr></table>"
    )
    assert loaded.text == " | 2021 | 2020\nLoss | $(1,234) | $56\nShare | 4% | 3%"


def test_list_numbers_are_those_the_page_shows():
    loaded = page("<ol type=a start=2><li>x<li value=5>y</ol><ol reversed><li>p<li>q</ol>")
    assert loaded.text == "b. x\ne. y\n\n2. p\n1. q"


def test_code_and_lists_are_blocks_of_their_kind():
    loaded = page("<p>a</p><pre><code>x = 1\ny = 2</code></pre><ul><li>m<li>n</ul><dl><dt>t<dd>d</dl>")
    kinds = [(block.kind, loaded.text[block.start : block.end]) for block in loaded.blocks]
    assert kinds == [("code", "x = 1\ny = 2"), ("list", "- m\n- n"), ("list", "t\nd")]


def test_menus_and_banners_are_left_out_and_names_on_buttons_kept():
    links = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "News", "About"))
    loaded = page(
        f"<ul>{links}</ul><div id=cookie-banner>We use cookies</div><div role=navigation>Go</div>"
        f"<h2><button>Who pays?</button></h2><p>{'The holder pays the fee each month. ' * 10}</p>"
        f"<ul>{links}</ul><button>Send</button>"
    )
    assert loaded.sections[0].path == ("Who pays?",)
    assert loaded.text.startswith("Who pays?\n\nThe holder pays")
    assert loaded.text.endswith("\n\n- Home\n- News\n- About")


def test_a_page_of_links_keeps_them():
    links = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Rates", "Rules", "Forms"))
    assert page(f"<ul>{links}</ul><p>Short note.</p>").text == "- Rates\n- Rules\n- Forms\n\nShort note."


def test_a_page_that_is_empty_without_its_scripts_shows_what_stands_in_for_them():
    assert page("<body><script>go()</script><noscript><p>Call 4471</p></noscript></body>").text == "Call 4471"


def test_alternatives_a_script_chooses_from_are_all_read():
    markup = "<p>Press <span><span hidden>Command</span><span hidden>Ctrl</span></span>+F6</p>"
    assert page(markup).text == "Press Command/Ctrl+F6"


def test_powers_and_formulas_keep_their_meaning():
    loaded = page(
        '<p>10<sup>6</sup> m<sup>2</sup> <span style="display:none"><math><mi>x</mi>'
        '<annotation encoding="application/x-tex">x^{2}</annotation></math></span><img alt="{\\x^{2}}"></p>'
    )
    assert loaded.text == "10^6 m2 x^{2}"


def test_choices_and_descriptions_are_read():
    loaded = page(
        "<label>Loan</label> <select><option>Home<option>Car</select>"
        "<p><img alt='logo'><img alt='Open from nine to five'></p>"
    )
    assert loaded.text == "Loan Home / Car\n\nOpen from nine to five"


def test_words_of_a_table_that_stand_in_no_cell_are_kept():
    loaded = page("<table><figcaption>loose</figcaption><tr><td>a</td><td>b</td></tr></table>")
    assert loaded.text.split() == ["loose", "a", "b"]


_TAGS = st.sampled_from(
    ["p", "div", "span", "ul", "ol", "li", "table", "tr", "td", "th",
     "h1", "h2", "pre", "code", "dl", "dt", "dd", "sup", "details", "summary"]
)  # fmt: skip
_TREES = st.recursive(
    st.sampled_from(["word ", "5", "% ", "$", "\n", "&lt;", "हिन्दी "]),
    lambda inner: st.tuples(_TAGS, st.lists(inner, max_size=4)).map(
        lambda tree: f"<{tree[0]}>{''.join(tree[1])}</{tree[0]}>"
    ),
    max_leaves=25,
)


@given(st.lists(_TREES, max_size=4).map("".join))
def test_any_tree_keeps_its_words_and_its_spans_in_order(markup):
    loaded = page(f"<body>{markup}</body>")
    assert loaded.text.count("word") == markup.count("word")
    for spans in (loaded.pages, loaded.tables, loaded.blocks):
        assert list(spans) == sorted(spans, key=lambda span: span.start)
        assert all(0 <= span.start <= span.end <= len(loaded.text) for span in spans)
    starts = [section.start for section in loaded.sections]
    assert starts == sorted(starts)
