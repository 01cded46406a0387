"""The command line: parse, call the engine, print. People read the text form, scripts the JSON form."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from prism import wire
from prism.ctrl_c import CtrlC
from prism.engine import Prism
from prism.errors import NotFoundError, PrismError, UsageError
from prism.terminal import IngestBar, Terminal
from prism.types import DocumentInfo, IngestReport

OK, FAILED, WRONG_USE = 0, 1, 2

Command = Callable[[Prism, argparse.Namespace, Terminal], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code (0 fine or abstained, 1 something failed, 2 wrong use)."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    arguments = _parser().parse_args(argv)
    terminal = Terminal(as_json=arguments.json, quiet=arguments.quiet)
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.ERROR if arguments.quiet else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
    )
    # bm25s sets its own logger to DEBUG when imported.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    try:
        run: Command = arguments.run
        with Prism.open(
            arguments.settings,
            overlay=_overlay(arguments),
            ask_consent=terminal.ask_yes_no if terminal.is_interactive else None,
        ) as prism:
            code = run(prism, arguments, terminal)
            if sys.stdout is not None:
                sys.stdout.flush()
            return code
    except UsageError as error:
        terminal.error(str(error))
        return WRONG_USE
    except PrismError as error:
        terminal.error(str(error))
        return FAILED
    except BrokenPipeError:
        # The reader of our output went away (`prism … | head`); python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        if error.filename is not None:  # a path given that is too long, or behind a closed folder
            terminal.error(f"{error.filename}: {error.strerror}. Check the path and its permissions.")
            return FAILED
        # Stores and readers tell theirs in words of their own: it was our output.
        terminal.error(f"the output could not be written ({error.strerror or error})")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        terminal.error("stopped")
        return FAILED


def _overlay(arguments: argparse.Namespace) -> dict[str, Any]:
    overlay: dict[str, Any] = {}
    if arguments.storage is not None:
        overlay["storage.path"] = arguments.storage
    if arguments.workspace is not None:
        overlay["storage.workspace"] = arguments.workspace
    for name in ("include", "exclude"):
        if getattr(arguments, name, None) is not None:
            overlay[f"read.{name}"] = getattr(arguments, name)
    return overlay


# ── commands ────────────────────────────────────────────────────────────────────────────────────


def _ingest(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    password = terminal.ask_password() if arguments.password else ""
    with IngestBar(terminal) as bar, CtrlC(prism.cancel, bar.update) as watched:
        report = prism.ingest(arguments.paths, watched.update, prune=arguments.prune, password=password)
    return _ingested(report, terminal)


def _resume(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    password = terminal.ask_password() if arguments.password else ""
    with IngestBar(terminal) as bar, CtrlC(prism.cancel, bar.update) as watched:
        report = prism.resume(arguments.job, watched.update, retry_failed=arguments.failed, password=password)
    if not report.files and not terminal.as_json:
        terminal.nothing_to_resume(prism.jobs())
        return OK
    return _ingested(report, terminal)


def _ingested(report: IngestReport, terminal: Terminal) -> int:
    terminal.show(wire.ingest_json(report), lambda: terminal.ingest_report(report))
    return FAILED if report.count("failed") or report.count("cancelled") else OK


def _jobs(prism: Prism, _: argparse.Namespace, terminal: Terminal) -> int:
    jobs = prism.jobs()
    terminal.show(wire.jobs_json(jobs), lambda: terminal.jobs(jobs))
    return OK


def _retrieve(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    found = prism.retrieve(arguments.question, arguments.k, leaves=arguments.leaves)
    terminal.show(wire.retrieval_json(found), lambda: terminal.retrieval(found))
    return OK


def _ask(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    conversation = prism.conversation(arguments.conversation)
    if terminal.as_json:
        terminal.show(wire.answer_json(conversation.ask(arguments.question, k=arguments.k)), lambda: None)
    else:
        terminal.stream(conversation.stream(arguments.question, k=arguments.k))
    return OK


def _chat(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    if terminal.as_json:
        raise UsageError("A chat is no single JSON document. Use 'prism ask --conversation ID --json'.")
    conversation = prism.conversation(arguments.conversation)
    if terminal.is_interactive:
        terminal.say("Ask about your documents; an empty line or Ctrl-D ends the chat.")
    while question := terminal.read_line("\nyou › "):
        try:
            terminal.stream(conversation.stream(question))
        except PrismError as error:
            terminal.error(str(error))
    return OK


def _documents(prism: Prism, _: argparse.Namespace, terminal: Terminal) -> int:
    documents = prism.documents()
    terminal.show(wire.documents_json(documents), lambda: terminal.documents(documents))
    return OK


def _document(prism: Prism, arguments: argparse.Namespace) -> DocumentInfo:
    """The document named, of the workspace in use alone."""
    info = prism.document(arguments.id)
    workspace = prism.settings.storage.workspace
    if info.workspace != workspace:
        raise NotFoundError(f"There is no document {arguments.id!r} in workspace {workspace!r}.")
    return info


def _show(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    info = _document(prism, arguments)
    terminal.show(wire.document_json(info), lambda: terminal.document(info))
    return OK


def _delete(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    was_shown = _document(prism, arguments).status in ("active", "deleted")
    info = prism.delete(_document(prism, arguments).document_id)
    done = f"Deleted {info.document}." + (
        f" Bring it back with: prism undo {info.document_id}" if was_shown else " It was never indexed whole."
    )
    terminal.show(wire.document_json(info), lambda: terminal.say(done))
    return OK


def _undo(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    info = prism.undo(_document(prism, arguments).document_id)
    terminal.show(wire.document_json(info), lambda: terminal.say(f"{info.document} is {info.status}."))
    return OK


def _purge(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    info = _document(prism, arguments)
    prism.purge(info.document_id)
    gone = {"document_id": info.document_id, "document": info.document, "status": "purged"}
    terminal.show(gone, lambda: terminal.say(f"{info.document} is gone for good."))
    return OK


def _status(prism: Prism, _: argparse.Namespace, terminal: Terminal) -> int:
    status = prism.status()
    terminal.show(wire.status_json(status), lambda: terminal.status(status))
    return OK


def _doctor(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    with IngestBar(terminal) as bar:
        findings = prism.doctor(rebuild_index=arguments.rebuild, on_progress=bar.update)
    terminal.show(wire.findings_json(findings), lambda: terminal.findings(findings))
    return FAILED if any(item.outcome == "left" for item in findings) else OK


def _trace(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    body = prism.trace(arguments.id)
    terminal.show(body, lambda: terminal.say(json.dumps(body, ensure_ascii=False, indent=2)))
    return OK


def _backup(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    file = prism.backup(arguments.file)
    terminal.show({"file": str(file)}, lambda: terminal.say(f"Backed up to {file}."))
    return OK


def _restore(prism: Prism, arguments: argparse.Namespace, terminal: Terminal) -> int:
    findings = prism.restore(arguments.file)
    count = len(prism.documents())
    terminal.show(
        {"file": str(arguments.file), "documents": count},
        lambda: terminal.say(f"Restored {arguments.file}; {len(findings)} workspaces indexed again."),
    )
    return OK


# ── parsing ─────────────────────────────────────────────────────────────────────────────────────


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    _add_globals(common, default=argparse.SUPPRESS)
    parser = argparse.ArgumentParser(
        prog="prism", description="Ask your documents; check every answer.", parents=[]
    )
    _add_globals(parser, default=None)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Command, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text, parents=[common])
        command.set_defaults(run=run)
        return command

    ingest = add("ingest", _ingest, "Bring files and folders in.")
    ingest.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="file, folder, or pattern such as 'docs/**/*.pdf'"
    )
    ingest.add_argument(
        "--include", action="append", metavar="GLOB", help="of folders read only what fits (read.include)"
    )
    ingest.add_argument(
        "--exclude", action="append", metavar="GLOB", help="of folders leave out what fits (read.exclude)"
    )
    ingest.add_argument(
        "--prune", action="store_true", help="delete documents whose file is gone from the folders given"
    )
    _add_password(ingest)
    add("jobs", _jobs, "List what was ingested when, and what is left to resume.")
    resume = add("resume", _resume, "Go on with ingests that were stopped.")
    resume.add_argument(
        "job", nargs="?", metavar="JOB", help="id of the job; else every job that was interrupted"
    )
    resume.add_argument("--failed", action="store_true", help="try the files that failed again, too")
    _add_password(resume)
    retrieve = add("retrieve", _retrieve, "Find passages, without answering.")
    retrieve.add_argument("question")
    retrieve.add_argument("-k", type=int, default=10, help="how many passages (default 10)")
    retrieve.add_argument("--leaves", action="store_true", help="the leaves as ranked, unmerged")
    ask = add("ask", _ask, "Answer a question with citations.")
    ask.add_argument("question")
    ask.add_argument("--conversation", metavar="ID", help="go on with this conversation")
    ask.add_argument("-k", type=int, default=None, help="passages to answer from (default retrieval.k)")
    chat = add("chat", _chat, "Ask question after question.")
    chat.add_argument("--conversation", metavar="ID", help="go on with this conversation")
    add("documents", _documents, "List the documents.")
    for name, run, text in (
        ("show", _show, "Show one document."),
        ("delete", _delete, "Hide a document everywhere; undo brings it back."),
        ("undo", _undo, "Bring a deleted document back."),
        ("purge", _purge, "Remove a document for good."),
    ):
        add(name, run, text).add_argument("id", metavar="ID", help="document id, or its name")
    add("status", _status, "Counts, sizes, and whether all is consistent.")
    doctor = add("doctor", _doctor, "Check the index against the record, and mend it.")
    doctor.add_argument("--rebuild", action="store_true", help="make the whole index anew from the record")
    add("trace", _trace, "What every stage of a question saw.").add_argument("id", metavar="ID")
    for name, run, text in (
        ("backup", _backup, "Write record and files to one archive."),
        ("restore", _restore, "Bring an archive into an empty storage folder."),
    ):
        add(name, run, text).add_argument("file", type=Path, metavar="FILE")
    return parser


def _add_password(parser: argparse.ArgumentParser) -> None:
    # It takes no value: other users of the machine see command lines, and shells write them down.
    parser.add_argument(
        "--password",
        action="store_true",
        help="ask for the password of locked files (piped in: its first line)",
    )


def _add_globals(parser: argparse.ArgumentParser, default: Any) -> None:
    off = default if default is argparse.SUPPRESS else False
    parser.add_argument("--settings", type=Path, metavar="FILE", default=default, help="settings file")
    parser.add_argument("--storage", type=Path, metavar="DIR", default=default, help="storage folder")
    parser.add_argument("--workspace", metavar="NAME", default=default, help="workspace")
    parser.add_argument("--quiet", action="store_true", default=off, help="no progress, errors only")
    parser.add_argument("--json", action="store_true", default=off, help="one JSON document on stdout")


if __name__ == "__main__":
    sys.exit(main())
