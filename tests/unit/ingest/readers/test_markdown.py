from prism.ingest.readers.markdown import read
from prism.ingest.readers.protocol import SourceFile


def page(source: str):
    return read(SourceFile(source.encode(), "notes.md", "notes"))


def test_ing_21_text_before_the_first_heading_is_kept():
    loaded = page("Effective 1 April.\n\n# Title\n\nBody.")
    assert loaded.text == "Effective 1 April.\n\nTitle\n\nBody."
    assert [section.path for section in loaded.sections] == [("Title",)]
    assert loaded.title == "Title"


def test_headings_of_both_styles_nest():
    loaded = page("Top\n===\n\nA\n---\n\n### a1\n\n## B\n")
    assert [section.path for section in loaded.sections] == [
        ("Top",),
        ("Top", "A"),
        ("Top", "A", "a1"),
        ("Top", "B"),
    ]


def test_front_matter_gives_the_title_and_is_left_out():
    loaded = page('---\ntitle: "Leave policy"\ntags: [hr]\n---\nFifteen days.')
    assert (loaded.title, loaded.text) == ("Leave policy", "Fifteen days.")


def test_a_rule_at_the_top_is_no_front_matter():
    assert page("---\n\nText.\n\n---\n\nMore.").text == "Text.\n\nMore."


def test_quoted_sentences_carry_no_markup():
    loaded = page("The **limit** is `₹500`, see [the *rules*](http://x) and ![a map](m.png).\nNext line.")
    assert loaded.text == "The limit is ₹500, see the rules and a map. Next line."


def test_fenced_code_is_kept_verbatim_and_opens_no_section():
    loaded = page("# Setup\n\n```sh\n# not a heading\n  run **this**\n```\n")
    assert loaded.text == "Setup\n\n# not a heading\n  run **this**"
    assert len(loaded.sections) == 1


def test_tables_are_rows_under_a_header():
    loaded = page("| Item | Fee |\n|---|---:|\n| ATM | **20** |\n| NEFT | 5 |\n")
    assert loaded.text == "Item | Fee\nATM | 20\nNEFT | 5"
    assert loaded.tables[0].header == "Item | Fee"


def test_lists_keep_their_marks_and_depth():
    loaded = page("Steps:\n\n3. open\n4. close\n   - gently\n\nDone.")
    assert loaded.text == "Steps:\n\n3. open\n4. close\n  - gently\n\nDone."


def test_raw_html_is_read_as_text():
    assert page("<div>Limit <b>42</b></div>\n\nA<br>B").text == "Limit 42\n\nA\nB"


def test_ing_25_nul_is_removed_not_replaced():
    assert page("ab\x00cd").text == "abcd"


def test_stars_and_underscores_inside_words_are_signs():
    assert page("2*3*4 and K_TRN_BX_07 and **bold**").text == "2*3*4 and K_TRN_BX_07 and bold"
