"""When do two statements clash? Only the definite kinds: values, polarity, direction; scope decides what that means.

direct:  scope (time, place) equal or unstated, and values differ beyond the rounding of the less precise, or the dates
         of what happens once, or polarity or direction is opposed. scope: scope stated and different; context, no
         effect. nuanced: hedged on one side.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.text.tokens import STOP, stem, words
from tools.trust.comparison import lean_between
from tools.trust.dates import MONTH
from tools.trust.once import dated_apart
from tools.trust.polarity import Mark, denials, denied, left_out, marks
from tools.trust.quantities import Quantity
from tools.trust.rarity import rarity
from tools.trust.statement import Statement, down_words, up_words
from tools.trust.subject import of_others, one_subject
from tools.trust.wording import HEDGE, OPEN

DIRECT, SCOPE, NUANCED = "direct", "scope", "nuanced"
_DATE = "date"
_SHARED_TERMS = 3
_OVERLAP = 0.6  # of the shorter statement's terms
_ALIKE = 0.4  # of the terms of both
_OPPOSED, _CLEARLY = 0.3, 0.05  # how near the opposite words stand to what is shared, and nearer than agreeing ones
_SHARED_WEIGHT = 0.75  # polarity and direction say less than a number, so more must be shared, weighed by rarity
# What says that something is looked at, or that one thing comes of another: too little to be opposed to anything
_FAINT = frozenset(
    stem(word)
    for word in """result lead produce cause drive add encourage favour favor support limit extend multiply advance
    early earlier late later before after follow precede first last top bottom blunt light thin thick heavy strong weak
    large present presence absent absence possible able reverse determine change role interact difference
    consider examine describe discuss investigate study compare analyse analyze evaluate assess measure include show
    report propose apply hold give see use test""".split()
)
COMPARABLE = frozenset(
    """share points power energy length area mass volume temperature time dollar cent euro pound_money
    frequency count""".split()
)
_OF = re.compile(
    r"^\s+of\s+([\w'’-]++(?:\s+[\w'’-]++){0,3}?)"
    r"(?=\s*[,.;:()]|\s+(?:of|in|at|by|for|from|to|and|or|was|were|is|are)\b|\s*$)"
)
_NAMES = {
    "share": "percentage",
    "points": "percentage points",
    "count": "number",
    "dollar": "amount of money",
    "cent": "amount of money",
    "euro": "amount of money",
    "pound_money": "amount of money",
}
_NUMBERED_NAME = re.compile(
    r"\b[A-Z]{2,}[\s/]$|\b(?i:type|phase|stage|grade|class|group|figure|table|chapter|no\.?)\s$"
)
_BY = re.compile(r"\bby(?:\s\w{2,20}){0,2}\s$")  # "by 10%", "by about 10%"
# Two amounts of one sentence are told apart by these: "at least 9%" and "9%" do not clash
_BOUND = re.compile(r"(?:at least|at most|up to|more than|less than|over|under|fewer than|above|below)\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Clash:
    """nature: direct, scope, nuanced. attribute: unit class, polarity or direction. explanation in words."""

    nature: str
    subject: str
    attribute: str
    explanation: str
    values: tuple[float, ...] = ()


def clash(a: Statement, b: Statement, across: bool = False) -> Clash | None:
    """The way two statements contradict each other, or None.

    across: they come from two texts that merely share words, so that more must show that they speak of one thing than
    where a passage was chosen for a claim.
    """
    core_a, core_b = _plain(a), _plain(b)
    shared = core_a & core_b
    if not _enough(shared, core_a, core_b) or a.refutes or b.refutes or of_others(a, b):
        return None
    dated = dated_apart(a, b)
    if across and dated is None and not one_subject(core_a, core_b):
        return None
    overlap = len(shared) / max(1, min(len(core_a), len(core_b)))
    alike = len(shared) / max(1, len(core_a | core_b))
    found = (_DATE, *dated) if dated else _values(a, b) if overlap >= _OVERLAP and alike >= _ALIKE else None
    if found is None and _weighed(core_a, core_b) >= _SHARED_WEIGHT:
        found = _opposed(a, b, across)
    if found is None:
        return None
    attribute, explanation, values = found
    nature, why = (SCOPE, "") if attribute == SCOPE else _nature(a, b, attribute)
    subject = " ".join(word for word in words(a.text) if stem(word) in shared and word not in STOP)
    return Clash(nature, subject, _NAMES.get(attribute, attribute), explanation + why, values)


def pairs(statements: Sequence[Statement]) -> Iterator[tuple[int, int]]:
    """Pairs worth comparing, i < j: at least three terms in common (or all of a short one), and most of the shorter's.

    Found through an index of each statement's rarest terms: who shares 0.6 of its terms with another shares one of any
    0.4 of them, so only few need to be looked up, and their number hardly grows with that of the statements.
    """
    cores = [_plain(statement) for statement in statements]
    held = Counter(term for core in cores for term in core)
    rare: dict[str, list[int]] = defaultdict(list)  # those that have the term among their rarest
    everywhere: dict[str, list[int]] = defaultdict(list)
    for j, core in enumerate(cores):
        ordered = sorted(core, key=lambda term: (held[term], term))
        first = ordered[: _prefix(ordered)]
        found = {i for term in first for i in everywhere[term]} | {i for term in core for i in rare[term]}
        yield from ((i, j) for i in sorted(found) if _enough(cores[i] & core, cores[i], core))
        for term in core:
            everywhere[term].append(j)
        for term in first:
            rare[term].append(j)


def _prefix(ordered: Sequence[str]) -> int:
    """How many of the first terms cannot all be missing in a statement that shares enough of them."""
    least = len(ordered) - math.ceil(_OVERLAP * len(ordered)) + 1
    spare = (1 - _SHARED_WEIGHT) * sum(map(rarity, ordered))
    for count, term in enumerate(ordered, 1):
        spare -= rarity(term)
        if spare < 0:
            return max(least, count)
    return len(ordered)


def _values(a: Statement, b: Statement) -> tuple[str, str, tuple[float, ...]] | None:
    for kind in sorted(COMPARABLE):
        ours, theirs = _measures(a, kind), _measures(b, kind)
        if len(ours) != 1 or len(theirs) != 1:
            continue  # with several numbers of one kind it is not certain which belongs to which
        mine, other = ours[0], theirs[0]
        if kind == "count" and not (_counted(a.text, mine) == _counted(b.text, other) != ""):
            continue
        if not (_share_of(a.text, mine) <= b.terms and _share_of(b.text, other) <= a.terms):
            continue
        if (_by(a.text, mine) and not b.direction) or (_by(b.text, other) and not a.direction):
            continue  # "fell by 10%" beside "supplied 35%"
        if not mine.agrees(other) and not (_bounded(a.text, mine) or _bounded(b.text, other)):
            return kind, f"{mine.text} against {other.text}", tuple(sorted((mine.value, other.value)))
    return None


def _measures(statement: Statement, kind: str) -> list[Quantity]:
    """The quantities of one kind; a count after an acronym ("BRCA 1") is part of a name."""
    return [
        one
        for one in statement.quantities
        if one.kind == kind and not (kind == "count" and _NUMBERED_NAME.search(statement.text[: one.start]))
    ]


def _counted(text: str, quantity: Quantity) -> str:
    following = words(text[quantity.end : quantity.end + 40])
    return stem(following[0]) if following and following[0] not in STOP else ""


def _share_of(text: str, quantity: Quantity) -> frozenset[str]:
    """What a number is a part of ("12% of evening demand" -> demand): its measure must be the other's too."""
    match = _OF.match(text[quantity.end : quantity.end + 80])
    content = [word for word in words(match.group(1)) if word not in STOP] if match else []
    return frozenset((stem(content[-1]),)) if content else frozenset()


def _by(text: str, quantity: Quantity) -> bool:
    """Whether a number is how much something has changed."""
    return bool(_BY.search(text[: quantity.start]))


def _bounded(text: str, quantity: Quantity) -> bool:
    return bool(_BOUND.search(text[max(0, quantity.start - 14) : quantity.start]))


def _opposed(a: Statement, b: Statement, across: bool) -> tuple[str, str, tuple[float, ...]] | None:
    """Opposite polar words, or a negation that turns a word of both on one side only.

    Of two sentences of any two texts each is laid beside the other: one look must find them opposed, and none agreeing.
    """
    ways = [lean_between(a.words, a.terms, b.words)]
    if across:
        ways.append(lean_between(b.words, b.terms, a.words))
    lean = max(ways, key=lambda one: (one.opposes > one.says_so, round(one.opposes, 6)))
    apart = lean.opposes >= _OPPOSED and lean.opposes > lean.says_so + _CLEARLY
    agrees = any(one.says_so > one.opposes for one in ways)
    faint = lean.against and any(stem(mark.word) in _FAINT for mark in lean.against)
    if lean.against and apart and not (agrees or faint or _other_way_round(a, b)):
        return _worded(*lean.against)
    turned = sorted(((denied(a.words) ^ denied(b.words)) & a.terms & b.terms) - _FAINT - a.names - b.names)
    if turned and not (agrees or _deny_alike(a, b)):
        as_said = {stem(word): word for word in b.words} | {stem(word): word for word in a.words}
        named = ", ".join(as_said.get(one, one) for one in turned)
        return "polarity", f"one affirms what the other denies ({named})", ()
    return None


def _deny_alike(a: Statement, b: Statement) -> bool:
    """Whether both deny mostly the same, wherever it stands: "no prize was awarded", "the prize was not awarded"."""
    ours, theirs = _only_denied(a), _only_denied(b)
    return bool(ours and theirs) and len(ours & theirs) >= _ALIKE * min(len(ours), len(theirs))


def _only_denied(statement: Statement) -> set[str]:
    """What a statement denies and does not affirm in another clause."""
    inside = Counter(term for scope in denials(statement.words) for term in scope)
    inside.update(left_out(statement.words))
    said = Counter(stem(word) for word in statement.words)
    return {term for term, times in inside.items() if said[term] <= times}


def _worded(mine: Mark, theirs: Mark) -> tuple[str, str, tuple[float, ...]]:
    """What two opposed words mean for the statements they stand in."""
    if mine.scope:
        return SCOPE, f"one speaks of {mine.word}, the other of {theirs.word}", ()
    if mine.axis == theirs.axis == "amount" and not (mine.negated or theirs.negated):
        return "direction", f"one says {mine.word}, the other {theirs.word}", ()
    return "polarity", f"one says {_shown(mine)}, the other {_shown(theirs)}", ()


def _other_way_round(a: Statement, b: Statement) -> bool:
    """Whether a comparison is told from its other end: "more A than B", "fewer B than A"."""
    if "than" not in a.words:
        return False
    turn = a.words.index("than")
    before, after = ({stem(word) for word in part} - set(STOP) for part in (a.words[:turn], a.words[turn + 1 :]))
    stems = [stem(word) for word in b.words]
    first = [next((i for i, one in enumerate(stems) if one in side), None) for side in (before - after, after - before)]
    return first[0] is not None and first[1] is not None and first[1] < first[0]


def _enough(shared: frozenset[str], a: frozenset[str], b: frozenset[str]) -> bool:
    """Three terms in common, or all two of a short statement."""
    return len(shared) >= _SHARED_TERMS or (len(shared) == _SHARED_TERMS - 1 and shared in (a, b))


def _plain(statement: Statement) -> frozenset[str]:
    """Terms without the polar words and the months, which may differ."""
    months = {stem(time) for time in statement.times & MONTH.keys()}
    return statement.terms - months - up_words() - down_words() - {stem(mark.word) for mark in marks(statement.words)}


def _weighed(a: frozenset[str], b: frozenset[str]) -> float:
    """Weight of the shared terms, of that of the shorter statement."""
    shared, least = (sum(map(rarity, terms)) for terms in (a & b, min((a, b), key=lambda t: sum(map(rarity, t)))))
    return shared / least if least else 0.0


def _shown(mark: Mark) -> str:
    return f"not {mark.word}" if mark.negated else mark.word


def _other_populations(a: Statement, b: Statement) -> str:
    """Where one speaks of men and the other of women, of the north and of the south: both words."""
    ours, theirs = ([mark for mark in marks(one.words) if mark.scope] for one in (a, b))
    for mine in ours:
        opposite = [one for one in theirs if one.axis == mine.axis and one.sign != mine.sign]
        same = [one for one in theirs if one.axis == mine.axis and one.sign == mine.sign]
        if opposite and not same:
            return f"one speaks of {mine.word}, the other of {opposite[0].word}"
    return ""


def _reserved(statement: Statement) -> tuple[bool, bool]:
    """Whether a sentence is hedged, and whether it is open or conditional; the month of "3 May 1967" is neither."""
    text = statement.text
    for one in statement.quantities:
        if one.kind in ("date", "month"):
            text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return statement.hedged and bool(HEDGE.search(text)), bool(OPEN.search(text))


def _other_times(a: Statement, b: Statement) -> str:
    """Where the two hold for different times: both, in words."""
    if a.times and b.times and not a.times & b.times:
        return f"time differs: {', '.join(sorted(a.times))} and {', '.join(sorted(b.times))}"
    years = [{t for t in statement.times if t.isdigit()} for statement in (a, b)]
    if years[0] and years[1] and not years[0] & years[1]:
        return f"years differ: {', '.join(sorted(years[0]))} and {', '.join(sorted(years[1]))}"
    seasons = [{t for t in s.times if t in ("summer", "winter", "spring", "autumn")} for s in (a, b)]
    return "the seasons differ" if seasons[0] and seasons[1] and seasons[0] != seasons[1] else ""


def _other_places(a: Statement, b: Statement) -> str:
    if a.places and b.places and not a.places & b.places:
        return f"place differs: {', '.join(sorted(a.places))} and {', '.join(sorted(b.places))}"
    return ""


def _nature(a: Statement, b: Statement, attribute: str) -> tuple[str, str]:
    """How much a clash means, and why. Dates that are themselves what differs are no scope."""
    times = "" if attribute == _DATE else _other_times(a, b)
    others = times or _other_places(a, b) or _other_populations(a, b)
    if others:
        return SCOPE, f"; {others}"
    if _reserved(a) != _reserved(b):
        return NUANCED, "; one side is hedged or conditional"
    return DIRECT, ""
