"""What overrules a score: retractions, expressions of concern, predatory publishers. From marks and
lists alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.credibility.base_rules import Work
from tools.credibility.credibility_tables import Listing, Notice, Tables, starts_with, title_key
from tools.credibility.store import JournalStore
from tools.sources.domains import longest, suffixes
from tools.sources.source import Mark


@dataclass(frozen=True, slots=True)
class Standing:
    """What notices say about a work. retracted and concern: the notice that decides; shown: all of
    them."""

    retracted: Notice | None = None
    concern: Notice | None = None
    notices: tuple[Notice, ...] = ()


def standing(
    work: Work, marks: Iterable[Mark], tables: Tables, lists: JournalStore | None
) -> Standing:
    """Retracted unless reinstated at the same date or later; the same for expressions of
    concern."""
    notices = [Notice(work.source.title, mark) for mark in marks]
    notices += [tables.retracted_dois[doi] for doi in work.dois if doi in tables.retracted_dois]
    if work.pmid and work.pmid in tables.retracted_pmids:
        notices.append(tables.retracted_pmids[work.pmid])
    if lists:
        notices.extend(lists.notices(work.dois, work.pmid))
    return decide(notices)


def decide(notices: Sequence[Notice]) -> Standing:
    """The standing that a set of notices amounts to, whatever their order."""
    reinstated = max(map(_date, _of_kind(notices, "reinstated")), default=None)
    standing = [notice for notice in notices if reinstated is None or _date(notice) > reinstated]
    retracted = _deciding([notice for notice in standing if notice.mark.retracts], notices)
    concern = None if retracted else _deciding(_of_kind(standing, "concern"), notices)
    by_meaning = {(n.mark.kind, n.mark.date, n.mark.by, n.mark.notice): n for n in notices}
    in_order = sorted(
        by_meaning.values(), key=lambda n: (n.mark.date or "", n.mark.kind, n.mark.by)
    )
    return Standing(retracted, concern, tuple(in_order))


def _of_kind(notices: Sequence[Notice], kind: str) -> list[Notice]:
    return [notice for notice in notices if notice.mark.kind == kind]


def _date(notice: Notice) -> str:
    return notice.mark.date or ""


def predatory(work: Work, tables: Tables, lists: JournalStore | None) -> Listing | None:
    """The entry that names the work's host, DOI prefix, publisher or journal as predatory; None
    when none does."""
    if listing := longest(work.host, tables.predatory_hosts):
        return listing
    for doi in work.dois:
        if prefix := starts_with(doi, tables.predatory_prefixes):
            return tables.predatory_prefixes[prefix]
    names = [title_key(name) for name in (work.source.publisher, work.source.venue) if name]
    listed = next(
        (tables.predatory_names[name] for name in names if name in tables.predatory_names), None
    )
    return listed or _downloaded(work, names, tables, lists)


def _downloaded(
    work: Work, names: Sequence[str], tables: Tables, lists: JournalStore | None
) -> Listing | None:
    if not lists:
        return None
    hosts = list(suffixes(work.host))
    if any(host in tables.disputed for host in hosts):
        return None
    # DOAJ looks at journals one by one; a mere likeness of titles does not outweigh that
    if names and lists.open_access(work.issns, ""):
        names = []
    return lists.predatory(hosts, names)


def _deciding(notices: Sequence[Notice], every: Sequence[Notice]) -> Notice | None:
    """Our own entry first, then the earliest dated one; named by whichever list has a name for the
    work."""
    first = min(
        notices, key=lambda n: (not n.curated, n.mark.date or "9999", n.mark.by), default=None
    )
    if first is None or first.label:
        return first
    return Notice(next((other.label for other in every if other.label), ""), first.mark)
