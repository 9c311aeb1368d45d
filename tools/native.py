"""Calls into C++ from threads that nobody waits for when the program ends.

Where the interpreter ends while a daemon thread is inside such a call, the thread is unwound
through C++ on its way back, and C++ answers with std::terminate: the program aborts (status 134)
instead of ending as it meant to. So the end waits for the calls that are under way, which take a
fraction of a second, and no further one begins.
"""

import atexit
import threading
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 20.0  # seconds that the end of the program waits for the calls under way

_changed = threading.Condition()
_inside = 0
_ending = False


@contextmanager
def native_call() -> Iterator[None]:
    """Around one short call into a C++ library. To a daemon thread that comes when the program ends
    it never opens."""
    global _inside
    with _changed:
        while _ending and threading.current_thread().daemon:
            _changed.wait()
        _inside += 1
    try:
        yield
    finally:
        with _changed:
            _inside -= 1
            _changed.notify_all()


@atexit.register
def _end() -> None:
    global _ending
    with _changed:
        _ending = True
        _changed.wait_for(lambda: _inside == 0, LONGEST)
