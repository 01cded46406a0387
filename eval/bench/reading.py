"""Reading PDFs, alone and with all that an ingest does after it: by Prism, and by pypdf, with which the
`PDFReader` of LlamaIndex reads.

What comes out differs: Prism puts lines in reading order, finds headings, tables and running lines, and
cleans; pypdf gives the text of each page.
"""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

from eval.bench.footprint import peak_memory_mb
from eval.bench.measure import Measured
from eval.bench.quantities import READ_SETS, BuildName
from prism.engine import Prism
from prism.errors import PrismError, UsageError
from prism.ingest.clean import clean
from prism.ingest.load import load
from prism.models.embedder import FolderEmbedder
from prism.models.protocols import Embedder, OnBatch, TokenVectors, Vectors
from prism.settings import ReadSettings, Settings
from prism.types import Source

FOLDERS: Final[Mapping[str, str]] = {"rbi": "rbi_circulars/pdfs", "10q": "kg_rag_sec10q/pdfs"}
"""Where the PDFs of a set lie below the data folder."""

INGESTED_FILES: Final = 4
"""Files of a set that are brought in, spread evenly: embedding them is what takes long."""

ReadFile = Callable[[bytes, str], tuple[int, str]]
"""From a file's bytes and name to its pages and its text."""


def pdfs_of(data: Path, name: str) -> list[Path]:
    """The PDFs of a set, by name. Raises `UsageError` when there are none."""
    folder = data / FOLDERS[name]
    found = sorted(path for path in folder.glob("*") if path.suffix.lower() == ".pdf")
    if not found:
        raise UsageError(f"{folder}: no PDFs there. Say with --data, or in PRISM_DATA, where the sets lie.")
    return found


def reading_phase(
    build: BuildName, data: Path, work: Path, embedder: FolderEmbedder, *, embeds: bool
) -> Measured:
    """Read all files of each set; then bring some in from nothing, with their embedding."""
    reader = read_with(build)
    for name in READ_SETS:
        files = pdfs_of(data, name)
        reader(files[0].read_bytes(), files[0].name)  # libraries are loaded with the first
        pages, spent_s, characters = timed(reader, files)
        details = {"files": len(files), "pages": pages, "seconds": spent_s, "characters": characters}
        yield f"reading_{name}", pages / spent_s, details
    yield "reading_memory", peak_memory_mb(), {}
    if not embeds:
        return
    embedder.embed(["warm up"])
    for name in READ_SETS:
        files = spread(pdfs_of(data, name), INGESTED_FILES)
        pages, reading_s, _ = timed(reader, files)
        shutil.rmtree(work, ignore_errors=True)
        ingest = ingest_with_prism if build == "prism" else ingest_plainly
        embedding_s, total_s = ingest(files, work, embedder)
        shutil.rmtree(work)
        details = {
            "files": len(files),
            "pages": pages,
            "reading_s": reading_s,
            "embedding_s": embedding_s,
            "total_s": total_s,
        }
        yield f"ingest_{name}", pages / total_s, details
        yield f"reading_part_{name}", 100 * reading_s / embedding_s, {}


def read_with(build: BuildName) -> ReadFile:
    """A build's way to read a PDF."""
    return _read_with_prism if build == "prism" else _read_with_pypdf


def _read_with_prism(data: bytes, name: str) -> tuple[int, str]:
    loaded = clean(load(Source(Path(name), name), data, ReadSettings()))
    return loaded.page_count, loaded.text


def _read_with_pypdf(data: bytes, _name: str) -> tuple[int, str]:
    from pypdf import PdfReader

    texts = [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]
    return len(texts), "\n".join(texts)


def timed(reader: ReadFile, files: Sequence[Path]) -> tuple[int, float, int]:
    """Pages, seconds and characters of reading all the files, their bytes at hand."""
    pages, spent_s, characters = 0, 0.0, 0
    for file in files:
        data = file.read_bytes()
        began = time.perf_counter()
        read_pages, text = reader(data, file.name)
        spent_s += time.perf_counter() - began
        pages, characters = pages + read_pages, characters + len(text)
    return pages, spent_s, characters


def spread(files: Sequence[Path], most: int) -> list[Path]:
    """At most so many of the files, spread evenly."""
    count = min(most, len(files))
    return [files[place * len(files) // count] for place in range(count)]


class TimedEmbedder:
    """An embedder that says how long it took to embed."""

    def __init__(self, embedder: FolderEmbedder) -> None:
        self._embedder = embedder
        self.spent_s = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        """As the embedder."""
        with self._timed():
            return self._embedder.embed(texts, on_batch)

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        """As the embedder."""
        with self._timed():
            return self._embedder.embed_with_tokens(texts, on_batch)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.spent_s += time.perf_counter() - began


def ingest_with_prism(files: Sequence[Path], work: Path, embedder: FolderEmbedder) -> tuple[float, float]:
    """`Prism.ingest` into a new folder: seconds of embedding, and of all of it."""
    timed_embedder = TimedEmbedder(embedder)
    with Prism.open(
        Settings(), overlay={"storage.path": work}, embedder=cast(Embedder, timed_embedder)
    ) as prism:
        began = time.perf_counter()
        report = prism.ingest([Source(file, file.name) for file in files])
        total_s = time.perf_counter() - began
    if report.count("added") != len(files):
        raise PrismError("a PDF was not brought in: the times mean nothing.")
    return timed_embedder.spent_s, total_s


def ingest_plainly(files: Sequence[Path], work: Path, embedder: FolderEmbedder) -> tuple[float, float]:
    """The same with the plain parts: pypdf, LlamaIndex's hierarchical parser, `HuggingFaceEmbedding`, Chroma,
    docstore and BM25, all durable at the end."""
    from eval.bench.plain_pdfs import PlainPdfs

    plain = PlainPdfs(embedder.folder, work)
    began = time.perf_counter()
    embedding_s = plain.ingest(
        [(file.name, _read_with_pypdf(file.read_bytes(), file.name)[1]) for file in files]
    )
    return embedding_s, time.perf_counter() - began
