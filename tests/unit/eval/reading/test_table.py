from __future__ import annotations

from eval.reading.measure import Measured, means
from eval.reading.overlap import Overlap
from eval.reading.table import missing_table, reading_table

PDF = Measured("a.pdf", True, Overlap(words=10, reference=8, shared=8, in_order=0.5), (("lost", 3), ("x", 1)))
TEXT = Measured("b|c.txt", False, Overlap(words=4, reference=4, shared=2, in_order=0.5))
REFUSED = Measured("d.doc", False, Overlap(0, 7, 0, 0.0), refused="d.doc: no reader.")


def test_a_row_a_file_means_over_what_was_read_and_the_reasons() -> None:
    assert reading_table([PDF, TEXT, REFUSED]) == (
        "| file | words of the reference | precision | recall | in order |\n"
        "|---|---:|---:|---:|---:|\n"
        "| a.pdf | 8 | 0.800 | 1.000 | 0.500 |\n"
        "| b\\|c.txt | 4 | 0.500 | 0.500 | 0.500 |\n"
        "| d.doc | 7 | – | – | – |\n"
        "| **mean of 1: PDFs with a text layer** | | 0.800 | 1.000 | 0.500 |\n"
        "| **mean of 2: all that were read** | | 0.650 | 0.750 | 0.500 |\n"
        "\n"
        "- Refused: d.doc: no reader.\n"
    )


def test_a_text_pdf_that_is_refused_counts_in_the_mean_of_its_kind() -> None:
    refused = Measured("e.pdf", True, Overlap(0, 7, 0, 0.0), refused="e.pdf: damaged.")
    assert [(group.files, group.recall) for group in means([PDF, refused])] == [(2, 0.5), (1, 1.0)]


def test_lost_words_are_shown_with_their_number() -> None:
    assert missing_table([PDF, TEXT], 5) == (
        "| file | lost |\n|---|---|\n| a.pdf | lost ×3, x |\n| b\\|c.txt | – |\n"
    )
