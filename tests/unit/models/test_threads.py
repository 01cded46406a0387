import asyncio
import threading
import time

import pytest

from prism.models.threads import last_in_thread, stream_in_thread


def test_items_come_in_order_from_another_thread():
    async def collect():
        def numbers():
            for number in range(3):
                yield number, threading.get_ident()

        return [item async for item in stream_in_thread(numbers)]

    items = asyncio.run(collect())
    assert [number for number, _ in items] == [0, 1, 2]
    assert all(thread != threading.get_ident() for _, thread in items)


def test_the_event_loop_stays_free():
    async def count_ticks():
        def slow():
            time.sleep(0.3)
            yield "done"

        ticks = 0
        task = asyncio.ensure_future(last_in_thread(slow))
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        assert task.result() == "done"
        return ticks

    assert asyncio.run(count_ticks()) >= 5


def test_an_error_is_raised_where_it_is_awaited():
    async def run():
        def broken():
            yield 1
            raise KeyError("here")

        return [item async for item in stream_in_thread(broken)]

    with pytest.raises(KeyError, match="here"):
        asyncio.run(run())


def test_closing_closes_the_iterator():
    closed = threading.Event()

    async def run():
        def endless():
            try:
                while True:
                    time.sleep(0.01)
                    yield 1
            finally:
                closed.set()

        stream = stream_in_thread(endless)
        await anext(stream)
        await stream.aclose()

    asyncio.run(run())
    assert closed.wait(2)


def test_cancelling_closes_the_iterator():
    closed = threading.Event()

    async def run():
        def endless():
            try:
                while True:
                    time.sleep(0.01)
                    yield 1
            finally:
                closed.set()

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(last_in_thread(endless), timeout=0.1)

    asyncio.run(run())
    assert closed.wait(2)
