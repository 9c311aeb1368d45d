"""Do several things at once, with one deadline over all, and the results in the order of the input.

Threads are daemons: a library whose read timeout is per read may hang longer than its deadline, and
must then neither hold up the run nor the end of the program.
"""

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Generic, TypeVar

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
    results: list[R | None] = [None] * len(items)
    waiting, lock = list(range(len(items)))[::-1], threading.Lock()
    deliveries: SimpleQueue[_Delivery[R]] = SimpleQueue()

    def loop() -> None:
        while clock() < ends:
            with lock:
                if not waiting:
                    return
                i = waiting.pop()
            with _Delivery(deliveries, i) as delivery:
                delivery.result = work(items[i])

    for _ in range(min(workers, len(items))):
        threading.Thread(target=loop, daemon=True).start()
    for _ in items:
        delivery = _next(deliveries, ends, clock, check_cancelled)
        if delivery is None:
            break
        results[delivery.index] = delivery.get()
    return results


class _Delivery(Generic[R]):
    """What one item gave: a result, or the error that is raised again where results are
    collected."""

    def __init__(self, deliveries: "SimpleQueue[_Delivery[R]]", index: int) -> None:
        self._deliveries, self.index = deliveries, index
        self.result: R | None = None
        self.error: BaseException | None = None

    def get(self) -> R | None:
        if self.error is not None:
            raise self.error
        return self.result

    def __enter__(self) -> "_Delivery[R]":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.error = error
        self._deliveries.put(self)
        return True


def _next(
    deliveries: SimpleQueue[_Delivery[R]],
    ends: float,
    clock: Callable[[], float],
    check_cancelled: Callable[[], None],
) -> _Delivery[R] | None:
    """The next delivery, or None when the deadline came first."""
    while True:
        check_cancelled()
        try:
            return deliveries.get(timeout=max(0.0, min(_TICK, ends - clock())))
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
