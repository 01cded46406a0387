from __future__ import annotations

from prism.query.limit import limit


def kept_and_dropped(*items: str, most: int = 0) -> tuple[list[str], list[str]]:
    """Items are `document:text`."""
    kept, dropped = limit(
        items,
        document_of=lambda item: item.split(":")[0],
        text_of=lambda item: item.split(":")[1],
        max_per_document=most,
    )
    return list(kept), list(dropped)


def test_a_passage_that_reads_like_one_before_it_is_dropped() -> None:
    assert kept_and_dropped("a:The cap", "a:the  CAP\n", "a:other") == (
        ["a:The cap", "a:other"],
        ["a:the  CAP\n"],
    )


def test_ret_17_the_same_clause_in_two_documents_stays_twice() -> None:
    assert kept_and_dropped("a:clause", "b:clause") == (["a:clause", "b:clause"], [])


def test_one_document_cannot_fill_the_list() -> None:
    assert kept_and_dropped("a:1", "a:2", "b:1", "a:3", "b:2", most=2) == (
        ["a:1", "a:2", "b:1", "b:2"],
        ["a:3"],
    )


def test_copies_do_not_count_towards_the_bound() -> None:
    assert kept_and_dropped("a:1", "a:1", "a:2", most=2) == (["a:1", "a:2"], ["a:1"])


def test_no_bound_keeps_all_different_passages() -> None:
    assert kept_and_dropped("a:1", "a:2", "a:3") == (["a:1", "a:2", "a:3"], [])
    assert kept_and_dropped() == ([], [])
