"""What the bench reads and how it counts; the embedding itself is measured by hand."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from eval.bench.quantities import BUILDS, READ_SETS, BuildName, names_of
from eval.bench.reading import FOLDERS, TimedEmbedder, pdfs_of, read_with, reading_phase, spread, timed
from prism.errors import UsageError
from tests.fakes import LetterEmbedder


def pdf(*pages: str) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file)
    for text in pages:
        canvas.drawString(72, 700, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for folder in FOLDERS.values():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "b.PDF").write_bytes(pdf("The limit is 42.", "Second page."))
        (tmp_path / folder / "a.pdf").write_bytes(pdf("One."))
        (tmp_path / folder / "README.txt").write_text("no PDF")
    return tmp_path


@pytest.mark.parametrize("build", BUILDS)
def test_both_builds_read_the_same_pages(build: BuildName, data: Path) -> None:
    pages, text = read_with(build)(pdf("The limit is 42.", "Second page."), "x.pdf")
    assert pages == 2
    assert "The limit is 42." in text
    assert "Second page." in text


@pytest.mark.parametrize("build", BUILDS)
def test_every_quantity_without_a_model_is_measured(build: BuildName, data: Path, tmp_path: Path) -> None:
    found = list(reading_phase(build, data, tmp_path / "work", LetterEmbedder(), embeds=False))  # type: ignore[arg-type]
    assert {name for name, _, _ in found} == names_of("reading", embeds=False)
    assert all(value > 0 for _, value, _ in found)
    assert {details["pages"] for name, _, details in found if name != "reading_memory"} == {3}


def test_every_set_has_a_folder_and_an_empty_one_is_refused(tmp_path: Path) -> None:
    assert FOLDERS.keys() == READ_SETS.keys()
    with pytest.raises(UsageError, match="no PDFs"):
        pdfs_of(tmp_path, "rbi")


def test_pages_seconds_and_characters_are_summed(data: Path) -> None:
    files = pdfs_of(data, "rbi")
    pages, spent_s, characters = timed(lambda content, name: (len(name), content[:4].decode()), files)
    assert (pages, characters) == (10, 8)
    assert spent_s >= 0


def test_files_are_taken_evenly() -> None:
    files = [Path(str(number)) for number in range(10)]
    assert spread(files, 4) == [Path("0"), Path("2"), Path("5"), Path("7")]
    assert spread(files[:2], 4) == files[:2]


def test_a_timed_embedder_is_the_embedder_and_counts_its_time() -> None:
    embedder = TimedEmbedder(LetterEmbedder())  # type: ignore[arg-type]
    assert embedder.name == LetterEmbedder.name
    assert embedder.embed(["ab"]).shape == (1, 26)
    assert embedder.spent_s > 0
