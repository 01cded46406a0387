"""The dozen."""

from __future__ import annotations

from collections import Counter

from eval.golden.prepare import DOCUMENTS
from eval.golden.questions import QUESTIONS


def test_there_are_a_dozen_each_with_its_own_id_half_of_them_under_default_settings() -> None:
    assert len({question.question_id for question in QUESTIONS}) == len(QUESTIONS) == 12
    assert Counter(question.variant for question in QUESTIONS) == {"default": 6, "fixed": 6}


def test_one_is_a_follow_up_and_one_looks_at_a_single_document_that_exists() -> None:
    assert sum(bool(question.earlier) for question in QUESTIONS) == 1
    scoped = [question.document for question in QUESTIONS if question.document]
    assert len(scoped) == 1
    assert (DOCUMENTS / scoped[0]).exists()
