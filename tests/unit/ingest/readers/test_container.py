import io
import zipfile

import pytest

from prism.errors import UnreadableError
from prism.ingest.readers.container import opened
from prism.ingest.readers.protocol import SourceFile


@pytest.mark.parametrize(
    "content",
    ["<a", '<?xml version="1.0" encoding="abc"?><a/>', '<?xml version="1.0" encoding="shift_jis"?><a/>', ""],
)
def test_a_part_that_is_no_xml_is_damaged(content):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.xml", content)
    with opened(SourceFile(packed.getvalue(), "d.docx", "d")) as container:
        with pytest.raises(UnreadableError, match=r"d\.docx: damaged \(a\.xml is not well-formed"):
            container.xml("a.xml")
        with pytest.raises(UnreadableError, match=r"d\.docx: damaged \(a\.xml is not well-formed"):
            list(container.elements("a.xml", "a"))
