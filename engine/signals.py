"""Signals that something other than their usual handler takes for a while."""

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def handled(numbers: Iterable[signal.Signals], handler: Any) -> Iterator[None]:
    """While the body runs, `handler` takes these signals, but none that is ignored (nohup, a
    shell's background job: meant to live on). Does nothing outside the main thread of a program,
    which alone can take signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, handler)
        for number in numbers
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, signal.SIG_DFL if previous is None else previous)
