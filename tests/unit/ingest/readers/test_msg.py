import struct

import pytest

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind, kind_of
from prism.ingest.readers.msg import read
from prism.ingest.readers.protocol import SourceFile
from tests.unit.ingest.readers.compound import compound_file


def properties(header_bytes: int = 32, **values: object) -> dict:
    """Streams of an object. `t0037` is a text, `a0037` one of bytes, `b1009` bytes, `i3FFD` a number,
    `d0039` a date (FILETIME)."""
    streams: dict = {}
    table = b""
    for key, value in values.items():
        number = int(key[1:], 16)
        if key[0] == "i":
            table += struct.pack("<HHIii", 3, number, 6, value, 0)
        elif key[0] == "d":
            table += struct.pack("<HHIQ", 0x40, number, 6, value)
        else:
            kind = {"t": 0x1F, "a": 0x1E, "b": 0x102}[key[0]]
            streams[f"__substg1.0_{number:04X}{kind:04X}"] = (
                value.encode("utf-16-le") if isinstance(value, str) else value
            )
    return {"__properties_version1.0": bytes(header_bytes) + table, **streams}


def msg(tree: dict):
    return read(SourceFile(compound_file(tree), "m.msg", "m"))


def test_a_message_reads_as_other_mail_does():
    recipient = properties(8, t3001="Binu", t39FE="b@x.org", i0C15=1)
    attachment = properties(8, t3707="fees.pdf", t370E="application/pdf", b3701=b"x" * 2500)
    tree = properties(
        t0037="Fees",
        t0C1A="Asha",
        t5D01="a@x.org",
        t1000="It is ₹5.\r\n",
        d0039=(1_711_908_000 + 11_644_473_600) * 10**7,
    )
    tree |= {"__recip_version1.0_#00000000": recipient, "__attach_version1.0_#00000000": attachment}
    assert kind_of(compound_file(tree), "m.msg") is Kind.MSG
    loaded = msg(tree)
    assert loaded.title == "Fees"
    assert loaded.text == (
        "From: Asha <a@x.org>\nTo: Binu <b@x.org>\nDate: 2024-03-31 18:00 UTC\nSubject: Fees\n\nIt is ₹5.\n\n"
        "Attachments:\n- fees.pdf (application/pdf, 2 KB)"
    )
    assert "fees.pdf" in loaded.warnings[0]


def test_older_files_name_the_code_page_of_their_texts():
    loaded = msg(properties(a0037="Плата".encode("cp1251"), a1000="Пять рублей".encode("cp1251"), i3FFD=1251))
    assert loaded.text == "Subject: Плата\n\nПять рублей"


def test_an_html_body_is_read_in_its_charset_with_its_tables():
    markup = "<p>Gebühr</p><table><tr><th>Item</th><th>Fee</th></tr><tr><td>ATM</td><td>5</td></tr></table>"
    loaded = msg(
        properties(b1013=markup.encode("cp1252"), i3FDE=1252, t1000="Gebühr\r\n\r\nItem\tFee\r\nATM\t5")
    )
    assert loaded.text == "Gebühr\n\nItem | Fee\nATM | 5"


def test_a_body_that_is_only_compressed_rich_text_is_read():
    rich = b"{\\rtf1\\ansi\\ansicpg1252 The fee is f\\'fcnf.\\par Next.}"
    stored = struct.pack("<II4sI", len(rich) + 12, len(rich), b"MELA", 0) + rich
    assert msg(properties(t0037="F", b1009=stored)).text == "Subject: F\n\nThe fee is fünf.\n\nNext."


def test_a_forwarded_message_is_a_section_with_its_own_headers():
    inner = properties(24, t0037="Old rates", t1000="It was 3 %.")
    attachment = properties(8) | {"__substg1.0_3701000D": inner}
    loaded = msg(properties(t0037="Fwd", t1000="See below.") | {"__attach_version1.0_#00000000": attachment})
    assert loaded.text == "Subject: Fwd\n\nSee below.\n\nOld rates\n\nSubject: Old rates\n\nIt was 3 %."
    assert [section.path for section in loaded.sections] == [("Old rates",)]


def test_an_encrypted_message_says_so():
    loaded = msg(properties(t0037="F", t001A="IPM.Note.SMIME", t1000="x"))
    assert loaded.text == "Subject: F"
    assert "encrypted" in loaded.warnings[0]


@pytest.mark.parametrize("keep", [0, 100, 512, 600, 1500, 3000])
def test_a_damaged_message_is_refused_in_plain_words(keep):
    whole = compound_file(properties(t0037="Fees", t1000="It is 5. " * 600))
    with pytest.raises(UnreadableError, match=r"m\.msg: damaged"):
        read(SourceFile(whole[:keep], "m.msg", "m"))
