import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.xml import read


def xml(text: str | bytes):
    return read(SourceFile(text if isinstance(text, bytes) else text.encode(), "d.xml", "d"))


def test_records_are_rows_that_name_their_values():
    loaded = xml(
        "<facts><country id='1'><name>France</name><capital><city>Paris</city></capital></country>"
        "<country id='2'><name>T &amp; T</name></country></facts>"
    )
    assert loaded.text == "id: 1; name: France; capital city: Paris\nid: 2; name: T & T"
    assert [page.label for page in loaded.pages] == ["row 1", "row 2"]


def test_values_in_attributes_are_read_where_elements_hold_no_text():
    assert xml("<fees><fee item='ATM' inr='5'/><fee item='POS' inr='1'/></fees>").text == (
        "item: ATM; inr: 5\nitem: POS; inr: 1"
    )
    assert xml("<limits><daily inr='500'/></limits>").text == "inr: 500"


def test_single_values_are_lines_with_their_names():
    loaded = xml("<shop><name>Asha</name><at><city>Pune</city><pin>411001</pin></at></shop>")
    assert loaded.text == "name: Asha\nat city: Pune; at pin: 411001"
    assert [page.label for page in loaded.pages] == ["1"]


def test_markup_packed_in_a_value_is_unpacked():
    feed = "<rss><item><title>A</title><d>&lt;p&gt;Fee is &lt;b&gt;5&lt;/b&gt;&lt;/p&gt;</d></item></rss>"
    assert xml(feed).text == "item title: A; item d: Fee is 5"


def test_prose_has_sections_lists_tables_and_code():
    loaded = xml(
        "<book><title>Rules</title><chapter><title>Fees</title><para>The <emphasis>cap</emphasis> is 10"
        "<superscript>6</superscript>.</para><orderedlist><listitem><para>One</para></listitem><listitem>"
        "<para>Two</para></listitem></orderedlist><informaltable><tgroup><thead><row><entry>Item</entry>"
        "<entry>Fee</entry></row></thead><tbody><row><entry>ATM</entry><entry>5</entry></row></tbody></tgroup>"
        "</informaltable><programlisting>x = 1\n  y</programlisting></chapter></book>"
    )
    assert loaded.text == (
        "Rules\n\nFees\n\nThe cap is 10^6.\n\n1. One\n2. Two\n\nItem | Fee\nATM | 5\n\nx = 1\n  y"
    )
    assert loaded.title == "Rules"
    assert [section.path for section in loaded.sections] == [("Rules",), ("Rules", "Fees")]
    assert loaded.tables[0].header == "Item | Fee"
    assert [block.kind for block in loaded.blocks] == ["list", "code"]


def test_an_article_has_its_title_people_abstract_sections_and_references():
    loaded = xml(
        "<!DOCTYPE article><article><front><journal-meta><journal-id>x9</journal-id><journal-title-group>"
        "<journal-title>J. Fees</journal-title></journal-title-group></journal-meta><article-meta>"
        "<article-id pub-id-type='doi'>10.1/x</article-id><title-group><article-title>On "
        "<italic>fees</italic></article-title></title-group><contrib-group><contrib><name><surname>Rao</surname><given-names>Asha"
        "</given-names></name></contrib></contrib-group><pub-date><year>2024</year></pub-date><volume>3</volume>"
        "<abstract><p>Short.</p></abstract></article-meta></front><body><sec><label>1</label><title>Data</title>"
        "<p>We saw <inline-formula><alternatives><tex-math>\\begin{document}$x^2$\\end{document}</tex-math>"
        "<math><mi>x</mi></math></alternatives></inline-formula> rise [<xref>1</xref>].</p><sec>"
        "<title>More</title>"
        "<table-wrap><label>Table 1</label><caption><p>Fees.</p></caption><table><thead><tr><th>Item</th>"
        "<th>Fee</th></tr></thead><tbody><tr><td>ATM</td><td>5</td></tr></tbody></table></table-wrap></sec>"
        "</sec></body><back><ref-list><title>References</title><ref><label>[1]</label><element-citation>"
        "<name><surname>Das</surname></name><year>1999</year></element-citation></ref></ref-list></back></article>"
    )
    assert loaded.title == "On fees"
    assert loaded.text == (
        "On fees\n\nAsha Rao\n\nJ. Fees 3, 2024. doi:10.1/x\n\nAbstract\n\nShort.\n\n1 Data\n\n"
        "We saw $x^2$ rise [1].\n\nMore\n\nTable 1 Fees.\n\nItem | Fee\nATM | 5\n\nReferences\n\n[1] Das 1999"
    )
    assert [section.path for section in loaded.sections][-2:] == [
        ("On fees", "1 Data", "More"),
        ("On fees", "References"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "iso-8859-1", "utf-8-sig"])
def test_the_encoding_is_what_the_bytes_or_the_declaration_say(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><a><b>Gebühr fünf</b></a>'
    assert xml(text.encode(encoding)).text == "b: Gebühr fünf"


def test_entities_are_never_expanded_and_nothing_is_fetched():
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 20))
    loaded = xml(f'<!DOCTYPE a [<!ENTITY l0 "ha">{laughs}]><a>&l19;&nbsp;&eacute;&#65;</a>')
    assert loaded.text == "a: &l19; éA"
    assert "left as written: &l19;" in loaded.warnings[0]
    assert xml('<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>x&f;</a>').text == "a: x&f;"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a><b>one</b><c>two", "b: one\nc: two"),
        ("<a><b>one</c></b><d>two</d></a>", "b: one\nd: two"),
        ("<a>1 < 2 and 3</a>", "a: 1 < 2 and 3"),
        ("<a>x & y</a>", "a: x & y"),
        ("<a x=1>v</a>", "x: 1; a: v"),
        ("<p:a>v</p:a>", "a: v"),
        ("just words", "just words"),
    ],
)
def test_what_is_not_well_formed_loses_no_text(text, expected):
    assert xml(text).text == expected


@pytest.mark.parametrize(
    "text", ["<a>" * 50_000 + "deep" + "</a>" * 50_000, "<p>x" * 20_000, "<![CDATA[" * 20_000]
)
def test_depth_and_repetition_are_no_obstacle(text):
    assert xml(text) is not None


def test_a_set_of_articles_is_read_with_what_stands_around_them():
    one = "<article><front><article-meta><title-group><article-title>{0}</article-title></title-group>"
    one += "</article-meta></front><body><p>{0} says so.</p></body></article>"
    loaded = xml(f"<articleset><note>Two here.</note>{one.format('A')}{one.format('B')}</articleset>")
    assert loaded.text == "Two here.\n\nA\n\nA says so.\n\nB\n\nB says so."
    assert loaded.title == "d"


def test_words_of_a_table_that_stand_in_no_cell_are_kept():
    assert xml("<doc><p>x</p><table><row>loose</row> words</table></doc>").text == "x\n\nloose words"


_TAGS = st.sampled_from(
    ["doc", "title", "sec", "p", "list", "item", "table", "tr",
     "td", "row", "entry", "name", "fig", "ref", "label", "back", "body"]
)  # fmt: skip
_TREES = st.recursive(
    st.sampled_from(["word ", "5", "&amp;", "\n", "हिन्दी "]),
    lambda inner: st.tuples(_TAGS, st.lists(inner, max_size=4)).map(
        lambda tree: f"<{tree[0]}>{''.join(tree[1])}</{tree[0]}>"
    ),
    max_leaves=25,
)


@given(st.lists(_TREES, max_size=4).map("".join))
def test_any_tree_keeps_its_words_and_its_spans_in_order(markup):
    loaded = xml(f"<r>{markup}</r>")
    assert loaded.text.count("word") == markup.count("word")
    for spans in (loaded.pages, loaded.tables, loaded.blocks):
        assert list(spans) == sorted(spans, key=lambda span: span.start)
        assert all(0 <= span.start <= span.end <= len(loaded.text) for span in spans)
