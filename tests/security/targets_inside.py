"""More targets: headers, packed answers, frames, command lines, arguments, addresses, questions,
any text at all."""

import json
import re
import socket
import tempfile
import time
from functools import cache
from pathlib import Path

from tests.security import targets as outside
from tests.security.targets import Target
from tools.errors import ParseError, ZororaError


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


CODINGS = (
    "gzip",
    "deflate",
    "br",
    "zstd",
    "gzip, gzip",
    "identity",
    "x",
    "gzip, deflate, br, zstd, gzip",
)


def packed(data: bytes) -> None:
    """An answer of a server; its first byte says how it is packed, the next ones what length it
    tells."""
    from tools.net.body import read_body

    coding, length, body = data[:1], data[1:4].decode("latin-1"), data[4:]
    headers = {
        "content-encoding": CODINGS[(coding or b"\0")[0] % len(CODINGS)],
        "content-length": length,
    }
    assert len(read_body([body[:7], body[7:]], headers, 100_000)) <= 100_000


def headers(data: bytes) -> None:
    """What servers say in headers, as http.client hands it on: latin-1."""
    from engine.maintenance.data_update import _day
    from tools.net.pacing import LONGEST_RETRY_AFTER, retry_after

    text = data.decode("latin-1")
    seconds = retry_after(text, 1_700_000_000.0)
    assert seconds is None or 0 <= seconds <= LONGEST_RETRY_AFTER
    day = _day(text)
    assert day is None or re.fullmatch(r"\d{4}-\d\d-\d\d", day)


def kind(data: bytes) -> None:
    """What kind of document bytes are."""
    from tools.documents.detect import detect, family

    name, _, body = data.partition(b"\n")
    assert isinstance(detect(body, _text(name)), str) and isinstance(
        family(body, _text(name), _text(name)), str
    )


def frame(data: bytes) -> None:
    """What a parser's process sends back: it has read foreign bytes and is not believed."""
    from tools.documents import parse_pool, parse_wire

    here, there = socket.socketpair()
    with here, there:
        there.sendall(data[:60_000])
        there.shutdown(socket.SHUT_WR)
        try:
            header, body = parse_wire.receive(here, 100_000, time.monotonic() + 2)
        except parse_wire.Closed:
            return  # a process that ends is started again
        extracted = parse_pool._result(header, body, parse_pool.Limits())
        if isinstance(extracted, ParseError):
            return
        assert all(
            0 <= section.start <= section.end <= len(extracted.text)
            for section in extracted.sections
        )


@cache
def frames() -> list[bytes]:
    """Frames of sound answers."""
    from tools.documents import parse_wire
    from tools.documents.model import Request
    from tools.documents.parsers.formats import parse

    values = []
    for name, data in (("a.txt", b"Words."), ("a.md", b"# A\n\nWords of it.\n")):
        here, there = socket.socketpair()
        with here, there:
            extracted = parse(Request(data, name))
            parse_wire.send(there, parse_wire.to_header(extracted), extracted.text.encode())
            there.shutdown(socket.SHUT_WR)
            values.append(here.recv(65_536))
    return values


def picture(data: bytes) -> None:
    """A service's answer with a picture in it."""
    from tools.models import images
    from tools.models.model import Endpoint, Role

    role = Role("image_generation", Endpoint("x", "http://127.0.0.1:1/v1"), "m")
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        images.media_type(data)
        return
    images.media_type(images._data(images._first(payload, role), role, None))


def listed(data: bytes) -> None:
    """What a model server lists."""
    from tools.models.detect import _served

    try:
        entries = json.loads(data)
    except (ValueError, RecursionError):
        return
    for entry in entries if isinstance(entries, list) else [entries]:
        model = _served(entry)
        assert model is None or (model.name.isprintable() and len(model.name) <= 200)


@cache
def place() -> object:
    """A folder to look into; made once, for as long as this process lives."""
    from tools.host.place import Workplace

    folder = Path(tempfile.mkdtemp(prefix="zorora-fuzz-"))
    (folder / "a.py").write_text("one = 1\n")
    return Workplace(folder)


def command(data: bytes) -> None:
    """A command line that a model or a person gives."""
    from tools.host import arguments, shell
    from tools.host.place import Workplace

    at = place()
    assert isinstance(at, Workplace)
    words = shell.check(at, arguments.split(_text(data)))
    assert not any("\x00" in word for word in words)


def called(data: bytes) -> None:
    """Arguments of a tool, from a model or another program."""
    from tools.registry import TOOLS
    from tools.toolset.tool import checked_arguments

    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        return
    for tool in TOOLS:
        if isinstance(payload, dict):
            try:
                checked_arguments(tool, payload)
            except ZororaError:
                continue


def cited(data: bytes) -> None:
    """Any text that was read: its sentences, blocks, names, and the passages that are made of
    them."""
    from tools.documents.blocks import blocks_of_text
    from tools.judging.checks import Checks
    from tools.judging.judge import Label, Passage
    from tools.text.language import language_of
    from tools.text.names import names
    from tools.text.normalise import snapshot_text
    from tools.text.sentences import spans
    from workflows.research.answer.collection import quotable_blocks
    from workflows.research.answer.windows import lead_text, units_within, window_around

    text = snapshot_text(_text(data)[:2000])
    language_of(text)
    names(text)
    sentence_spans = spans(text)
    assert all(0 <= start < end <= len(text) for start, end in sentence_spans)
    checks = Checks()
    blocks = quotable_blocks(text, blocks_of_text(text))
    for unit in units_within(text, blocks, 0, len(text))[:5]:
        window = window_around(text, blocks, unit)
        lead = lead_text(text, unit)
        assert 0 <= window.start <= lead[0] < lead[1] <= window.end <= len(text)
        (judged,) = checks.judge([(text[slice(*lead)], [Passage(text[window.start : window.end])])])
        assert judged.label in Label


def folded(data: bytes) -> None:
    """A conversation that becomes a summary."""
    from tools.models.folding import shorten

    shorten(_text(data)[:3000])


def asked(data: bytes) -> None:
    """A question, and what it is taken for."""
    from workflows.research.understand.discover import choose
    from workflows.research.understand.phase import read_question, urls_in

    text = _text(data)[:3000]
    read_question(text)
    assert all(url.lower().startswith(("http://", "https://")) for url in urls_in(text))
    choose(text, ())


def named(data: bytes) -> None:
    """Addresses, handles and identifiers in what people, models and services write."""
    from engine.runs.run_options import addresses
    from tools.index.postgres.connection import address
    from tools.shelf.handles import check_address, parse_handle
    from tools.sources.source import (
        canonical_url,
        find_arxiv_id,
        find_doi,
        in_one_line,
        make_source,
    )

    text = _text(data)[:3000]
    find_doi(text), find_arxiv_id(text)
    canonical_url(canonical_url(text))
    source = make_source(text, text, authors=(text,), venue=text)
    assert in_one_line(source.title) == source.title
    for reader in (lambda text: addresses((text,)), check_address, parse_handle, address):
        try:
            reader(text)
        except ZororaError:
            continue


def questions(data: bytes) -> None:
    """A file with questions."""
    from engine.runs.batch import questions as read

    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(data)
        file.flush()
        read(Path(file.name))


def inside() -> dict[str, Target]:
    """All of these by name."""
    import gzip

    sentence = (
        b"In 2024 batteries in Norland supplied 12.5% of demand, up from 3 GWh (see "
        b"https://a.example/x). It fell."
    )
    return {
        "packed answer": Target(
            packed, lambda: [b"\x00 12" + gzip.compress(b"words " * 90), b"\x0512 plain"]
        ),
        "headers": Target(headers, lambda: [b"120", b"Wed, 21 Oct 2026 07:28:00 GMT", b"\xb2"]),
        "kind of a document": Target(
            kind, lambda: [b"a.pdf\n%PDF-1.7", b"a\nPK\x03\x04", b"a.x\n<?xml version='1.0'?><a/>"]
        ),
        "frame of a parser": Target(frame, frames),
        "picture answer": Target(
            picture, lambda: [b'{"data": [{"b64_json": "iVBORw0KGgo="}]}', b"\x89PNG\r\n\x1a\n"]
        ),
        "models listed": Target(
            listed, lambda: [b'[{"id": "m", "context_length": 10, "meta": {"n_ctx_train": 5}}]']
        ),
        "command line": Target(
            command, lambda: [b"grep -n one a.py", b"git log --oneline -5", b"ls -la ."]
        ),
        "arguments of tools": Target(
            called,
            lambda: [
                b'{"query": "x", "max_results": 3}',
                b'{"path": "a", "lines": 1}',
                b'{"urls": ["x"]}',
            ],
        ),
        "text that is cited": Target(
            cited, lambda: [sentence, b"RESULTS: Prices fell by 9% in 2024. This is false."]
        ),
        "notes that are folded": Target(folded, lambda: [sentence * 3]),
        "question": Target(
            asked,
            lambda: [b"Who is Jane Roe of MIT?", b"Is it true that A vs B? https://a.example/x"],
        ),
        "addresses and names": Target(
            named,
            lambda: [
                b"https://doi.org/10.1234/a(b)c",
                b"corpus://cache/0123456789abcdef#section=s1",
                b"arXiv:2312.12345v2",
            ],
        ),
        "file of questions": Target(questions, lambda: [b"# list\nWhat is x?\n\nWhat is y?\n"]),
    }


def targets() -> dict[str, Target]:
    """Every target there is."""
    return outside.targets() | inside()
