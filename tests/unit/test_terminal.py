from __future__ import annotations

import io

import pytest

from prism.errors import UsageError
from prism.terminal import IngestBar, Terminal
from prism.types import (
    Answer,
    Citation,
    DocumentInfo,
    FileReport,
    FileStatus,
    IngestProgress,
    IngestReport,
    JobFile,
    JobFileStatus,
    JobInfo,
    JobState,
    Notice,
    PageRef,
    Passage,
    Retrieval,
    Status,
    TextDelta,
)

PASSAGE = Passage(
    1,
    "n",
    ("n",),
    "a [draft].pdf",
    "doc",
    1,
    (PageRef("iv", 4),),
    0,
    12,
    "The cap\n is 10.",
    0.5,
    {"dense": 2, "keyword": None},
)


def answer(**changes) -> Answer:
    values = {
        "question": "q",
        "text": "Ten [1].",
        "abstained": False,
        "citations": (Citation(1, PASSAGE, "The cap is 10.", 0, 12, (PageRef("iv", 4),)),),
        "sentences": (),
        "nearest": (),
        "notices": (Notice("c", "a word of warning"),),
        "conversation_id": None,
        "trace_id": "t",
        "model": "quote",
        "timings_ms": {},
    }
    return Answer(**{**values, **changes})


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]):
    return capsys.readouterr


def test_json_goes_to_stdout_as_one_line_in_any_script(said) -> None:
    Terminal(as_json=True, quiet=False).show({"text": "सीमा"}, lambda: pytest.fail("not as text"))
    assert said().out == '{"text": "सीमा"}\n'


def test_a_person_sees_the_text_form(said) -> None:
    terminal = Terminal(as_json=False, quiet=False)
    terminal.show({}, lambda: terminal.say("[bold] stays as it is"))
    assert said().out == "[bold] stays as it is\n"


def test_nothing_is_said_to_people_beside_json(said) -> None:
    Terminal(as_json=True, quiet=False).say("hello")
    assert said().out == ""


def test_errors_go_to_stderr(said) -> None:
    Terminal(as_json=True, quiet=True).error("no such file")
    found = said()
    assert (found.out, found.err) == ("", "prism: no such file\n")


def test_an_answer_is_followed_by_where_it_comes_from(said) -> None:
    Terminal(as_json=False, quiet=False).stream([TextDelta("Ten "), TextDelta("[1]."), answer()])
    found = said()
    assert found.out.startswith("Ten [1].\n")
    assert "[1] a [draft].pdf, p. iv (sheet 4)" in found.out
    assert "a word of warning" in found.err


def test_quiet_keeps_notices_back(said) -> None:
    Terminal(as_json=False, quiet=True).stream([answer()])
    assert said().err == ""


def test_an_abstention_shows_the_nearest_passages(said) -> None:
    Terminal(as_json=False, quiet=False).stream([answer(abstained=True, citations=(), nearest=(PASSAGE,))])
    assert "The cap is 10." in said().out


def test_a_search_shows_rank_place_and_legs(said) -> None:
    Terminal(as_json=False, quiet=False).retrieval(Retrieval("q", (PASSAGE,), (), {}, "t"))
    out = said().out
    assert "1. a [draft].pdf, p. iv (sheet 4)" in out
    assert "dense #2" in out
    assert "keyword" not in out


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (PageRef("3", 3), "p. 3"),
        (PageRef("iv", 4), "p. iv (sheet 4)"),
        (PageRef("row 7", 1), "row 7"),
        (PageRef("Fees row 7", 1), "Fees row 7"),
    ],
)
def test_pages_are_shown_as_a_reader_knows_them(said, page: PageRef, shown: str) -> None:
    citation = Citation(1, PASSAGE, "q", 0, 1, (page,))
    Terminal(as_json=False, quiet=True).stream([answer(citations=(citation,))])
    assert f"a [draft].pdf, {shown}" in said().out


def test_a_report_names_each_file_and_why_it_failed(said) -> None:
    report = IngestReport(
        (
            FileReport("a", "a.txt", "d", "added", "", 3, 1, ("guessed the encoding",), 0.1),
            FileReport("b", "b.pdf", None, "failed", "password protected", 0, 0, (), 0.1),
            FileReport("c", "c.txt", "e", "unchanged", "already indexed", 3, 1, (), 0.1),
        ),
        1.0,
    )
    Terminal(as_json=False, quiet=False).ingest_report(report)
    out = said().out
    assert "b.pdf: password protected" in out
    assert "guessed the encoding" in out
    assert "c.txt" not in out
    assert "1 added, 0 updated, 1 unchanged, 0 skipped, 1 failed" in out


def test_a_file_is_named_once_and_one_leaf_is_one_leaf(capsys):
    report = IngestReport(
        (
            FileReport("a", "a: b.pdf", None, "failed", "a: b.pdf: damaged. Copy it again.", 0, 0, (), 0.1),
            FileReport("c", "c.txt", "d", "added", "", 1, 1, (), 0.1),
            FileReport("e", "e.txt", "f", "added", "", 1200, 1, (), 0.1),
        ),
        0.3,
    )
    Terminal(as_json=False, quiet=False).ingest_report(report)
    assert capsys.readouterr().out.splitlines()[:3] == [
        "  failed    a: b.pdf: damaged. Copy it again.",
        "  added     c.txt (1 leaf)",
        "  added     e.txt (1,200 leaves)",
    ]


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("cancelled", "1 cancelled in 1.0 s\nStopped. Go on with: prism resume job-1\n"),
        ("failed", "1 failed in 1.0 s\nTry what failed again with: prism resume job-1 --failed\n"),
        ("added", "0 failed in 1.0 s\n"),
    ],
)
def test_a_report_says_how_to_go_on(said, status: FileStatus, shown: str) -> None:
    file = FileReport("a", "a.txt", None, status, "", 0, 0, (), 0.1)
    Terminal(as_json=False, quiet=False).ingest_report(IngestReport((file,), 1.0, "job-1"))
    assert said().out.endswith(shown)


def job(job_id: str, state: JobState, *statuses: JobFileStatus, reason: str = "") -> JobInfo:
    files = tuple(JobFile(n, "/a", "a", None, status, "", None, None) for n, status in enumerate(statuses))
    return JobInfo(job_id, "w", state, reason, "2026-03-01T10:20:30.123456+00:00", None, files)


def test_when_nothing_was_interrupted_what_was_cancelled_or_failed_is_named(said) -> None:
    terminal = Terminal(as_json=False, quiet=False)
    terminal.nothing_to_resume([job("a", "done", "added")])
    assert said().out == "Nothing to resume.\n"
    terminal.nothing_to_resume([job("a", "cancelled", "cancelled"), job("b", "done", "failed")])
    out = said().out
    assert "prism resume a\n" in out
    assert "prism resume b --failed\n" in out


def test_jobs_are_a_line_each_with_what_became_of_their_files(said) -> None:
    terminal = Terminal(as_json=False, quiet=False)
    terminal.jobs(
        [job("0123456789abcdef", "interrupted", "added", "waiting", "added", reason="cut"), job("b", "done")]
    )
    heading, first, second, hint = said().out.splitlines()
    assert heading.split() == ["id", "started", "(UTC)", "state", "files"]
    assert first == "0123456789ab  2026-03-01 10:20:30  interrupted  1 waiting, 2 added: cut"
    assert second.split() == ["b", "2026-03-01", "10:20:30", "done", "none"]
    assert "prism resume ID" in hint
    terminal.jobs([job("c", "done", "failed")])
    assert "--failed" in said().out
    terminal.jobs([])
    assert "prism ingest PATH" in said().out


def test_interrupted_documents_are_listed_with_what_can_be_done(said) -> None:
    info = DocumentInfo("d", "a.txt", "a", "w", "interrupted", 1, 0, 1, "v", 1, "", ())
    Terminal(as_json=False, quiet=False).documents([info])
    out = said().out
    assert "prism jobs" in out
    assert "prism delete ID" in out


@pytest.mark.parametrize(("typed", "meant"), [("y", True), (" YES ", True), ("", False), ("no", False)])
def test_only_a_yes_is_consent(monkeypatch: pytest.MonkeyPatch, typed: str, meant: bool) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: typed)
    assert Terminal(as_json=False, quiet=False).ask_yes_no("Send it?") is meant


def test_the_end_of_input_is_an_empty_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    assert Terminal(as_json=False, quiet=False).read_line("> ") == ""


def test_nobody_is_asked_when_scripts_read_the_output() -> None:
    assert not Terminal(as_json=True, quiet=False).is_interactive


def test_progress_keeps_to_stderr(said) -> None:
    with IngestBar(Terminal(as_json=True, quiet=False)) as bar:
        bar.update(IngestProgress("embedding", "a.txt", 0, 2, 10, 5.0, None))
        bar.update(IngestProgress("done", "a.txt", 1, 2, 20, 5.0, 1.0))
    assert said().out == ""


def test_progress_tells_which_page_of_a_long_document_is_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("sys.stderr", shown := io.StringIO())
    with IngestBar(Terminal(as_json=False, quiet=False)) as bar:
        bar.update(IngestProgress("reading", "a.pdf", 0, 1, 0, 0.0, None, page=17, pages=500))
        bar._bar.refresh()
    assert "reading a.pdf, page 17 of 500" in shown.getvalue()


@pytest.mark.parametrize(
    ("answers", "abstained", "shown"),
    [
        (0, 0, "0 answers: no question asked yet"),
        (8, 2, "8 answers: 25% abstained (2)"),
        (3, 0, "3 answers: 0% abstained (0)"),
    ],
)
def test_status_tells_how_often_prism_abstained(said, answers: int, abstained: int, shown: str) -> None:
    Terminal(as_json=False, quiet=False).status(Status(1, 2, 2, 2, 2, True, {}, answers, abstained, {}))
    assert shown in said().out.splitlines()


@pytest.mark.parametrize("typed", ["geheim\n", "geheim", "geheim\nnext line\n"])
def test_a_password_is_read_from_a_pipe(monkeypatch: pytest.MonkeyPatch, typed: str, said) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert Terminal(as_json=False, quiet=False).ask_password() == "geheim"
    assert "geheim" not in "".join(said())


@pytest.mark.parametrize("typed", ["", "\n"])
def test_no_password_is_wrong_use(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    with pytest.raises(UsageError, match="--password needs a password"):
        Terminal(as_json=False, quiet=False).ask_password()
