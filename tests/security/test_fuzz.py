"""What reads outside data is fed with mutated examples for a moment; `make fuzz` takes longer."""

import random
import struct
from collections.abc import Callable

import pytest

from tests.security.fuzz import drive, mutated
from tests.security.targets import Target, feed
from tests.security.targets_inside import targets
from tools.errors import ParseError

ROUNDS, SECONDS = 600, 1.0  # for each target; the seed is fixed, so that a failure can be repeated

# A number that is none, and fields that are a list, as a process that has read a hostile file may
# send them
NONSENSE = (
    b'{"media_type": "t", "extractor": "e", "title": "t", "sections": [], "pages": [[1e999, 0]], '
    b'"links": [],'
    b' "entries": [["a", "b", []]], "metadata": {}, "references": []}'
)
# Each broke its target once
FOUND = {
    "client feeds": b"<rss><channel><title>T&#xD800;</title><item><title>a&#xDFFF;b</title><link>https://a.example/"
    b"</link></item></channel></rss>",
    "client tavily": b'{"results": [{"title": "T", "url": "https://a.example/a\\n\\nb c", '
    b'"content": "x"}]}',
    "client google_scholar": b"<div id='gs_res_ccl_mid'><div class='gs_r gs_or gs_scl'><h3 "
    b"class='gs_rt'><a href='http://["
    b"/'>T</a></h3><a href='http://[?cites=1'>1</a></div></div>",
    "client wikipedia": b'{"query": {"search": [{"title": "T"}], "pages": [{"title": "T", '
    b'"fullurl": "http://[x"}]}}',
    "client core": b'{"results": [{"title": "T", "doi": "10.1234/a\\u0000b", "id": 1}]}',
    "client brave": b'{"type": "search", "web": {"results": [{"title": "T", "url": "hTtps://a.example/x"}]}}',
    "client doaj": b'{"results": [{"bibjson": {"title": "T", "link": [{"type": "fulltext", "url": "HTTPS://a.example/"}]}}]}',
    "client pmc": b"<article><front><article-meta><article-id "
    b"pub-id-type='doi'>10.1234/a</article-id><contrib-group>"
    b"<contrib contrib-type='author'><collab>The "
    b"Gr\x7fup</collab></contrib></contrib-group></article-meta></front>"
    b"</article>",
    "document a.xml": b"<article><front><article-meta><title-group><article-title>T&#xD800;</"
    b"article-title>"
    b"</title-group></article-meta></front><body><p>Words&#56320; here.</p></body></article>",
    "endpoint openai": b'{"model": "m\xed\xa0\x80", "choices": [{"message": {"content": '
    b'"\\ud800"}}]}',
    "headers": b"\xb2",
    "packed answer": b"\x05\xb2\xb2\xb2text",
    "frame of a parser": struct.pack(">IQ", len(NONSENSE), 1) + NONSENSE + b"x",
    "patch": b"--- a/a.txt\n+++ \n@@ -1 +1 @@\n-one\n+1\n",
}


@pytest.fixture(scope="module")
def readers() -> dict[str, Target]:
    """All targets by name."""
    return targets()


def test_what_broke_a_reader_once_is_read_or_refused(readers: dict[str, Target]) -> None:
    for name, data in FOUND.items():
        feed(readers[name], data)


@pytest.mark.lab
def test_every_example_is_read_and_mutations_differ(readers: dict[str, Target]) -> None:
    chance = random.Random(5)
    for name, target in readers.items():
        if name.startswith("client") or name in ("record", "document a.html"):
            continue  # the many and the slow: the lab
        for data in target.seeds():
            feed(target, data)
        assert len({mutated(target.seeds()[0], target.seeds(), chance) for _ in range(20)}) > 5, (
            name
        )


def test_a_fault_is_found_and_told_once() -> None:
    def broken(data: bytes) -> None:
        if b"[[" in data:
            raise KeyError("here")
        raise ParseError("This is an answer.")

    tried, faults = drive(Target(broken, lambda: [b'{"a": [1, [2]]}']), 300, 5.0)
    assert tried > 300 and len(faults) == 1 and "KeyError at" in faults[0][1]


@pytest.mark.lab
def test_no_reader_of_outside_data_breaks(
    readers: dict[str, Target], tell: Callable[[str, int, int], None]
) -> None:
    tried, failures = 0, []
    for name, target in readers.items():
        rounds, faults = drive(target, ROUNDS, SECONDS)
        tried += rounds
        failures += [f"{name}: {where} {data[:200]!r}" for data, where in faults]
    tell(
        f"mutated answers, documents, records, patches: {len(readers)} readers",
        tried,
        len(failures),
    )
    assert failures == []
