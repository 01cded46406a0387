"""What is filled in on a PDF page: form fields and text typed over it.

Both lie beside the page's own text. Here they are drawn into it, as a printer would, so that they are read,
found and highlighted where a person sees them.
"""

from __future__ import annotations

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

_TEXT_SUBTYPES = (pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_FREETEXT)


def with_fields(document: pdfium.PdfDocument, index: int) -> tuple[pdfium.PdfPage, int | None]:
    """A page with what is filled in on it drawn in, and how many characters its own text has; None when
    nothing is. Raises `PdfiumError` as PDFium does."""
    page = document[index]
    if not _has_text_annotations(page):
        return page, None
    text_page = page.get_textpage()
    own = text_page.count_chars()
    text_page.close()
    pdfium_c.FPDFPage_Flatten(page.raw, pdfium_c.FLAT_NORMALDISPLAY)
    page.close()
    return document[index], own


def _has_text_annotations(page: pdfium.PdfPage) -> bool:
    for at in range(pdfium_c.FPDFPage_GetAnnotCount(page.raw)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page.raw, at)
        subtype = pdfium_c.FPDFAnnot_GetSubtype(annotation)
        pdfium_c.FPDFPage_CloseAnnot(annotation)
        if subtype in _TEXT_SUBTYPES:
            return True
    return False
