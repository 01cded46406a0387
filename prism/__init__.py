"""Prism: ask your documents, check every answer.

    from prism import Prism

    with Prism.open("settings.yaml") as prism:
        prism.ingest("documents/")
        answer = prism.ask("What is the daily limit?")
        for citation in answer.citations:
            print(citation.n, citation.passage.document, citation.quote)
"""

from __future__ import annotations

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
