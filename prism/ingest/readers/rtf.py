"""RTF: groups and control words read into paragraphs, tables, lists, notes.

Written here because striprtf gives one text without headings, columns of tables and notes, and with what is
hidden or deleted.
"""

from __future__ import annotations

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.rtf_groups import RtfGroups
from prism.types import SourceText


def read(file: SourceFile) -> SourceText:
    """Read an RTF file.

    Raises:
        UnreadableError: not RTF, or only pictures.
    """
    if not file.data.lstrip().startswith(b"{\\rtf"):
        raise UnreadableError(f"{file.name}: not an RTF file, or damaged. Save it again from its program.")
    groups = RtfGroups()
    groups.read(file.data)
    document = groups.document
    document.end()
    if not document.builder.length and groups.has_picture:
        raise UnreadableError(
            f"{file.name}: no readable text (only pictures). "
            "Save it as PDF and run text recognition (OCR) on it."
        )
    return document.builder.loaded(
        title=document.named or document.title or document.builder.first_heading or file.title,
        media_type=Kind.RTF.value,
        warnings=groups.warnings(),
    )
