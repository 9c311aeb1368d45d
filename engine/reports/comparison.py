"""Two researches side by side: the claims both make, those only one makes, those that clash, and
the sources shared.

Two claims are the same when one restates or copies the other; they differ where the figures for one
thing do.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from engine.reports.about_reports import Comparison, Pair
from tools.judging.checks import vetoes_of
from tools.judging.figures import figures_differ
from tools.judging.judge import Passage
from tools.judging.restatement import is_copy, restates
from tools.sources.source import Source
from tools.text.tokens import stems
from workflows.research.report.quality import used_sources
from workflows.research.state import Claim, ResearchState

MOST = 200  # claims of one research that are compared, the surest first


def compare(a: ResearchState, b: ResearchState) -> Comparison:
    """What two researches have in common, and where they differ. The same two always compare
    alike."""
    ours, theirs = _surest(a), _surest(b)
    both, clashes = _pairs(ours, theirs)
    pairs = [*both, *((i, j) for i, j, _ in clashes)]
    our_sources, their_sources = _cited_sources(a), _cited_sources(b)
    return Comparison(
        tuple(Pair(ours[i], theirs[j]) for i, j in both),
        tuple(Pair(ours[i], theirs[j], "figures", why) for i, j, why in clashes),
        (_rest(ours, {i for i, _ in pairs}), _rest(theirs, {j for _, j in pairs})),
        tuple(
            (source, their_sources[name])
            for name, source in our_sources.items()
            if name in their_sources
        ),
        (_without(our_sources, their_sources), _without(their_sources, our_sources)),
    )


def _surest(state: ResearchState) -> list[Claim]:
    claims = [claim for claim in state.claims if claim.verified]
    return sorted(claims, key=lambda claim: (-(claim.confidence or 0.0), claim.claim_id))[:MOST]


def _cited_sources(state: ResearchState) -> dict[str, Source]:
    """The sources that a report cites by their ids: files only looked at are in every report over
    one library."""
    sources = {
        source.source_id: source
        for source in state.get_authoritative_sources(top_n=len(state.sources))
    }
    if state.report is None and state.answer is None:
        return sources
    source_ids = used_sources(state)
    return {name: source for name, source in sources.items() if name in source_ids}


def _without(sources: Mapping[str, Source], others: Mapping[str, Source]) -> tuple[Source, ...]:
    return tuple(source for name, source in sources.items() if name not in others)


def _rest(claims: Sequence[Claim], used_places: set[int]) -> tuple[Claim, ...]:
    return tuple(claim for number, claim in enumerate(claims) if number not in used_places)


def _pairs(
    ours: Sequence[Claim], theirs: Sequence[Claim]
) -> tuple[list[tuple[int, int]], list[tuple[int, int, str]]]:
    """Claims that say the same, each in one pair at most; and those whose figures differ, with
    how."""
    agree: list[tuple[int, int]] = []
    differ: list[tuple[int, int, str]] = []
    for i, j in _near(ours, theirs):
        a, b = ours[i].text, theirs[j].text
        if difference := figures_differ(a, b):
            differ.append((i, j, difference.explanation))
        elif restates(a, b) or (is_copy(a, b) and not vetoes_of(a, Passage(b))):
            agree.append((i, j))
    partners: dict[int, int] = {}
    for i, j in sorted(agree):
        if i not in partners and j not in partners.values():
            partners[i] = j
    return list(partners.items()), sorted(differ)


def _near(ours: Sequence[Claim], theirs: Sequence[Claim]) -> list[tuple[int, int]]:
    """Pairs with at least two terms in common, through an index."""
    index: dict[str, list[int]] = defaultdict(list)
    for j, claim in enumerate(theirs):
        for term in set(stems(claim.text)):
            index[term].append(j)
    near = []
    for i, claim in enumerate(ours):
        terms = set(stems(claim.text))
        common = Counter(j for term in terms for j in index.get(term, ()))
        near += [(i, j) for j in sorted(common) if common[j] >= min(2, len(terms))]
    return near
