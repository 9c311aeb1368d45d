"""The access token: 256 bit, shown once, kept as a hash; and how many wrong ones are allowed."""

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path

from engine.files import write_whole

FAILURES = 10
SECONDS = 60.0
ADDRESSES = 1024


class Token:
    """The token of one home directory; the file `web_token` holds nothing but its SHA-256."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def exists(self) -> bool:
        return self._path.is_file()

    def renew(self) -> str:
        """A new token, replacing the old one. It is returned here and can never be read again."""
        token = secrets.token_urlsafe(32)
        write_whole(self._path, f"{_hash(token)}\n".encode())
        return token

    def fits(self, token: str) -> bool:
        """Compared in constant time. No file means that no token fits."""
        return hmac.compare_digest(self.fingerprint() or "-", _hash(token)) if token else False

    def fingerprint(self) -> str:
        """What is stored, "" when there is no token. A cookie that names it ends when the token is
        renewed."""
        try:
            return self._path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""


class Failures:
    """Counts wrong tokens per address within a minute; remembers a bounded number of addresses."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def too_many(self, address: str) -> bool:
        with self._lock:
            times = self._times.get(address, deque())
            while times and times[0] < self._clock() - SECONDS:
                times.popleft()
            return len(times) >= FAILURES

    def add(self, address: str) -> None:
        with self._lock:
            self._times.setdefault(address, deque(maxlen=FAILURES)).append(self._clock())
            self._times.move_to_end(address)
            while len(self._times) > ADDRESSES:
                self._times.popitem(last=False)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
