import pytest

from prism.errors import UnreadableError
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.rtf import read


def load(body: str | bytes, head: str = r"\rtf1\ansi\ansicpg1252\deff0"):
    data = body if isinstance(body, bytes) else body.encode("latin-1")
    return read(SourceFile(b"{" + head.encode() + b" " + data + b"}", "d.rtf", "d"))


def text_of(body: str | bytes, head: str = r"\rtf1\ansi\ansicpg1252\deff0") -> str:
    return load(body, head).text


FONTS = r"{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset134 SimSun;}{\f3\fcharset2 Symbol;}{\f4\fcharset2 Wingdings;}{\f5\fcharset238{\*\falt x}Times CE;}}"  # noqa: E501


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        (r"Fee \'805 f\'fcr Z\'fcrich\par", "Fee €5 für Zürich"),
        (r"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}, {\f5 \'b9} and {\f0 \'b9}", "Привет, ą and ¹"),
        (r"\f2 \'d6\'d0\'ce\'c4\f0 !", "中文!"),
        ("\\f2 \xd6\xd0\xce\xc4\\f0 !", "中文!"),
        (r"{\f3\'61 \'a3 \'62}{\f4\'fe}", "α ≤ β☒"),
        (r"\u8377? 500, \u-10179?\u-8704?", "₹ 500, 😀"),
        (r"\uc2\u2361\'b9\'b9x{\uc0\u2346}y\uc1\u2361\'b9z", "हxपyहz"),
        (r"caf{\u233\'e9}!", "café!"),
        (r"a\emdash b\~c\_d\-e \{\\\}", "a—b\u00a0c-de {\\}"),
    ],
)
def test_letters_are_read_in_the_code_page_of_their_font(body, seen):
    assert text_of(FONTS + body) == seen


def test_a_western_font_of_a_cyrillic_file_holds_what_most_of_its_letters_are():
    body = FONTS + r"\f0 \'cf\'f0\'e8\'e2\'e5\'f2\par caf\'e9 \f9\'cf"
    assert text_of(body, r"\rtf1\ansi\ansicpg1251\deff0") == "Привет\n\ncafé П"


def test_headings_come_from_outline_levels_and_styles():
    loaded = load(
        r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s7 Heading 2;}{\s9 Title;}}"
        r"{\s9 Handbook\par}{\pard\s1 Leave\par}\pard\plain Text.\par{\pard\s7 Carry over\par}"
        r"\pard{\pard\outlinelevel0 Travel\par}\pard By train.\par"
    )
    assert loaded.text == "Handbook\n\nLeave\n\nText.\n\nCarry over\n\nTravel\n\nBy train."
    assert [section.path for section in loaded.sections] == [
        ("Handbook",), ("Handbook", "Leave"), ("Handbook", "Leave", "Carry over"), ("Handbook", "Travel"),
    ]  # fmt: skip
    assert loaded.title == "Handbook"


def test_the_title_of_the_file_and_nothing_else_of_its_description():
    loaded = load(r"{\info{\title Leave \u8377?}{\author Asha}}{\colortbl;\red0;}{\*\generator X;}Text")
    assert (loaded.title, loaded.text) == ("Leave ₹", "Text")


def test_a_table_keeps_its_cells_and_its_header():
    row = r"\trowd{}\cellx2000\cellx4000 \pard\intbl {}\cell {}\cell\row "
    body = (
        "Before\\par "
        + row.format(r"\trhdr", "City", "Fee")
        + row.format("", r"Pune\par (MH)", "20")
        + r"\pard After\par"
    )
    loaded = load(body)
    assert loaded.text == "Before\n\nCity | Fee\nPune (MH) | 20\n\nAfter"
    assert loaded.tables[0].header == "City | Fee"


def test_merged_cells_are_seen_by_where_cells_end_and_by_marks():
    body = (
        r"\trowd\cellx1000\cellx2000\cellx3000 \pard\intbl City\cell Fee\cell Days\cell\row"
        r"\trowd\clvmgf\cellx1000\cellx3010 \pard\intbl Pune\cell both free\cell\row"
        r"\trowd\clvmrg\cellx1000\clmgf\cellx2000\clmrg\cellx3000 \pard\intbl \cell 20\cell\cell\row"
    )
    assert text_of(body) == "City | Fee | Days\nPune | both free\nPune | 20"


def test_a_table_in_a_cell_is_on_its_line():
    inner = r"\pard\intbl\itap2 ATM\nestcell 20\nestcell{\*\nesttableprops\trowd\cellx9\cellx10\nestrow}"
    inner += r"{\nonesttables\par}"
    body = r"\trowd\cellx2000\cellx4000\pard\intbl Fees\cell " + inner + r"\pard\intbl\itap1 \cell\row"
    assert text_of(body) == "Fees | ATM, 20"
    before = r"\trowd\cellx2000\cellx4000\pard\intbl A\cell B\cell\row"
    assert text_of(before + body) == "A | B\nFees | ATM, 20"


def test_list_marks_are_kept_and_items_are_one_block():
    item = r"{\pard{\listtext\pard\plain %s\tab}\ls1\ilvl%d %s\par}"
    body = (
        FONTS
        + item % (r"\f3\'b7", 0, "one")
        + item % ("a)", 1, "two")
        + item % (r"{\*\x}", 0, "three")
        + r"\pard End"
    )
    loaded = load(body)
    assert loaded.text == "- one\n  a) two\n- three\n\nEnd"
    assert [loaded.text[block.start : block.end] for block in loaded.blocks] == ["- one\n  a) two\n- three"]


def test_links_show_their_text_and_other_fields_their_result():
    assert (
        text_of(r'See {\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt {\ul the rules}}}.')
        == "See the rules."
    )


def test_notes_stand_at_the_end_of_the_section_that_refers_to_them():
    body = (
        r"Leave{\super\chftn}{\footnote\pard {\super\chftn} Not in probation.} is paid.\par "
        r"{\outlinelevel0 Travel\par}By train{\footnote\ftnalt Second class.}.\par"
    )
    assert text_of(body).split("\n\n") == [
        "Leave (note 1) is paid.", "Note 1: Not in probation.", "Travel", "By train (endnote 1).",
        "Endnote 1: Second class.",
    ]  # fmt: skip


def test_headers_footers_and_comments_stand_once_at_the_end():
    body = (
        r"{\header\pard Leave policy\par}{\headerf Leave policy\par}"
        r"{\footer Page {\field{\*\fldinst PAGE}{\fldrslt 3}} of "
        r"{\field{\*\fldinst{NUMPAGES}}{\fldrslt 9}}\par}"
        r"Ten days{\*\atnid A}{\*\atnauthor Asha}\chatn{\*\annotation{\*\atnref 1}Twenty?}.\par"
    )
    assert text_of(body) == "Ten days.\n\nComment by Asha: Twenty?\n\nHeader: Leave policy"


def test_hidden_and_deleted_text_is_left_out_with_a_word():
    loaded = load(r"a{\v secret}b {\deleted ten}{\revised twenty} \v x\v0 days")
    assert loaded.text == "ab twenty days"
    assert loaded.warnings == ("hidden text was left out", "tracked changes were read as if accepted")


def test_boxes_are_read_once_after_their_paragraph():
    shape = (
        r"{\shp{\*\shpinst\shpleft0{\sp{\sn name}{\sv value}}{\shptxt\pard In the box\par}}"
        r"{\shprslt{\*\do{\dptxbxtext In the box\par}}}}"
    )
    assert text_of(rf"Around {shape}it.\par Next.\par") == "Around it.\n\nIn the box\n\nNext."


def test_what_is_written_twice_is_read_in_unicode():
    assert text_of(r"{\upr{Gro?}{\*\ud{Gro\u223?}}} x") == "Groß x"


def test_raised_numbers_are_not_joined_to_the_number_before():
    assert text_of(r"10{\super 2} and 5\super 3\nosupersub !") == "10² and 5³!"


def test_binary_data_and_pictures_are_passed_over():
    assert text_of(b"a{\\pict\\pngblip 89504e47}{\\*\\x\\bin4 }{}\\}b") == "ab"
    with pytest.raises(UnreadableError, match="only pictures"):
        text_of(r"{\pict 00ff}")


def test_a_file_cut_short_is_read_as_far_as_it_goes():
    loaded = read(SourceFile(rb"{\rtf1 {\b The cap is ten\par da", "d.rtf", "d"))
    assert loaded.text == "The cap is ten\n\nda"
    assert loaded.warnings == ("the file ends early: its end may be missing",)


def test_deep_nesting_and_stray_braces_do_no_harm():
    assert text_of("{" * 50_000 + "deep" + "}" * 50_000) == "deep"
    assert read(SourceFile(rb"{\rtf1 a}} b {", "d.rtf", "d")).text == "a"


def test_other_content_is_refused():
    with pytest.raises(UnreadableError, match=r"d\.rtf: not an RTF file"):
        read(SourceFile(b"plain", "d.rtf", "d"))
