"""Discovery: whom does a name mean? One search with the anchors, grouped into distinct entities,
then a decision.

Sure enough: taken. Nearly: taken with a visible note. Several alike: the user is asked. One that is
not sure: searched once more where such people and organisations have pages, then asked. None: the
anchors as typed.
"""

import re
from dataclasses import replace

from tools.sources.source import Source, SourceKind
from tools.text.name_hints import is_name
from tools.text.tokens import STOP, stem, words
from workflows.research.deps import Deps
from workflows.research.model import Candidate, Clarification, Understanding
from workflows.research.state import ResearchState
from workflows.research.understand.entities import all_stems, group, identifiers_of

_HITS = 10
SELECT, SELECT_CLEAR, NOTE = 0.85, 0.8, 0.7
# Where people and organisations have pages
_REFINED = (
    "official website",
    "profile biography",
    "github",
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_HOLDER = re.compile(
    r"(?:(?:current|first|former|present|new)\s)*(?:ceo|chief executive|president"
    r"|prime minister|founders?|authors?"
    r"|director|head|inventors?|chair\w*|minister|mayor|king|queen|leaders?|owners?|governor|secretary)\b.*\b(?:of|behind)\b",
    re.I,
)
_NO_CHOICE = re.compile(r"^There is no choice \d+\. ")
_YES = frozenset("yes y yeah yep ok okay sure right correct ja oui si".split())
_NO = frozenset("no n nope none neither nobody other nein non".split())
_EMPTY = STOP | frozenset(
    "the one at of who is from in person guy man woman option number choice please".split()
)


def discover(state: ResearchState, deps: Deps) -> ResearchState:
    """The understanding with its candidates; possibly with a question to the user (clarification
    without answer)."""
    understanding = state.understanding
    if understanding.query_type not in ("person", "organisation") or not _is_named(understanding):
        return state
    if understanding.clarification and understanding.clarification.answer:
        return _answered(state)
    hits = _search(understanding.primary_anchor, deps)
    candidates = _candidates(understanding, hits)
    if len(candidates) == 1 and candidates[0].confidence < NOTE:
        deps.note("understand", f"Finding out whom {understanding.primary_anchor} means.")
        more = [
            hit
            for words_ in _REFINED
            for hit in _search(f'"{understanding.primary_anchor}" {words_}', deps)
        ]
        candidates = _candidates(
            understanding, list({hit.source_id: hit for hit in (*hits, *more)}.values())
        )
    return _route(replace(state, understanding=replace(understanding, candidates=candidates)), deps)


def _is_named(understanding: Understanding) -> bool:
    """Whether the anchor is a name at all: "the author of X" is found by the research itself."""
    anchor = understanding.primary_anchor
    if _HOLDER.match(anchor):
        return False
    return is_name(anchor) or (" " not in anchor and anchor[:1].isupper())


def _search(query: str, deps: Deps) -> list[Source]:
    return [hit for client in _general(deps) for hit in deps.search(client, query, _HITS).sources]


def _general(deps: Deps) -> list[str]:
    """One encyclopedia or web client, or the documents when nobody else is asked.

    What a name means goes into the queries, so documents are looked into for it only where these
    stay here, or may go.
    """
    names = [client.name for client in deps.clients if client.kind == SourceKind.WEB]
    if names:
        return ["wikipedia"] if "wikipedia" in names else names[:1]
    local = [client.name for client in deps.clients if client.kind == SourceKind.LOCAL]
    return local if deps.settings.local_terms_in_queries or len(local) == len(deps.clients) else []


def _candidates(understanding: Understanding, hits: list[Source]) -> tuple[Candidate, ...]:
    name = set(words(understanding.primary_anchor))
    beside = [term for term in understanding.anchor_terms if term not in name and term not in STOP]
    return group(
        understanding.primary_anchor, hits, beside, works=understanding.query_type != "person"
    )


def _route(state: ResearchState, deps: Deps) -> ResearchState:
    understanding = state.understanding
    best = understanding.candidates[0] if understanding.candidates else None
    if best is None:
        return state
    clear = len(understanding.candidates) == 1
    if best.confidence >= SELECT or (best.confidence >= SELECT_CLEAR and clear):
        return _take(state, best)
    if best.confidence >= NOTE or not state.config.clarify:
        noted = taken_note(replace(understanding, entity=_entity(best)))
        descriptions = [candidate.description for candidate in understanding.candidates]
        deps.note("understand", noted, candidates=descriptions)
        return _take(state, best)
    if clear:
        question = f"Do you mean {_entity(best)}? Yes, no, or describe whom you mean."
    else:
        question = f"Several are called {best.name}. Which one do you mean?"
    choices = tuple(_entity(candidate) for candidate in understanding.candidates)
    return replace(
        state, understanding=replace(understanding, clarification=Clarification(question, choices))
    )


def _entity(candidate: Candidate) -> str:
    return (
        f"{candidate.name} ({candidate.description})" if candidate.description else candidate.name
    )


def taken_note(understanding: Understanding) -> str:
    """What a report says about whom it took a name to mean; "" where nothing was settled."""
    if not understanding.entity:
        return ""
    candidates = understanding.candidates
    others = [
        c.description for c in candidates if _entity(c) != understanding.entity and c.description
    ]
    is_answered = (
        understanding.clarification is not None and understanding.clarification.answer is not None
    )
    if is_answered or not others or (candidates and candidates[0].confidence >= SELECT):
        return f"Taken as: {understanding.entity}."
    names = "; ".join(others[:4])
    return (
        f"Taken as: {understanding.entity}, the likeliest meaning, without asking; others of "
        f"this name: {names}."
    )


def _take(state: ResearchState, candidate: Candidate) -> ResearchState:
    understanding = state.understanding
    terms = tuple(dict.fromkeys((*understanding.anchor_terms, *words(candidate.description))))
    return replace(
        state,
        understanding=replace(
            understanding,
            entity=_entity(candidate),
            anchor_terms=terms,
            confidence=candidate.confidence,
        ),
    )


def _answered(state: ResearchState) -> ResearchState:
    """A number, yes or no, part of a choice, or free text ("the one at MIT")."""
    understanding = state.understanding
    assert (
        understanding.clarification is not None and understanding.clarification.answer is not None
    )
    answer = understanding.clarification.answer.strip()
    candidate = choose(answer, understanding.candidates)
    if candidate:
        return _take(state, candidate)
    number = _number(answer)
    if number is not None:  # of a list that is shorter
        again = (
            f"There is no choice {number}. "
            f"{_NO_CHOICE.sub('', understanding.clarification.question)}"
        )
        return replace(
            state,
            understanding=replace(
                understanding,
                clarification=replace(understanding.clarification, question=again, answer=None),
            ),
        )
    reply_words = [word for word in words(answer) if word not in _NO | _YES | _EMPTY]
    if not reply_words:  # none of those: the anchors as typed
        return replace(state, understanding=replace(understanding, entity=None))
    terms = tuple(dict.fromkeys((*understanding.anchor_terms, *reply_words)))
    entity = f"{understanding.primary_anchor} ({answer})"
    return replace(state, understanding=replace(understanding, anchor_terms=terms, entity=entity))


def choose(answer: str, candidates: tuple[Candidate, ...]) -> Candidate | None:
    """The candidate that an answer means, or None when it names none of them."""
    number = _number(answer)
    if number is not None:
        return candidates[number - 1] if 1 <= number <= len(candidates) else None
    tokens = words(answer)
    first = tokens[0] if tokens else ""
    description = tokens[1:] if first in _YES | _NO else tokens
    telling = [word for word in description if word not in _EMPTY]
    if first in _YES and not telling:
        return next(iter(candidates), None)
    return _matching(telling, candidates)


def _number(answer: str) -> int | None:
    """ "2", "#2", "no. 2", "the second one"."""
    if match := re.fullmatch(r"\W*(?:(?:no|nr|number|option)\W*)?(\d{1,2})\W*", answer, re.I):
        return int(match.group(1))
    numbers = [i for i, word in enumerate(_ORDINALS, 1) if word in words(answer)]
    return numbers[0] if len(numbers) == 1 and len(words(answer)) <= 3 else None


def _matching(reply_words: list[str], candidates: tuple[Candidate, ...]) -> Candidate | None:
    """The one candidate whose description and identifiers share most words with what was told; None
    on a tie."""
    terms = {stem(word) for word in reply_words}
    scored = sorted(
        (
            (len(terms & {stem(w) for w in words(f"{c.description} {' '.join(c.identifiers)}")}), c)
            for c in candidates
        ),
        key=lambda pair: -pair[0],
    )
    if not scored or not scored[0][0] or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    return scored[0][1]


def exclude_others(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with sources about another person of the same name set aside: listed with the
    reason, never read."""
    sources = []
    for source in state.sources:
        why = None if source.rejected else another(source, state.understanding)
        if why:
            message = f"Set aside: {source.title or source.url}. {why}"
            deps.note("aggregate", message, source_id=source.source_id, url=source.url, reason=why)
        sources.append(replace(source, rejected=why) if why else source)
    return replace(state, sources=tuple(sources))


def another(source: Source, understanding: Understanding) -> str | None:
    """Why a source is about another person of the same name than the one chosen; None when it is
    not, or may be."""
    if (
        understanding.query_type != "person"
        or not understanding.entity
        or len(understanding.candidates) < 2
    ):
        return None
    entity = next((c for c in understanding.candidates if _entity(c) == understanding.entity), None)
    name = all_stems(understanding.primary_anchor)
    mine = (_stems(entity) if entity else all_stems(understanding.entity)) - name
    identifiers = identifiers_of(source, understanding.primary_anchor)
    least = len(identifiers & mine)
    if source.is_local:  # a document of the user's must say so in its title
        titled = all_stems(source.title) if entity else frozenset()
        identifiers, least = identifiers & titled, len(mine & titled)
    for other in understanding.candidates:
        if len(identifiers & (_stems(other) - name)) > least:
            return (
                f"About another {understanding.primary_anchor} ({other.description}), not "
                f"{understanding.entity}."
            )
    return None


def _stems(candidate: Candidate) -> frozenset[str]:
    tokens = words(f"{candidate.description} {' '.join(candidate.identifiers)}")
    return frozenset(stem(word) for word in tokens if word not in STOP)
