"""Reading a source: once, into a snapshot, with every attempt on record, whatever the page is."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin
from benchmarks.standin_services import mount
from tools.documents.model import Block, Extracted, Link, Page, Section, snapshot_id_of
from tools.errors import Cancelled, ParseError, SourceError, StorageError
from tools.http import Http
from tools.net.store import NetStore
from tools.sources.page import PageReader
from tools.sources.source import FetchedPage, Source, make_source
from tools.sources.text_locations import FullTexts, Visits

TEXT = "Caffeine delays sleep in most adults, as many studies have found over the years. " * 6


@dataclass
class Pool:
    """Takes the bytes for the text; remembers what it was told about them."""

    requests: list[tuple[str, str | None, str]] = field(default_factory=list)
    fault: Exception | None = None

    def parse(
        self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
    ) -> Extracted:
        self.requests.append((name, media_type, url))
        if self.fault:
            raise self.fault
        text = data.decode("utf-8", "replace")
        about = {
            "title": "A page",
            "authors": ["A. B."],
            "published": "2024-05",
            "language": "en",
            "doi": "10.5/x",
        }
        return Extracted(
            text, "text/html", "plain/1", "A page", (Section("s1", "One", 1, 0, 9),), (Page(1, 0),),
            (Link("https://a.example/", "more"),), metadata=about,
        )  # fmt: skip


@dataclass
class Snapshots:
    texts: dict[str, str] = field(default_factory=dict)
    fault: Exception | None = None

    def put(self, text: str) -> str:
        if self.fault:
            raise self.fault
        self.texts[snapshot_id_of(text)] = text
        return snapshot_id_of(text)

    def has(self, snapshot_id: str) -> bool:
        return snapshot_id in self.texts


@dataclass
class Index:
    added: list[str] = field(default_factory=list)

    def add(
        self,
        snapshot_id: str,
        text: str,
        sections: Sequence[Section] = (),
        *,
        title: str = "",
        kind: str = "page",
        blocks: Sequence[Block] = (),
    ) -> None:
        self.added.append(snapshot_id)


@dataclass
class Desk:
    """A reader with everything it writes to."""

    http: Http
    store: NetStore
    pool: Any = field(default_factory=Pool)
    snapshots: Snapshots = field(default_factory=Snapshots)
    index: Index = field(default_factory=Index)

    def reader(self, run_id: str = "run1") -> PageReader:
        return PageReader(
            self.http, self.pool, self.snapshots, self.index, self.store.fetches, run_id, self.now
        )

    def now(self) -> str:
        return datetime.fromtimestamp(self.http.wall(), UTC).isoformat(timespec="seconds")


@pytest.fixture
def desk(http: Http, store: NetStore) -> Desk:
    return Desk(http, store)


def page_at(
    server: Standin, path: str = "/articles/one.html", reply: Reply | None = None, **fields: Any
) -> Source:
    return make_source(server.on(path, reply or Reply(TEXT.encode())), "T", **fields)


def test_a_page_becomes_a_snapshot_with_what_it_says_about_itself(
    desk: Desk, server: Standin
) -> None:
    source = page_at(server)
    page = desk.reader().read(source)
    assert page.problem is None and page.snapshot is not None and not page.cached
    assert desk.snapshots.texts[page.snapshot.snapshot_id] == TEXT and desk.index.added == [
        page.snapshot.snapshot_id
    ]
    assert (page.title, page.authors, page.published) == ("A page", ("A. B.",), "2024-05")
    assert (page.language, page.doi, page.links) == (
        "en",
        "10.5/x",
        (Link("https://a.example/", "more"),),
    )
    snapshot = page.snapshot
    assert (snapshot.completeness, snapshot.characters, snapshot.extractor) == (
        "full",
        len(TEXT),
        "plain/1",
    )
    assert snapshot.sections[0].title == "One" and snapshot.pages == (Page(1, 0),)
    assert desk.pool.requests == [("one.html", "text/html; charset=utf-8", source.url)]


def test_the_same_run_reads_a_source_once(desk: Desk, server: Standin) -> None:
    source = page_at(server)
    first, second = desk.reader().read(source), desk.reader().read(source)
    assert second.cached and second.snapshot == first.snapshot and second.links == first.links
    assert (second.title, second.doi, second.authors) == (first.title, first.doi, first.authors)
    assert server.count("/articles/one.html") == 1 and len(desk.pool.requests) == 1


def test_another_run_uses_a_fresh_reading(desk: Desk, server: Standin) -> None:
    source = page_at(server)
    first, second = desk.reader("run1").read(source), desk.reader("run2").read(source)
    assert second.cached and second.snapshot == first.snapshot and len(desk.pool.requests) == 1
    assert desk.store.fetches.of_run(source.source_id, "run2") is not None


def test_an_old_reading_is_read_again(
    open_http: Callable[..., Http], store: NetStore, server: Standin
) -> None:
    now = [1_800_000_000.0]
    desk = Desk(open_http(wall=lambda: now[0]), store)
    source = page_at(server)
    desk.reader("run1").read(source)
    now[0] += 25 * 3600
    assert not desk.reader("run2").read(source).cached and len(desk.pool.requests) == 2
    paper = page_at(server, "/paper", source_type="academic")
    desk.reader("run1").read(paper)
    now[0] += 25 * 3600
    assert desk.reader("run2").read(paper).cached, "scholarly texts keep for a month"


def test_a_reading_whose_snapshot_is_lost_is_read_again(desk: Desk, server: Standin) -> None:
    source = page_at(server)
    desk.reader().read(source)
    desk.snapshots.texts.clear()
    assert desk.reader().read(source).snapshot is not None and len(desk.snapshots.texts) == 1


def test_a_failed_reading_is_not_repeated_in_its_run_but_in_the_next(
    desk: Desk, server: Standin
) -> None:
    source = page_at(server, reply=Reply(b"gone", 404))
    first, second = desk.reader("run1").read(source), desk.reader("run1").read(source)
    assert (
        first.problem == second.problem == "127.0.0.1: the page is gone (status 404)"
        and second.cached
    )
    assert server.count("/articles/one.html") == 1
    desk.store.cache.clear()
    desk.reader("run2").read(source)
    assert server.count("/articles/one.html") == 2


def test_a_killed_run_repeats_no_finished_fetch(desk: Desk, server: Standin) -> None:
    good, bad = page_at(server, "/good"), page_at(server, "/bad", Reply(status=403))
    for source in (good, bad):
        desk.reader("run1").read(source)
    desk.store.cache.clear()
    later = Desk(desk.http, desk.store, snapshots=desk.snapshots)
    assert (
        later.reader("run1").read(good).snapshot
        and later.reader("run1").read(bad).reason == "paywall"
    )
    assert len(server.requests) == 2 and later.pool.requests == []


WALL = "<h1>Just a moment...</h1> Please enable JavaScript and cookies to continue. " * 4


@pytest.mark.parametrize(
    ("reply", "words", "reason"),
    [
        (Reply(status=401), "access is closed (status 401)", "paywall"),
        (Reply(status=402), "access is closed (status 402)", "paywall"),
        (Reply(status=403), "access is closed (status 403)", "paywall"),
        (Reply(status=451), "access is closed (status 451)", "paywall"),
        (Reply(status=404), "the page is gone (status 404)", "error"),
        (Reply(status=410), "the page is gone (status 410)", "error"),
        (Reply(status=418), "it answered with status 418", "error"),
        (Reply(status=503), "unavailable (status 503)", "error"),
        (Reply(b"Cookies!"), "it contains hardly any text (8 characters)", "irrelevant"),
        (Reply(b""), "it contains hardly any text (0 characters)", "irrelevant"),
        (Reply(WALL.encode()), "it asks for proof of being human", "paywall"),
        (
            Reply(b"Subscribe to read the rest of this fine article. " * 9),
            "the text is behind a paywall",
            "paywall",
        ),
        (Reply(raw=b"nonsense"), "the connection", "error"),
        (Reply(b"x" * 9999, length=99_999), "the answer was cut off", "error"),
    ],
)
def test_what_cannot_be_read_is_a_problem_with_its_reason(
    open_http: Callable[..., Http],
    store: NetStore,
    server: Standin,
    reply: Reply,
    words: str,
    reason: str,
) -> None:
    desk = Desk(open_http(retries=0), store)
    page = desk.reader().read(page_at(server, reply=reply))
    assert page.snapshot is None and page.reason == reason
    assert page.problem is not None and page.problem.startswith(f"127.0.0.1: {words}")
    assert desk.snapshots.texts == {} and desk.index.added == []


def test_a_long_article_about_paywalls_is_an_article(desk: Desk, server: Standin) -> None:
    text = TEXT * 5 + "Many papers ask to subscribe to read. Some say: access denied."
    assert desk.reader().read(page_at(server, reply=Reply(text.encode()))).snapshot is not None


def test_a_document_that_cannot_be_parsed_says_why(desk: Desk, server: Standin) -> None:
    desk.pool.fault = ParseError("The file is encrypted.")
    page = desk.reader().read(page_at(server))
    assert (
        page.problem == "127.0.0.1: could not be read. The file is encrypted."
        and page.reason == "error"
    )


def test_a_full_disk_is_a_problem_and_no_crash(desk: Desk, server: Standin) -> None:
    desk.snapshots.fault = StorageError("The disk is full.")
    page = desk.reader().read(page_at(server))
    assert page.problem == "127.0.0.1: The disk is full."


def test_a_stop_comes_through(desk: Desk, server: Standin) -> None:
    desk.pool.fault = Cancelled("stopped")
    with pytest.raises(Cancelled):
        desk.reader().read(page_at(server))
    assert desk.store.fetches.of_run(page_at(server).source_id, "run1") is None


def test_three_open_copies_are_tried_and_no_more(desk: Desk, server: Standin) -> None:
    closed = [server.on(f"/copy{n}.pdf", Reply(status=403)) for n in range(4)]
    page = desk.reader().read(page_at(server, "/landing"), closed)
    assert page.problem and page.exhausted
    assert [request.path for request in server.requests] == [
        "/copy0.pdf",
        "/copy1.pdf",
        "/copy2.pdf",
    ]


@pytest.mark.parametrize(("characters", "is_kept"), [(199, False), (200, True)])
def test_a_text_shorter_than_two_hundred_characters_is_none(
    desk: Desk, server: Standin, characters: int, is_kept: bool
) -> None:
    page = desk.reader().read(
        page_at(server, "/short", Reply(("word " * 60)[: characters - 1].encode() + b"s"))
    )
    assert bool(page.snapshot) is is_kept


def test_the_open_copy_comes_first_and_the_page_is_the_way_back(
    desk: Desk, server: Standin
) -> None:
    copy = server.on("/copy.pdf", Reply(TEXT.encode(), media_type="application/pdf"))
    source = page_at(server, "/landing", fulltext_url=copy)
    page = desk.reader().read(source)
    assert page.snapshot and page.snapshot.url == copy and page.source_id == source.source_id
    server.on("/copy2.pdf", Reply(status=403))
    second = page_at(server, "/landing2", fulltext_url=server.url + "/copy2.pdf")
    second_page = desk.reader().read(second)
    assert second_page.snapshot and second_page.snapshot.url == server.url + "/landing2"


def test_when_all_ways_fail_the_paywall_is_what_counts(desk: Desk, server: Standin) -> None:
    source = page_at(
        server, "/gone", Reply(status=404), fulltext_url=server.on("/closed", Reply(status=403))
    )
    assert desk.reader().read(source).reason == "paywall"


def test_the_paper_is_preferred_to_the_arxiv_page() -> None:
    source = make_source("https://arxiv.org/abs/2401.00001", "T")
    assert FullTexts().addresses(source) == [
        "https://arxiv.org/pdf/2401.00001",
        "https://arxiv.org/abs/2401.00001",
    ]
    work = make_source("https://doi.org/10.1234/x", "T", fulltext_url="https://doi.org/10.1234/x")
    assert FullTexts().addresses(work) == ["https://doi.org/10.1234/x"]
    assert FullTexts().addresses(Source("s", "", "T")) == []


@pytest.mark.lab
def test_full_texts_lie_below_the_addresses_of_the_settings(
    server: Standin, open_http: Callable[..., Http], store: NetStore
) -> None:
    bases = {
        "arxiv": f"{server.url}/arxiv/pdf/",
        "europepmc": f"{server.url}/epmc/",
        "pmc": f"{server.url}/ncbi/",
    }
    places = FullTexts(**bases, private_bases=tuple(bases.values()))
    paper = make_source(
        "https://arxiv.org/abs/2401.00001", "T", fulltext_url="https://arxiv.org/pdf/2401.00001v1"
    )
    assert places.addresses(paper)[0] == server.on("/arxiv/pdf/2401.00001", Reply(TEXT.encode()))
    article = make_source("https://doi.org/10.1/x", "T", pmcid="PMC22")
    assert places.addresses(article)[:2] == [
        server.on(
            "/epmc/PMC22/fullTextXML",
            Reply(status=302, headers={"Location": server.url + "/ncbi/efetch.fcgi"}),
        ),
        f"{server.url}/ncbi/efetch.fcgi?db=pmc&retmode=xml&id=22",
    ]
    server.on("/ncbi/efetch.fcgi", Reply(TEXT.encode()))
    # Their own addresses may be private, without redirects
    desk = Desk(open_http(allow_fetch_hosts=()), store)
    page = replace(desk.reader(), places=places).read(paper)
    assert page.snapshot and page.url.endswith("/arxiv/pdf/2401.00001")
    assert (
        replace(desk.reader(), places=places)
        .read(article)
        .url.endswith("/efetch.fcgi?db=pmc&retmode=xml&id=22")
    )
    assert [request.path for request in server.requests] == [
        "/arxiv/pdf/2401.00001", "/epmc/PMC22/fullTextXML", "/ncbi/efetch.fcgi"
    ], "no robots.txt is asked for, and no redirect followed"  # fmt: skip
    assert desk.reader().read(make_source(f"{server.url}/other", "T")).problem


@pytest.mark.parametrize(
    "ways", [("/one", "/one"), ("/one?utm_source=a", "/one#part"), ("/to?1", "/to?2")]
)
def test_works_that_lead_to_one_page_have_it_fetched_once(
    ways: tuple[str, str], desk: Desk, server: Standin
) -> None:
    server.on("/to", Reply(status=301, headers={"Location": "/one"}))
    server.on("/one", Reply(TEXT.encode(), delay=0.05))
    sources = [
        make_source(server.url + way, f"T{i}", doi=f"10.1/{i}") for i, way in enumerate(ways)
    ]
    reader = desk.reader()
    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(reader.read, sources))
    assert server.count("/one") == 1
    for source, page in zip(sources, pages, strict=True):
        assert page.snapshot and page.snapshot.source_id == page.source_id == source.source_id
        assert desk.reader().read(source).cached, "both are known as read"


def test_a_page_that_fails_fails_once_for_all_works_that_lead_there(
    desk: Desk, server: Standin
) -> None:
    url = server.on("/gone", Reply(status=404))
    reader = desk.reader()
    pages = [reader.read(make_source(url, "T", doi=f"10.1/{i}")) for i in range(3)]
    assert {page.problem for page in pages} == {"127.0.0.1: the page is gone (status 404)"}
    assert [page.source_id for page in pages] == [
        make_source(url, "T", doi=f"10.1/{i}").source_id for i in range(3)
    ]
    assert server.count("/gone") == 1


def test_whoever_waits_for_a_page_in_work_waits_no_longer_than_it_may() -> None:
    visits, begun, go = Visits(), threading.Event(), threading.Event()

    def slow() -> FetchedPage:
        begun.set()
        go.wait(60)
        return FetchedPage("s", "u")

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(visits.once, "https://a.example/", slow, lambda: None, 60.0)
        begun.wait(60)
        with pytest.raises(SourceError, match="being read already"):
            visits.once("https://a.example/#x", slow, lambda: None, 0.2)
        go.set()
        assert first.result(60).source_id == "s"
    assert visits.once("https://a.example/", slow, lambda: None, 1.0).source_id == "s"


@pytest.mark.parametrize(
    "url",
    ["local://1/secret.txt", "file:///etc/passwd", "http://127.0.0.1:22/", "http://10.0.0.1/", ""],
)
def test_closed_places_are_refused(desk: Desk, server: Standin, url: str) -> None:
    page = desk.reader().read(Source("s", url, "T"))
    assert page.snapshot is None and page.reason == "error" and not server.requests


def test_redirects_lead_to_the_address_that_is_kept(desk: Desk, server: Standin) -> None:
    server.on("/final", Reply(TEXT.encode()))
    page = desk.reader().read(
        page_at(server, "/short", Reply(status=301, headers={"Location": "/final"}))
    )
    assert page.url == server.url + "/final" and page.snapshot and page.snapshot.url == page.url


def test_offline_nothing_is_asked_and_no_failure_is_recorded(
    open_http: Callable[..., Http], store: NetStore, server: Standin
) -> None:
    source = page_at(server)
    page = Desk(open_http(offline=True), store).reader().read(source)
    assert "offline" in str(page.problem) and page.reason == "offline" and not server.requests
    assert store.fetches.of_run(source.source_id, "run1") is None, (
        "the same run may go on with a network"
    )


@pytest.fixture
def real_pool() -> Iterator[Any]:
    from tools.documents.parse_pool import ParsePool

    with ParsePool(workers=1) as pool:
        yield pool


def test_a_stand_in_page_is_read_with_the_real_extractor(
    desk: Desk, server: Standin, real_pool: Any, tmp_path: Path
) -> None:
    mount(server, characters=3000)
    desk.pool = real_pool
    page = desk.reader().read(make_source(server.url + "/page/5", "T"))
    assert page.problem is None and page.snapshot is not None
    text = desk.snapshots.texts[page.snapshot.snapshot_id]
    assert (
        "Filter coffee holds about 95 mg of caffeine per cup" in text and "Terms of use" not in text
    )
    assert page.published == "2013-06-08" and len(page.authors) == 3 and page.language == "en"
