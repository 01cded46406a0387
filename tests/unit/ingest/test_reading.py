from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prism.errors import PrismError, SourceError, TooLargeError, UnreadableError, UnsupportedError
from prism.ingest import reading as module
from prism.ingest.load import load as load_here
from prism.ingest.progress import Cancelled
from prism.ingest.reading import ReadingProcess
from prism.settings import ReadSettings
from prism.types import Source, SourceText

FAULTY_READERS = Path(__file__).parents[2] / "faulty_readers"

Load = Callable[..., SourceText]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """`load("a.txt", b"words")` reads in a process whose text reader has the faults a file asks for."""
    monkeypatch.syspath_prepend(FAULTY_READERS)
    with ReadingProcess(ReadSettings(memory_mb=200), check=lambda: None) as reading:

        def run(name: str, data: bytes, on_page=lambda page, pages: None, **settings) -> SourceText:
            return reading.load(
                Source(Path(name), name), data, ReadSettings(memory_mb=200, **settings), on_page=on_page
            )

        yield run


def refusal(load: Load, fault: str, **settings) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load("odd.txt", f"FAULT {fault}".encode(), **settings)
    return caught.value


def is_alive(pid: int) -> bool:
    """Whether a process runs (one that has ended may wait to be reaped)."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().split()[2] != "Z"


def test_a_file_reads_as_it_does_without_a_process(load: Load) -> None:
    data = "# Rules\n\nThe cap is ₹40 😀.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n".encode()
    source = Source(Path("rules.md"), "rules.md")
    assert load("rules.md", data) == load_here(source, data, ReadSettings())


def test_refusals_come_through_as_they_are(load: Load) -> None:
    with pytest.raises(UnreadableError, match=r"^odd.txt: not a text file"):
        load("odd.txt", b"\x7fELF" + bytes(100))
    with pytest.raises(UnsupportedError, match=r"^odd.zap: no reader for .zap files"):
        load("odd.zap", b"zap")
    with pytest.raises(TooLargeError, match=r"read\.max_chars"):
        load("long.txt", b"word " * 1000, max_chars=1000)


def test_a_reader_that_hangs_is_given_up_and_the_next_file_is_read(load: Load) -> None:
    began = time.monotonic()
    error = refusal(load, "for_ever", timeout_s=0.5)
    assert isinstance(error, TooLargeError)
    assert str(error) == (
        "odd.txt: given up at page 17 of 500, since reading took longer than 0.5 s. "
        "Raise read.timeout_s or split the file."
    )
    assert time.monotonic() - began < 30
    assert load("next.txt", b"fine").text == "fine"


def test_a_parser_that_holds_the_interpreter_is_given_up_too(load: Load) -> None:
    assert "read.timeout_s" in str(refusal(load, "for_ever_in_c", timeout_s=0.5))
    assert load("next.txt", b"fine").text == "fine"


def test_a_reader_that_never_stops_talking_is_given_up_too(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REPLY_S", 0.5)
    assert "read.timeout_s" in str(refusal(load, "pages_for_ever", timeout_s=0.5))


def test_pictures_being_recognized_have_time_of_their_own(load: Load) -> None:
    data = b"FAULT slow_pictures"
    assert load("scan.txt", data, timeout_s=1, ocr_timeout_s=5).text == data.decode()
    assert "read.timeout_s" in str(refusal(load, "slow_pictures", timeout_s=0.5, ocr_timeout_s=0.01))


@pytest.mark.parametrize(
    ("fault", "how"),
    [
        ("segfault", "signal 11"),
        ("leave", "exit code 3"),
        ("leave_politely", "exit code 1"),
    ],
)
def test_a_crash_costs_one_file(load: Load, fault: str, how: str) -> None:
    assert load("before.txt", b"fine").text == "fine"
    error = refusal(load, fault)
    assert isinstance(error, UnreadableError)
    assert str(error) == (
        f"odd.txt: the reader crashed on this file ({how}). "
        "It may be damaged; save it again from its program."
    )
    assert load("next.txt", b"fine").text == "fine"


def test_a_file_on_which_a_used_process_crashes_is_tried_in_a_new_one(load: Load) -> None:
    assert load("before.txt", b"fine").text == "fine"
    data = b"FAULT segfault_unless_first"
    assert load("innocent.txt", data).text == data.decode()


def test_a_process_that_closes_its_pipe_and_stays_is_ended(load: Load) -> None:
    assert "the reader crashed on this file." in str(refusal(load, "close_and_stay"))
    assert load("next.txt", b"fine").text == "fine"


@pytest.mark.parametrize("fault", ["eat_memory", "abort_full"])
def test_a_reader_that_takes_too_much_memory_is_told_by_its_limit(load: Load, fault: str) -> None:
    error = refusal(load, fault)
    assert isinstance(error, TooLargeError)
    assert str(error) == (
        "odd.txt: reading needs more memory than the limit of 200 MB. Raise read.memory_mb or split the file."
    )
    assert load("next.txt", b"fine").text == "fine"


@pytest.mark.parametrize("fault", ["print_much", "flood"])
def test_what_libraries_print_disturbs_nobody(
    load: Load, fault: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger=module.__name__)
    assert load("odd.txt", f"FAULT {fault}".encode()).text == f"FAULT {fault}"
    assert capfd.readouterr() == ("", "")
    assert {record.levelno for record in caplog.records} == {logging.DEBUG}
    assert len(caplog.text) < 100_000
    assert ("written" if fault == "print_much" else "the last word") in caplog.text


def test_an_error_no_reader_should_raise_is_a_failed_file_and_a_trace_in_the_log(
    load: Load, caplog: pytest.LogCaptureFixture
) -> None:
    error = refusal(load, "divide")
    assert isinstance(error, UnreadableError)
    assert str(error).startswith(
        "odd.txt: the reader failed on this file (ZeroDivisionError: division by zero"
    )
    assert "in divide" in caplog.text


def test_a_file_nested_without_end_is_damaged(load: Load) -> None:
    error = refusal(load, "recurse")
    assert isinstance(error, UnreadableError)
    assert str(error).startswith("odd.txt: damaged (nested more deeply")


def test_half_a_character_in_a_message_is_no_obstacle(load: Load) -> None:
    assert (
        str(refusal(load, "say_half_a_character"))
        == "odd.txt: \N{REPLACEMENT CHARACTER} is half a character."
    )


def test_the_wish_to_stop_ends_the_reading_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FAULTY_READERS)
    pages: list[int] = []

    def check() -> None:
        if pages:
            raise Cancelled

    with ReadingProcess(ReadSettings(), check=check) as reading, pytest.raises(Cancelled):
        reading.load(
            Source(Path("a.txt"), "a.txt"),
            b"FAULT for_ever",
            ReadSettings(),
            on_page=lambda page, _: pages.append(page),
        )
    assert pages == [17]


def test_pages_are_told(load: Load) -> None:
    pages: list[tuple[int, int]] = []
    with pytest.raises(TooLargeError):
        load("odd.txt", b"FAULT for_ever", lambda *page: pages.append(page), timeout_s=0.3)
    assert pages == [(17, 500)]


def test_nothing_a_reader_leaves_behind_outlives_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FAULTY_READERS)
    source = Source(Path("a.txt"), "a.txt")
    with ReadingProcess(ReadSettings(), check=lambda: None) as reading:
        with pytest.raises(UnreadableError) as caught:
            reading.load(source, b"FAULT leave_things_behind", ReadSettings())
        place, child, worker = str(caught.value).split()
        assert Path(place).exists()
        assert is_alive(int(child))
        assert is_alive(int(worker))
    assert not Path(place).exists()
    assert not is_alive(int(worker))
    until = time.monotonic() + 5
    while is_alive(int(child)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_alive(int(child))


def test_a_reader_learns_no_secrets_and_reads_no_requests(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-1")
    seen = str(refusal(load, "surroundings")).split()
    assert "PATH" in seen
    assert not {"GROQ_API_KEY", "PYTHONPATH"} & {*seen}
    assert str(refusal(load, "read_standard_input")) == "b''"


def test_a_process_that_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os.write(2, b'no luck\\n'); os._exit(1)")
    monkeypatch.syspath_prepend(tmp_path)
    with (
        ReadingProcess(ReadSettings(), check=lambda: None) as reading,
        pytest.raises(PrismError, match=r"did not start: no luck\."),
    ):
        reading.load(Source(Path("a.txt"), "a.txt"), b"a", ReadSettings())
    monkeypatch.setattr("sys.executable", str(tmp_path / "no python"))
    with (
        ReadingProcess(ReadSettings(), check=lambda: None) as reading,
        pytest.raises(PrismError, match=r"cannot be started: .*No such file"),
    ):
        reading.load(Source(Path("a.txt"), "a.txt"), b"a", ReadSettings())


def test_modules_beside_the_documents_are_not_imported(
    load: Load, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    assert load("a.txt", b"fine").text == "fine"
