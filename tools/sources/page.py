"""Reading the page or open copy of a source into a snapshot, once: every finished attempt, a failed
one too, is stored.

Order of what must never be half done: the snapshot file, then the index, then the row that says
"read".
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from tools.documents.model import Extracted, Link, Page, Section, Snapshot
from tools.documents.parse_pool import ParsePool
from tools.documents.parsers.scholarly.jats_front import key_of
from tools.documents.snapshots import SnapshotFiles
from tools.errors import Cancelled, FailureReason, ParseError, SourceError, ZororaError
from tools.http import Http
from tools.net.guard import Closed
from tools.net.request import Response
from tools.net.store import FetchRecord, FetchStore
from tools.search.search import Corpus
from tools.sources.domains import host_of
from tools.sources.source import FetchedPage, Source, SourceKind, in_one_line
from tools.sources.text_locations import FullTexts, Visits

SHORTEST = 200  # characters; less is a heading and a cookie notice
_TELLING = 1500  # a longer text is an article, whatever words it has
_LINKS_KEPT = 200
_REFERENCES_KEPT = 1000
_COPIES = 3  # open copies that are tried
_CLOSED = frozenset((401, 402, 403, 407, 451))
_HUMAN = re.compile(
    r"verify (?:that )?you(?:'re| are) (?:a )?human|are you a robot|just a moment\.\.\."
    r"|unusual (?:traffic|activity)"
    r"|checking (?:your|the site) (?:browser|connection)|enable javascript and cookies"
    r"|ddos protection"
    r"|complete the (?:captcha|challenge)|access denied|attention required"
    r"|please enable (?:javascript|js)"
    r"|bot (?:detection|protection)",
    re.I,
)
_PAYWALL = re.compile(
    r"subscribe to (?:read|continue|unlock)|subscribers? only|(?:purchase"
    r"|buy) (?:this )?(?:article|access|pdf)"
    r"|access through your institution|(?:log|sign) ?in (?:to|for) (?:read|continue|full|access)"
    r"|(?:get|rent) (?:full )?access|already a subscriber|institutional (?:login|access)"
    r"|preview of subscription content",
    re.I,
)


@dataclass(frozen=True, slots=True)
class PageReader:
    """Reads sources for one run. now: ISO time. visits: pages this run has read. Safe to use from
    several threads."""

    http: Http
    pool: ParsePool
    snapshots: SnapshotFiles
    corpus: Corpus
    fetches: FetchStore
    run_id: str
    now: Callable[[], str]
    places: FullTexts = FullTexts()
    visits: Visits = field(default_factory=Visits)

    def read(self, source: Source, copies: Sequence[str] = ()) -> FetchedPage:
        """The text of a source as a snapshot, or a problem with its reason (paywall, irrelevant,
        error, budget).

        copies: addresses of open copies, best first, to be read instead of its own, which would not
        do. The same source is read once per run, and not again while an earlier reading is fresh.
        Never raises except Cancelled.
        """
        deadline = self.http.clock() + self.http.settings.deadline
        try:
            stored = self._earlier_answer(source)
            if stored and (stored.snapshot or not copies or stored.exhausted):
                return stored
            return self._first_readable(source, copies, deadline)
        except Cancelled:
            raise
        except ZororaError as error:
            return _failed(source, source.url, str(error), FailureReason.ERROR)

    def _earlier_answer(self, source: Source) -> FetchedPage | None:
        """The answer to an earlier attempt: of this run always, of another while it is fresh and
        good."""
        record = self.fetches.of_run(source.source_id, self.run_id)
        if record is None:
            settings = self.http.settings
            if source.source_type == SourceKind.ACADEMIC:
                seconds = settings.scholarly_seconds
            else:
                seconds = settings.web_seconds
            since = 0.0 if settings.offline else self.http.wall() - seconds
            record = self.fetches.latest_good(source.source_id, since)
            if record is not None and self.snapshots.has(record.snapshot_id or ""):
                self.fetches.add(replace(record, run_id=self.run_id))
        if record is None or (record.snapshot_id and not self.snapshots.has(record.snapshot_id)):
            return None
        return _from_record(record)

    def _first_readable(
        self, source: Source, copies: Sequence[str], deadline: float
    ) -> FetchedPage:
        addresses = self.places.addresses(source)
        problems: list[FetchedPage] = []
        for url in (
            [copy for copy in dict.fromkeys(copies) if copy not in addresses][:_COPIES]
            if copies
            else addresses
        ):
            self.http.check()
            page = replace(self._visit(source, url, deadline), exhausted=bool(copies))
            if page.snapshot:
                self.fetches.add(self._record(source, page))
                return page
            problems.append(page)
        if not problems:
            none = _failed(
                source, source.url, "it has no address that can be read", FailureReason.ERROR
            )
            problems.append(replace(none, exhausted=bool(copies)))
        worst = next(
            (page for page in problems if page.reason == FailureReason.PAYWALL), problems[-1]
        )
        if not self.http.settings.offline:
            self.fetches.add(self._record(source, worst))
        return worst

    def _visit(self, source: Source, url: str, deadline: float) -> FetchedPage:
        """One address; when another source of this run was read there, what that gave."""
        seconds = deadline - self.http.clock()
        try:
            page = self.visits.once(
                url, lambda: self._attempt(source, url, deadline), self.http.check, seconds
            )
        except SourceError as error:
            return _failed(source, url, str(error), error.reason)
        snapshot = page.snapshot and replace(page.snapshot, source_id=source.source_id)
        return replace(page, source_id=source.source_id, snapshot=snapshot)

    def _attempt(self, source: Source, url: str, deadline: float) -> FetchedPage:
        try:
            response = self.http.get(
                self.places.request(url, self.http.settings.web_seconds, deadline)
            )
            return self._extract(source, response)
        except Cancelled:
            raise
        except SourceError as error:
            return replace(
                _failed(source, url, str(error), error.reason), closed=isinstance(error, Closed)
            )
        except ParseError as error:
            return _failed(source, url, f"could not be read. {error}", FailureReason.ERROR)

    def _extract(self, source: Source, response: Response) -> FetchedPage:
        if response.status != 200:
            return _refused(source, response)
        declared = response.headers.get("content-type") or None
        extracted = self.pool.parse(
            response.content,
            name=PurePosixPath(unquote(urlsplit(response.url).path)).name,
            media_type=declared,
            url=response.url,
        )
        problem = objection(extracted)
        if problem:
            return _failed(source, response.url, *problem)
        snapshot = self._store(source, response, extracted)
        about, keys = extracted.metadata, map(key_of, extracted.references)
        return FetchedPage(
            source.source_id,
            response.url,
            snapshot,
            title=in_one_line(str(about.get("title") or extracted.title or "")),
            authors=_strings(about.get("authors")),
            published=_string(about.get("published")),
            language=_string(about.get("language")),
            doi=_string(about.get("doi")),
            cached=response.cached,
            links=extracted.links[:_LINKS_KEPT],
            references=tuple(dict.fromkeys(filter(None, keys)))[:_REFERENCES_KEPT],
            raw_sha256=hashlib.sha256(response.content).hexdigest(),
        )

    def _store(self, source: Source, response: Response, extracted: Extracted) -> Snapshot:
        snapshot_id = self.snapshots.put(extracted.text)
        title = extracted.title or source.title
        self.corpus.add(
            snapshot_id,
            extracted.text,
            extracted.sections,
            title=title,
            kind="page",
            blocks=extracted.blocks,
        )
        return Snapshot(
            snapshot_id,
            source.source_id,
            response.url,
            extracted.media_type,
            self.now(),
            extracted.extractor,
            "full",
            len(extracted.text),
            extracted.pages,
            extracted.sections,
        )

    def _record(self, source: Source, page: FetchedPage) -> FetchRecord:
        snapshot = page.snapshot
        return FetchRecord(
            source.source_id,
            self.run_id,
            page.url,
            snapshot.fetched_at if snapshot else self.now(),
            self.http.wall(),
            snapshot.media_type if snapshot else None,
            snapshot.extractor if snapshot else None,
            page.raw_sha256,
            snapshot.snapshot_id if snapshot else None,
            page.problem,
            page.reason,
            _metadata(page),
        )


def objection(extracted: Extracted) -> tuple[str, str] | None:
    """Why a text is not what was looked for: (phrase, reason); None when it will do."""
    text = extracted.text
    if extracted.metadata.get("full_text") is False:
        return "only its abstract is open", FailureReason.PAYWALL
    if len(text) < _TELLING:
        head = f"{extracted.title}\n{text}"
        if _HUMAN.search(head):
            return "it asks for proof of being human", FailureReason.PAYWALL
        if _PAYWALL.search(head):
            return "the text is behind a paywall", FailureReason.PAYWALL
    if len(text) < SHORTEST:
        return f"it contains hardly any text ({len(text)} characters)", FailureReason.IRRELEVANT
    return None


def _refused(source: Source, response: Response) -> FetchedPage:
    if response.status in _CLOSED:
        return _failed(
            source,
            response.url,
            f"access is closed (status {response.status})",
            FailureReason.PAYWALL,
        )
    if response.status in (404, 410):
        return _failed(
            source,
            response.url,
            f"the page is gone (status {response.status})",
            FailureReason.ERROR,
        )
    return _failed(
        source, response.url, f"it answered with status {response.status}", FailureReason.ERROR
    )


def _failed(source: Source, url: str, problem: str, reason: str) -> FetchedPage:
    return FetchedPage(
        source.source_id, url, problem=f"{host_of(url) or 'This address'}: {problem}", reason=reason
    )


def _metadata(page: FetchedPage) -> dict[str, Any]:
    """What a later answer from the store needs besides the row itself."""
    snapshot = page.snapshot
    if snapshot is None:
        return {"exhausted": True} if page.exhausted else {}
    return {
        "title": page.title,
        "authors": list(page.authors),
        "published": page.published,
        "language": page.language,
        "doi": page.doi,
        "completeness": snapshot.completeness,
        "characters": snapshot.characters,
        "pages": [[p.page, p.start] for p in snapshot.pages],
        "sections": [
            [s.section_id, s.title, s.level, s.start, s.end, s.kind] for s in snapshot.sections
        ],
        "links": [[link.url, link.text] for link in page.links],
        "references": list(page.references),
        **({"exhausted": True} if page.exhausted else {}),
    }


def _from_record(record: FetchRecord) -> FetchedPage:
    if record.snapshot_id is None:
        return FetchedPage(
            record.source_id,
            record.url,
            problem=record.problem,
            reason=record.reason,
            cached=True,
            exhausted=bool(record.metadata.get("exhausted")),
        )
    about: Mapping[str, Any] = record.metadata
    snapshot = Snapshot(
        record.snapshot_id,
        record.source_id,
        record.url,
        record.media_type or "",
        record.fetched_at,
        record.extractor or "",
        about.get("completeness", "full"),
        about.get("characters", 0),
        tuple(Page(*page) for page in about.get("pages", ())),
        tuple(Section(*section) for section in about.get("sections", ())),
    )
    return FetchedPage(
        record.source_id,
        record.url,
        snapshot,
        title=about.get("title", ""),
        authors=tuple(about.get("authors", ())),
        published=about.get("published"),
        language=about.get("language"),
        doi=about.get("doi"),
        cached=True,
        links=tuple(Link(*link) for link in about.get("links", ())),
        references=tuple(about.get("references", ())),
        exhausted=bool(about.get("exhausted")),
    )


def _string(value: object) -> str | None:
    return in_one_line(value) or None if isinstance(value, str) else None


def _strings(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list | tuple) else ()
    return tuple(in_one_line(item) for item in values if isinstance(item, str))
