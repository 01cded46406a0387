import codecs

import pytest

from prism.errors import UnreadableError
from prism.ingest.readers.encoding import decode

FEE = "Zürich fee is €5"

GUESSED = [
    ("cp1252", FEE),
    ("cp1252", "naïve café – £5"),
    ("cp1252", "“Smart quotes” and it’s fine"),
    ("cp1252", "§ 7(b) applies at 25 °C"),
    ("cp1252", "Kündigungsfrist beträgt 3 Monate für Größe 5"),
    ("cp1252", "São Paulo: não há exceções"),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("cp1250", "Opłata wynosi 5 zł"),
    ("iso8859_2", "Okres wypowiedzenia wynosi trzy miesiące"),
    ("cp1251", "Комиссия 5 рублей"),
    ("cp1251", "Договор № 5"),
    ("koi8_r", "Комиссия составляет 5 рублей"),
    ("cp866", "Отпуск 28 дней"),
    ("cp1253", "Η προθεσμία είναι 45 ημέρες"),
    ("cp1254", "İstanbul’da yıllık izin on beş gündür"),
    ("cp1255", "תקופת ההודעה היא 45 יום"),
    ("cp1256", "مدة الإشعار 45 يوما"),
    ("cp874", "ค่าธรรมเนียม 5 บาท"),
    ("gb18030", "年假为15天"),
    ("gb18030", "你好"),
    ("big5", "年假為15天，通知期限"),
    ("shift_jis", "年次有給休暇は15日です"),
    ("shift_jis", "カタカナ"),
    ("euc_jp", "手数料は５ユーロです"),
    ("iso2022_jp", "年次有給休暇は15日です"),
    ("euc_kr", "연차 휴가는 15일입니다"),
    ("euc_kr", "휴가"),
    ("utf-16-le", FEE),
    ("utf-16-be", FEE),
    ("utf-16-le", "सीमा ₹500 प्रति दिन"),
    ("utf-16-le", "年假为15天\n通知"),
    ("utf-32-le", FEE),
]


@pytest.mark.parametrize(("encoding", "text"), GUESSED)
def test_ing_01_ing_02_short_texts_of_many_encodings_are_read_exactly(encoding, text):
    decoded = decode(text.encode(encoding), "x.txt")
    assert decoded.text == text
    assert decoded.warnings[0].startswith(f"encoding guessed: {decoded.encoding}")


@pytest.mark.parametrize(
    "data",
    [
        FEE.encode("utf-8"),
        FEE.encode("utf-8-sig"),
        FEE.encode("utf-16"),
        codecs.BOM_UTF16_BE + FEE.encode("utf-16-be"),
        FEE.encode("utf-32"),
    ],
)
def test_ing_02_marked_unicode_is_certain_and_leaves_no_mark(data):
    decoded = decode(data, "x.txt")
    assert decoded.text == FEE
    assert decoded.warnings == ()


@pytest.mark.parametrize(
    "data", [bytes(range(256)), bytes(range(256)) * 40, b"\x00\x01\x02\x03" * 50, b"MZ" + b"\0" * 900]
)
def test_ing_02_binary_is_refused_as_not_a_text_file(data):
    with pytest.raises(UnreadableError, match=r"x\.txt: not a text file"):
        decode(data, "x.txt")


def test_a_declared_encoding_is_believed_without_a_warning():
    decoded = decode("Grüße".encode("cp1252"), "x.html", declared="iso-8859-1")
    assert (decoded.text, decoded.warnings) == ("Grüße", ())


def test_a_wrong_declaration_gives_way_to_valid_utf_8():
    assert decode("Größe ₹5".encode(), "x.html", declared="latin-1").text == "Größe ₹5"


def test_utf_8_with_a_pasted_windows_1252_line_loses_nothing():
    decoded = decode("Größe Übermaß prüfen, ₹500 für die Bücher. ".encode() * 3 + b"\x80 5", "x.txt")
    assert decoded.text.endswith("€ 5")
    assert "1 bytes are not valid UTF-8" in decoded.warnings[0]


def test_a_long_ascii_file_with_one_legacy_line_is_read():
    data = b"plain line\n" * 5000 + "Zürich fee is €5\n".encode("cp1252")
    assert decode(data, "x.txt").text.endswith("Zürich fee is €5\n")


@pytest.mark.parametrize(
    "data", [b"total 900\x00", b"ab\x00cd total 90", b"a,b\x00c\n1,2\n", b"the\x00total\x00is 900 of all"]
)
def test_ing_25_a_stray_nul_in_a_short_text_does_not_make_it_utf_16(data):
    assert decode(data, "x.txt").text == data.decode()


@pytest.mark.parametrize("text", ["ab", "a 1\n", "年 a", "年假 15 days"])
def test_ing_02_short_utf_16_without_a_mark_is_still_read(text):
    assert decode(text.encode("utf-16-le"), "x.txt").text == text
