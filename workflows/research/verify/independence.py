"""Independence: which of the sources that support a claim count as one, because they are not
independent.

Two supporters are one voice when (a) they are one work; (b) their texts, or the two supporting
passages, are near-copies; (c) both are pages of one registrable domain, hosts of many authors
excepted; (d) both are scholarly with the same first author by full name; (e) the supporting
sentence of one attributes the statement to the other. Local documents follow a, b and d.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from tools.judging.restatement import is_copy
from tools.sources.domains import hosts_many_authors, registrable_domain
from tools.sources.source import Source
from tools.text.tokens import fold, shingles, words
from workflows.research.gather.unite import disjoint

NEAR_COPY = 0.8
_SHINGLE = 5
_COMPARED = 60_000  # characters of a text that decide whether it is a near-copy
# Where a sentence tells whose statement it is: behind "according to", before "says"
_BEHIND = re.compile(
    r"\b(?:according to|reported (?:by|in)|as reported|citing|cited (?:by|in)"
    r"|quoted (?:by|in)|published (?:by|in)|told"
    r"|in a (?:report|study|review|survey|paper) (?:by|from|in)|data (?:from|of)"
    r"|figures (?:from|of))\b",
    re.I,
)
_BEFORE = re.compile(
    r"\b(?:says|said|reports|reported|found|writes|wrote|estimates|estimated|concludes|concluded|announced)\b",
    re.I,
)
_STRETCH = 120  # characters beside them in which the name stands


@dataclass(frozen=True, slots=True)
class Supporter:
    """A source that supports a claim, with the passage it does so by."""

    source: Source
    passage: str


def independent_groups(
    supporters: Sequence[Supporter], text_of: Callable[[str], str]
) -> tuple[tuple[str, ...], ...]:
    """Groups of source ids, each one voice; groups and members sorted. text_of: the text of a
    snapshot."""

    @cache
    def text_shingles(snapshot_id: str) -> frozenset[tuple[str, ...]]:
        return _shingles(text_of(snapshot_id)[:_COMPARED])

    unique = {supporter.source.source_id: supporter for supporter in supporters}
    pairs = [
        {a, b}
        for a, b in combinations(sorted(unique), 2)
        if _same(unique[a], unique[b], text_shingles)
    ]
    groups = disjoint([*({source_id} for source_id in unique), *pairs])
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _same(
    a: Supporter, b: Supporter, text_shingles: Callable[[str], frozenset[tuple[str, ...]]]
) -> bool:
    return (
        _one_work(a.source, b.source)
        or _one_domain(a.source, b.source)
        or _one_author(a.source, b.source)
        or _attributed(a, b)
        or _attributed(b, a)
        or _near_copies(a, b, text_shingles)  # last, since it reads the texts
    )


def _one_work(a: Source, b: Source) -> bool:
    ids = (
        (a.doi, b.doi),
        (a.arxiv_id, b.arxiv_id),
        (a.pmid, b.pmid),
        (a.snapshot_id, b.snapshot_id),
    )
    return any(mine and mine == other for mine, other in ids)


def overlap(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    """Shared shingles as a fraction of the smaller set; 0 for an empty one."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _near_copies(
    a: Supporter, b: Supporter, text_shingles: Callable[[str], frozenset[tuple[str, ...]]]
) -> bool:
    if is_copy(a.passage, b.passage):
        return True
    if not (a.source.snapshot_id and b.source.snapshot_id):
        return False
    return (
        overlap(text_shingles(a.source.snapshot_id), text_shingles(b.source.snapshot_id))
        >= NEAR_COPY
    )


def _one_domain(a: Source, b: Source) -> bool:
    pages = ("web", "newsroom")
    if a.source_type not in pages or b.source_type not in pages:
        return False
    domain = registrable_domain(a.url)
    return bool(domain) and domain == registrable_domain(b.url) and not hosts_many_authors(domain)


def _one_author(a: Source, b: Source) -> bool:
    if not {a.source_type, b.source_type} <= {"academic", "local"}:
        return False
    first_id, second_id = _author_id(a), _author_id(b)
    if (
        first_id and second_id and first_id.partition(":")[0] == second_id.partition(":")[0]
    ):  # of one registry
        return first_id == second_id
    first, second = _full_name(a), _full_name(b)
    if (
        first is None
        or second is None
        or (first.given, first.family) != (second.given, second.family)
    ):
        return False
    return not (first.middle and second.middle) or first.middle[0] == second.middle[0]


def _author_id(source: Source) -> str:
    """The first author's id ("orcid:0000-..."); empty when there is none."""
    ids = source.fields.get("author_ids") or ()
    return str(ids[0]) if isinstance(ids, list | tuple) and ids else ""


@dataclass(frozen=True, slots=True)
class _Name:
    given: str
    middle: str
    family: str


def _full_name(source: Source) -> _Name | None:
    """The first author's folded name when it has a full given name ("J. Smith" could be
    anybody)."""
    if not source.authors:
        return None
    family, comma, first_names = fold(source.authors[0]).partition(",")
    parts = [*words(first_names), *words(family)] if comma else words(family)
    if len(parts) < 2 or len(parts[0]) < 2:
        return None
    last = len(words(family)) if comma else 1
    return _Name(parts[0], " ".join(parts[1:-last]), " ".join(parts[-last:]))


def _attributed(a: Supporter, b: Supporter) -> bool:
    """Whether a's sentence names b as where it has the statement from."""
    stretches = _stretches(a.passage)
    return bool(stretches) and any(
        _holds_name(name, stretch) for name in _names_of(b.source) for stretch in stretches
    )


@lru_cache(maxsize=4096)
def _stretches(passage: str) -> tuple[str, ...]:
    """The parts of a passage in which it names whose statement it is."""
    text = " ".join(passage.split())
    behind = (text[match.end() : match.end() + _STRETCH] for match in _BEHIND.finditer(text))
    before = (
        text[max(0, match.start() - _STRETCH) : match.start()] for match in _BEFORE.finditer(text)
    )
    return (*behind, *before)


def _names_of(source: Source) -> list[str]:
    """What a source may be called: its title, outlet and venue, and the family name of its first
    author."""
    names = [source.title, str(source.fields.get("outlet") or ""), source.venue or ""]
    family = [
        author.split(",")[0] if "," in author else author.split()[-1]
        for author in source.authors[:1]
        if author
    ]
    return [name for name in (*names, *family) if len(name) > 2]


def _holds_name(name: str, stretch: str) -> bool:
    """Whether a stretch holds the name, with capitals where it has them: "Young" is not "young
    people"."""
    pattern = r"\W+".join(re.escape(word) for word in re.findall(r"\w+", name))
    match = re.search(rf"(?<!\w){pattern}(?!\w)", stretch, re.I) if pattern else None
    if match is None:
        return False
    return any(c.isupper() for c in match[0]) or not any(c.isupper() for c in name)


@lru_cache(maxsize=256)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    return shingles(words(text), _SHINGLE)
