import io
import zipfile

import pytest

from prism.ingest.readers.container import opened
from prism.ingest.readers.office_properties import document_title
from prism.ingest.readers.parts import Parts
from prism.ingest.readers.protocol import SourceFile


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (" Leave   policy ", "Leave policy"),
        ("PowerPoint Presentation", ""),
        ("Microsoft Word - policy.doc", ""),
        ("Presentation1", ""),
        ("Presentation of results", "Presentation of results"),
        ("", ""),
    ],
)
def test_a_title_that_a_program_put_in_is_none(written, title):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("docProps/core.xml", f"<c><title>{written}</title></c>")
    with opened(SourceFile(buffer.getvalue(), "d.docx", "d")) as container:
        assert document_title(Parts(container)) == title
