"""The ingestion cases (ING-…), each from files to answers through the public API."""

from __future__ import annotations

import io
import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import chromadb
import docx
import pytest
from chromadb.config import Settings as ChromaSettings
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from prism import FileReport, IngestReport, Prism, Source
from prism.ingest.load import load
from prism.ingest.readers import text as text_reader
from prism.ingest.reading import ReadingProcess
from prism.llamaindex.vector_store import CosineChromaVectorStore
from prism.types import PageSpan, SourceText
from tests.fakes import LetterEmbedder
from tests.integration.conftest import OpenPrism, Shelf
from tests.shelf import KEYWORD_ALONE, first, id_of, legs_of, names, texts, write


def only_file(report: IngestReport) -> FileReport:
    (file,) = report.files
    return file


def stored_text(prism: Prism, name: str) -> str:
    """The whole of a document as its pages hold it."""
    info = prism.document(name)
    return "".join(prism.page(info.document_id, sheet + 1).text for sheet in range(info.page_count))


def pdf(*pages: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=0, **options)
    for page in pages:
        for number, line in enumerate(page.split("\n")):
            canvas.drawString(72, 760 - 16 * number, line)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


# ── encodings ───────────────────────────────────────────────────────────────────────────────────

ENCODED = [
    ("Zürich fee is €5", "cp1252", "Zürich"),
    ("Straße und Größe: Gebühr 7 Euro, fällig am Monatsende", "latin-1", "Gebühr"),
    ("Żółta łódź kosztuje dziesięć złotych miesięcznie", "cp1250", "złotych"),
    ("Комиссия за перевод составляет пять рублей", "cp1251", "Комиссия"),
    ("La comisión del señor Núñez es de 5 € al año", "cp1252", "comisión"),
    ("L’intérêt de la banque est de 5 % par an – payé d’avance", "cp1252", "intérêt"),
]


@pytest.mark.parametrize(("sentence", "encoding", "word"), ENCODED)
@pytest.mark.parametrize("suffix", ["txt", "csv"])
def test_ing_01_text_that_is_not_utf8_keeps_every_character(shelf: Shelf, sentence, encoding, word, suffix):
    name = f"fees.{suffix}"
    content = sentence if suffix == "txt" else f"id;text\n1;{sentence}"
    prism = shelf({name: content.encode(encoding)})
    assert sentence in stored_text(prism, name)
    assert names(prism.with_settings(**KEYWORD_ALONE).retrieve(word)) == [name]
    assert any(encoding_is_named(warning) for warning in prism.document(name).warnings)


def encoding_is_named(warning: str) -> bool:
    return any(name in warning.casefold().replace("-", "") for name in ("125", "8859", "latin", "windows"))


@pytest.mark.parametrize(
    ("sentence", "encoding"),
    [
        ("Zürich fee is €5", "utf-16"),
        ("Zürich fee is €5", "utf-16-le-bom"),
        ("Zürich fee is €5", "utf-16-be-bom"),
        ("Zürich fee is €5", "utf-8-sig"),
        ("Zürich fee is €5", "utf-32"),
        ("员工每年享有十天年假，加班工资按小时计算。", "gb18030"),
        ("從業人員每年享有十天特別休假，請事先申請。", "big5"),
        ("従業員は年次有給休暇を取得できます。申請は三日前まで。", "shift_jis"),
        ("직원은 연차 휴가를 사용할 수 있습니다. 사흘 전에 신청하십시오.", "euc-kr"),
    ],
)
def test_ing_02_other_encodings_give_the_sentence(shelf: Shelf, sentence, encoding):
    marks = {"utf-16-le-bom": ("utf-16-le", b"\xff\xfe"), "utf-16-be-bom": ("utf-16-be", b"\xfe\xff")}
    codec, mark = marks.get(encoding, (encoding, b""))
    prism = shelf({"a.txt": mark + sentence.encode(codec)})
    assert stored_text(prism, "a.txt").strip() == sentence


@pytest.mark.parametrize(
    "content",
    [bytes(range(256)), bytes(range(256)) * 40, b"\x7fELF" + bytes(range(200)), os.urandom(4096)],
    ids=["0-255", "0-255 often", "program", "random"],
)
@pytest.mark.parametrize("name", ["x.txt", "x.md", "x.csv"])
def test_ing_02_a_binary_file_is_refused_as_not_text(open_prism: OpenPrism, tmp_path, content, name):
    prism = open_prism()
    file = only_file(prism.ingest(write(tmp_path, {name: content})))
    assert file.status == "failed"
    assert "not a text file" in file.reason
    assert file.chunks == 0
    assert prism.status().leaves == 0


# ── tables ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "column"),
    [("name,age\nAsha,31", "name"), ("emp;age\nAsha;31\nRavi;44", "emp"), ("﻿name\tage\nAsha\t31", "name")],
)
def test_ing_03_a_byte_order_mark_is_no_part_of_the_first_column(shelf: Shelf, content, column):
    prism = shelf({"people.csv": content.encode("utf-8-sig")})
    passage = first(prism.retrieve("How old is Asha?"))
    assert passage.text.startswith(f"{column}: Asha; age: 31")
    assert "\ufeff" not in passage.header + passage.text
    answer = prism.ask("How old is Asha?")
    assert "31" in answer.text
    assert "\ufeff" not in answer.text + "".join(item.quote for item in answer.citations)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("rows", "question", "value"),
    [
        (["item", "state", "qty"], "What is the qty for lamp?", "31"),
        (["plan", "region", "limit"], "What is the limit of the fan plan?", "8"),
    ],
)
def test_ing_04_columns_are_parted_by_whatever_parts_them(shelf: Shelf, separator, rows, question, value):
    table = [rows, ["lamp", "KA", "31"], ["fan", "TN", "8"]]
    prism = shelf({"stock.csv": "\n".join(separator.join(row) for row in table)})
    lines = first(prism.retrieve(question)).text.split("\n")
    assert lines == ["; ".join(map(": ".join, zip(rows, row, strict=True))) for row in table[1:]]
    assert value in prism.ask(question).text


@pytest.mark.parametrize("employee", [1, 18, 37, 50])
def test_ing_05_every_row_carries_its_column_names_and_the_citation_names_the_row(staff: Prism, employee):
    found = staff.retrieve(f"notice_days for emp {employee}", 20)
    for line in "\n".join(passage.text for passage in found.passages).split("\n"):
        assert re.fullmatch(r"emp_id: \d+; leave_left: \d+; notice_days: \d+", line)
    answer = staff.ask(f"What is the notice_days value for emp_id {employee}?")
    assert str(300 + employee) in answer.text
    quoted = next(item for item in answer.citations if str(300 + employee) in item.quote)
    assert [page.label for page in quoted.pages] == [f"row {employee}"]


@pytest.fixture(scope="module")
def staff(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("staff")
    rows = [f"{number},{100 + number},{300 + number}" for number in range(1, 51)]
    with make_prism(folder / "storage") as prism:
        prism.ingest(write(folder, {"staff.csv": "\n".join(["emp_id,leave_left,notice_days", *rows])}))
        yield prism


def test_ing_07_a_ragged_row_or_a_stray_quote_does_not_lose_the_others(shelf: Shelf):
    table = 'a,b,c\none,1,x\ntwo,2,y,extra\nthree,"says ""hi""\nand more",z\nfour,4,w\nfive,"5,open\n'
    prism = shelf({"t.csv": table})
    text = stored_text(prism, "t.csv")
    assert all(word in text for word in ("one", "two", "three", "four", 'says "hi"'))
    assert any("3" in warning for warning in prism.document("t.csv").warnings)


# ── empty and broken files ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("order", [1, -1])
def test_ing_08_empty_files_are_skipped_and_the_good_one_is_indexed(open_prism: OpenPrism, tmp_path, order):
    prism = open_prism()
    files = {
        "zero.txt": b"",
        "blank.md": b"  \n\t\n ",
        "bom.csv": b"\xef\xbb\xbf",
        "zero.md": b"",
        "blank.html": b"<html><body> \n</body></html>",
        "good.txt": b"The limit is 5.",
    }
    report = prism.ingest(write(tmp_path, dict(list(files.items())[::order])))
    for file in report.files:
        if file.document == "good.txt":
            assert (file.status, file.chunks) == ("added", 1)
        else:
            assert (file.status, file.reason, file.chunks) == ("skipped", "empty, skipped", 0)
    assert [info.document for info in prism.documents()] == ["good.txt"]
    assert prism.status().leaves == 1


def broken_files() -> dict[str, bytes]:
    document = io.BytesIO()
    docx.Document().save(document)
    return {
        "cut.pdf": pdf("Page one", "Page two")[:400],
        "cut.docx": document.getvalue()[:500],
        "not.pdf": b"%PDF-1.7 this is no PDF",
        "binary.txt": bytes(range(256)),
    }


@pytest.mark.parametrize("bad", sorted(broken_files()))
def test_ing_13_one_unreadable_file_does_not_stop_the_folder_and_a_rerun_adds_nothing(
    open_prism: OpenPrism, tmp_path, bad
):
    prism = open_prism()
    good = {f"{letter}.txt": f"Rule {letter} allows {n} days." for n, letter in enumerate("abde")}
    folder = tmp_path / "folder"
    write(folder, {**good, f"c-{bad}": broken_files()[bad]})
    once = prism.ingest(folder)
    assert once.count("added") == 4
    assert [file.document for file in once.files if file.status == "failed"] == [f"c-{bad}"]
    assert all(file.reason for file in once.files if file.status == "failed")
    before = prism.status()
    again = prism.ingest(folder)
    assert (again.count("added"), again.count("unchanged"), again.count("failed")) == (0, 4, 1)
    assert prism.status().leaves == before.leaves == 4


def test_ing_09_a_pdf_without_text_says_so(open_prism: OpenPrism, tmp_path):
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.rect(100, 100, 200, 200, fill=1)
    canvas.showPage()
    canvas.save()
    prism = open_prism()
    file = only_file(prism.ingest(write(tmp_path, {"scan.pdf": buffer.getvalue()})))
    assert file.status in ("failed", "skipped")
    assert "no readable text" in file.reason
    assert (file.chunks, prism.status().leaves) == (0, 0)
    assert prism.ask("What does the scan say?").abstained


def test_ing_11_a_locked_pdf_is_named_and_the_rest_goes_on(open_prism: OpenPrism, tmp_path):
    locked = pdf("secret page", encrypt=StandardEncryption("pass", canPrint=0))
    prism = open_prism()
    report = prism.ingest(write(tmp_path, {"locked.pdf": locked, "open.pdf": pdf("The limit is 42.")}))
    assert [file.status for file in report.files] == ["failed", "added"]
    assert "password" in report.files[0].reason
    assert prism.status().documents == 1


# ── characters that break stores ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    ["x = \ud835 + 1 equals nine", "\udc00 start of nine", "nine at the end \ud800", "a \udfff\ud835 nine b"],
)
def test_ing_24_unpaired_surrogates_are_repaired_and_noted(shelf: Shelf, monkeypatch, text):
    """As a reader of PDF maths fonts gives them; no text file can hold them."""
    read = SourceText(text, "maths", "text/plain", (PageSpan(1, "1", 0, len(text)),))
    monkeypatch.setattr(text_reader, "read", lambda _: read)
    monkeypatch.setattr(ReadingProcess, "load", lambda _, *given, **more: load(*given, **more))
    prism = shelf({"maths.txt": "stands for the file"})
    stored_text(prism, "maths.txt").encode("utf-8")
    assert names(prism.with_settings(**KEYWORD_ALONE).retrieve("nine")) == ["maths.txt"]
    count = sum("\ud800" <= character <= "\udfff" for character in text)
    assert any(str(count) in warning for warning in prism.document("maths.txt").warnings)


@pytest.mark.parametrize(
    ("content", "word", "expected"),
    [
        ("ab\x00cd total 900", "900", "abcd total 900"),
        ("\x00limit is 42\x00", "42", "limit is 42"),
        ("fee\x00 5\x00\x00 rupees per month and year", "rupees", "fee 5 rupees per month and year"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_ing_25_nul_characters_are_stripped(shelf: Shelf, content, word, expected, name):
    prism = shelf({name: content})
    found = first(prism.with_settings(**KEYWORD_ALONE).retrieve(word))
    assert found.text.strip() == expected


# ── identity ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by", ["folder", "files", "sources"])
def test_ing_26_one_name_in_two_folders_is_two_documents(open_prism: OpenPrism, tmp_path, by):
    folder = tmp_path / "both"
    sources = write(
        folder,
        {
            "a/policy.txt": "Notice period of staff: 10 days.",
            "b/policy.txt": "Notice period of staff: 20 days.",
        },
    )
    given = {"folder": folder, "files": [source.path for source in sources], "sources": sources}[by]
    prism = open_prism()
    assert prism.ingest(given).count("added") == 2
    assert [info.document for info in prism.documents()] == ["a/policy.txt", "b/policy.txt"]
    answer = prism.ask("What is the notice period of staff?")
    for citation in answer.citations:
        days = {"a/policy.txt": "10", "b/policy.txt": "20"}[citation.passage.document]
        assert days in citation.quote
    assert set(names(prism.retrieve("notice period"))) == {"a/policy.txt", "b/policy.txt"}


@pytest.mark.parametrize("times", [2, 3])
def test_ing_27_the_same_file_again_is_already_indexed(open_prism: OpenPrism, tmp_path, times):
    prism = open_prism()
    sources = write(tmp_path, {"hr.pdf": pdf("Annual leave is 24 days.", "Notice is 30 days.")})
    prism.ingest(sources)
    before = prism.status()
    for _ in range(times - 1):
        file = only_file(prism.ingest(sources))
        assert (file.status, file.reason) == ("unchanged", "already indexed")
    after = prism.status()
    assert (after.documents, after.leaves, after.vectors) == (1, before.leaves, before.vectors)
    assert len(prism.ask("How many days is annual leave?").citations) == 1


def test_ing_28_uploads_from_different_temporary_folders_are_one_document(open_prism: OpenPrism, tmp_path):
    prism = open_prism()
    for turn in range(3):
        (source,) = write(tmp_path / f"upload-{turn}", {"hr.txt": "Annual leave is 24 days."})
        prism.ingest(Source(source.path, "hr.txt"))
    (info,) = prism.documents()
    prism.purge(info.document_id)
    status = prism.status()
    assert (status.documents, status.leaves, status.vectors, status.keyword_docs) == (0, 0, 0, 0)
    assert prism.documents() == []


# ── replacing ───────────────────────────────────────────────────────────────────────────────────

LONG = " ".join(f"Filler sentence number {n} speaks of other matters of the office." for n in range(60))


@pytest.mark.parametrize(
    ("before", "after", "question", "gone", "there"),
    [
        ("The cap is 10.", "The cap is 20.", "What is the cap?", "cap is 10", "cap is 20"),
        (f"The cap is 10. {LONG}", f"The cap is 20. {LONG}", "What is the cap?", "cap is 10", "cap is 20"),
        ("Ask Wombat Ltd.", "Ask Quokka Ltd.", "Whom to ask, Wombat or Quokka?", "Wombat", "Quokka"),
        ("सीमा दस हज़ार है।", "सीमा बीस हज़ार है।", "सीमा क्या है?", "दस", "बीस"),
    ],
)
def test_ing_29_replaced_text_never_answers(shelf: Shelf, tmp_path, before, after, question, gone, there):
    prism = shelf({"rule.txt": before})
    file = only_file(prism.ingest(write(tmp_path / "again", {"rule.txt": after})))
    assert file.status == "updated"
    for leg, engine in legs_of(prism):
        for leaves in (True, False):
            found = texts(engine.retrieve(question, 50, leaves=leaves))
            assert gone not in found, leg
            if leg != "dense" or question.isascii():
                assert there in found, leg
    assert gone not in prism.ask(question).text
    status = prism.status()
    assert status.consistent
    assert status.leaves == status.active_leaves == status.vectors


class Moody(LetterEmbedder):
    """Fails while `failures` are left."""

    def __init__(self) -> None:
        self.failures = 0

    def embed(self, texts, on_batch=None):
        if self.failures:
            self.failures -= 1
            raise RuntimeError("429 Too Many Requests")
        return super().embed(texts, on_batch)


def test_ing_30_the_old_version_answers_until_the_new_one_is_stored(open_prism: OpenPrism, tmp_path):
    embedder = Moody()
    prism = open_prism(embedder=embedder)
    prism.ingest(write(tmp_path / "1", {"rule.txt": "The cap is 10."}))
    embedder.failures = 1
    file = only_file(prism.ingest(write(tmp_path / "2", {"rule.txt": "The cap is 20."})))
    assert file.status == "failed"
    assert "429" in file.reason
    assert "cap is 10" in texts(prism.retrieve("cap"))
    assert "cap is 20" not in texts(prism.retrieve("cap"))
    assert only_file(prism.ingest(write(tmp_path / "2", {"rule.txt": "The cap is 20."}))).status == "updated"
    assert "cap is 20" in texts(prism.retrieve("cap"))


@pytest.mark.parametrize("failures", [1, 2])
def test_ing_31_a_failed_file_is_indexed_by_the_retry(open_prism: OpenPrism, tmp_path, failures):
    embedder = Moody()
    embedder.failures = failures
    prism = open_prism(embedder=embedder)
    sources = write(tmp_path, {"rule.txt": "The cap is 10."})
    for _ in range(failures):
        assert only_file(prism.ingest(sources)).status == "failed"
        assert prism.retrieve("cap").passages == ()
        assert [info.status for info in prism.documents()] == ["failed"]
    assert only_file(prism.ingest(sources)).status == "added"
    assert names(prism.retrieve("cap")) == ["rule.txt"]
    assert prism.status().consistent


# ── deleting ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("gone_by", ["delete", "purge"])
@pytest.mark.parametrize(
    ("text", "question", "word"),
    [
        ("Locker code is 4471", "What is the locker code?", "4471"),
        (f"{LONG} The vault word is Xylograph. {LONG}", "What is the vault word?", "Xylograph"),
        ("तिजोरी का कोड ७७८८ है।", "तिजोरी का कोड क्या है?", "७७८८"),
    ],
)
def test_ing_32_a_deleted_document_never_answers_not_even_after_a_restart(
    open_prism: OpenPrism, tmp_path, gone_by, text, question, word
):
    with open_prism() as prism:
        prism.ingest(write(tmp_path, {"secret.txt": text, "other.txt": "The gym opens at six."}))
        assert word in prism.ask(question).text
        getattr(prism, gone_by)(id_of(prism, "secret.txt"))
        assert_gone(prism, question, word)
    with open_prism() as prism:
        assert_gone(prism, question, word)


def assert_gone(prism: Prism, question: str, word: str) -> None:
    for leg, engine in legs_of(prism):
        for leaves in (True, False):
            assert "secret.txt" not in names(engine.retrieve(f"{question} {word}", 50, leaves=leaves)), leg
    answer = prism.ask(question)
    assert word not in answer.text
    assert "secret.txt" not in names(answer)
    assert "secret.txt" not in [passage.document for passage in answer.nearest]
    assert [info.document for info in prism.documents() if info.status == "active"] == ["other.txt"]


@pytest.mark.parametrize("gone_by", ["delete", "purge"])
@pytest.mark.parametrize("restart", [False, True])
def test_ing_33_a_deleted_file_can_come_back(open_prism: OpenPrism, tmp_path, gone_by, restart):
    prism = open_prism()
    sources = write(tmp_path, {"rule.txt": "The cap is 10."})
    prism.ingest(sources)
    getattr(prism, gone_by)(id_of(prism, "rule.txt"))
    assert prism.retrieve("cap").passages == ()
    if restart:
        prism.close()
        prism = open_prism()
    file = only_file(prism.ingest(sources))
    assert (file.status, file.chunks) == ("added", 1)
    for leg, engine in legs_of(prism):
        assert names(engine.retrieve("cap")) == ["rule.txt"], leg
    assert prism.status().consistent


@pytest.mark.parametrize("gone_by", ["delete", "purge"])
@pytest.mark.parametrize("text", ["The cap is 10.", "सीमा दस हज़ार है।", f"The cap is 10. {LONG}"])
def test_ing_35_equal_files_each_own_their_chunks(shelf: Shelf, gone_by, text):
    prism = shelf({"a.txt": text, "b.txt": text})
    assert {info.leaves for info in prism.documents()} == {prism.status().leaves // 2}
    question = text.split(".")[0]
    assert set(names(prism.retrieve(question, 20))) == {"a.txt", "b.txt"}
    getattr(prism, gone_by)(id_of(prism, "a.txt"))
    assert set(names(prism.retrieve(question, 20))) == {"b.txt"}
    assert set(names(prism.ask(question))) == {"b.txt"}
    assert prism.status().consistent


# ── size ────────────────────────────────────────────────────────────────────────────────────────


def test_ing_36_a_file_of_more_chunks_than_a_store_call_takes_is_stored_and_deleted_whole(
    open_prism: OpenPrism, tmp_path
):
    overlay = {"chunk": {"leaf_tokens": 16, "parent_tokens": [256], "context_tokens": 0}}
    prism = open_prism(overlay, embedder=LetterEmbedder())
    lines = [
        f"Entry {n} of the ledger says that sum {n} was paid in full to account {n}." for n in range(6500)
    ]
    file = only_file(prism.ingest(write(tmp_path, {"big.txt": "\n\n".join(lines)})))
    assert file.status == "added"
    assert file.chunks >= 6500
    status = prism.status()
    assert status.leaves == status.vectors == status.keyword_docs == file.chunks
    assert "sum 6433 " in first(prism.with_settings(**KEYWORD_ALONE).retrieve("6433", leaves=True)).text
    prism.purge(id_of(prism, "big.txt"))
    assert (prism.status().vectors, prism.status().keyword_docs) == (0, 0)


def test_ing_38_a_file_over_the_limit_is_refused_with_the_limit_stated(open_prism: OpenPrism, tmp_path):
    prism = open_prism({"read": {"max_file_mb": 1}})
    report = prism.ingest(write(tmp_path, {"big.txt": "word " * 300_000, "ok.txt": "The limit is 42."}))
    assert [file.status for file in report.files] == ["failed", "added"]
    assert "1 MB" in report.files[0].reason
    assert "max_file_mb" in report.files[0].reason


# ── LlamaIndex's own store ──────────────────────────────────────────────────────────────────────


@pytest.fixture
def store(tmp_path: Path):
    client = chromadb.PersistentClient(str(tmp_path), ChromaSettings(anonymized_telemetry=False))
    collection = client.create_collection(
        "nodes", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    yield CosineChromaVectorStore(collection, batch_size=client.get_max_batch_size())
    client.close()


def query(store: CosineChromaVectorStore, vector: Sequence[float]) -> list[TextNode]:
    return list(store.query(VectorStoreQuery(query_embedding=list(vector), similarity_top_k=9)).nodes)


def test_ing_37_an_id_that_exists_is_replaced(store: CosineChromaVectorStore):
    store.add([TextNode(id_="x", text="OLD", embedding=[1.0, 0.0])])
    store.add([TextNode(id_="x", text="NEW", embedding=[0.0, 1.0])])
    assert [node.get_content() for node in query(store, [0.0, 1.0])] == ["NEW"]


def test_ing_37_a_file_ingested_over_itself_keeps_one_text(shelf: Shelf, tmp_path):
    prism = shelf({"x.txt": "OLD value of the cap."})
    for word in ("NEW", "NEWER", "NEWEST"):
        prism.ingest(write(tmp_path / word, {"x.txt": f"{word} value of the cap."}))
        assert [item.text for item in prism.retrieve("value of the cap").passages] == [
            f"{word} value of the cap."
        ]


@pytest.mark.parametrize(
    "metadata",
    [
        {"a": None, "tags": ["x", "y"], "m": {"k": 1}},
        {"deep": {"er": {"est": [1, 2]}}, "none": None},
        {"empty": [], "map": {}, "flag": True, "n": 1.5},
        {"mixed": ["x", 1, None], "date": "2024-01-01"},
    ],
)
def test_ing_44_none_lists_and_nested_metadata_do_not_fail_the_batch(store, metadata):
    nodes = [
        TextNode(id_="odd", text="odd", embedding=[1.0, 0.0], metadata=metadata),
        TextNode(id_="plain", text="plain", embedding=[0.0, 1.0], metadata={"k": "v"}),
    ]
    assert store.add(nodes) == ["odd", "plain"]
    assert {node.node_id for node in query(store, [1.0, 0.0])} == {"odd", "plain"}


# ── formats ─────────────────────────────────────────────────────────────────────────────────────


def docx_table() -> bytes:
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, [("Notice period", "45 days"), ("Probation", "90 days")], strict=True):
        row.cells[0].text, row.cells[1].text = cells
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


PAGE = (
    "<html><head><title>T</title><style>p{color:red}</style><script>var secret=1;</script></head>"
    "<body><nav>Home About</nav><p>Limit is 42</p><table><tr><th>Plan</th><th>Fee</th></tr>"
    "<tr><td>Gold</td><td>99</td></tr></table></body></html>"
)


@pytest.mark.parametrize(
    ("name", "content", "question", "answer"),
    [
        ("terms.docx", docx_table(), "What is the notice period?", "45 days"),
        ("note.md", "Effective 1 April.\n\n# Title\n\nBody text.", "Effective when?", "1 April"),
        ("page.html", PAGE, "What is the limit?", "42"),
        ("page.html", PAGE, "What is the fee of the Gold plan?", "99"),
        ("cap.pdf", pdf("The travel cap is 7,500 rupees."), "What is the travel cap?", "7,500"),
    ],
    ids=["ing_19", "ing_21", "ing_23", "ing_23 table", "pdf"],
)
def test_ing_19_21_23_every_part_of_a_file_can_answer(shelf: Shelf, name, content, question, answer):
    prism = shelf({name: content})
    said = prism.ask(question)
    assert answer in said.text
    assert names(said) == [name]
    stored = stored_text(prism, name)
    assert not any(junk in stored for junk in ("secret", "color:red", "<p>", "<td>"))


# ── names and links ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../x.txt", "x.txt"),
        ("..\\x.txt", "x.txt"),
        ("/etc/passwd.txt", "passwd.txt"),
        ("a/../../b.txt", "b.txt"),
        ("C:\\docs\\c.txt", "c.txt"),
    ],
)
def test_ing_39_an_upload_name_cannot_leave_the_data_folder(open_prism: OpenPrism, tmp_path, given, kept):
    prism = open_prism()
    (source,) = write(tmp_path / "in", {"file.txt": "The limit is 42."})
    before = {path for path in tmp_path.rglob("*") if "storage" not in path.parts}
    assert only_file(prism.ingest(Source(source.path, given))).document == kept
    prism.delete(id_of(prism, kept))
    prism.purge(id_of(prism, kept))
    assert {path for path in tmp_path.rglob("*") if "storage" not in path.parts} == before


def test_ing_40_a_link_out_of_the_folder_is_not_followed(open_prism: OpenPrism, tmp_path):
    (private,) = write(tmp_path / "private", {"diary.txt": "The Wombat is hidden."})
    write(tmp_path / "docs", {"a.txt": "The limit is 42."})
    (tmp_path / "docs" / "link.txt").symlink_to(private.path)
    (tmp_path / "docs" / "folder").symlink_to(private.path.parent)
    prism = open_prism()
    report = prism.ingest(tmp_path / "docs")
    assert (report.count("added"), report.count("skipped")) == (1, 2)
    assert all("link" in file.reason for file in report.files if file.status == "skipped")
    assert prism.with_settings(**KEYWORD_ALONE).retrieve("Wombat").passages == ()


@pytest.mark.parametrize(
    "name", ["विधि दस्तावेज़ [final] (1).pdf", "报告【2024】.pdf", f"{'n' * 300}.pdf", "a b.pdf"]
)
def test_ing_42_an_original_name_is_kept_everywhere(open_prism: OpenPrism, tmp_path, name):
    prism = open_prism()
    (source,) = write(tmp_path, {"upload.pdf": pdf("The travel cap is 7,500 rupees.")})
    kept = unicodedata.normalize("NFC", name)
    assert only_file(prism.ingest(Source(source.path, name))).document == kept
    assert [info.document for info in prism.documents()] == [kept]
    assert set(names(prism.ask("What is the travel cap?"))) == {kept}
    prism.delete(id_of(prism, kept))
    assert prism.retrieve("travel cap").passages == ()
