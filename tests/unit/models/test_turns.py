import signal
import threading

import pytest

from prism.models.turns import Turns


def wait_until(is_so):
    for _ in range(2_000):
        if is_so():
            return
        threading.Event().wait(0.005)
    raise AssertionError("it did not come to that")


def test_a_caller_who_asks_again_goes_behind_those_who_wait():
    turns = Turns()
    order: list[str] = []

    def take(name, times):
        for _ in range(times):
            with turns:
                order.append(name)

    document = threading.Thread(target=take, args=("document", 50))
    question = threading.Thread(target=take, args=("question", 1))
    with turns:
        document.start()
        wait_until(lambda: turns.waiting == 1)
        question.start()
        wait_until(lambda: turns.waiting == 2)
    document.join()
    question.join()
    assert order == ["document", "question"] + ["document"] * 49


def test_only_one_caller_has_it():
    turns = Turns()
    count = 0

    def add():
        nonlocal count
        for _ in range(500):
            with turns:
                before = count
                threading.Event().wait(0)
                count = before + 1

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count == 2000


def test_an_error_gives_the_turn_to_the_next():
    turns = Turns()
    with pytest.raises(ValueError, match="batch"), turns:
        raise ValueError("batch")
    with turns:
        assert turns.waiting == 0


def test_who_is_interrupted_while_waiting_leaves_the_queue():
    turns = Turns()
    held, release = threading.Event(), threading.Event()

    def hold():
        with turns:
            held.set()
            wait_until(lambda: turns.waiting == 1)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            release.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    with pytest.raises(KeyboardInterrupt), turns:
        pass
    assert turns.waiting == 0
    release.set()
    holder.join()
    with turns:
        pass
