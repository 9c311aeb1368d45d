"""Discovery: whom or what does a name mean? One search with the anchors, grouped into distinct entities.

Only for people and organisations. The entities are told apart by what stands in brackets after the name ("Mercury
(planet)") and by the identifiers that follow it (a role, a field, an institution).
"""

import re
from collections import defaultdict
from dataclasses import replace

from tools.research.source import Source
from tools.text.tokens import words
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Candidate, Clarification
from workflows.research.state import ResearchState

_HITS = 10
SELECT, SELECT_CLEAR, NOTE = 0.85, 0.8, 0.7
_BRACKETS = re.compile(r"\(([^()]{3,60})\)\s*$")
_ROLE = re.compile(
    r"\b(?:is|was)\s+(?:an?|the)\s+((?:[\w'’-]+\s){0,5}?(?:scientist|engineer|politician|footballer|actor|actress|author"
    r"|writer|economist|physicist|chemist|biologist|lawyer|judge|musician|singer|artist|architect|executive|company"
    r"|organisation|organization|agency|university|player|journalist|historian|philosopher|mathematician|officer"
    r"|founder|minister|president|professor|researcher|businessman|businesswoman|entrepreneur))\b",
    re.I,
)


def discover(state: ResearchState, deps: Deps) -> ResearchState:
    """The understanding with its candidates; possibly with a question to the user (clarification without answer)."""
    read = state.understanding
    if read.query_type not in ("person", "organisation"):
        return state
    if read.clarification and read.clarification.answer:
        return _answered(state)
    hits = [hit for client in _general(deps) for hit in deps.search(client, read.primary_anchor, _HITS).sources]
    candidates = group(read.primary_anchor, hits)
    return _route(replace(state, understanding=replace(read, candidates=candidates)), deps)


def _general(deps: Deps) -> list[str]:
    """One encyclopedia or web client, or the documents when there is no other."""
    names = [client.name for client in deps.clients if client.kind == "web"]
    preferred = [name for name in names if name == "wikipedia"] or names[:1]
    return preferred or [client.name for client in deps.clients if client.kind == "local"]


def group(name: str, hits: list[Source]) -> tuple[Candidate, ...]:
    """Distinct entities among hits that carry the name, best first; confidence = share of the hits, at most 0.95."""
    wanted = set(words(name))
    found: dict[str, list[Source]] = defaultdict(list)
    for hit in hits:
        if wanted <= set(words(f"{hit.title} {hit.snippet}")):
            found[_identifier(hit)].append(hit)
    named = {key: group for key, group in found.items() if key}
    total = sum(len(group) for group in named.values())
    candidates = [Candidate(name, key, (key,), round(min(0.95, len(group) / total), 6)) for key, group in named.items()]
    return tuple(sorted(candidates, key=lambda c: (-c.confidence, c.description)))[:6]


def _identifier(hit: Source) -> str:
    """What tells this entity from others of its name: the bracket in its title, or the role in its first sentence."""
    if match := _BRACKETS.search(hit.title):
        return match.group(1).lower()
    if match := _ROLE.search(hit.snippet or hit.abstract):
        return " ".join(match.group(1).lower().split()[-2:])
    return ""


def _route(state: ResearchState, deps: Deps) -> ResearchState:
    read = state.understanding
    best = read.candidates[0] if read.candidates else None
    if best is None:
        return state
    clear = len(read.candidates) == 1
    if best.confidence >= SELECT or (best.confidence >= SELECT_CLEAR and clear):
        return _take(state, best)
    if best.confidence >= NOTE or not state.config.clarify:
        others = ", ".join(candidate.description for candidate in read.candidates[1:4])
        note = f"Taken as {best.name} ({best.description})" + (f"; other meanings: {others}." if others else ".")
        deps.emit(Event("note", "understand", note, {"candidates": [c.description for c in read.candidates]}))
        return _take(state, best)
    question = f"Several are called {best.name}. Which one is meant?"
    choices = tuple(f"{candidate.name} ({candidate.description})" for candidate in read.candidates)
    return replace(state, understanding=replace(read, clarification=Clarification(question, choices)))


def _take(state: ResearchState, candidate: Candidate) -> ResearchState:
    read = state.understanding
    terms = tuple(dict.fromkeys((*read.anchor_terms, *words(candidate.description))))
    entity = f"{candidate.name} ({candidate.description})"
    return replace(
        state, understanding=replace(read, entity=entity, anchor_terms=terms, confidence=candidate.confidence)
    )


def _answered(state: ResearchState) -> ResearchState:
    """A number, part of a choice, or free text ("the one at MIT")."""
    read = state.understanding
    assert read.clarification is not None and read.clarification.answer is not None
    answer = read.clarification.answer.strip()
    chosen = choose(answer, read.candidates)
    if chosen:
        return _take(state, chosen)
    terms = tuple(dict.fromkeys((*read.anchor_terms, *words(answer))))
    return replace(state, understanding=replace(read, anchor_terms=terms, entity=f"{read.primary_anchor} ({answer})"))


def choose(answer: str, candidates: tuple[Candidate, ...]) -> Candidate | None:
    """The candidate that an answer means, or None when it names none of them."""
    if answer.isdigit() and 1 <= int(answer) <= len(candidates):
        return candidates[int(answer) - 1]
    if answer.lower() in ("yes", "y", "ok") and candidates:
        return candidates[0]
    told = set(words(answer)) - {"the", "one", "at", "of", "who", "is", "no"}
    scored = [(len(told & set(words(f"{c.description} {' '.join(c.identifiers)}"))), c) for c in candidates]
    best = max(scored, key=lambda pair: pair[0], default=(0, None))
    return best[1] if best[0] else None
