import threading

import pytest

from prism.models.recent import Recent


def test_a_value_is_computed_once():
    asked: list[str] = []
    recent = Recent(lambda key: asked.append(key) or key.upper(), entries=2)
    assert [recent.get("a"), recent.get("a")] == ["A", "A"]
    assert asked == ["a"]


def test_what_nobody_asked_for_longest_goes_first():
    asked: list[str] = []
    recent = Recent(lambda key: asked.append(key) or key.upper(), entries=2)
    for key in "abac":
        recent.get(key)
    asked.clear()
    for key in "acb":
        recent.get(key)
    assert asked == ["b"]


def test_a_failure_is_not_remembered():
    answers = iter([ValueError("once"), "found"])

    def compute(_key):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    recent = Recent(compute, entries=2)
    with pytest.raises(ValueError, match="once"):
        recent.get("a")
    assert recent.get("a") == "found"


def test_many_threads_get_the_values_of_their_keys():
    recent = Recent(lambda key: key * key, entries=3)
    wrong: list[int] = []

    def ask():
        wrong.extend(key for key in range(200) if recent.get(key % 7) != (key % 7) ** 2)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
