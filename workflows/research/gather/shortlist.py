"""Shortlist: which of the works found are worth fetching? Every candidate keeps its reasons.

Score = 0.45 likeness of meaning + 0.35 lexical match + 0.20 source prior (where there are only the
user's documents, which are here whole already, 0.65 and 0.35 without the first), then diversified:
each further work of one domain or type counts a little less. Static word vectors tell the likeness:
see benchmarks/README.md, "Which works are kept".
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tools.reading.word_vectors import Likeness
from tools.sources.domains import host_of
from tools.sources.source import OF_QUESTION, Source
from tools.text.tokens import stems
from workflows.research.deps import Deps
from workflows.research.state import ResearchState
from workflows.research.understand.topic import topic_of

# What is known before anything is read: kind of source, and how much the index already holds of it
_PRIOR = {"local": 0.7, "academic": 0.65, "newsroom": 0.5, "web": 0.45}
_SAME_DOMAIN, _SAME_TYPE = 0.12, 0.01
_READ = 20_000  # characters of a document that are looked at


def shortlist(
    state: ResearchState, candidates: Sequence[Source], deps: Deps, limit: int
) -> tuple[Source, ...]:
    """The best `limit` of the candidates, best first, each with the reasons of its rank. Named
    addresses come first."""
    rest = rank(state.original_query, candidates, deps)
    named_urls = set(state.config.filters.urls)
    selection: list[tuple[float, Source]] = []
    domains: Counter[str] = Counter()
    types: Counter[str] = Counter()
    while rest and len(selection) < limit:
        best = max(
            rest,
            key=lambda item: (
                item[1].url in named_urls,
                _adjusted(item, domains, types),
                item[1].source_id,
            ),
        )
        rest.remove(best)
        selection.append(best)
        domains[_host(best[1].url)] += 1
        types[best[1].source_type] += 1
    return tuple(source for _, source in selection)


def rank(query: str, candidates: Sequence[Source], deps: Deps) -> list[tuple[float, Source]]:
    """(score, source with its relevance) of each source, in the order given."""
    texts = [f"{source.title}. {source.abstract or source.snippet}"[:1000] for source in candidates]
    lexical = _lexical(
        query, [_whole(source, text, deps) for source, text in zip(candidates, texts, strict=True)]
    )
    likeness = None if all(source.is_local for source in candidates) else Likeness(query)
    scored = []
    for i, source in enumerate(candidates):
        prior = _prior(source)
        relevance = {"words": round(lexical[i], 2), "kind": round(prior, 2)}
        if likeness is None:
            score = 0.65 * lexical[i] + 0.35 * prior
        else:
            meaning = max(0.0, likeness.of(texts[i]))
            score = 0.45 * meaning + 0.35 * lexical[i] + 0.2 * prior
            relevance = {"meaning": round(meaning, 2), **relevance}
        scored.append((round(score, 6), replace(source, relevance=relevance)))
    return scored


def _whole(source: Source, text: str, deps: Deps) -> str:
    """A document is already here: its whole text tells better than an extract whether it is on the
    question."""
    return (
        f"{source.title}. {deps.text(source.snapshot_id)[:_READ]}" if source.snapshot_id else text
    )


def off_topic(state: ResearchState, source: Source, deps: Deps) -> bool:
    """Whether a source has nothing to do with the question; of a comparison, with either of what is
    compared."""
    return all(
        _beside(subject, source, deps)
        for subject in state.understanding.subjects or (state.original_query,)
    )


def _beside(query: str, source: Source, deps: Deps) -> bool:
    """Whether a source holds too few of the question's words: one of them for a hit of a search
    engine, three or half of them for a document, since documents are searched by any word."""
    terms = frozenset(topic_of(query).stems)
    if not terms or OF_QUESTION in source.providers:
        return False
    text = f"{source.title}. {source.abstract or source.snippet}"
    matches = len(terms & set(stems(_whole(source, text, deps))))
    return matches < (min(3, -(-len(terms) // 2)) if source.is_local else 1)


def _adjusted(item: tuple[float, Source], domains: Counter[str], types: Counter[str]) -> float:
    score, source = item
    repeated = domains[_host(source.url)] if not source.is_local else 0
    return round(
        score - _SAME_DOMAIN * min(3, repeated) - _SAME_TYPE * types[source.source_type], 6
    )


def _lexical(query: str, texts: Sequence[str]) -> list[float]:
    """Share of the question's stems found, weighted by their rarity among the candidates."""
    terms = set(topic_of(query).stems) or set(stems(query))
    bags = [set(stems(text)) for text in texts]
    weight = {
        term: math.log(1 + len(bags) / (1 + sum(term in bag for bag in bags))) for term in terms
    }
    total = sum(weight.values()) or 1.0
    return [round(sum(weight[term] for term in terms & bag) / total, 6) for bag in bags]


def _prior(source: Source) -> float:
    prior = _PRIOR.get(source.source_type, 0.4)
    if source.cited_by_count:
        prior += min(0.2, 0.05 * math.log10(1 + source.cited_by_count))
    if source.abstract or source.snapshot_id:
        prior += 0.1
    if any(mark.retracts for mark in source.marks):
        prior -= 0.5
    return max(0.0, min(1.0, round(prior, 6)))


def _host(url: str) -> str:
    return host_of(url).removeprefix("www.")
