"""Client x fault x sentence: every source client asked while its service, a stand-in, behaves in
the worst ways.

`python -m benchmarks standin`. Each question must be over in time, give no hit that the service did
not send, and end in one sentence that names the client. Keys are made up; nothing leaves loopback.
`--quick`: one client of each kind.
"""

import gzip
import re
import socket
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.options import Options, Row
from benchmarks.standin import Reply, Standin, serve
from tools.database import Database
from tools.http import Http, HttpSettings
from tools.net.store import NetStore
from tools.schema import CORPUS
from tools.sources import boundary
from tools.sources.client import Access, Client
from tools.sources.registry import SOURCES
from tools.sources.source import Outcome, make_source

DEADLINE = 3.0  # seconds each client gets here instead of its own
LATE = 2.0  # over the deadline before a question counts as not ended in time
MB = 1_000_000
WORK = "10.5555/standin.1"
_WORKERS = 8
_SENTENCE = re.compile(r"^[A-Z\w][^\n\r]*[^\s]$")
_LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a0 '
    f'"ha">{_LAUGHS}]><feed><title>&a9;</title></feed>'
).encode()
BROKEN = (
    b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Cut <b></titl'
)
XML = "application/atom+xml"


@dataclass(frozen=True, slots=True)
class Fault:
    """A way to fail. make: the answer of the service, given its address."""

    name: str
    make: Callable[[str], Reply]


def _plain(reply: Reply) -> Callable[[str], Reply]:
    return lambda url: reply


_FULL = b'{"results": [' + b"1," * 500
FAULTS: tuple[Fault, ...] = (
    Fault("down", _plain(Reply(raw=b""))),  # replaced by an address where nobody listens
    Fault("slow", _plain(Reply(b"{}", delay=DEADLINE + 3))),
    Fault("drips", _plain(Reply(b"x" * 1000, drip=0.05))),
    Fault("429", _plain(Reply(b"{}", 429))),
    Fault("429, wait 2 min", _plain(Reply(b"{}", 429, {"Retry-After": "120"}))),
    Fault("500", _plain(Reply(b"<h1>Oops</h1>", 500))),
    Fault("403", _plain(Reply(b"no", 403))),
    Fault("wrong type", _plain(Reply(b"\x89PNG\r\n\x1a\n" + bytes(200), media_type="image/png"))),
    Fault(
        "truncated",
        _plain(Reply(_FULL, length=100_000, cut=len(_FULL), media_type="application/json")),
    ),
    Fault("100 MB", _plain(Reply(b"[" * MB, length=100 * MB, cut=MB))),
    Fault(
        "endless",
        _plain(Reply(b" " * MB, endless=True, chunked=True, media_type="application/json")),
    ),
    Fault(
        "bomb",
        _plain(Reply(gzip.compress(bytes(100 * MB), 9), headers={"Content-Encoding": "gzip"})),
    ),
    Fault("broken XML", _plain(Reply(BROKEN, media_type=XML))),
    Fault("entity bomb", _plain(Reply(ENTITIES, media_type=XML))),
    Fault("circle", lambda url: Reply(status=302, headers={"Location": url})),
    Fault(
        "to private",
        _plain(Reply(status=302, headers={"Location": "http://10.0.0.1/latest/meta-data"})),
    ),
)


def run(options: Options) -> list[Row]:
    """One row for each client and fault: the sentence, and whether it came in time and alone."""
    clients = [client for client in SOURCES if client.kind != "local"]
    if options.quick:
        clients = list({client.kind: client for client in reversed(clients)}.values())
    return [row(*case) for case in meet(clients)]


def row(client: Client, fault: Fault, outcome: Outcome, seconds: float) -> Row:
    """One case as a figure."""
    ok = seconds <= DEADLINE + LATE and not outcome.sources and is_sentence(client, outcome)
    value = outcome.problem or f"no problem named, {len(outcome.sources)} hits"
    return Row(
        what=f"{client.label}: {fault.name}",
        value=value,
        unit=f"{seconds:.1f} s",
        bar="1 sentence",
        ok=ok,
    )


def meet(
    clients: Sequence[Client], workers: int = _WORKERS
) -> list[tuple[Client, Fault, Outcome, float]]:
    """Every client with every fault."""
    cases = [(client, fault) for client in clients for fault in FAULTS]

    def meet_one(case: tuple[Client, Fault]) -> tuple[Client, Fault, Outcome, float]:
        client, fault = case
        database = Path(scratch) / f"{client.name}-{FAULTS.index(fault)}.db"
        return (client, fault, *met(client, fault, server, database))

    with (
        serve() as server,
        tempfile.TemporaryDirectory() as scratch,
        ThreadPoolExecutor(workers) as pool,
    ):
        return list(pool.map(meet_one, cases))


def met(client: Client, fault: Fault, server: Standin, database: Path) -> tuple[Outcome, float]:
    """What a client says when its service fails like that, and after how many seconds."""
    path = f"/{client.name}/{FAULTS.index(fault)}/"
    url = server.on(path, fault.make(server.url + path))
    base = f"http://127.0.0.1:{_closed_port()}/" if fault.name == "down" else url
    opened = Database(database, CORPUS, synchronous="NORMAL")
    # Unpaywall wants to know who asks
    settings = HttpSettings(
        backoff=0.05, allow_fetch_hosts=(server.place,), contact="reader@example.org"
    )
    http = Http(settings, NetStore(opened), resolver=_only_loopback)
    key = "a-made-up-key" if client.key_required else None
    mine = client.settings(
        base_url=base,
        key=key,
        deadline=DEADLINE,
        min_interval=0.0,
        enabled=True,
        options=_options(client, base),
    )
    began = time.monotonic()
    try:
        outcome = question(client, Access(http, client, mine))
        return outcome, time.monotonic() - began
    finally:
        http.close()
        opened.close()


def question(client: Client, access: Access) -> Outcome:
    """A search; of clients that know single works only, what they are for."""
    work = make_source(f"https://doi.org/{WORK}", "A work", doi=WORK, source_type="academic")
    if client.kind != "support":
        return boundary.ask(client, "caffeine sleep", 5, access)
    if client.lookup:
        return boundary.lookup(client, WORK, access)
    return boundary.related(client, "citing", work, 5, access)


def is_sentence(client: Client, outcome: Outcome) -> bool:
    """Whether there is one sentence, and it names the client."""
    problem = outcome.problem or ""
    return (
        problem.startswith(client.label) and bool(_SENTENCE.match(problem)) and len(problem) < 300
    )


def _options(client: Client, base: str) -> Mapping[str, Any]:
    """Further addresses of a client point at the stand-in, too."""
    options = {
        name: base if isinstance(value, str) and value.startswith("http") else value
        for name, value in client.options.items()
    }
    return {**options, "addresses": (base,)}


def _closed_port() -> int:
    """A port of loopback where nobody listens."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def _only_loopback(host: str, port: int) -> list[str]:
    """Names lead nowhere: a client that asks another service than the one it is given is found
    out."""
    return [host] if host.replace(".", "").isdigit() else []
