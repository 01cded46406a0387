from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.running import without_running_lines

HEIGHT = 800.0


def line(text: str, y: float, size: float = 12.0) -> Line:
    return Line((text,), (72.0,), (72.0 + 6 * len(text),), y, y + size, size, False)


def remaining(pages):
    return [[kept.text for kept in page] for page in without_running_lines(pages, [HEIGHT] * len(pages))]


def test_headers_of_odd_and_even_pages_are_both_found_and_kept_once():
    pages = [[line("Odd" if n % 2 else "Even", 770), line(f"Body {n}", 400)] for n in range(1, 9)]
    assert remaining(pages) == [
        ["Odd", "Body 1"],
        ["Even", "Body 2"],
        *([f"Body {n}"] for n in range(3, 9)),
    ]


def test_what_the_document_says_elsewhere_is_not_kept():
    pages = [[line("Leave Rules", 790), line(f"Body {n}", 400)] for n in range(1, 6)]
    pages[1].append(line("These leave rules hold.", 300))
    assert remaining(pages)[0] == ["Body 1"]


def test_a_chapters_header_comes_back_on_its_own_pages():
    chapters = ["One"] * 4 + ["Two"] * 4 + ["Three"] * 4 + ["Four"] * 4
    pages = [[line(f"Chapter {name}", 780), line(f"Body {n}", 400)] for n, name in enumerate(chapters)]
    assert sum(len(page) == 1 for page in remaining(pages)) == 12
    assert remaining(pages)[4] == ["Chapter Two", "Body 4"]


def test_nothing_but_a_page_number_needs_no_third_page():
    for number in ("Page {} of 2", "- {} -", "{}", "{} / 2"):
        pages = [[line(f"Body {n}", 400), line(number.format(n), 30)] for n in (1, 2)]
        assert remaining(pages) == [["Body 1"], ["Body 2"]], number
    # A title page bears none; a plain number on two pages of three may be content.
    told = [line("Page 2 of 3", 30), line("Page 3 of 3", 30)]
    assert remaining([[line("a", 400)], [line("b", 400), told[0]], [line("c", 400), told[1]]])[1] == ["b"]
    plain = [[line("a", 400)], [line("b", 400), line("2", 30)], [line("c", 400), line("3", 30)]]
    assert remaining(plain)[1] == ["b", "2"]


def test_page_numbers_may_start_anywhere_and_be_roman():
    romans = ["iii", "iv", "v", "vi", "vii"]
    assert remaining([[line(f"Body {r}", 400), line(r, 30)] for r in romans]) == [
        [f"Body {r}"] for r in romans
    ]


def test_numbers_that_do_not_move_with_the_sheet_are_content():
    pages = [[line(f"Body {n}", 400), line(str(n * n * 10), 30)] for n in range(1, 6)]
    assert remaining(pages)[2] == ["Body 3", "90"]


def test_a_repeated_line_in_the_middle_of_the_page_stays():
    pages = [[line(f"Top {n * 3} x", 700), line("Subject to review.", 400)] for n in range(1, 6)]
    assert all("Subject to review." in page for page in remaining(pages))


def test_a_repeated_line_behind_other_content_stays():
    pages = [
        [line(f"Rule number {n} of all", 780), line("Same words.", 760), line("x", 300)] for n in range(1, 6)
    ]
    assert all("Same words." in page for page in remaining(pages))


def test_two_pages_are_too_few_to_tell():
    assert remaining([[line("Same", 780), line("a", 400)], [line("Same", 780), line("b", 400)]])[0] == [
        "Same",
        "a",
    ]


def test_a_title_that_the_headers_repeat_in_smaller_print_stays():
    sizes = [24.0, *[18.0] * 5]
    pages = [[line("Leave Rules", 760, size), line(f"Body {n}", 400)] for n, size in enumerate(sizes, 1)]
    assert remaining(pages) == [["Leave Rules", "Body 1"], *([f"Body {n}"] for n in range(2, 7))]


def test_sizes_that_differ_by_less_than_print_does_are_one():
    pages = [[line("Leave Rules", 760, 9.0 + 0.02 * n), line(f"Body {n}", 400)] for n in range(1, 7)]
    assert remaining(pages) == [["Leave Rules", "Body 1"], *([f"Body {n}"] for n in range(2, 7))]


def test_the_end_of_a_footnote_that_comes_back_is_no_running_line():
    pages = [[line(f"Body {n}", 400)] for n in range(1, 21)]
    for page, number in zip(pages[3:7], (7, 9, 12, 13), strict=True):
        page += [line(f"{number} Substituted by the Rules (Amendment)", 80), line("Directions, 2026", 66)]
    assert remaining(pages)[3:5] == [
        ["Body 4", "7 Substituted by the Rules (Amendment)", "Directions, 2026"],
        ["Body 5", "9 Substituted by the Rules (Amendment)", "Directions, 2026"],
    ]
