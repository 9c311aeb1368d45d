"""Do several things at once, with one deadline over all, and the results in the order of the input.

Threads are daemons: a library whose read timeout is per read may hang longer than its deadline, and
must then neither hold up the run nor the end of the program.
"""

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
_Done = tuple[int, R | None, BaseException | None]  # the number of an item, and what it gave
_TICK = 0.1  # seconds between looks at the cancel flag


def each(
    items: Sequence[T],
    work: Callable[[T], R],
    *,
    workers: int,
    deadline: float,
    clock: Callable[[], float],
    check_cancelled: Callable[[], None],
) -> list[R | None]:
    """`work` of every item; None where it had not finished when `deadline` seconds were over.

    workers = 1 runs in this thread, in order. An exception raised by `work` is raised here.
    """
    ends = clock() + deadline
    if workers <= 1:
        return [_if_time(item, work, ends, clock, check_cancelled) for item in items]
    results: list[R | None] = [None] * len(items)
    waiting, lock = list(range(len(items)))[::-1], threading.Lock()
    done: SimpleQueue[_Done[R]] = SimpleQueue()

    def loop() -> None:
        while clock() < ends:
            with lock:
                if not waiting:
                    return
                i = waiting.pop()
            try:
                done.put((i, work(items[i]), None))
            except BaseException as error:  # noqa: BLE001  (it is raised below)
                done.put((i, None, error))

    for _ in range(min(workers, len(items))):
        threading.Thread(target=loop, daemon=True).start()
    for _ in items:
        delivery = _next(done, ends, clock, check_cancelled)
        if delivery is None:
            break
        index, result, error = delivery
        if error is not None:
            raise error
        results[index] = result
    return results


def _next(
    done: SimpleQueue[_Done[R]],
    ends: float,
    clock: Callable[[], float],
    check_cancelled: Callable[[], None],
) -> _Done[R] | None:
    """The next result, or None when the deadline came first."""
    while True:
        check_cancelled()
        try:
            return done.get(timeout=max(0.0, min(_TICK, ends - clock())))
        except Empty:
            if clock() >= ends:
                return None


def _if_time(
    item: T,
    work: Callable[[T], R],
    ends: float,
    clock: Callable[[], float],
    check_cancelled: Callable[[], None],
) -> R | None:
    check_cancelled()
    return work(item) if clock() < ends else None
