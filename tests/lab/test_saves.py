"""Settings saved again and again on one running server: what a save replaces is closed, so nothing
piles up.

A hundred saves in the lab, two thousand with `SAVES=2000`.
"""

import os
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from tests.lab.faults import Faults
from tests.lab.places import Browser
from tests.lab.strikes import filled, served

pytestmark = pytest.mark.lab

SAVES = int(os.environ.get("SAVES", "100"))  # noqa: TID251 - how long to work is the caller's choice
THREADS = 16  # of the server; each may hold a connection to both databases, with their logs
DESCRIPTORS = 50 + 4 * THREADS
# MB beyond the first save: sixteen threads with their connections, and what the allocator keeps
MORE_MEMORY = 40


def test_saving_settings_again_and_again_holds_nothing(
    researched: Path, tmp_path: Path, faults: Faults
) -> None:
    home = filled(researched, tmp_path)
    with served(home) as browser:
        # Starts a reader
        browser.post("/library/upload", {}, ("letter.txt", b"Evening prices fell in the spring."))
        saves = save(browser)
        next(saves)
        first, most = memory(browser), 0
        for _ in range(SAVES):
            next(saves)
            most = max(most, descriptors(browser))
            faults.count("beside others: a save of settings")
        assert most <= DESCRIPTORS
        assert memory(browser) <= first + MORE_MEMORY
        assert len(children(browser)) <= 2, "readers of documents that nobody needs any more"
    home.check_errors()


def save(browser: Browser) -> Iterator[None]:
    """One save after the other, each kind in turn, with a look at pages that use what was
    replaced."""
    kinds = cycle((
        ("/settings", {"research.max_sources": ("20", "21")}),
        ("/settings", {"corpus.parse_seconds": ("50", "51")}),
        ("/settings", {"corpus.ignore": ("drafts/*", "old/*")}),
        ("/settings", {"http.contact": ("a@example.org", "b@example.org")}),
        ("/settings", {"web.port": ("5001", "5002")}),
        ("/settings/clients", {"client": ("doaj", "arxiv")}),
        ("/settings/models/endpoint",
            {"name": ("desk",) * 2, "url": ("http://127.0.0.1:9/v1", "http://127.0.0.1:8/v1")}),
        ("/settings/models/role",
            {"role": ("vision",) * 2, "endpoint": ("desk",) * 2, "model": ("one", "two")}),
        ("/settings/keys", {"name": ("CORE_API_KEY",) * 2, "value": ("one", "two")}),
    ))  # fmt: skip
    for number, (path, fields) in enumerate(kinds):
        browser.post(path, {name: values[number // 9 % 2] for name, values in fields.items()})
        browser.get(("/library?q=prices", "/settings", "/history?q=battery")[number % 3])
        yield


def descriptors(browser: Browser) -> int:
    return len(list(Path(f"/proc/{browser.process.pid}/fd").iterdir()))


def memory(browser: Browser) -> float:
    """MB that the server holds."""
    status = Path(f"/proc/{browser.process.pid}/status").read_text()
    line = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert line
    return int(line[1]) / 1024


def children(browser: Browser) -> list[str]:
    """The processes that the server has started and not ended."""
    tasks = Path(f"/proc/{browser.process.pid}/task").iterdir()
    return [child for task in tasks for child in (task / "children").read_text().split()]
