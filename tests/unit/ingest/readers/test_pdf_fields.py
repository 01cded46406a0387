"""What is filled in on a form is read where a person sees it."""

from __future__ import annotations

import io

from reportlab.pdfgen.canvas import Canvas

from prism.ingest.readers.pdf import read
from prism.ingest.readers.pdf_boxes import place_words, printed_characters
from prism.ingest.readers.protocol import SourceFile


def form() -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400))
    fields = canvas.acroForm
    for label, y in (
        ("Name:", 300),
        ("City:", 260),
        ("Member:", 220),
        ("Signed by the person named above.", 100),
    ):
        canvas.drawString(40, y, label)
    fields.choice(value="Pune", options=["Mumbai", "Pune"], x=110, y=253, width=150, height=20)
    fields.textfield(value="Asha Rao", x=110, y=293, width=150, height=20)
    fields.checkbox(checked=True, x=110, y=215)
    canvas.linkURL("https://example.org/secret", (40, 95, 200, 110))
    canvas.save()
    return file.getvalue()


def test_values_of_fields_stand_beside_their_labels():
    text = read(SourceFile(form(), "form.pdf", "form")).text
    assert "Name: | Asha Rao\nCity: | Pune" in text
    assert text.endswith("Signed by the person named above.")
    assert "example.org" not in text


def test_a_value_has_its_box_in_the_field():
    name, asha, rao = place_words("Name: Asha Rao", 0, printed_characters(form(), 1))
    assert name.left < 110 / 400 < asha.left < rao.left < 260 / 400
    assert 1 - 313 / 400 < asha.top < asha.bottom < 1 - 293 / 400
