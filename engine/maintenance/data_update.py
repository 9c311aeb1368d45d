"""Lists that credibility rests on, brought up to date: retractions, open-access journals, predatory
publishers.

Each list is fetched whole, read whole, and only then put in place of the old one, in one
transaction: a download that breaks off, a file of another kind or a kill in the middle leaves the
list in use as it was.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from engine.clock import now
from engine.wiring.network_door import door
from engine.wiring.toolbox import Toolbox
from tools.credibility.data_list import DataList, ListUpdate
from tools.credibility.store import JournalStore
from tools.errors import ParseError, SourceError
from tools.http import Http
from tools.net.request import Request
from tools.open_databases import read_file

Progress = Callable[[str, int, int, str | None], object]  # name, done, total, problem

LARGEST = 200_000_000  # bytes; the list of retractions has about 60 million
SECONDS = 300.0  # one download
SHRUNK = 0.5  # a file with less than this share of the rows in use is taken for a part of one
_STOP_PREDATORY = "https://raw.githubusercontent.com/stop-predatory-journals/stop-predatory-journals.github.io/master/_data"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A list to be loaded. kind: of JournalStore. place: URL or path. listed: what a predatory list
    names."""

    name: str
    kind: str
    place: str
    listed: str = "publisher"
    # Named by the user, so that an address of the user's own network is meant
    allow_private: bool = False


LISTS = (
    Wanted(
        "Retraction Watch",
        "retractions",
        "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv",
    ),
    Wanted("DOAJ", "journals", "https://doaj.org/csv"),
    Wanted("Stop Predatory Journals, publishers", "predatory", f"{_STOP_PREDATORY}/publishers.csv"),
    Wanted(
        "Stop Predatory Journals, journals",
        "predatory",
        f"{_STOP_PREDATORY}/journals.csv",
        "journal",
    ),
    Wanted(
        "Stop Predatory Journals, hijacked",
        "predatory",
        f"{_STOP_PREDATORY}/hijacked.csv",
        "journal",
    ),
)


def wanted_lists(
    retractions: str | None, journals: str | None, predatory: Sequence[str]
) -> tuple[Wanted, ...]:
    """The lists to load: those that were named, and when none was, all of LISTS."""
    lists = [
        *(
            [Wanted("Retraction Watch", "retractions", retractions, allow_private=True)]
            if retractions
            else []
        ),
        *([Wanted("DOAJ", "journals", journals, allow_private=True)] if journals else []),
        *(_predatory(place) for place in predatory),
    ]
    return tuple(lists) or LISTS


def update(
    tools: Toolbox, lists: Sequence[Wanted], progress: Progress | None, force: bool
) -> list[ListUpdate]:
    """Load lists one after the other; what went wrong with one costs only that one. force: also a
    much shorter file."""
    tell = progress or (lambda *args: None)
    updates: list[ListUpdate] = []
    with closing(door(tools.config, tools.net)) as http:
        for place, data_list in enumerate(lists):
            tell(data_list.name, place, len(lists), None)
            updates.append(_update(tools.journals, data_list, http, force))
            tell(data_list.name, place + 1, len(lists), updates[-1].problem)
    return updates


def _update(store: JournalStore, data_list: Wanted, http: Http, force: bool) -> ListUpdate:
    old = next((listing for listing in store.lists() if listing.name == data_list.name), None)
    at_least = int(old.rows * SHRUNK) if old and not force else 0
    try:
        data, origin, dated = fetch(data_list, http)
        listing = DataList(data_list.name, data_list.kind, origin, dated, now())
        update = store.load(data, listing, listed=data_list.listed, at_least=at_least)
        return replace(update, was=old.rows if old else 0)
    except (SourceError, ParseError) as error:
        reason = str(error)[:1].upper() + str(error)[1:].rstrip(".")
        fallback = "No list of it is loaded."
        if old:
            fallback = f"The list of {old.dated} with {old.rows} rows stays in use."
        return ListUpdate(
            data_list.name,
            data_list.kind,
            data_list.place,
            problem=f"{data_list.name} was not updated. {reason}. {fallback}",
        )


def fetch(data_list: Wanted, http: Http) -> tuple[bytes, str, str]:
    """The bytes of a list, where they came from, and their date. Raises SourceError with what
    went wrong in lower-case words."""
    if not is_url(data_list.place):
        return _fetch_list(data_list.place)
    response = http.get(
        Request(
            data_list.place,
            max_bytes=LARGEST,
            deadline=http.clock() + SECONDS,
            guard=not data_list.allow_private,
            interval=0.0,
        )
    )
    if response.status != 200:
        raise SourceError(
            f"its address answered with status {response.status} ({_plain(data_list.place)})"
        )
    dated = _day(response.headers.get("last-modified")) or now()[:10]
    return response.content, _plain(data_list.place), dated


def _fetch_list(place: str) -> tuple[bytes, str, str]:
    path = Path(
        unquote(urlsplit(place).path) if place.startswith("file://") else place
    ).expanduser()
    try:
        if path.stat().st_size > LARGEST:
            raise SourceError(f"{path} is larger than {LARGEST // 1_000_000} MB")
        day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
        return read_file(path), str(path.absolute()), day
    except (OSError, ValueError) as error:
        raise SourceError(
            f"{path} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error


def is_url(place: str) -> bool:
    """Whether a list is to be fetched, not read from the disk."""
    return place.lower().startswith(("http://", "https://"))


def _predatory(place: str) -> Wanted:
    """A list of the user's own: called by the name of its file, so that another copy of it takes
    its place."""
    name = Path(unquote(urlsplit(place).path) if is_url(place) else place).name
    listed = (
        "journal" if "journal" in name.lower() and "publisher" not in name.lower() else "publisher"
    )
    return Wanted(f"Predatory list {name}", "predatory", place, listed, allow_private=True)


def _plain(url: str) -> str:
    """An address without what may be a secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _day(header: str | None) -> str | None:
    try:
        return parsedate_to_datetime(header).astimezone(UTC).date().isoformat() if header else None
    except (ValueError, OverflowError):
        return None
