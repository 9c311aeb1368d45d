"""Pictures of a research at a glance, each with a table beside it: agreement, credibility by kind, timeline."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from engine.figures import hundredths
from engine.models import Claim, ResearchState, Source
from ui.web.citing import Cite, Citing, score_of
from ui.web.report_view import where_used
from ui.web.wording import KINDS, many

BAND, STEP = 58, 7
PERIOD, PHONE, LABEL = 44, 335, 40  # px: widest bar, width of the text on a phone, room for a year
FIRST = 12
BANDS = ((0.85, "0.85 and more"), (0.7, "0.70 to 0.84"), (0.5, "0.50 to 0.69"), (0.0, "below 0.50"))
PARTS = ("used", "not used", "set aside")
MARKS = ("on", "off", "out")  # how those are drawn: filled, open, a cross


@dataclass(frozen=True, slots=True)
class Agreement:
    """A claim with the voices behind it and against it."""

    text: str
    cites: tuple[Cite, ...]
    in_favour: int
    against: int


@dataclass(frozen=True, slots=True)
class Dot:
    """A source; x in per cent of the width. mark: on (used), off (found, not used), out (set aside)."""

    x: float
    y: float
    mark: str
    title: str
    href: str


@dataclass(frozen=True, slots=True)
class Band:
    """The sources of one kind, over a line from 0 to 1."""

    name: str
    y: float
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """counts: one row per kind, (name, how many in each of BANDS, how many set aside)."""

    height: int
    title: str
    bands: tuple[Band, ...]
    ticks: tuple[tuple[float, str], ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """Sources of one period; x and width in per cent. used and other: numbers for the table; heights: of both parts."""

    x: float
    width: float
    label: str
    name: str
    used: int
    other: int
    heights: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Timeline:
    """width: in px where there is room for it."""

    height: int
    title: str
    bars: tuple[Bar, ...]
    undated: int
    width: int


def agreement(state: ResearchState, citing: Citing) -> list[Agreement]:
    """Verified claims, those with most voices first. Voices against: those of the claims that contradict it."""
    against: Counter[str] = Counter()
    claims = {claim.claim_id: claim for claim in state.claims}
    for clash in state.contradictions:
        if clash.nature == "scope":
            continue  # both may be true
        for one, other in ((clash.claim_a, clash.claim_b), (clash.claim_b, clash.claim_a)):
            if other in claims:
                against[one] = max(against[one], claims[other].independent_sources)
    verified = [claim for claim in state.claims if claim.verified]
    ranked = sorted(verified, key=lambda c: (-c.independent_sources, -against[c.claim_id], -c.confidence, c.claim_id))
    return [
        Agreement(claim.text, _cites(claim, citing), claim.independent_sources, against[claim.claim_id])
        for claim in ranked
    ]


def _cites(claim: Claim, citing: Citing) -> tuple[Cite, ...]:
    first: dict[str, str] = {}
    for name in claim.evidence_ids:
        if name in citing.evidence:
            first.setdefault(citing.evidence[name].source_id, name)
    return tuple(citing.cite(source, name) for source, name in first.items() if source in citing.sources)


def spread(state: ResearchState, citing: Citing) -> Spread:
    """Every source as a dot: its kind gives the row, its credibility the place."""
    used = where_used(state)
    rows = [(kind, [s for s in state.sources if s.source_type == kind]) for kind in KINDS]
    rows = [(kind, sources) for kind, sources in rows if sources]
    bands, counts = [], []
    for number, (kind, sources) in enumerate(rows):
        y = BAND * (number + 1) - 14.0
        bands.append(Band(KINDS[kind], y, _dots(sources, y, used, citing)))
        counts.append((KINDS[kind], _counted(sources)))
    title = f"{many(len(state.sources), 'source')} by kind and credibility"
    ticks = tuple((_across(value / 4), hundredths(value / 4)) for value in range(5))
    columns = (*(name for _, name in BANDS), "set aside")
    return Spread(BAND * len(rows) + 26, title, tuple(bands), ticks, columns, tuple(counts))


def _across(score: float) -> float:
    return round(100 * min(1.0, max(0.0, score)), 1)


def _dots(sources: Sequence[Source], y: float, used: dict[str, list[str]], citing: Citing) -> tuple[Dot, ...]:
    """Dots of nearly the same score are stacked."""
    stacks: Counter[int] = Counter()
    most = max(Counter(_slot(source) for source in sources).values(), default=1)
    step = min(float(STEP), (BAND - 22) / most)
    dots = []
    for source in sorted(sources, key=lambda s: (score_of(s) or 0.0, s.source_id)):
        slot = _slot(source)
        mark = MARKS[2] if source.rejected else MARKS[0] if source.source_id in used else MARKS[1]
        words = (
            source.tag or "",
            source.title[:80],
            f"credibility {hundredths(score_of(source) or 0)}",
            source.rejected or "",
        )
        title, href = ", ".join(word for word in words if word), f"{citing.home}#src-{source.source_id}"
        dots.append(Dot(_across(slot / 50), round(y - 5 - stacks[slot] * step, 1), mark, title, href))
        stacks[slot] += 1
    return tuple(dots)


def _slot(source: Source) -> int:
    return round((score_of(source) or 0.0) * 50)


def _counted(sources: Sequence[Source]) -> tuple[int, ...]:
    kept = [score_of(source) or 0.0 for source in sources if not source.rejected]
    found = [next(i for i, (low, _) in enumerate(BANDS) if score >= low) for score in (round(s, 6) for s in kept)]
    return (*(found.count(i) for i in range(len(BANDS))), sum(bool(source.rejected) for source in sources))


def timeline(state: ResearchState) -> Timeline | None:
    """Sources that were not set aside by year of publication; None when all are of one year."""
    used = where_used(state)
    kept = [source for source in state.sources if not source.rejected]
    years = [(int((source.published or "")[:4]), source.source_id in used) for source in kept if _dated(source)]
    if len({year for year, _ in years}) < 2:
        return None
    groups = _groups(sorted(year for year, _ in years))
    counted = Counter((next(i for i, (low, high) in enumerate(groups) if low <= year <= high), u) for year, u in years)
    tallest = max(counted[i, True] + counted[i, False] for i in range(len(groups)))
    step, width = 100 / len(groups), PERIOD * len(groups)
    every = ceil(LABEL * len(groups) / min(PHONE, width))
    bars = []
    for i, (low, high) in enumerate(groups):
        mine = counted[i, True], counted[i, False]
        name = str(low) if low == high else f"{low} to {high}"
        shown = i % every == 0
        heights = (round(84 * mine[0] / tallest, 1), round(84 * mine[1] / tallest, 1))
        bars.append(
            Bar(round(i * step, 2), round(step * 0.9, 2), str(low) if shown else "", name, mine[0], mine[1], heights)
        )
    title = f"{many(len(years), 'source')} by year of publication, {groups[0][0]} to {groups[-1][1]}"
    return Timeline(124, title, tuple(bars), len(kept) - len(years), width)


def _dated(source: Source) -> bool:
    text = (source.published or "")[:4]
    return text.isascii() and text.isdigit() and int(text) > 0


def _groups(years: Sequence[int]) -> list[tuple[int, int]]:
    """Periods of equal length over all years, at most forty."""
    first, last = years[0], years[-1]
    length = -(-(last - first + 1) // 40)
    return [(year, min(year + length - 1, last)) for year in range(first, last + 1, length)]
