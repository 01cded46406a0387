"""Blocking model calls off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


async def stream_in_thread(make: Callable[[], Iterator[Item]]) -> AsyncGenerator[Item, None]:
    """Items of a blocking iterator, produced in a thread of their own.

    Closing or cancelling this generator closes the iterator at its next item, which for our models
    stops the generation. Errors of the iterator are raised here.
    """
    loop = asyncio.get_running_loop()
    items: asyncio.Queue[tuple[Item | None, BaseException | None, bool]] = asyncio.Queue()
    stopped = threading.Event()

    def put(item: Item | None, error: BaseException | None, last: bool) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(items.put_nowait, (item, error, last))

    def produce() -> None:
        error: BaseException | None = None
        try:
            for item in make():
                if stopped.is_set():
                    break
                put(item, None, False)
        except BaseException as raised:  # noqa: BLE001 - carried over to the awaiting side
            error = raised
        put(None, error, True)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(produce,), name="model-stream", daemon=True).start()
    try:
        while True:
            item, error, last = await items.get()
            if error is not None:
                raise error
            if last:
                return
            yield item  # type: ignore[misc]
    finally:
        stopped.set()


async def last_in_thread(make: Callable[[], Iterator[Item]]) -> Item:
    """The last item of a blocking iterator that has at least one; cancelling works as above."""
    async with contextlib.aclosing(stream_in_thread(make)) as items:
        async for item in items:
            last = item
    return last
