"""Reading: fetch the sources that are worth it and keep their texts."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tools.documents.model import Snapshot
from tools.errors import FailureReason
from tools.sources.source import FetchedPage, Source
from tools.text.phrases import counted
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.gather.parallel import each
from workflows.research.gather.shortlist import shortlist
from workflows.research.gather.unite import unite
from workflows.research.model import DeadEnd, last_number
from workflows.research.state import ResearchState

_FETCH_DEADLINE = 45.0  # seconds for all pages of a round


def read_sources(state: ResearchState, deps: Deps) -> ResearchState:
    """Fetch the round's best unread sources, store abstracts of the others."""
    return _tags(_abstracts(unite(_fetch(state, deps), deps), deps))


def _fetch(state: ResearchState, deps: Deps) -> ResearchState:
    unread = [
        source
        for source in state.sources
        if source.source_id not in state.read and not source.snapshot_id and not source.rejected
    ]
    if state.config.lean or not unread:
        return state
    sources = shortlist(state, unread, deps, deps.settings.fetch)
    deps.note("aggregate", f"Reading {counted(len(sources), 'page')}.", pages=len(sources))
    ends = deps.clock() + (
        _FETCH_DEADLINE if state.config.workers > 1 else _FETCH_DEADLINE * len(sources)
    )
    pages = _in_parallel(state, sources, lambda source: _fetch_one(source, deps), ends, deps)
    pages = _open_copies(state, sources, pages, ends, deps)
    for source, page in zip(sources, pages, strict=True):
        late = FetchedPage(
            source.source_id,
            source.url,
            problem="not read within the round's time",
            reason=FailureReason.ERROR,
        )
        state = take_page(state, source, page or late)
    return state


def _in_parallel(
    state: ResearchState,
    sources: Sequence[Source],
    fetch: Callable[[Source], FetchedPage],
    ends: float,
    deps: Deps,
) -> list[FetchedPage | None]:
    return each(
        sources,
        fetch,
        workers=1 if state.config.workers == 1 else deps.settings.fetch_workers,
        deadline=max(0.0, ends - deps.clock()),
        clock=deps.clock,
        check_cancelled=deps.check_cancelled,
    )


def _open_copies(
    state: ResearchState,
    sources: Sequence[Source],
    pages: Sequence[FetchedPage | None],
    ends: float,
    deps: Deps,
) -> list[FetchedPage | None]:
    """The pages, with open copies in place of those that would not do, as far as services know any.

    Who is asked about is settled by rank after all pages were tried, so that it does not depend on
    whose page was faster; and what an earlier run read as a copy is asked about like then, so that
    no other work takes its place.
    """
    urls = _addresses_of_copies(sources, pages, deps)
    again = [
        i
        for i, page in enumerate(pages)
        if page and not page.exhausted and urls.get(sources[i].source_id)
    ]
    copies = _in_parallel(
        state,
        [sources[i] for i in again],
        lambda source: _report_page(source, deps.fetch_copy(source, urls[source.source_id]), deps),
        ends,
        deps,
    )
    by_place = dict(zip(again, copies, strict=True))
    return [_better(page, by_place.get(i)) for i, page in enumerate(pages)]


def _addresses_of_copies(
    sources: Sequence[Source], pages: Sequence[FetchedPage | None], deps: Deps
) -> dict[str, tuple[str, ...]]:
    """Addresses of open copies, by the id of the source, for those sources whose page would not
    do."""
    by_source = zip(sources, pages, strict=True)
    unread = [
        source for source, page in by_source if page and (page.snapshot is None or page.exhausted)
    ]
    copies = deps.copies(unread) if unread else ()
    return {source.source_id: urls for source, urls in zip(unread, copies, strict=True)}


def _better(page: FetchedPage | None, copy: FetchedPage | None) -> FetchedPage | None:
    """The copy in place of the page; where its text did not come, the page, with no copy left to
    try."""
    if page is None or copy is None:
        return page
    return copy if copy.snapshot else replace(page, exhausted=True)


def _fetch_one(source: Source, deps: Deps) -> FetchedPage:
    deps.check_cancelled()
    data = {"url": source.url, "title": source.title, "source_id": source.source_id}
    deps.emit(Event(EventKind.PAGE_ASKED, "aggregate", "", data))
    return _report_page(source, deps.fetch(source), deps)


def _report_page(source: Source, page: FetchedPage, deps: Deps) -> FetchedPage:
    title = page.title or source.title
    message = f"Read “{title}”." if page.snapshot else f"Could not read “{title}”: {page.problem}"
    data = {
        "url": source.url, "title": title, "source_id": source.source_id,
        "ok": page.snapshot is not None,
        "problem": page.problem, "characters": page.snapshot.characters if page.snapshot else 0,
    }  # fmt: skip
    deps.emit(Event(EventKind.PAGE_FETCHED, "aggregate", message, data))
    return page


def take_page(state: ResearchState, source: Source, page: FetchedPage) -> ResearchState:
    """The state with what a page gave: its snapshot and the facts it states about itself, or a dead
    end."""
    state = replace(state, read=(*state.read, source.source_id))
    if page.snapshot is None:
        if page.reason == FailureReason.OFFLINE:
            return state
        return replace(state, dead_ends=(*state.dead_ends, _dead_end(source, page)))
    current = state.source(source.source_id) or source
    bare = current.title in ("", current.url)
    filled = replace(
        current,
        title=page.title if bare and page.title else current.title,
        authors=current.authors or page.authors,
        published=current.published or page.published,
        language=current.language or page.language,
        doi=current.doi or page.doi,
        references=tuple(dict.fromkeys((*current.references, *page.references))),
        snapshot_id=page.snapshot.snapshot_id,
    )
    return _with_snapshot(_replaced(state, filled), page.snapshot)


def _dead_end(source: Source, page: FetchedPage) -> DeadEnd:
    message = f"“{source.title or source.url}” could not be read. {page.problem or 'Nothing came.'}"
    end = DeadEnd(None, source.url, None, page.reason or FailureReason.ERROR, None, message)
    if page.exhausted:
        return replace(end, alternative="an open copy", outcome="none could be read")
    return end


def _abstracts(state: ResearchState, deps: Deps) -> ResearchState:
    """Works that were not read in full but have an abstract: the abstract is evidence, marked as
    such."""
    for source in state.sources:
        if source.snapshot_id or not source.abstract or source.rejected:
            continue
        snapshot = deps.store_text(source, source.abstract, "abstract")
        state = _with_snapshot(
            _replaced(state, replace(source, snapshot_id=snapshot.snapshot_id)), snapshot
        )
    return _local_snapshots(state, deps)


def _local_snapshots(state: ResearchState, deps: Deps) -> ResearchState:
    """Documents come with their text already stored; the record names it."""
    source_ids = {snapshot.source_id for snapshot in state.snapshots}
    for source in state.sources:
        if source.snapshot_id and source.source_id not in source_ids:
            page = deps.fetch(source)
            if page.snapshot:
                state = _with_snapshot(state, replace(page.snapshot, source_id=source.source_id))
    return state


def _replaced(state: ResearchState, source: Source) -> ResearchState:
    sources = tuple(
        source if existing.source_id == source.source_id else existing for existing in state.sources
    )
    return replace(state, sources=sources)


def _with_snapshot(state: ResearchState, snapshot: Snapshot) -> ResearchState:
    if any(
        s.snapshot_id == snapshot.snapshot_id and s.source_id == snapshot.source_id
        for s in state.snapshots
    ):
        return state
    return replace(state, snapshots=(*state.snapshots, snapshot))


def _tags(state: ResearchState) -> ResearchState:
    """S1, S2 ... in the order in which sources were kept; a tag once given stays."""
    number = last_number(source.tag for source in state.sources if source.tag)
    tagged: list[Source] = []
    for source in state.sources:
        if not source.tag:
            number += 1
            source = replace(source, tag=f"S{number}")
        tagged.append(source)
    return replace(state, sources=tuple(tagged))
