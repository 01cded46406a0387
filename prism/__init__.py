"""Prism: ask your documents, check every answer.

from prism import Prism

with Prism.open("settings.yaml") as prism:
    prism.ingest("documents/")
    answer = prism.ask("What is the daily limit?")
    for citation in answer.citations:
        print(citation.n, citation.passage.document, citation.quote)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prism.conversation import Conversation
    from prism.engine import Prism
    from prism.errors import (
        ModelCallError,
        ModelError,
        ModelMissingError,
        ModelUnfitError,
        NotAllowedError,
        NotFoundError,
        PrismError,
        SearchError,
        SettingsError,
        SourceError,
        StoreBusyError,
        StoreDamagedError,
        StoreError,
        StoreMismatchError,
        TooLargeError,
        UnreadableError,
        UnsupportedError,
        UsageError,
    )
    from prism.settings import Settings, load_settings
    from prism.types import (
        Answer,
        Box,
        Citation,
        DocumentInfo,
        FileReport,
        IngestProgress,
        IngestReport,
        JobFile,
        JobInfo,
        Notice,
        PageContent,
        PageRef,
        Passage,
        Retrieval,
        Scope,
        Sentence,
        Source,
        Status,
        TextDelta,
        Turn,
        TurnCitation,
    )

__all__ = [
    "Answer",
    "Box",
    "Citation",
    "Conversation",
    "DocumentInfo",
    "FileReport",
    "IngestProgress",
    "IngestReport",
    "JobFile",
    "JobInfo",
    "ModelCallError",
    "ModelError",
    "ModelMissingError",
    "ModelUnfitError",
    "NotAllowedError",
    "NotFoundError",
    "Notice",
    "PageContent",
    "PageRef",
    "Passage",
    "Prism",
    "PrismError",
    "Retrieval",
    "Scope",
    "SearchError",
    "Sentence",
    "Settings",
    "SettingsError",
    "Source",
    "SourceError",
    "Status",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreError",
    "StoreMismatchError",
    "TextDelta",
    "TooLargeError",
    "Turn",
    "TurnCitation",
    "UnreadableError",
    "UnsupportedError",
    "UsageError",
    "load_settings",
]

_MODULES = {
    "prism.conversation": ("Conversation",),
    "prism.engine": ("Prism",),
    "prism.errors": (
        "ModelCallError",
        "ModelError",
        "ModelMissingError",
        "ModelUnfitError",
        "NotAllowedError",
        "NotFoundError",
        "PrismError",
        "SearchError",
        "SettingsError",
        "SourceError",
        "StoreBusyError",
        "StoreDamagedError",
        "StoreError",
        "StoreMismatchError",
        "TooLargeError",
        "UnreadableError",
        "UnsupportedError",
        "UsageError",
    ),
    "prism.settings": (
        "Settings",
        "load_settings",
    ),
    "prism.types": (
        "Answer",
        "Box",
        "Citation",
        "DocumentInfo",
        "FileReport",
        "IngestProgress",
        "IngestReport",
        "JobFile",
        "JobInfo",
        "Notice",
        "PageContent",
        "PageRef",
        "Passage",
        "Retrieval",
        "Scope",
        "Sentence",
        "Source",
        "Status",
        "TextDelta",
        "Turn",
        "TurnCitation",
    ),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}
"""Where each public name lives. It is imported when it is first asked for: whoever needs a part, such as the
process that reads files, does not load the models' libraries."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
