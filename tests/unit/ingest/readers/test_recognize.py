import pytest
from PIL import Image

from prism.errors import UnreadableError
from prism.ingest.readers import recognize as module
from prism.ingest.readers.recognize import recognizer
from prism.ingest.readers.recognized_page import RecognizedPage
from prism.ingest.readers.tesseract import ReadWord, Tesseract
from prism.settings import ReadSettings
from tests.scans import HINDI_FONT, needs_hindi, needs_tesseract, picture_of

ENGLISH = Tesseract("tesseract", "5.3.0", frozenset(("eng", "osd")), "", 0)
LINES = [
    "The harbour office charges forty crowns a day",
    "for every berth at the northern quay, and the",
    "master of a vessel pays before she leaves port.",
    "Boats under six metres pay half of that amount.",
]


def words(*lines: list[tuple[str, float]]) -> list[ReadWord]:
    return [
        ReadWord(text, confidence, (1, 1, number), 10 * at, 20 * number, 10 * at + 8, 20 * number + 10)
        for number, line in enumerate(lines)
        for at, (text, confidence) in enumerate(line)
    ]


def judged(*lines: list[tuple[str, float]], turn: int = 0) -> RecognizedPage:
    return module._judged(words(*lines), turn, Image.new("L", (400, 200)))


def texts(page: RecognizedPage) -> list[str]:
    return [" ".join(word.text for word in line.words) for line in page.lines]


@pytest.fixture
def found(monkeypatch):
    def choose(tesseract: Tesseract | None) -> None:
        monkeypatch.setattr(module, "find_tesseract", lambda: tesseract)

    return choose


# ── whether it can run ──────────────────────────────────────────────────────────────────────────


def test_without_the_program_the_next_step_is_named(found):
    found(None)
    missing = recognizer(ReadSettings(), "scan.pdf")
    assert missing.obstacle == (
        "text recognition needs Tesseract (Debian: tesseract-ocr tesseract-ocr-eng tesseract-ocr-hin); "
        "install it, then run prism ingest again"
    )
    assert missing.signature == ""


def test_on_without_the_program_refuses(found):
    found(None)
    with pytest.raises(UnreadableError, match=r"scan\.pdf: text recognition needs Tesseract"):
        recognizer(ReadSettings(ocr="on"), "scan.pdf")


def test_off_never_looks(found):
    found(ENGLISH)
    off = recognizer(ReadSettings(ocr="off"), "scan.pdf")
    assert (off.obstacle, off.signature) == ("text recognition is off (read.ocr)", "")


def test_a_missing_language_is_named_with_its_package(found):
    found(ENGLISH)
    made = recognizer(ReadSettings(ocr_languages=("eng", "chi_sim")), "scan.pdf")
    assert made.languages == ("eng",)
    assert made.lacking == "text recognition has no data for chi_sim (Debian: tesseract-ocr-chi-sim)"


def test_no_language_at_all_is_an_obstacle(found):
    found(ENGLISH)
    made = recognizer(ReadSettings(ocr_languages=("jpn",)), "scan.pdf")
    assert made.tesseract is None
    assert "no data for jpn" in made.obstacle
    with pytest.raises(UnreadableError):
        recognizer(ReadSettings(ocr="on", ocr_languages=("jpn",)), "scan.pdf")


def test_the_signature_changes_with_what_may_be_read(found):
    found(ENGLISH)
    signatures = {
        recognizer(settings, "a").signature
        for settings in (
            ReadSettings(),
            ReadSettings(ocr_languages=("eng",)),
            ReadSettings(ocr_timeout_s=5),
            ReadSettings(ocr="on"),
        )
    }
    assert signatures == {"tesseract 5.3.0 eng 60 s", "tesseract 5.3.0 eng 5 s"}


# ── what is debris ──────────────────────────────────────────────────────────────────────────────


def test_a_page_of_unsure_words_is_unsure_and_has_no_text():
    page = judged([("SEMA", 20), ("AR", 47)], [("weet.", 34), ("HHI", 12)])
    assert (page.state, page.lines) == ("unsure", ())


def test_unsure_lines_among_sure_ones_are_left_out():
    page = judged([("The", 96), ("berth", 97), ("costs", 96)], [("US", 20), ("Sal", 30), ("ISSASSHO", 25)])
    assert page.state == "partly"
    assert texts(page) == ["The berth costs"]


def test_a_speck_beside_a_page_of_text_is_no_loss():
    page = judged([("harbour", 96)] * 8, [("wy", 20)])
    assert (page.state, len(page.lines)) == ("read", 1)


def test_rules_taken_for_signs_are_left_out():
    assert texts(judged([("|", 30), ("Fee", 95), ("—", 40), ("40", 96), ("&", 95)])) == ["Fee 40 &"]


def test_signs_alone_are_a_blank_page():
    assert judged([("|", 90), ("~", 95)]).state == "blank"


def test_a_digit_of_another_script_among_latin_letters_is_latin():
    assert texts(judged([("No", 95), ("१०", 90)], [("धारा", 95), ("१०", 90)])) == ["No 10", "धारा १०"]


def test_lines_know_their_paragraph():
    two = [*words([("One", 95)]), ReadWord("Two", 95, (1, 2, 1), 0, 50, 20, 60)]
    page = module._judged(two, 0, Image.new("L", (100, 100)))
    assert [line.paragraph for line in page.lines] == [0, 1]


@pytest.mark.parametrize(
    ("turn", "place"),
    # A word that is 40 wide and 20 high, 10 right of and 20 below the corner of the upright picture.
    [(0, (0.1, 0.1, 0.5, 0.2)), (180, (0.5, 0.8, 0.9, 0.9)),
     (90, (0.2, 0.75, 0.4, 0.95)), (270, (0.6, 0.05, 0.8, 0.25))],
)  # fmt: skip
def test_words_of_a_turned_picture_stand_where_they_are_in_the_picture_given(turn, place):
    upright = (100, 200) if turn in (0, 180) else (200, 100)
    word = ReadWord("x", 95, (1, 1, 1), 10, 20, 50, 40)
    page = RecognizedPage("read", (), *upright, turn)
    assert page.place(word) == pytest.approx(place)


# ── pictures of text ────────────────────────────────────────────────────────────────────────────


@needs_tesseract
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_page_on_its_side_or_its_head_is_read(turn):
    upright = picture_of(LINES)
    given = upright if not turn else upright.rotate(turn, expand=True)
    page = recognizer(ReadSettings(), "a").read(given)
    assert (page.state, texts(page)) == ("read", LINES)
    assert [len(line.words) for line in page.lines] == [len(line.split()) for line in LINES]
    left, top, right, bottom = page.place(page.lines[0].words[0])
    box = (left * given.width, top * given.height, right * given.width, bottom * given.height)
    assert given.crop(tuple(map(int, box))).getextrema()[0] < 60, "ink inside"
    assert 0 <= left < right <= 1
    assert 0 <= top < bottom <= 1


@needs_tesseract
@pytest.mark.parametrize("colour", [0, 128, 255])
def test_an_even_picture_is_blank(colour):
    assert recognizer(ReadSettings(), "a").read(Image.new("L", (600, 800), colour)).state == "blank"


@needs_tesseract
def test_noise_has_no_text():
    noise = Image.effect_noise((900, 900), 90)
    page = recognizer(ReadSettings(), "a").read(noise)
    assert page.lines == ()


@needs_tesseract
def test_a_page_that_takes_too_long_says_so():
    page = recognizer(ReadSettings(ocr_timeout_s=0.001), "a").read(picture_of(LINES))
    assert (page.state, page.reason) == ("failed", "text recognition took over 0.001 s (read.ocr_timeout_s)")


@needs_hindi
def test_hindi_is_read_but_for_a_word_in_ten():
    lines = ["बैंक प्रतिदिन पचास हजार रुपये तक की", "नकद निकासी की अनुमति देता है।"]
    page = recognizer(ReadSettings(), "a").read(picture_of(lines, font=HINDI_FONT, size=56))
    assert page.state == "read"
    said, read = " ".join(lines).split(), " ".join(texts(page)).split()
    assert len(read) == len(said) == 13
    assert sum(a == b for a, b in zip(said, read, strict=True)) >= 12


@needs_tesseract
@pytest.mark.parametrize("degrees", [-8, 5])
def test_a_page_askew_is_read_line_by_line_with_boxes_where_the_words_are(degrees):
    given = picture_of(LINES).rotate(degrees, expand=True, fillcolor=255)
    page = recognizer(ReadSettings(), "a").read(given)
    assert texts(page) == LINES
    for word in page.words:
        left, top, right, bottom = page.place(word)
        box = (left * given.width, top * given.height, right * given.width, bottom * given.height)
        assert given.crop(tuple(map(int, box))).getextrema()[0] < 80
    first, last = page.lines[0].words[0], page.lines[0].words[-1]
    assert (page.place(first)[1] < page.place(last)[1]) == (degrees < 0), "the line falls or rises"


@needs_tesseract
def test_a_grainy_page_is_read():
    clean = picture_of(LINES)
    page = recognizer(ReadSettings(), "a").read(Image.blend(clean, Image.effect_noise(clean.size, 120), 0.4))
    assert texts(page) == LINES
