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


def test_code_and_lists_are_blocks_of_their_kind_and_the_language_is_left_out():
    loaded = page("```python\nx = 1\n```\n\n- [x] done\n- [ ] open\n  1. first\n\nEnd.")
    assert loaded.text == "x = 1\n\n- [x] done\n- [ ] open\n  1. first\n\nEnd."
    assert [(block.kind, loaded.text[block.start : block.end]) for block in loaded.blocks] == [
        ("code", "x = 1"),
        ("list", "- [x] done\n- [ ] open\n  1. first"),
    ]


def test_notes_are_kept_even_of_one_word():
    assert page("Cap[^1] and fee[^2].\n\n[^1]: Monthly\n\n[^2]: Per use, net of tax.").text.endswith(
        "[^2]: Per use, net of tax.\n\n[^1]: Monthly"
    )


def test_formulas_are_kept_as_written_and_prices_are_no_formulas():
    assert (
        page("So $a_1 * b_2 * \\{c\\}$ and $$x\\\\y = 1$$.").text
        == "So $a_1 * b_2 * \\{c\\}$ and $$x\\\\y = 1$$."
    )
    assert page("It costs $5 *more* than $6.").text == "It costs $5 more than $6."


def test_html_in_it_is_read_as_html():
    loaded = page(
        "<h1 align=center>Fees</h1>\n\n<!-- hidden -->\n\n<table><tr><th>a</th><th>b</th></tr>"
        "<tr><td>1</td><td>2</td></tr></table>\n\nText."
    )
    assert loaded.text == "Fees\n\na | b\n1 | 2\n\nText."
    assert loaded.sections[0].path == ("Fees",)
    assert loaded.tables[0].header == "a | b"


def test_front_matter_in_toml_gives_the_title():
    loaded = page('+++\ntitle = "Rules"\ndate = 2024-01-01\n+++\n\n## Cards {#cards}\n\nText.')
    assert (loaded.title, loaded.text) == ("Rules", "Cards\n\nText.")


def test_deep_lists_lose_no_text():
    assert (
        "deep" in page("".join("  " * depth + "- x\n" for depth in range(30)) + "  " * 30 + "- deep\n").text
    )
