from prism.ingest.repair import repair
from prism.types import PageSpan, SectionSpan, SourceText, TableSpan


def loaded(text: str) -> SourceText:
    return SourceText(text, "t", "text/plain", (PageSpan(1, "1", 0, len(text)),))


def test_ing_24_an_unpaired_surrogate_is_replaced_and_counted():
    mended = repair(loaded("x = \ud835 + 1"))
    assert mended.text == "x = \N{REPLACEMENT CHARACTER} + 1"
    assert any(warning.startswith("1 character was replaced") for warning in mended.warnings)
    mended.text.encode("utf-8")


def test_ing_24_a_character_written_in_two_halves_is_made_whole():
    mended = repair(loaded("x = \ud835\udc00 + 1"))
    assert mended.text == "x = \U0001d400 + 1"
    assert mended.warnings == ()
    assert mended.pages[0].end == len(mended.text)


def test_ing_25_nul_is_removed_and_counted():
    mended = repair(loaded("ab\x00cd total 900\x00"))
    assert mended.text == "abcd total 900"
    assert mended.warnings == ("2 characters were removed (NUL, which is not text)",)


def test_a_byte_order_mark_inside_the_text_goes():
    assert repair(loaded("a\ufeffb")).text == "ab"


def test_headings_labels_and_headers_are_mended_as_the_text_is():
    text = "Fees\ud835\na | b"
    mended = repair(
        SourceText(
            text,
            "t\ud835",
            "text/plain",
            (PageSpan(1, "i\x00", 0, len(text)),),
            sections=(SectionSpan(0, ("Fees\ud835",)),),
            tables=(TableSpan(6, 11, "a\ufeff | b"),),
            warnings=("odd \ud835",),
        )
    )
    assert (mended.title, mended.pages[0].label) == ("t\ufffd", "i")
    assert mended.sections == (SectionSpan(0, ("Fees\ufffd",)),)
    assert mended.tables == (TableSpan(6, 11, "a | b"),)
    assert mended.warnings[0] == "odd \ufffd"
