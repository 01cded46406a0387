"""Small OpenDocument files for the tests of their readers."""

import io
import zipfile

NAMES = (
    " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "draw", "style", "presentation", "manifest", "meta", "chart")
    )
    + ' xmlns:fo="fo" xmlns:svg="svg" xmlns:dc="dc" xmlns:xlink="xlink" xmlns:math="math"'
)


def odf(body: str, kind: str = "text", *, automatic: str = "", styles: str = "", **parts: str) -> bytes:
    """A file with a body; `parts` are other members, `a__b` for `a/b`."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr(
            "content.xml",
            f"<office:document-content {NAMES}><office:automatic-styles>{automatic}</office:automatic-styles>"
            f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
        )
        if styles:
            archive.writestr(
                "styles.xml", f"<office:document-styles {NAMES}>{styles}</office:document-styles>"
            )
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/") + ".xml", content)
    return buffer.getvalue()


def p(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}>{p(text)}</table:table-cell>"
