import base64
from email.message import EmailMessage

import pytest

from prism.errors import UnreadableError
from prism.ingest.readers.mail import read
from prism.ingest.readers.protocol import SourceFile


def mail(data: bytes | str | EmailMessage):
    if isinstance(data, EmailMessage):
        data = data.as_bytes()
    return read(SourceFile(data if isinstance(data, bytes) else data.encode(), "m.eml", "m"))


HEAD = "From: Asha <a@x.org>\nTo: b@x.org\nSubject: Fees\nMIME-Version: 1.0\n"


def alternative(plain: str, html: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Fees"
    message.set_content(plain)
    message.add_alternative(html, subtype="html")
    return message


def test_headers_come_first_and_the_subject_is_the_title():
    loaded = mail("Received: by relay\nDate: Mon, 1 Apr 2024 10:00:00 +0530\n" + HEAD + "\nThe fee is ₹5.\n")
    assert loaded.title == "Fees"
    assert loaded.text == (
        "From: Asha <a@x.org>\nTo: b@x.org\nDate: Mon, 1 Apr 2024 10:00:00 +0530\nSubject: Fees\n\n"
        "The fee is ₹5."
    )


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("=?UTF-8?Q?Geb=C3=BChr?= 5", "Gebühr 5"),
        ("=?utf-8?B?R2Viw7xocg==?=", "Gebühr"),
        ("=?utf-8?B?R2Viw7xocg?=", "Gebühr"),  # padding forgotten
        ("Re:=?utf-8?Q?Geb=C3=BChr?=(neu)", "Re:Gebühr(neu)"),  # no space around
        ("=?UTF-8?Q?Geb=C3?=\n =?UTF-8?Q?=BChr?=", "Gebühr"),  # cut inside a character
        ("=?windows-1251?Q?=CF=EB=E0=F2=E0?=", "Плата"),
        ("=?utf-8?Q?two words?=", "two words"),
        ("=?x-unknown?Q?abc?=", "abc"),
        ("a=?b", "a=?b"),
    ],
)
def test_header_words_are_decoded_well_written_or_not(subject, expected):
    assert mail(f"Subject: {subject}\nFrom: a@x.org\n\nx").title == expected


def test_raw_eight_bit_headers_are_read_by_what_they_are():
    assert mail("Subject: Gebühr für März\n\nx".encode("cp1252")).title == "Gebühr für März"
    assert mail("Subject: Gebühr für März\n\nx".encode()).title == "Gebühr für März"


def test_what_only_the_plain_form_says_is_not_lost():
    loaded = mail(
        alternative("Dear Asha,\n\nThe code is 4471.\n", "<p>Dear Asha,</p><p>See the picture.</p>")
    )
    assert loaded.text == "Subject: Fees\n\nDear Asha,\n\nSee the picture.\n\nThe code is 4471."


def test_two_forms_that_say_the_same_are_read_once():
    html = "<p>Dear <b>Asha</b>,</p>"
    html += "<table><tr><th>Item</th><th>Fee</th></tr><tr><td>ATM</td><td>5</td></tr></table>"
    loaded = mail(alternative("Dear *Asha*,\n\nItem Fee\nATM 5\n<https://x.org/u?id=1>\n", html))
    assert loaded.text == "Subject: Fees\n\nDear Asha,\n\nItem | Fee\nATM | 5"
    assert loaded.tables[0].header == "Item | Fee"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_mail_file_in_utf_16_is_read(encoding):
    assert mail((HEAD + "\nFee is ₹5").encode(encoding)).text.endswith("Subject: Fees\n\nFee is ₹5")


@pytest.mark.parametrize("charset", ["us-ascii", "utf-8", "iso-8859-1", "x-nonsense", "a\0b", "utf-7", ""])
def test_the_charset_named_does_not_garble_what_the_bytes_are(charset):
    head = HEAD + f"Content-Type: text/plain; charset={charset}\n\n"
    assert mail(head.encode() + "Die Gebühr beträgt fünf Euro.".encode()).text.endswith("beträgt fünf Euro.")


def test_quoted_printable_and_base64_bodies_are_decoded():
    quoted = (
        HEAD + "Content-Type: text/plain; charset=utf-8\n"
        "Content-Transfer-Encoding: quoted-printable\n\nf=C3=BCnf =\nEuro"
    )
    assert mail(quoted).text.endswith("\n\nfünf Euro")
    packed = base64.b64encode("fünf Euro".encode("cp1252")).decode()
    head = HEAD + "Content-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: base64\n\n"
    assert mail(head + packed).text.endswith("\n\nfünf Euro")


def test_flowed_lines_are_joined_within_their_quoting_depth():
    body = "The cap is \n5 lakh.\n> asked \n> before\nEnd"
    loaded = mail(HEAD + "Content-Type: text/plain; format=flowed\n\n" + body)
    assert loaded.text.endswith("\n\nThe cap is 5 lakh.\n> asked before\nEnd")


def test_a_forwarded_mail_is_a_section_with_its_own_headers():
    inner = EmailMessage()
    inner["From"] = "c@x.org"
    inner["Subject"] = "Old rates"
    inner.set_content("It was 3 %.")
    outer = EmailMessage()
    outer["Subject"] = "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(inner)
    loaded = mail(outer)
    assert loaded.text == (
        "Subject: Fwd\n\nSee below.\n\nOld rates\n\nFrom: c@x.org\nSubject: Old rates\n\nIt was 3 %."
    )
    assert [section.path for section in loaded.sections] == [("Old rates",)]


def test_attachments_are_listed_and_text_ones_are_read():
    message = EmailMessage()
    message["Subject"] = "Fees"
    message.set_content("Attached.")
    message.add_attachment(
        b"%PDF-1.4" + b"x" * 2000, maintype="application", subtype="pdf", filename="Gebühr.pdf"
    )
    message.add_attachment("ATM,5\n", subtype="csv", filename="fees.csv")
    loaded = mail(message)
    assert loaded.text == (
        "Subject: Fees\n\nAttached.\n\nfees.csv\n\nATM,5\n\n"
        "Attachments:\n- Gebühr.pdf (application/pdf, 2 KB)\n- fees.csv (text/csv, 6 bytes)"
    )
    assert loaded.warnings == (
        "attachments were listed but not read (Gebühr.pdf); save them and add them by themselves",
    )
    (block,) = loaded.blocks
    assert loaded.text[block.start : block.end].startswith("- Gebühr.pdf")
    assert block.kind == "list"


def test_an_invitation_is_read_as_lines():
    event = (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Fee\\, review\nDTSTART;TZID=Asia/Kolkata:20240401T103000\n"
        "ORGANIZER;CN=Asha:mailto:a@x.org\nLOCATION:Room\n  2\nBEGIN:VALARM\nDESCRIPTION:no\nEND:VALARM\n"
        "END:VEVENT\nEND:VCALENDAR\n"
    )
    loaded = mail(HEAD + "Content-Type: text/calendar\n\n" + event)
    assert loaded.text.endswith(
        "\n\nSummary: Fee, review\nStart: 2024-04-01 10:30 Asia/Kolkata\n"
        "Organizer: Asha <a@x.org>\nPlace: Room 2"
    )


@pytest.mark.parametrize(
    "rest",
    [
        "Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/x\n\nxx\n--b--\n",
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nMIIB",
        "Content-Type: text/plain\n\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n",
    ],
)
def test_an_encrypted_mail_says_so_and_keeps_its_headers(rest):
    loaded = mail(HEAD + rest)
    assert loaded.text == "From: Asha <a@x.org>\nTo: b@x.org\nSubject: Fees"
    assert "encrypted" in loaded.warnings[0]


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Type: multipart/mixed\n\n--x\nwords",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nwords",
        b"From: <<>>@@\nTo: \x80\xff\nDate: never\nContent-Type: ;;;\nContent-Disposition: =\n\nwords",
        b"Content-Transfer-Encoding: base64\nSubject: a\n\nwords !",
        b"\n\nSubject: a\n\nwords",
        b"words only",
        b"Subject: =?utf-8?B?!!!?=\nContent-Type: text/plain; charset*=us'x\n\nwords",
    ],
)
def test_a_mail_that_breaks_the_rules_is_still_read(data):
    assert "word" in mail(data).text or "\ufffd" in mail(data).text


def test_parts_nested_without_end_are_no_crash():
    head = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(3000))
    with pytest.raises(UnreadableError, match="nested without end"):
        mail(head + b"\nx")
