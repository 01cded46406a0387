import io
import threading

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate, Spacer, Table

from prism.errors import NotFoundError, TooLargeError, UnreadableError
from prism.ingest.readers.pdf import read, render_page
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings


def pdf(*pages, **options) -> bytes:
    """A PDF of one page per drawing function; a list of lines is drawn from the top."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, **options)
    for page in pages:
        if callable(page):
            page(canvas)
        else:
            write(canvas, page)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def write(canvas: Canvas, lines, *, x=72, y=760, font="Helvetica", size=12):
    canvas.setFont(font, size)
    for place, line in enumerate(lines):
        canvas.drawString(x, y - 16 * place, line)


def load(data: bytes, max_pages=100, unlock=""):
    return read(SourceFile(data, "file.pdf", "file", ReadSettings(max_pages=max_pages), unlock))


def page_texts(loaded) -> list[str]:
    return [loaded.text[page.start : page.end] for page in loaded.pages]


def test_ing_14_pages_carry_printed_label_and_sheet():
    def labelled(canvas):
        canvas.addPageLabel(0, "ROMAN_LOWER", 1)
        canvas.addPageLabel(2, "ARABIC", 1)
        write(canvas, ["Foreword."])

    loaded = load(pdf(labelled, ["Contents."], ["Chapter one."], ["The fee is 40."]))
    assert [(page.sheet, page.label) for page in loaded.pages] == [(1, "i"), (2, "ii"), (3, "1"), (4, "2")]
    assert page_texts(loaded)[3] == "The fee is 40."


def test_without_labels_the_sheet_number_is_the_label():
    assert [page.label for page in load(pdf(["a b"], ["c d"])).pages] == ["1", "2"]


@pytest.mark.parametrize(
    "after", ["Rs 2,00,000 per person.", "2,00,000 per person.", "two lakh per person.", "Two lakh."]
)
def test_ing_15_a_sentence_cut_by_the_page_turn_goes_on(after):
    loaded = load(pdf(["One."], ["Two."], ["Rules follow.", "The cap is"], [after, "Next rule."]))
    assert f"The cap is {after}" in loaded.text
    assert page_texts(loaded)[2].endswith("The cap is")
    assert page_texts(loaded)[3].startswith(after)


def test_ing_15_a_finished_page_is_not_joined_to_the_next():
    assert (
        load(pdf(["The cap is ten."], ["The floor is two."])).text == "The cap is ten.\n\nThe floor is two."
    )


@pytest.mark.parametrize(
    "footer", ["ACME Confidential – Page {}", "Page {} of 20", "- {} -", "{}", "ACME {} | Confidential"]
)
def test_ing_16_running_footers_are_left_out(footer):
    def page(number):
        def draw(canvas):
            write(
                canvas,
                [
                    f"Rule {number} is about topic {number * 7} and its long text that fills a line",
                    "and ends.",
                ],
            )
            canvas.drawCentredString(300, 30, footer.format(number))

        return draw

    loaded = load(pdf(*map(page, range(1, 21))))
    assert loaded.text.count("ACME") == footer.count("ACME"), "kept once: it may say whose document this is"
    assert "Page" not in "".join(page_texts(loaded)[1:])
    assert page_texts(loaded)[6] == "Rule 7 is about topic 49 and its long text that fills a line and ends."


@pytest.mark.parametrize("place", [30, 810])
def test_ing_16_a_running_line_kept_once_does_not_stand_in_a_sentence(place):
    def page(*lines):
        def draw(canvas):
            write(canvas, lines)
            canvas.drawCentredString(300, place, "ACME Confidential")

        return draw

    turn = ["The cap for all of them is"], ["Rs 200 per person."], ["The end of it."]
    loaded = load(pdf(*(page(*lines) for lines in turn)))
    assert "The cap for all of them is Rs 200 per person." in loaded.text
    assert loaded.text.count("ACME Confidential") == 1


def test_ing_16_a_title_is_no_running_header_of_the_pages_that_repeat_it_smaller():
    def page(number):
        def draw(canvas):
            write(canvas, ["Leave Rules"], size=24 if number == 1 else 18, y=790)
            write(canvas, [f"Rule {number} is about leave of kind {number * 7}."], y=600)

        return draw

    loaded = load(pdf(*map(page, range(1, 7))))
    assert loaded.text.count("Leave Rules") == 1
    assert page_texts(loaded)[0].startswith("Leave Rules")
    assert loaded.title == "Leave Rules"


def test_ing_16_content_that_only_looks_alike_stays():
    loaded = load(pdf(*[[f"Fact number {n} is here."] for n in range(1, 7)]))
    assert page_texts(loaded) == [f"Fact number {n} is here." for n in range(1, 7)]


def test_lines_of_a_paragraph_are_one_line_and_list_items_keep_theirs():
    loaded = load(
        pdf(
            [
                "The customer shall be informed of every change of the fee at least thirty",
                "days before it takes effect, by letter or by electronic mail, and",
                "may end the contract. These are exempt:",
                "(a) changes in favour of the customer;",
                "(b) changes required by law.",
            ]
        )
    )
    assert loaded.text == (
        "The customer shall be informed of every change of the fee at least thirty days before it takes "
        "effect, by letter or by electronic mail, and may end the contract. These are exempt:\n\n"
        "(a) changes in favour of the customer;\n(b) changes required by law."
    )


def test_a_table_is_rows_of_cells_with_its_column_names():
    rows = [("Item", "Fee", "Limit"), ("ATM withdrawal", "20", "10,000"), ("Cheque book", "75", "2")]

    def draw(canvas):
        for place, row in enumerate([*rows, ("NEFT transfer", "5", "1,00,000")]):
            for x, cell in zip((72, 220, 330), row, strict=True):
                canvas.drawString(x, 700 - 20 * place, cell)

    loaded = load(pdf(draw))
    assert loaded.text.split("\n") == [
        "Item | Fee | Limit",
        "ATM withdrawal | 20 | 10,000",
        "Cheque book | 75 | 2",
        "NEFT transfer | 5 | 1,00,000",
    ]
    assert [table.header for table in loaded.tables] == ["Item | Fee | Limit"]


def test_a_table_with_narrow_gaps_over_two_pages_is_one_table():
    rows = [["Code", "Meaning", "Fee in Rs"]]
    rows += [[f"E-{n:03}", f"Meaning of error number {n}", str(n * 3)] for n in range(1, 60)]
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer).build([Table(rows, repeatRows=1)])
    loaded = load(buffer.getvalue())
    assert loaded.page_count == 2
    assert "E-007 | Meaning of error number 7 | 21\nE-008 | Meaning of error number 8 | 24\n" in loaded.text
    assert [table.header for table in loaded.tables] == ["Code | Meaning | Fee in Rs"]


def test_column_names_repeated_over_the_page_turn_stand_once():
    rows = [["Code", "Meaning", "Fee in Rs"]]
    rows += [[f"E-{n:03}", f"Meaning of error {n}", str(n * 3)] for n in range(1, 60)]
    story = [Spacer(1, 200), Table(rows, repeatRows=1, colWidths=150)]
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, topMargin=150).build(story)
    loaded = load(buffer.getvalue())
    assert loaded.page_count > 2
    assert loaded.text.count("Code | Meaning | Fee in Rs") == 1
    assert len(loaded.tables) == 1
    assert loaded.text.count("\n") == 59


def test_a_row_with_an_empty_cell_belongs_to_its_table():
    rows = [("Date", "City", "Company", "Staff"), ("1 May", "Pune", "Ace", "40"), ("2 May", "", "Bel", "31")]

    def draw(canvas):
        for place, row in enumerate([*rows, ("3 May", "Agra", "Cap", "22")]):
            for x, cell in zip((72, 180, 290, 400), row, strict=True):
                canvas.drawString(x, 700 - 20 * place, cell)

    loaded = load(pdf(draw))
    assert [table.header for table in loaded.tables] == ["Date | City | Company | Staff"]
    assert loaded.text.endswith("2 May | Bel | 31\n3 May | Agra | Cap | 22")


def test_bold_names_above_words_are_column_names():
    def draw(canvas):
        for place, row in enumerate([("Term", "Meaning"), ("Cap", "The most"), ("Floor", "The least")]):
            canvas.setFont("Helvetica" if place else "Helvetica-Bold", 12)
            canvas.drawString(72, 700 - 20 * place, row[0])
            canvas.drawString(300, 700 - 20 * place, row[1])

    assert [table.header for table in load(pdf(draw)).tables] == ["Term | Meaning"]


def test_a_centred_column_name_of_two_lines_is_one_cell_and_no_heading():
    def table(canvas):
        write(canvas, ["7.2 The targets for these banks shall be as follows:"])
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawCentredString(130, 730, "Categories")
        for place, text in enumerate(
            ("Targets as a percentage of the credit or", "exposure, whichever is higher")
        ):
            canvas.drawCentredString(380, 730 - 14 * place, text)
        canvas.setFont("Helvetica", 12)
        for place, (name, value) in enumerate(
            (("Total sector", "60%"), ("Micro firms", "7%"), ("Weaker", "12%"))
        ):
            canvas.drawString(90, 698 - 14 * place, name)
            canvas.drawCentredString(380, 698 - 14 * place, value)
        write(canvas, [f"Plain text of the page that says more, number {n}." for n in range(9)], y=600)

    loaded = load(pdf(table))
    assert loaded.sections == ()
    (rows,) = loaded.tables
    assert (
        rows.header == "Categories | Targets as a percentage of the credit or exposure, whichever is higher"
    )
    assert "Total sector | 60%" in loaded.text[rows.start : rows.end]


def test_short_labelled_lines_and_numbered_items_stay_apart():
    labels = ["Name: Asha Rao", "Employee id: 37", "Notice period: 45 days"]
    assert load(pdf(labels)).text.split("\n\n") == labels
    items = [
        "22. Bank loans to microfinance institutions for lending on",
        "23. Bank loans to others",
        "24. Cap",
    ]
    assert load(pdf(items)).text.split("\n") == items


def test_the_next_item_begins_on_its_own_line_after_a_full_one():
    items = [
        "(c) Section II. However, Paragraph 5 of Section II is reinserted as 24 under V",
        "(d) Paragraph 4 of Section III",
        "(e) Section IV",
    ]
    assert load(pdf(items)).text.split("\n") == items


def test_a_table_drawn_column_by_column_is_read_row_by_row():
    columns = (["Name", *(f"Person {n}" for n in range(8))], ["Age", *(str(30 + n) for n in range(8))])

    def draw(canvas):
        write(canvas, ["A title that spans the page and makes it as wide as a page usually is."], y=780)
        for x, column in zip((72, 300), columns, strict=True):
            for place, cell in enumerate(column):
                canvas.drawString(x, 700 - 20 * place, cell)

    assert "Person 3 | 33\nPerson 4 | 34" in load(pdf(draw)).text


def test_a_title_drawn_last_stands_first():
    def draw(canvas):
        write(canvas, ["The cap is 20 for all who ask for it in the year.", "The floor is 10."], y=700)
        write(canvas, ["Leave Rules"], x=160, y=780, size=20)

    assert load(pdf(draw)).text.startswith("Leave Rules\n\nThe cap is 20")


def test_headings_by_size_or_weight_open_sections():
    def draw(canvas):
        write(canvas, ["Leave Rules"], size=20, y=760, font="Helvetica-Bold")
        write(canvas, ["1. Annual leave"], y=700, font="Helvetica-Bold")
        write(canvas, ["Every employee has fifteen days of leave in each calendar year of service."], y=680)
        write(canvas, ["2. Sick leave"], y=640, font="Helvetica-Bold")
        write(canvas, ["Ten days in each calendar year, with a note from a doctor after three days."], y=620)

    loaded = load(pdf(draw))
    assert [section.path for section in loaded.sections] == [
        ("Leave Rules",),
        ("Leave Rules", "1. Annual leave"),
        ("Leave Rules", "2. Sick leave"),
    ]
    assert loaded.title == "Leave Rules"


def test_chapters_hold_names_and_names_hold_numbers():
    body = "Every word of this paragraph is there to make the body text the usual kind of text here."

    def draw(canvas):
        for place, heading in enumerate(
            ["CHAPTER I", "PRELIMINARY", "1. Scope", "1.1 Banks", "2. Terms", "CHAPTER II"]
        ):
            write(canvas, [heading], y=760 - 80 * place, font="Helvetica-Bold")
            write(canvas, [body, body], y=735 - 80 * place)

    assert [section.path for section in load(pdf(draw)).sections] == [
        ("CHAPTER I",),
        ("CHAPTER I", "PRELIMINARY"),
        ("CHAPTER I", "PRELIMINARY", "1. Scope"),
        ("CHAPTER I", "PRELIMINARY", "1. Scope", "1.1 Banks"),
        ("CHAPTER I", "PRELIMINARY", "2. Terms"),
        ("CHAPTER II",),
    ]


def test_a_letterhead_is_no_section():
    def draw(canvas):
        write(canvas, ["THE BANK"], size=20, y=780)
        write(canvas, ["Circular on the fees of every kind of account"], y=740, font="Helvetica-Bold")
        write(
            canvas,
            ["Fees are charged once in each calendar year, at its end, and never before that."] * 3,
            y=700,
        )

    loaded = load(pdf(draw))
    assert [section.path for section in loaded.sections] == [
        ("Circular on the fees of every kind of account",)
    ]
    assert loaded.title == "Circular on the fees of every kind of account"
    assert loaded.text.startswith("THE BANK")


def test_a_watermark_on_many_pages_is_no_section():
    def stamped(number, y=400):
        def draw(canvas):
            write(canvas, [f"{number}. Ceiling {number}"], font="Helvetica-Bold")
            write(canvas, [f"The cap is {number}0 rupees a day for all."], y=720)
            write(canvas, ["Withdrawn"], x=200, y=y, size=40)
            write(canvas, ["Branches tell their customers of it."], y=250)

        return draw

    loaded = load(pdf(*(stamped(number) for number in (1, 2, 3))))
    assert [section.path for section in loaded.sections] == [
        ("1. Ceiling 1",),
        ("2. Ceiling 2",),
        ("3. Ceiling 3",),
    ]
    assert loaded.text.count("Withdrawn") == 3
    # On two pages it may be a heading, and so may what stands now here, now there.
    assert ("Withdrawn",) in [section.path for section in load(pdf(stamped(1), stamped(2))).sections]
    moving = load(pdf(*(stamped(number, y=500 - 60 * number) for number in (1, 2, 3))))
    assert sum(section.path == ("Withdrawn",) for section in moving.sections) == 3


def test_raised_digits_are_footnote_marks_not_part_of_the_amount():
    def draw(canvas):
        canvas.setFont("Helvetica", 12)
        canvas.drawString(72, 700, "The limit is Rs 50,000")
        canvas.setFont("Helvetica", 7)
        canvas.drawString(72 + canvas.stringWidth("The limit is Rs 50,000", "Helvetica", 12), 705, "2")
        write(canvas, ["for each person and each calendar year, as the board decides."], y=684)

    text = load(pdf(draw)).text
    assert "50,000 ²" in text
    assert "50,0002" not in text


def test_ing_09_a_picture_without_text_is_refused():
    def draw(canvas):
        canvas.drawImage(ImageReader(Image.new("RGB", (80, 40), "white")), 72, 600)

    with pytest.raises(UnreadableError, match=r"file\.pdf: no readable text \(scanned\?\)"):
        load(pdf(draw))


def test_a_picture_page_among_others_that_is_not_recognized_is_named():
    def draw(canvas):
        canvas.drawImage(ImageReader(Image.new("RGB", (80, 40), "white")), 72, 600)

    settings = ReadSettings(ocr="off")
    loaded = read(SourceFile(pdf(["Text."], draw), "file.pdf", "file", settings))
    assert loaded.warnings == (
        "no text on sheet 2: pictures only (scanned?); text recognition is off (read.ocr)",
    )
    assert loaded.unread_sheets == (2,)
    assert page_texts(loaded) == ["Text.", ""]


def test_ing_11_a_locked_pdf_says_password_protected():
    with pytest.raises(UnreadableError, match=r"file\.pdf: password protected.*prism ingest --password"):
        load(pdf(["Text."], encrypt="secret"))


def test_ing_11_a_wrong_password_is_told_from_none():
    with pytest.raises(UnreadableError, match=r"file\.pdf: password protected, and the password given"):
        load(pdf(["Text."], encrypt="secret"), unlock="guess")


def test_ing_11_a_password_opens_a_locked_pdf():
    assert load(pdf(["Text."], encrypt="secret"), unlock="secret").text == "Text."
    assert load(pdf(["Text."]), unlock="secret").text == "Text."


def test_ing_11_a_pdf_locked_only_against_changes_opens():
    lock = StandardEncryption("", ownerPassword="owner", canModify=0, canCopy=0)
    assert load(pdf(["Text."], encrypt=lock)).text == "Text."


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_ing_13_a_cut_off_pdf_is_damaged(share):
    data = pdf(*[[f"Page {n} text."] for n in range(6)])
    with pytest.raises(UnreadableError, match=r"file\.pdf: damaged"):
        load(data[: int(len(data) * share)])


def test_ing_13_a_pdf_cut_off_after_its_page_tree_is_damaged():
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 5 0 R /Resources 6 0 R >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 7 0 R /Resources 6 0 R >>",
        "<< /Length 39 >>\nstream\nBT /F1 12 Tf 20 200 Td (One page.) Tj ET\nendstream",
        "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>",
        "<< /Length 41 >>\nstream\nBT /F1 12 Tf 20 200 Td (Other page.) Tj ET\nendstream",
    )
    parts = [f"{number} 0 obj\n{body}\nendobj\n" for number, body in enumerate(objects, 1)]
    trailer = "trailer\n<< /Root 1 0 R /Size 8 >>\n"
    # Cross references are lost, no object is.
    whole = "%PDF-1.4\n" + "".join(parts) + trailer
    assert page_texts(load(whole.encode())) == ["One page.", "Other page."]
    # Files for the web have their trailer in front: their end may be lost in an object or after one.
    early = "%PDF-1.4\n" + parts[0] + trailer + "startxref\n0\n%%EOF\n" + "".join(parts[1:])
    for lost in (20, len(parts[-1])):
        with pytest.raises(UnreadableError, match=r"file\.pdf: damaged \(the file is cut off\)"):
            load(early[:-lost].encode())


def test_what_stands_before_and_after_a_pdf_does_no_harm():
    data = b"HTTP/1.1 200 OK\r\n\r\n" + pdf(["Text."]) + b"\n<!-- sent -->" * 400
    assert load(data).text == "Text."


def test_too_many_pages_are_refused_with_limit_and_setting():
    with pytest.raises(TooLargeError, match=r"3 pages are over the limit of 2.*read\.max_pages"):
        load(pdf(["a"], ["b"], ["c"]), max_pages=2)


def test_a_page_is_rendered_as_png():
    data = pdf(["a"], ["b"])
    image = Image.open(io.BytesIO(render_page(data, 2, scale=1.0)))
    assert image.format == "PNG"
    assert image.size == (596, 842)
    with pytest.raises(NotFoundError, match="no sheet 3"):
        render_page(data, 3)


def test_many_threads_may_read_at_once():
    data = pdf(*[[f"Sheet {n} says so."] for n in range(4)])
    texts: list[str] = []
    threads = [threading.Thread(target=lambda: texts.append(load(data).text)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 6
    assert len(set(texts)) == 1
