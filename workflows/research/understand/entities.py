"""Entities: hits that carry a name, grouped into the people or organisations they are about.

What tells two of one name apart are identifiers: the bracket behind the name ("Mercury (planet)"),
a role, the field of the role, an institution, a place. Hits that share one are about the same
entity; a hit that has none decides nothing.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tools.sources.source import Source
from tools.text.sentences import spans
from tools.text.tokens import STOP, stem, words
from workflows.research.model import Candidate

MOST = 6  # candidates
_SUREST = 0.95
_NAMED_ONLY = 0.25  # weight of a hit that has the name in its text alone
_SILENT = 0.15  # what a hit weighs that has the name but does not say whom it is about
_QUALIFIED = 0.9  # confidence of the one candidate that the question's own qualifiers fit
_BRACKETS = re.compile(r"\(([^()]{3,60})\)\s*(?:[-–|·:].*)?$")
_ROLES = """engineer footballer basketballer cricketer golfer swimmer boxer actor actress author
    writer poet astronomer lawyer judge singer composer conductor drummer rapper artist painter
    sculptor photographer architect designer executive historian philosopher officer soldier general
    admiral founder minister president chancellor senator governor mayor professor lecturer
    researcher surgeon nurse doctor businessman businesswoman entrepreneur investor banker director
    producer presenter comedian player coach racer driver explorer astronaut bishop priest
    theologian teacher company corporation organisation organization agency university institute
    charity foundation bank airline manufacturer newspaper magazine publisher startup brand band
    club party""".split()
_ROLE = re.compile(
    rf"\b(?:is|was|are|were)\s+(?:an?|the)\s+((?:(?!(?:at|in|of|from|for|with|who)\s)[\w'’-]+\s){{0,6}}?"
    rf"(?:{'|'.join(_ROLES)}|[a-z]{{4,20}}ist|[a-z]{{3,20}}ician)s?)\b(?:\s+of\s+([\w'’-]+(?:\s[A-Z][\w'’-]+)*))?",
    re.I,
)
_INSTITUTION = re.compile(
    r"\b(?:at|of|from|for|joined|by|chairs?|leads?)\s+(?:the\s+)?((?:[A-Z][\w&'’.-]*\s)*"
    r"(?:University|Institute|College|Laborator(?:y|ies)|Hospital|Academy|School|Bank|Agency|Ministry|Foundation|Inc|Corp)"
    r"(?:\s(?:of|for)\s(?:[A-Z][\w'’-]*\s?)+)?|[A-Z]{2,6}\b)"
)
# What is a work of somebody or about somebody, and so not the one asked for
_WORKS = (
    r"(?:films?|movies?|albums?|songs?|singles?|EP|books?|novels?|series|shows?|games?|plays?|operas?|musicals?"
    r"|soundtracks?|episodes?|documentar(?:y|ies)|magazines?|comics?|paintings?|sculptures?|poems?|ship|horse)"
)
_WORK = re.compile(rf"\b{_WORKS}\W*$", re.I)
_IS_WORK = re.compile(
    rf"^[^.]{{0,80}}\b(?:is|was) (?:an?|the) (?:[\w'’-]+\s){{0,5}}?{_WORKS}\b", re.I
)
_LISTED = re.compile(r"\b(?:filmography|discography|bibliography|list of|awards)\b", re.I)
_NO_INSTITUTION = frozenset(
    "DC US UK USA EU UN TV AM PM AD BC CEO CFO II III IV VI VII LP EP CD DVD".split()
)
_PLACE = re.compile(r"\b(?:in|from|based in|born in)\s+([A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?)")


@dataclass(frozen=True, slots=True)
class _Seen:
    """A hit that carries the name. keys: what tells its entity from others; spoken: how a person
    would say it."""

    keys: frozenset[str]
    spoken: str
    identifiers: tuple[str, ...]
    weight: float
    text: frozenset[str]
    bracket: bool


def group(
    name: str, hits: Sequence[Source], qualifiers: Collection[str] = (), works: bool = True
) -> tuple[Candidate, ...]:
    """Distinct entities among hits that carry the name, best first.

    Confidence: the entity's share of the hits that say whom they are about, a hit with the name in
    its title counting four times one that has it in its text; at most 0.95. qualifiers: words of
    the question beside the name; where they fit one entity alone, that one is meant. works: whether
    a film or a book of this name may be meant too.
    """
    mentions = [
        _mention(hit, set(words(name)))
        for hit in hits
        if _carries(hit, name) and (works or not _is_work(hit))
    ]
    groups = _joined([mention for mention in mentions if mention.keys])
    fitting = [_fits(members, qualifiers) for members in groups]
    shares = _shares(groups, [mention for mention in mentions if not mention.keys], fitting)
    candidates = [
        _candidate(name, members, share) for members, share in zip(groups, shares, strict=True)
    ]
    return tuple(
        sorted(candidates, key=lambda candidate: (-candidate.confidence, candidate.description))
    )[:MOST]


def _carries(hit: Source, name: str) -> bool:
    return set(words(name)) <= set(words(f"{hit.title} {hit.snippet} {hit.abstract}"))


def _shares(
    groups: Sequence[Sequence[_Seen]], silent: Sequence[_Seen], fitting: Sequence[bool]
) -> list[float]:
    """The share of each group in the weight of all; hits that do not say whom they are about weigh
    little.

    fitting: which groups the qualifiers of the question fit; where that is one of several, nearly
    all is its share.
    """
    weights = [sum(member.weight for member in members) for members in groups]
    total = sum(_SILENT * mention.weight for mention in silent) + sum(weights)
    shares = [min(_SUREST, weight / total) for weight in weights]
    if len(groups) == 1 or sum(fitting) != 1:
        return shares
    pairs = zip(shares, fitting, strict=True)
    return [max(share, _QUALIFIED) if fits else min(share, 1 - _QUALIFIED) for share, fits in pairs]


def _candidate(name: str, members: Sequence[_Seen], share: float) -> Candidate:
    lead = max(
        members,
        key=lambda mention: (
            mention.bracket,
            mention.weight,
            len(mention.identifiers),
            mention.spoken,
        ),
    )
    identifiers = tuple(dict.fromkeys(x for member in members for x in member.identifiers))[:8]
    return Candidate(name, lead.spoken, identifiers, round(share, 6))


def identifiers_of(source: Source, name: str) -> frozenset[str]:
    """What a source says about whom of this name it is about: stems; empty where it says
    nothing."""
    name_words = set(words(name))
    if not name_words <= set(words(source.title)):
        return frozenset()
    return frozenset(
        stem(word)
        for identifier in _mention(source, name_words).identifiers
        for word in words(identifier)
        if word not in STOP
    )


def _is_work(hit: Source) -> bool:
    """Whether a hit is about a film, a book or the like: by the bracket behind its title, or its
    first words."""
    bracket = _BRACKETS.search(hit.title)
    return bool(
        _WORK.search(bracket[1]) if bracket else _IS_WORK.match(hit.snippet or hit.abstract)
    )


def _mention(hit: Source, name_words: Collection[str]) -> _Seen:
    text = hit.snippet or hit.abstract
    in_title = set(name_words) <= set(words(hit.title))
    if in_title and _LISTED.search(hit.title):
        return _Seen(frozenset(), "", (), _NAMED_ONLY, all_stems(text), False)
    if in_title:
        bracket, weight = _bracket(hit.title), 1.0
        role, area = _role(text, ())
    else:  # about something else: only what it says of this name counts
        bracket, weight = "", _NAMED_ONLY
        text = _sentences_with(name_words, text)
        role, area = _role(text, name_words)
    institutions = _institutions(f"{hit.title}. {text}") if in_title or role else []
    places = [match.group(1) for match in _PLACE.finditer(text)][:2]
    keys = {
        bracket or role.rpartition(" ")[2],
        *(institution.lower() for institution in institutions),
    }
    identifiers = tuple(dict.fromkeys(filter(None, (bracket, role, area, *institutions, *places))))
    return _Seen(
        frozenset(filter(None, keys)),
        bracket or _description(role, area, institutions),
        identifiers,
        weight,
        all_stems(f"{hit.title} {text}"),
        bool(bracket),
    )


def all_stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words(text)))


def _sentences_with(name: Collection[str], text: str) -> str:
    """The sentences of a text that hold a name."""
    sentences = (text[start:end] for start, end in spans(text))
    return " ".join(sentence for sentence in sentences if set(name) <= set(words(sentence)))


def _bracket(title: str) -> str:
    match = _BRACKETS.search(title)
    return match.group(1).lower() if match else ""


def _role(text: str, name: Collection[str]) -> tuple[str, str]:
    """What "is a ..." says, and of what: ("prime minister", "france"). name: what must stand before
    it, if anything."""
    for match in _ROLE.finditer(text):
        if not name or _of_name(text[: match.start()], name):
            return " ".join(match.group(1).lower().split()), (match.group(2) or "").lower()
    return "", ""


def _institutions(text: str) -> list[str]:
    names = (match.group(1).strip() for match in _INSTITUTION.finditer(text))
    return [name for name in names if name not in _NO_INSTITUTION][:3]


def _description(role: str, area: str, institutions: Sequence[str]) -> str:
    """How a person would say who is meant: "minister of france, Bank of X"."""
    short = " ".join(role.split()[-2:])
    if area and short:
        short = f"{short} of {area}"
    return ", ".join(filter(None, (short, *institutions[:1])))


def _of_name(before: str, name_words: Collection[str]) -> bool:
    """Whether the last few words before "is a ..." are the name."""
    return set(name_words) <= set(words(before)[-len(name_words) - 2 :])


def _joined(mentions: Sequence[_Seen]) -> list[list[_Seen]]:
    """Hits that share an identifier, together."""
    groups: list[list[_Seen]] = []
    for mention in mentions:
        touching = [group for group in groups if any(_same(mention, other) for other in group)]
        rest = [group for group in groups if not any(group is other for other in touching)]
        groups = [*rest, [member for group in touching for member in group] + [mention]]
    return groups


def _same(a: _Seen, b: _Seen) -> bool:
    """A shared identifier, or a role of one that is the bracket of the other."""
    if a.keys & b.keys:
        return True
    return any(
        key in " ".join(y.identifiers).split()
        for x, y in ((a, b), (b, a))
        for key in x.keys
        if " " not in key
    )


def _fits(members: Sequence[_Seen], qualifiers: Collection[str]) -> bool:
    return bool(qualifiers) and any(
        {stem(qualifier) for qualifier in qualifiers} & member.text for member in members
    )
