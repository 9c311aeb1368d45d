"""Everything of ours that takes bytes or text from outside, as functions to be fed with anything.

A target takes bytes and may raise what its users expect (`ZororaError`, or what is named beside it); every other
exception is a defect, and so is a value that breaks what is promised about it.
"""

# ruff: noqa: E501 -- examples read better on one line

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.sources import parsers
from tools.errors import ZororaError
from tools.sources.registry import SOURCES as CLIENTS
from tools.sources.source import Source

DATA = Path(__file__).resolve().parents[1] / "data"
SOURCES = DATA / "sources"


@dataclass(frozen=True, slots=True)
class Target:
    """run: takes any bytes. seeds: examples to begin from. allowed: exceptions that are an answer."""

    run: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]
    allowed: tuple[type[Exception], ...] = (ZororaError,)


def feed(target: Target, data: bytes) -> None:
    """Run a target; what it may raise is no fault."""
    try:
        target.run(data)
    except target.allowed:
        return


CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


# -- answers of source services --------------------------------------------------------------------


def _readers() -> dict[str, Callable[[bytes], Any]]:
    """The functions of every client that read an answer, each once: "brave", "brave:parse_images"."""
    names = {
        reader: client.name if reader.__name__ == "parse" else f"{client.name}:{reader.__name__}"
        for client in reversed(CLIENTS)  # a reader of two clients is called by the first
        for reader in parsers(client.name)
    }
    return {name: reader for reader, name in sorted(names.items(), key=lambda row: row[1])}


def _sound_answer(reader: Callable[[bytes], Any]) -> Callable[[bytes], object]:
    def run(data: bytes) -> None:
        for source in reader(data):
            if isinstance(source, Source):
                sound(source)

    return run


def sound(source: Source) -> None:
    """What the rest of the program relies on: clean one-line texts, web addresses only."""
    texts = (
        source.title,
        source.url,
        *source.authors,
        source.venue or "",
        source.doi or "",
        source.published or "",
    )
    for text in texts:
        assert not CONTROL.search(text), text
    assert source.url == "" or source.url.startswith(("http://", "https://")), source.url
    json.dumps(source.fields)


def _examples(name: str) -> Callable[[], list[bytes]]:
    module = {"feeds": "feed", "brave:parse_images": "brave_images"}.get(
        name, name.partition(":")[0]
    )
    return lambda: [file.read_bytes() for file in sorted(SOURCES.glob(f"{module}*"))] or [b"{}"]


# -- documents -------------------------------------------------------------------------------------


@cache
def _documents() -> dict[str, bytes]:
    from tests.tools.parsing import making

    page = making.lines(
        72, 700, ["A heading", "Some words of a text that is read.", "And more of them."]
    )
    return {
        "a.txt": b"Plain words.\n\nAnd a second paragraph.",
        "a.md": b"---\ntitle: T\n---\n# Heading\n\n*a* [b](https://c.example/) `d`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "a.html": b"<html><head><title>T</title></head><body><h1>H</h1><p>Words <a href='/x'>link</a></p></body></html>",
        "a.csv": b'name,value\na,1\n"b, c",2\n',
        "a.json": b'{"title": "T", "text": ["a", {"b": 1.5}]}',
        "a.bib": b"@article{k, title={A {Title}}, author={Doe, Jane and Roe, Richard}, year=2020, month=jan}",
        "a.ris": b"TY  - JOUR\nTI  - A title\nAU  - Doe, Jane\nPY  - 2020\nER  - \n",
        "a.pdf": making.pdf([page]),
        "a.docx": making.docx(
            making.paragraph("Some words.") + making.paragraph("A heading", "Heading1")
        ),
        "a.epub": making.epub({"one.xhtml": "<h1>One</h1><p>Some words.</p>"}),
        "a.xml": b"<?xml version='1.0'?><article><front><article-meta><title-group><article-title>T</article-title>"
        b"</title-group></article-meta></front><body><sec><title>S</title><p>Words.</p></sec></body></article>",
        "a.adoc": b"= T\nAda Lee\n:x: 1\n\n*a* `b` link:c[d] {x} <<e,f>>footnote:[g]\n\n* h\n+\n----\ni\n----\n\n|===\n|a |b\n2+|c\n|===\n",
        "a.tex": b"\\documentclass{article}\\begin{document}\\section{S} Words $x$.\\end{document}",
    }


def _document(name: str) -> Callable[[bytes], object]:
    from tools.documents.model import Request
    from tools.documents.parsers.formats import parse
    from tools.text.normalise import snapshot_text

    def run(data: bytes) -> None:
        extracted = parse(Request(data, name))
        text = extracted.text
        text.encode("utf-8")
        assert snapshot_text(text) == text
        assert all(0 <= s.start <= s.end <= len(text) for s in extracted.sections)
        assert all(link.url.startswith(("http://", "https://")) for link in extracted.links)

    return run


# -- files of the user and of other programs -------------------------------------------------------


def _record(data: bytes) -> None:
    from engine.records import imports
    from engine.records.checking import check

    state, texts = imports.read_record(data)
    check(state, texts)
    json.dumps(state.to_dict(), ensure_ascii=False).encode()


@cache
def _records() -> list[bytes]:
    from engine.exports import export
    from tests.ui import fake_research

    state = fake_research.finished()
    return [
        export(state, "json").data,
        export(state, "json", lambda snapshot_id: fake_research.texts().get(snapshot_id, "")).data,
    ]


def _patch(data: bytes) -> None:
    from tools.host import patch

    for file_patch in patch.parse(_text(data)):
        patch.apply_hunks("one\ntwo\nthree\n", file_patch.hunks, "a.txt")


def _edits(data: bytes) -> None:
    from tools.host import edits

    edits.apply_edits("one\ntwo\nthree\n", edits.parse_blocks(_text(data)))


def _settings(data: bytes) -> None:
    from engine.settings import settings_toml

    for entry in settings_toml.entries(_text(data), Path("config.toml")):
        assert entry.name


def _tables(data: bytes) -> None:
    from tools.credibility import journal_files

    for parse in (
        journal_files.parse_retractions,
        journal_files.parse_predatory,
        journal_files.parse_journals,
    ):
        try:
            parse(data)
        except ZororaError:
            continue


def _robots(data: bytes) -> None:
    from tools.net import robots

    robots._parse(data).can_fetch("https://a.example/x", "zorora")


# -- models ----------------------------------------------------------------------------------------


def _structured(data: bytes) -> None:
    from tools.models import schema, structured

    value = structured.parse_json(_text(data))
    if value is not None:
        json.dumps(value).encode()
        schema.schema_problems(
            {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}}, value
        )


def _dialect(name: str) -> Target:
    """One kind of endpoint, streaming and not."""
    from tools.models.calling import DIALECTS, _payload, _stream
    from tools.models.dialect import Gathered
    from tools.models.faults import Fault
    from tools.models.thinking import Visible

    def run(data: bytes) -> None:
        gathered = Gathered()
        if data.startswith((b"data", b"event")):
            _stream((data,), DIALECTS[name], gathered, Visible(None))
        else:
            DIALECTS[name].whole(_payload(data), gathered)
        "".join(
            [*gathered.text, *gathered.arguments, gathered.model, gathered.finish, gathered.refusal]
        ).encode()

    return Target(run, lambda: STREAMS[name], (ZororaError, Fault))


STREAMS = {
    "openai": [
        b'{"model": "m", "choices": [{"finish_reason": "stop", "message": {"content": "a", "tool_calls": [{"function":'
        b' {"arguments": "{}"}}]}}], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "cost": 0.1}}',
        b'data: {"choices": [{"delta": {"content": "a"}, "finish_reason": null}]}\n\ndata: [DONE]\n\n',
    ],
    "anthropic": [
        b'{"type": "message", "model": "m", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "input": {}}],'
        b' "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 2}}',
        b'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "a"}}'
        b'\n\ndata: {"type": "message_stop"}\n\n',
    ],
    "ollama": [
        b'{"model": "m", "message": {"content": "a"}, "done": true, "done_reason": "stop", "eval_count": 3}'
    ],
}


def _fault(data: bytes) -> None:
    from tools.models import faults

    faults.of_answer(400 + len(data) % 200, {"retry-after": _text(data[:9])}, data, 0.0)


# -- what people type and browsers send ------------------------------------------------------------


def _typed(data: bytes) -> None:
    from engine.history import query
    from engine.history.excerpt import Marker
    from tools.library.named_files import find_named
    from tools.search import query as corpus
    from workflows.routing import router

    text = _text(data)
    router.route(text)
    Marker(query.terms(text))
    list(map(query.quote, query.terms(text)))
    corpus.terms(text)
    corpus.pairs(text)
    find_named(text, [DATA], "/home/somebody")


def _cursor(data: bytes) -> None:
    from engine.history import query

    query.decode(_text(data))


def _address(data: bytes) -> None:
    from ipaddress import ip_address

    from tools.net.guard import Guard, is_public, target_of

    target = target_of("http://" + _text(data))
    # Names lead into a private network here, so that only public addresses written as such may pass
    for address in Guard(resolver=lambda *_: ["10.0.0.1"]).addresses(target):
        assert is_public(ip_address(address)) and address == target.host, target


def targets() -> dict[str, Target]:
    """All targets by name."""
    documents = _documents()
    targets = {
        f"client {name}": Target(_sound_answer(reader), _examples(name))
        for name, reader in _readers().items()
    }
    targets |= {
        f"document {name}": Target(_document(name), lambda name=name: [documents[name]])  # type: ignore[misc]
        for name in documents
    }
    targets |= {f"endpoint {name}": _dialect(name) for name in STREAMS}
    return targets | {
        "record": Target(_record, _records),
        "patch": Target(
            _patch, lambda: [b"--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"]
        ),
        "edits": Target(
            _edits, lambda: [b"FILE: `a.txt`\n<<<<<<< OLD\ntwo\n=======\n2\n>>>>>>> NEW\n"]
        ),
        "settings": Target(
            _settings,
            lambda: [b'[research]\ndepth = 2 # two\n[sources.feeds]\naddresses = ["a", "b"]\n'],
        ),
        "journal tables": Target(_tables, lambda: [b"Journal title,ISSN\nA,1234-5678\n"]),
        "robots.txt": Target(_robots, lambda: [b"User-agent: *\nDisallow: /a*$\nCrawl-delay: 2\n"]),
        "model answer": Target(
            _structured, lambda: [b'```json\n{"a": "b", "c": [1, 2.5, null]}\n```']
        ),
        "model fault": Target(
            _fault, lambda: [b'{"error": {"message": "model x not found", "code": 404}}']
        ),
        "typed line": Target(
            _typed,
            lambda: [
                b'show "grid batteries" from last week',
                b"/open ./a.py",
                b'sum up "file:///a%20b.txt"',
            ],
        ),
        "page of the history": Target(_cursor, lambda: [b"MjAyNA"]),
        "web address": Target(
            _address, lambda: [b"127.0.0.1/", b"[::1]:80/", b"0x7f.1/", b"a.example:8080/x"]
        ),
    }
