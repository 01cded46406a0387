from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.running import without_running_lines

HEIGHT = 800.0


def line(text: str, y: float, size: float = 12.0) -> Line:
    return Line((text,), (72.0,), (72.0 + 6 * len(text),), y, y + size, size, False)


def remaining(pages):
    return [[kept.text for kept in page] for page in without_running_lines(pages, [HEIGHT] * len(pages))]


def test_headers_of_odd_and_even_pages_are_both_found():
    pages = [[line("Odd" if n % 2 else "Even", 770), line(f"Body {n}", 400)] for n in range(1, 9)]
    assert remaining(pages) == [[f"Body {n}"] for n in range(1, 9)]


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
    assert remaining(pages) == [[f"Body {n}"] for n in range(1, 7)]
