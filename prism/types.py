"""The frozen values that pass between stages. Identity is the id, never the text.

Offsets are character offsets into a document's *stored text* (what its reader produced and cleaning
left), half-open: `text[start:end]`. Ranks count from 1. Scores say what they are where they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

FileStatus = Literal["added", "updated", "unchanged", "skipped", "failed", "cancelled"]
JobState = Literal["running", "done", "cancelled", "interrupted", "failed"]
JobFileStatus = Literal[
    "waiting", "running", "added", "updated", "unchanged", "skipped", "failed", "interrupted", "cancelled"
]
DocumentStatus = Literal["active", "deleted", "indexing", "failed", "interrupted"]
BlockKind = Literal["code", "list"]
CitationState = Literal["current", "deleted", "replaced"]
Support = Literal["supported", "partly", "unsupported"]
LegKind = Literal["dense", "keyword"]
IngestStage = Literal["reading", "embedding", "storing", "done"]

UNFINISHED: tuple[JobFileStatus, ...] = ("waiting", "interrupted", "cancelled")
"""Statuses of a job's files that were not brought in and did not fail."""

CONTEXT_SEPARATOR = " > "
"""Between the parts of a leaf's context: title, sections, page."""

FORMS_MARK = "\x1f"
"""In a leaf's context, between where it stands and the other forms of the abbreviations in it. A control
character, since none is left in a text that was cleaned; it is no part of what is embedded."""

LEAF_LEVEL = 0
"""Level of the leaves; their parents are level 1, those parents' parents level 2, and so on."""


# ── what goes in ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Source:
    """One file to ingest.

    `name` is the source key: the NFC path relative to the ingest root (`a/policy.txt`), or the name
    an upload came with. Together with the workspace it decides which document this is.
    """

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class Scope:
    """What a question may look at: one workspace, and in it all documents or only those named.

    `document_ids=None` means all; an empty set means none, and then nothing is found.
    """

    workspace: str = "default"
    document_ids: frozenset[str] | None = None


# ── what a reader produces ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PageSpan:
    """Where a page lies in the text. `sheet` is the physical position from 1, `label` what is printed
    on it (`iv`, `12`). A table file has one sheet with one span per row, labelled `row 37`; a workbook has
    one sheet per worksheet, its rows labelled `Fees row 37`."""

    sheet: int
    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """A heading's reach: from `start` up to the next section's start. `path` is outermost first; an empty one
    ends the section before, as notes and footers at the end of a document do."""

    start: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableSpan:
    """A region of the text whose lines are table rows; `header` is its column names, ready to show. It is
    empty where every cell carries its column's name (sheets) and where a table has none."""

    start: int
    end: int
    header: str


@dataclass(frozen=True, slots=True)
class BlockSpan:
    """A region that reads as one, a block of code or a list: kept in one chunk where it fits."""

    start: int
    end: int
    kind: BlockKind


@dataclass(frozen=True, slots=True)
class Box:
    """Where the document's text `start:end` (one word) stands on its page, in fractions of the page's width
    and height from the top left."""

    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file as text with its structure: what every reader produces. Spans are sorted by start and lie within
    the text.

    `boxes` tell where words stand that are read from a picture; those of a PDF's own text are looked up in it
    when a page is shown. `unread_sheets` are pages whose text is a picture that could not be read.
    """

    text: str
    title: str
    media_type: str
    pages: tuple[PageSpan, ...]
    sections: tuple[SectionSpan, ...] = ()
    tables: tuple[TableSpan, ...] = ()
    blocks: tuple[BlockSpan, ...] = ()
    boxes: tuple[Box, ...] = ()
    unread_sheets: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def page_count(self) -> int:
        """Physical pages (sheets)."""
        return len({page.sheet for page in self.pages})


# ── what is stored ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Node:
    """A leaf or a parent. `text == document_text[start:end]`, always.

    `header` (column names of the table the node lies in) is shown to model and reader; `context` (where the
    passage sits: title > section > page; behind a mark other forms of its abbreviations) is not. Both are
    embedded and keyword-indexed with a leaf, neither is part of `text`. `tokens` is the length of `text` as
    chunking measured it (`ingest/size.py`).
    """

    node_id: str
    document_id: str
    generation: int
    level: int
    ordinal: int
    parent_id: str | None
    start: int
    end: int
    text: str
    header: str = ""
    context: str = ""
    tokens: int = 0

    @property
    def place(self) -> tuple[str, ...]:
        """Where a leaf stands, from the outside in: the parts of its context but for other forms."""
        return tuple(filter(None, self.context.partition(FORMS_MARK)[0].split(CONTEXT_SEPARATOR)))

    @property
    def plain_context(self) -> str:
        """The context as it is embedded."""
        return self.context.replace(FORMS_MARK, "")

    @property
    def indexed_text(self) -> str:
        """What a leaf's vector and keyword tokens are made from."""
        return "\n".join(part for part in (self.plain_context, self.header, self.text) if part)


@dataclass(frozen=True, slots=True)
class LeafHit:
    """One row of one leg's ranking. `score` is the leg's own: cosine (dense) or BM25 (keyword)."""

    node_id: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one leg returned for one query text, best first, one row per node."""

    leg: LegKind
    query: str
    hits: tuple[LeafHit, ...]


# ── what moves down the query path ──────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Candidate:
    """A leaf on its way through fusion, rerank and merge.

    `score` is what the last stage ranked by; `legs` keeps the best rank per leg kind (None: not found).
    """

    node_id: str
    score: float
    legs: Mapping[LegKind, int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Merged:
    """A leaf, or a parent standing for several leaves of the pool; `score` is its best leaf's.

    `copies` are nodes that say the same, best first.
    """

    node_id: str
    leaf_ids: tuple[str, ...]
    score: float
    legs: Mapping[LegKind, int | None] = field(default_factory=dict)
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's decision with what it rests on.

    `score` is the calibrated probability that the question can be answered; `features` are the evidence by
    name (`prism/query/evidence.py`), None what could not be had; `unknown_codes` are codes of the question
    that no found passage mentions.
    """

    abstain: bool
    score: float
    threshold: float
    features: Mapping[str, float | None]
    unknown_codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page as a reader sees it (`label`) and as a viewer opens it (`sheet`, from 1)."""

    label: str
    sheet: int


@dataclass(frozen=True, slots=True)
class Copy:
    """Another place that says what a passage says: the same clause in a second contract, or further on."""

    node_id: str
    document: str
    document_id: str
    generation: int
    pages: tuple[PageRef, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved passage, ready to show. `rank` is its relevance rank and its citation number.

    `copies` are the other places found that say the same, best first; `copy_of` is the rank of the passage
    that this one repeats, None when it repeats none.
    """

    rank: int
    node_id: str
    leaf_ids: tuple[str, ...]
    document: str
    document_id: str
    generation: int
    pages: tuple[PageRef, ...]
    start: int
    end: int
    text: str
    score: float
    legs: Mapping[LegKind, int | None]
    header: str = ""
    copies: tuple[Copy, ...] = ()
    copy_of: int | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A [n] of an answer: the passage it opens and the words of it that were used.

    `quote` (the best, where several are quoted) lies in the passage's text verbatim;
    `quote_start:quote_end` are document offsets and `pages` the pages of the quote itself.
    """

    n: int
    passage: Passage
    quote: str
    quote_start: int
    quote_end: int
    pages: tuple[PageRef, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, the numbers it cites, and whether those passages bear it out."""

    text: str
    citations: tuple[int, ...]
    support: Support


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the asker should know: a stage degraded, a search was reduced, nothing was found."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of an answer while it is being written; the deltas of an answer join to its text."""

    text: str


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a question found: the passages an answerer would see, best first."""

    question: str
    passages: tuple[Passage, ...]
    notices: tuple[Notice, ...]
    timings_ms: Mapping[str, float]
    trace_id: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its evidence. When `abstained`, `nearest` holds the closest passages instead of
    citations. `question` is the standalone form that was searched; `text` holds no marks but [n]."""

    question: str
    text: str
    abstained: bool
    citations: tuple[Citation, ...]
    sentences: tuple[Sentence, ...]
    nearest: tuple[Passage, ...]
    notices: tuple[Notice, ...]
    conversation_id: str | None
    trace_id: str
    model: str
    timings_ms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer in a conversation, as history shows it.

    `usable` is False when the answer cites a document that is no longer active: it stays readable but
    is never shown to a model again.
    """

    ordinal: int
    question: str
    answer: str
    abstained: bool
    citations: tuple[TurnCitation, ...]
    trace_id: str
    asked_at: str
    usable: bool


@dataclass(frozen=True, slots=True)
class TurnCitation:
    """A citation of an old answer. `quote` is read anew from the catalogue; `state` says why it is
    empty when the passage is gone."""

    n: int
    node_id: str
    document: str
    document_id: str
    pages: tuple[PageRef, ...]
    quote: str
    state: CitationState


# ── reports ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one source. `reason` says why it was skipped, failed or cancelled, empty otherwise."""

    path: str
    document: str
    document_id: str | None
    status: FileStatus
    reason: str
    chunks: int
    page_count: int
    warnings: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Every source of a batch, in the order given. `job_id` is what `resume` goes on with (the last of
    several jobs); empty when there was none."""

    files: tuple[FileReport, ...]
    seconds: float
    job_id: str = ""

    def count(self, status: FileStatus) -> int:
        """How many files ended with this status."""
        return sum(file.status == status for file in self.files)


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """Where an ingest stands. `seconds_left` is None until there is a rate to judge by; `job_id` is what
    `cancel` stops. `page` of `pages` is being read; both are 0 while that is not known."""

    stage: IngestStage
    document: str
    files_done: int
    files_total: int
    leaves_done: int
    leaves_per_s: float
    seconds_left: float | None
    job_id: str = ""
    page: int = 0
    pages: int = 0


@dataclass(frozen=True, slots=True)
class JobFile:
    """A file of an ingest job. `path` is where it was when it was given; times are UTC, ISO 8601, and
    `started_at` is when it was first begun."""

    ordinal: int
    path: str
    document: str
    document_id: str | None
    status: JobFileStatus
    reason: str
    started_at: str | None
    finished_at: str | None


@dataclass(frozen=True, slots=True)
class JobInfo:
    """An ingest as it is recorded. `done`: it came to its end, whatever became of each file; `interrupted`:
    the program stopped; `failed`: an error that was no single file's ended it, `reason` says which."""

    job_id: str
    workspace: str
    state: JobState
    reason: str
    started_at: str
    finished_at: str | None
    files: tuple[JobFile, ...]

    def count(self, status: JobFileStatus) -> int:
        """How many files have this status."""
        return sum(file.status == status for file in self.files)

    @property
    def unfinished(self) -> tuple[JobFile, ...]:
        """The files that `resume` would bring in."""
        return tuple(file for file in self.files if file.status in UNFINISHED)


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document as the lists show it; `document` is its source key."""

    document_id: str
    document: str
    title: str
    workspace: str
    status: DocumentStatus
    page_count: int
    leaves: int
    bytes: int
    version: str
    generation: int
    added_at: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageContent:
    """A page's text with its place in the document; of PDFs and pictures, its picture
    and the boxes of its words."""

    document_id: str
    document: str
    page: PageRef
    start: int
    end: int
    text: str
    image_png: bytes | None
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """What a workspace holds and whether record and projections agree."""

    documents: int
    leaves: int
    active_leaves: int
    vectors: int
    keyword_docs: int
    consistent: bool
    models: Mapping[str, str]
    answers: int
    abstained: int
    bytes: Mapping[str, int]

    @property
    def abstain_rate(self) -> float | None:
        """Share of the questions that were met with "Insufficient information"; None before the first one.
        Neither high nor low is good in itself."""
        return self.abstained / self.answers if self.answers else None
