"""Voices: sources that count as one for a claim, because they are not independent of each other.

Two supporters are one voice when (a) they are one work; (b) their texts, or the two supporting passages, are
near-copies; (c) both are pages of one registrable domain, hosts of many authors excepted; (d) both are scholarly with
the same first author by full name; (e) the supporting sentence of one attributes the statement to the other.
Local documents follow a, b and d.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tools.research.source import Source
from tools.text.tokens import fold, shingles, words
from tools.trust.quantities import quantities

NEAR_COPY = 0.8
_ATTRIBUTION = re.compile(
    r"\b(?:according to|reported by|as reported|says|said|citing|cited by|quoted|in a report by|data from|told)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Supporter:
    """A source that supports a claim, with the passage it does so by."""

    source: Source
    passage: str


def voices(
    supporters: Sequence[Supporter],
    text_shingles: Callable[[str], frozenset[tuple[str, ...]]],
    domain_of: Callable[[str], str],
    many_authors: Callable[[str], bool],
) -> tuple[tuple[str, ...], ...]:
    """Groups of source ids, each one voice; groups and members sorted.

    text_shingles: snapshot id -> shingles of its text. domain_of: URL -> registrable domain.
    many_authors: whether a domain hosts independent authors.
    """
    unique = {supporter.source.source_id: supporter for supporter in supporters}
    ids = sorted(unique)
    leader = {one: one for one in ids}

    def find(one: str) -> str:
        while leader[one] != one:
            one = leader[one]
        return one

    for i, first in enumerate(ids):
        for second in ids[i + 1 :]:
            a, b = unique[first], unique[second]
            if find(first) != find(second) and _same(a, b, text_shingles, domain_of, many_authors):
                leader[max(find(first), find(second))] = min(find(first), find(second))
    groups: dict[str, list[str]] = {}
    for one in ids:
        groups.setdefault(find(one), []).append(one)
    return tuple(tuple(members) for _, members in sorted(groups.items()))


def _same(
    a: Supporter,
    b: Supporter,
    text_shingles: Callable[[str], frozenset[tuple[str, ...]]],
    domain_of: Callable[[str], str],
    many_authors: Callable[[str], bool],
) -> bool:
    return (
        _one_work(a.source, b.source)
        or _near_copies(a, b, text_shingles)
        or _one_domain(a.source, b.source, domain_of, many_authors)
        or _one_author(a.source, b.source)
        or _attributed(a, b)
        or _attributed(b, a)
    )


def _one_work(a: Source, b: Source) -> bool:
    ids = ((a.doi, b.doi), (a.arxiv_id, b.arxiv_id), (a.pmid, b.pmid), (a.snapshot_id, b.snapshot_id))
    return any(mine and mine == other for mine, other in ids)


def overlap(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    """Shared shingles as a fraction of the smaller set; 0 for an empty one."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _near_copies(a: Supporter, b: Supporter, text_shingles: Callable[[str], frozenset[tuple[str, ...]]]) -> bool:
    passages = [shingles(words(one.passage), 3) for one in (a, b)]
    numbers = [sorted((q.kind, q.value) for q in quantities(one.passage)) for one in (a, b)]
    if numbers[0] == numbers[1] and overlap(*passages) >= NEAR_COPY and min(len(p) for p in passages) >= 5:
        return True
    if not (a.source.snapshot_id and b.source.snapshot_id):
        return False
    return overlap(text_shingles(a.source.snapshot_id), text_shingles(b.source.snapshot_id)) >= NEAR_COPY


def _one_domain(a: Source, b: Source, domain_of: Callable[[str], str], many_authors: Callable[[str], bool]) -> bool:
    pages = ("web", "newsroom")
    if a.source_type not in pages or b.source_type not in pages:
        return False
    domain = domain_of(a.url)
    return bool(domain) and domain == domain_of(b.url) and not many_authors(domain)


def _one_author(a: Source, b: Source) -> bool:
    if a.source_type not in ("academic", "local") or b.source_type not in ("academic", "local"):
        return False
    first, second = (_full_name(source) for source in (a, b))
    return bool(first) and first == second


def _full_name(source: Source) -> str:
    """The first author's folded name when it has a full given name ("J. Smith" could be anybody)."""
    parts = words(fold(source.authors[0])) if source.authors else []
    return " ".join(sorted(parts)) if len(parts) >= 2 and all(len(part) > 1 for part in parts[:2]) else ""


def _attributed(a: Supporter, b: Supporter) -> bool:
    """Whether a's sentence names b as where it has the statement from."""
    if not _ATTRIBUTION.search(a.passage):
        return False
    said = " ".join(words(a.passage))
    names = [b.source.title, str(b.source.fields.get("outlet", "")), b.source.venue or ""]
    names += [author.split()[-1] for author in b.source.authors[:1] if author.split()]
    return any(len(name) > 3 and " ".join(words(name)) in said for name in names if name and words(name))


def groups_of(supporting: Mapping[str, str], sources: Mapping[str, Source]) -> list[Supporter]:
    """Supporters from source id -> passage, in id order; unknown sources are left out."""
    return [Supporter(sources[one], passage) for one, passage in sorted(supporting.items()) if one in sources]
