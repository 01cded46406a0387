"""What the searches find for a question becomes its pool; what was found once is read again."""

from __future__ import annotations

import pytest

from eval.datasets.dataset import Dataset, LabelledQuestion
from eval.machine import UNKNOWN, Code
from eval.runs.cache import Kept
from eval.training.collect import collect
from eval.training.sets import TrainingSet
from prism.errors import ModelCallError, PrismError

CODE = Code("abc", False, "0")
TWO_LEAVES = (
    "The cap on wire transfers is ten thousand. It was set in May by the whole board of governors. "
    "The cap on cash transfers is two hundred. It was set in June by one person of the branch office."
)
FILES = {"cap.txt": TWO_LEAVES, "leave.txt": "Annual leave is fifteen days.", "tea.txt": "Tea is free."}


def question(text: str, document: str, *answers: str) -> LabelledQuestion:
    return LabelledQuestion(text, text, grades={document: 1}, answers=answers)


CAP = question("cap on cash transfers", "cap.txt", "two hundred")
LEAVE = question("annual leave", "leave.txt", "ninety")


@pytest.fixture
def found(make_dataset, opened, values: Kept):
    """`found(questions…, has_spans=…)` gives the pools."""

    def run(*questions: LabelledQuestion, has_spans: bool = False, code: Code = CODE, told=None):
        dataset: Dataset = make_dataset(FILES, *questions)
        with opened(dataset, **{"rerank.kind": "none"}) as collection:
            return collect(collection, TrainingSet(dataset, has_spans), values, code, told)

    return run


def right(pool) -> list[str]:
    return [text for text, is_right in zip(pool.texts, pool.is_right, strict=True) if is_right]


def test_the_leaves_of_the_judged_document_are_right_and_the_others_wrong(found) -> None:
    (pool,) = found(CAP)
    assert len(pool.texts) > 2
    assert right(pool) == [text for text in pool.texts if "set in" in text or "cap on" in text]
    assert set(FILES.values()) - {TWO_LEAVES} <= set(pool.texts)


def test_where_answers_stand_in_documents_only_leaves_that_hold_one_are_right(found) -> None:
    (pool,) = found(CAP, has_spans=True)
    assert len(right(pool)) == 1
    assert "two hundred" in right(pool)[0]
    assert not any("ten thousand" in text for text in pool.texts), "neither right nor wrong"


def test_a_question_whose_answer_no_leaf_holds_teaches_nothing(found) -> None:
    (pool,) = found(LEAVE, has_spans=True)
    assert (pool.texts, pool.teaches) == ((), False)


def test_a_question_whose_document_is_not_there_teaches_nothing(found) -> None:
    (pool,) = found(question("anything", "gone.txt"))
    assert pool.texts == ()


def test_a_pool_of_one_search_alone_is_refused_and_not_kept(found, embedder, monkeypatch) -> None:
    def failing(text: str) -> None:
        raise ModelCallError("the embedder failed")

    with monkeypatch.context() as broken:
        broken.setattr(embedder, "embed_query", failing)
        with pytest.raises(PrismError, match="letters, question 'annual leave': The dense search failed"):
            found(LEAVE)
    assert found(LEAVE)[0].teaches
    assert LEAVE.text in embedder.questions


def test_rare_tokens_weigh_more(found) -> None:
    (pool,) = found(question("is wire !", "cap.txt"))
    common, rare = pool.weights
    assert common < rare
    assert common + rare == pytest.approx(1.0)


def test_what_was_asked_is_read_again_and_only_the_rest_is_asked(found, embedder) -> None:
    (first,) = found(CAP)
    embedder.questions.clear()
    told: list[tuple[int, int]] = []
    both = found(CAP, LEAVE, told=lambda done, total: told.append((done, total)))
    assert both[0] == first
    assert [pool.question for pool in both] == [CAP.text, LEAVE.text]
    assert set(embedder.questions) == {LEAVE.text}
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize("code", [Code("abd", False, "0"), Code("abc", True, "1")])
def test_other_code_finds_anew(found, embedder, code: Code) -> None:
    found(CAP)
    embedder.questions.clear()
    found(CAP, code=code)
    assert CAP.text in embedder.questions


def test_what_code_of_no_known_commit_found_is_not_read_again(found, embedder) -> None:
    unknown = Code(UNKNOWN, True, "")
    found(CAP, code=unknown)
    embedder.questions.clear()
    found(CAP, code=unknown)
    assert CAP.text in embedder.questions
