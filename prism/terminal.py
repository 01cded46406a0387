"""What people see in a terminal. Answers and lists go to stdout; progress, notices and errors to stderr."""

from __future__ import annotations

import getpass
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, get_args

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from prism.asking import Event
from prism.doctor import Finding
from prism.errors import UsageError
from prism.types import (
    Answer,
    DocumentInfo,
    FileStatus,
    IngestProgress,
    IngestReport,
    JobFileStatus,
    JobInfo,
    Notice,
    PageRef,
    Passage,
    Retrieval,
    Status,
    TextDelta,
)

_EXCERPT_CHARS = 300


class Terminal:
    """Prints results for people, or one JSON document for scripts."""

    def __init__(self, *, as_json: bool, quiet: bool) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.err = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._out = Console(highlight=False, markup=False, soft_wrap=True)

    @property
    def is_interactive(self) -> bool:
        """Whether a person sits there to be asked."""
        # Either is None where whoever started the program closed it.
        streams = (sys.stdin, sys.stdout)
        return not self.as_json and all(stream is not None and stream.isatty() for stream in streams)

    def show(self, document: dict[str, Any], as_text: Callable[[], None]) -> None:
        """The JSON document, or its text form."""
        if self.as_json:
            print(json.dumps(document, ensure_ascii=False))
        else:
            as_text()

    def say(self, text: str) -> None:
        """A line for a person."""
        if not self.as_json:
            self._out.print(text)

    def error(self, text: str) -> None:
        """An error, on stderr."""
        self.err.print(f"prism: {text}")

    def ask_yes_no(self, question: str) -> bool:
        """Put a yes/no question to the person; anything but yes means no."""
        return self.read_line(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def read_line(self, prompt: str) -> str:
        """A line typed by the person, or piped in and then shown; empty at the end of input."""
        try:
            line = input(prompt).strip()
        except EOFError:
            return ""
        if not sys.stdin.isatty():
            self.say(line)
        return line

    def ask_password(self) -> str:
        """A password, typed unseen, or the first line that is piped in.

        Raises:
            UsageError: there is none.
        """
        is_typed = sys.stdin is not None and sys.stdin.isatty()
        try:
            password = getpass.getpass("Password of the locked files: ") if is_typed else input()
        except EOFError:
            password = ""
        if not password:
            raise UsageError("--password needs a password: type it when asked, or pipe it in.")
        return password

    def stream(self, events: Iterable[Event]) -> None:
        """An answer while it is written, then its sources and notices."""
        for event in events:
            if isinstance(event, TextDelta):
                self._out.print(event.text, end="")
            elif isinstance(event, Answer):
                self._out.print()
                self._answer_end(event)

    def _answer_end(self, answer: Answer) -> None:
        for citation in answer.citations:
            place = _place(citation.passage.document, citation.pages)
            is_shown = " ".join(citation.quote.split()) in " ".join(answer.text.split())
            quote = "" if is_shown else f": “{_excerpt(citation.quote, 160)}”"
            self._out.print(f"  [{citation.n}] {place}{quote}")
        if answer.abstained and answer.nearest:
            self._out.print("  Nearest passages:")
            for passage in answer.nearest[:3]:
                place = _place(passage.document, passage.pages)
                self._out.print(f"   · {place}: {_excerpt(passage.text, 100)}")
        self._notices(answer.notices)
        if not self.quiet:
            conversation = f", --conversation {answer.conversation_id}" if answer.conversation_id else ""
            self.err.print(f"  trace {answer.trace_id}{conversation}", style="dim")

    def _notices(self, notices: Sequence[Notice]) -> None:
        if not self.quiet:
            for notice in notices:
                self.err.print(f"  note: {notice.message}")

    def retrieval(self, found: Retrieval) -> None:
        """Passages, best first."""
        for passage in found.passages:
            self._passage(passage)
        self._notices(found.notices)

    def _passage(self, passage: Passage) -> None:
        legs = ", ".join(f"{leg} #{rank}" for leg, rank in passage.legs.items() if rank is not None)
        place = _place(passage.document, passage.pages)
        self._out.print(f"{passage.rank:>2}. {place}  (score {passage.score:.4f}; {legs})")
        if passage.header:
            self._out.print(f"    {passage.header}")
        self._out.print(f"    {_excerpt(passage.text, _EXCERPT_CHARS)}\n")

    def ingest_report(self, report: IngestReport) -> None:
        """What became of each file that needs a word, and the totals."""
        for file in report.files:
            if file.status != "unchanged":
                # A reason names its file, since it may stand alone; here the name stands before it.
                reason = file.reason.removeprefix(f"{file.document}: ")
                told = f": {reason}" if reason else f" ({_leaves(file.chunks)})"
                self.say(f"  {file.status:<9} {file.document}{told}")
            for warning in file.warnings if file.status in ("added", "updated") else ():
                self.say(f"            note: {warning}")
        shown = [status for status in get_args(FileStatus) if status != "cancelled" or report.count(status)]
        counts = ", ".join(f"{report.count(status)} {status}" for status in shown)
        self.say(f"{counts} in {report.seconds:.1f} s")
        if report.count("cancelled"):
            self.say(f"Stopped. Go on with: prism resume {report.job_id}")
        elif report.count("failed") and report.job_id:
            self.say(f"Try what failed again with: prism resume {report.job_id} --failed")

    def jobs(self, jobs: Sequence[JobInfo]) -> None:
        """One line per job, latest first."""
        if not jobs:
            self.say("Nothing was ingested yet. Begin with: prism ingest PATH")
            return
        self.say(f"{'id':<12}  {'started (UTC)':<19}  {'state':<11}  files")
        for job in jobs:
            counts = [(job.count(status), status) for status in get_args(JobFileStatus)]
            files = ", ".join(f"{count} {status}" for count, status in counts if count) or "none"
            started = job.started_at[:19].replace("T", " ")
            reason = f": {job.reason}" if job.reason else ""
            self.say(f"{job.job_id[:12]}  {started}  {job.state:<11}  {files}{reason}")
        if any(job.unfinished for job in jobs):
            self.say("Go on with one that was stopped: prism resume ID")
        if any(job.count("failed") for job in jobs):
            self.say("Try what failed again: prism resume ID --failed")

    def nothing_to_resume(self, jobs: Sequence[JobInfo]) -> None:
        """That nothing was interrupted, and what was stopped on purpose or failed."""
        self.say("Nothing to resume.")
        for job in jobs:
            if job.state == "cancelled" and job.unfinished:
                self.say(f"Job {job.job_id} was cancelled. Go on with: prism resume {job.job_id}")
        failed = next((job for job in jobs if job.count("failed")), None)
        if failed is not None:
            self.say(f"Try what failed again with: prism resume {failed.job_id} --failed")

    def documents(self, documents: Sequence[DocumentInfo]) -> None:
        """One line per document."""
        if not documents:
            self.say("No documents yet. Add some with: prism ingest PATH")
            return
        width = max(len(info.document) for info in documents)
        self.say(f"{'id':<12}  {'document':<{width}}  {'status':<11} pages  leaves")
        for info in documents:
            self.say(
                f"{info.document_id[:12]}  {info.document:<{width}}  {info.status:<11} {info.page_count:>5}  "
                f"{info.leaves:>6}"
            )
        if any(info.status == "interrupted" for info in documents):
            self.say("Bring in what was interrupted: prism jobs says how. Or remove it: prism delete ID")

    def document(self, info: DocumentInfo) -> None:
        """All of one document's facts."""
        for name in ("document", "title", "status", "page_count", "leaves", "bytes", "added_at", "version"):
            self.say(f"{name:<12} {getattr(info, name)}")
        self.say(f"{'id':<12} {info.document_id}")
        for warning in info.warnings:
            self.say(f"{'note':<12} {warning}")

    def status(self, status: Status) -> None:
        """Counts, sizes, models."""
        self.say(
            f"{status.documents} documents, {status.active_leaves} active leaves of {status.leaves}, "
            f"{status.vectors} vectors, {status.keyword_docs} keyword entries: "
            + ("consistent" if status.consistent else "not consistent, run 'prism doctor'")
        )
        rate = status.abstain_rate
        share = "no question asked yet" if rate is None else f"{rate:.0%} abstained ({status.abstained})"
        self.say(f"{status.answers} answers: {share}")
        for name, model in status.models.items():
            self.say(f"{name:<12} {model}")
        for name, size in status.bytes.items():
            self.say(f"{name:<12} {size / 1e6:.1f} MB")

    def findings(self, findings: Sequence[Finding]) -> None:
        """What the doctor found."""
        if all(item.outcome == "noted" for item in findings):
            self.say("All is well: record, files, vectors and keyword index agree.")
        words = {"mended": "mended", "left": "LEFT TO DO", "noted": "note"}
        for item in findings:
            where = f"[{item.workspace}] " if item.workspace else ""
            self.say(f"{words[item.outcome]:<10} {where}{item.problem}: {item.repair}")
        if any(item.outcome == "left" for item in findings):
            self.say("Some things are left for you to do; see above.")


class IngestBar:
    """Progress of an ingest on stderr: files, leaves, rate, time left."""

    def __init__(self, terminal: Terminal) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[detail]}"),
            console=terminal.err,
            disable=terminal.quiet or not terminal.err.is_terminal,
            transient=True,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> IngestBar:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def update(self, progress: IngestProgress) -> None:
        """Show where the ingest stands."""
        left = "" if progress.seconds_left is None else f", {progress.seconds_left:.0f} s left"
        detail = f"{progress.leaves_done} leaves, {progress.leaves_per_s:.0f}/s{left}"
        page = f", page {progress.page} of {progress.pages}" if progress.pages else ""
        description = f"{progress.stage} {progress.document[:40]}{page}"
        if self._task is None:
            self._task = self._bar.add_task(description, total=progress.files_total, detail=detail)
        self._bar.update(self._task, description=description, completed=progress.files_done, detail=detail)


def _place(document: str, pages: Sequence[PageRef]) -> str:
    shown = ", ".join(_page(page) for page in pages)
    return f"{document}, {shown}" if shown else document


def _page(page: PageRef) -> str:
    # `row 37`, `Fees row 37`, `cell 2`: words say what it is.
    if " " in page.label:
        return page.label
    return f"p. {page.label}" if page.label == str(page.sheet) else f"p. {page.label} (sheet {page.sheet})"


def _leaves(count: int) -> str:
    return "1 leaf" if count == 1 else f"{count:,} leaves"


def _excerpt(text: str, chars: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= chars else line[: chars - 1].rsplit(" ", 1)[0] + "…"
