"""What to tell whoever was not answered of pages that could not be read."""

from __future__ import annotations

from prism.ingest.readers.recognize import obstacle
from prism.settings import ReadSettings
from prism.stores.unread import Unread, UnreadDocument
from prism.text.listing import listed
from prism.types import Notice, Scope

UNREAD_PAGES = "unread_pages"

_DOCUMENTS = 3
_PAGES = 10
_NAME_CHARS = 80


def unread_notice(unread: Unread, scope: Scope, settings: ReadSettings) -> Notice | None:
    """Which pages of the scope could not be read, and what to do; None where all were."""
    first, count = unread.documents(scope.workspace, scope.document_ids, named=_DOCUMENTS, pages=_PAGES)
    if not first:
        return None
    where = "; ".join(map(_pages_of, first))
    if count > len(first):
        where += (
            f"; and in {count - len(first)} more documents" if count - len(first) > 1 else "; and in one more"
        )
    why = obstacle(settings)
    said = f"{why[:1].upper()}{why[1:]}." if why else "They are pictures whose text could not be recognized."
    return Notice(
        UNREAD_PAGES,
        f"Some pages could not be read, and what was asked may stand there: {where}. {said}",
    )


def _pages_of(document: UnreadDocument) -> str:
    name = document.document
    if len(name) > _NAME_CHARS:
        name = f"…{name[-_NAME_CHARS:]}"
    if all(page.label == str(page.sheet) for page in document.pages):
        pages = listed([page.sheet for page in document.pages])
    else:
        pages = ", ".join(page.label for page in document.pages)
    left = document.count - len(document.pages)
    return f"{name} p. {pages} and {left} more" if left else f"{name} p. {pages}"
