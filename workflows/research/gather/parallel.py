"""Do several things at once, with one deadline over all, and the results in the order of the input.

Threads are daemons: a library whose read timeout is per read may hang longer than its deadline, and
must then neither hold up the run nor the end of the program.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
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
    futures: list[Future[R]] = [Future() for _ in items]
    waiting, lock = list(zip(items, futures, strict=True))[::-1], threading.Lock()

    def loop() -> None:
        while clock() < ends:
            with lock:
                if not waiting:
                    return
                item, future = waiting.pop()
            try:
                future.set_result(work(item))
            except BaseException as error:  # noqa: BLE001 (raised where the results are collected)
                future.set_exception(error)

    for _ in range(min(workers, len(items))):
        threading.Thread(target=loop, daemon=True).start()
    unfinished = set(futures)
    while unfinished and clock() < ends:
        check_cancelled()
        done, unfinished = wait(unfinished, min(_TICK, ends - clock()), FIRST_COMPLETED)
        for future in done:
            future.result()  # raises what `work` raised
    return [future.result() if future.done() else None for future in futures]


def _if_time(
    item: T,
    work: Callable[[T], R],
    ends: float,
    clock: Callable[[], float],
    check_cancelled: Callable[[], None],
) -> R | None:
    check_cancelled()
    return work(item) if clock() < ends else None
