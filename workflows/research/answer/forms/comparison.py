"""How two things differ: a passage that speaks of both, then the best of each."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from tools.text.language import question_languages
from tools.text.tokens import stem, words
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import FEW, Draft
from workflows.research.answer.named_texts import title_stems
from workflows.research.answer.ranking import Ranked, rank_chunks
from workflows.research.answer.selection import Selected, select_shown
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part
from workflows.research.understand.topic import topic_of

_BOTH = 1  # passages on both things
# What stands before the things and between them. The last thing ends where the sentence goes on
# about them
_THINGS_WRITTEN = (
    (
        r"\b(?:between|entre|zwischen|tra|tussen)\s+(?P<things>.+)",
        r"\s*,\s*(?:and\s+)?|\s+(?:and|und|et|y|e|en)\s+",
    ),
    (
        r"\bcompare\s+(?:and contrast\s+)?(?:(?:the\s+)?\w+\s+of\s+)?(?P<things>.+)",
        r"\s*,\s*(?:and\s+)?|\s+(?:and|with|to|against)\s+",
    ),
    (
        r"^how (?:do|does|is|are|did)\s+(?P<things>.+\s(?:differ|compare)s?.+)",
        r"\s+(?:differ(?:ent)? from|compare (?:to|with))\s+",
    ),
    (r"\b(?:distinguishes|differentiates|sets)\s+(?P<things>.+)", r"\s+(?:apart from|from)\s+"),
    (r"(?P<things>.+\b(?:vs|versus|compared)\b.+)", r"\s+(?:vs\.?|versus|compared (?:to|with))\s+"),
    (r"(?:^|,\s*|:\s*)(?P<things>[^,:]+\sor\s[^,]+)", r"\s+or\s+"),
    (
        r"^(?:is|are|was|were)\s+(?P<things>.+\sthan\s.+)",
        r"\s+\w+\s+than\s+|\s+more\s+\w+\s+than\s+",
    ),
)
_THINGS = tuple(
    (re.compile(before, re.I), re.compile(between, re.I)) for before, between in _THINGS_WRITTEN
)
# How languages ask what a thing is
_WHAT_IS = {
    "de": "Was ist {}?",
    "es": "¿Qué es {}?",
    "fr": "Qu'est-ce que {} ?",
    "it": "Che cos'è {}?",
    "nl": "Wat is {}?",
    "pt": "O que é {}?",
}
_GOES_ON = re.compile(r"\s(?:for|in|on|when|as|with regard to|regarding)\s.*$", re.I)
_ASKS_ON = re.compile(r",\s*(?:and\s+)?(?:what|why|how|which|when|where|who)\b.*$", re.I)
_MOST_THINGS = 4
_LONGEST = 600  # characters; who asks at greater length compares no two things in one sentence


def comparison(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """A passage on both things, then one on each; without two things that can be told apart, the
    best passages."""
    selected = select_shown(part, ranked, collection)
    chosen = selected[:_BOTH]
    for subpart, texts in _parts(part, collection):
        best = select_shown(subpart, rank_chunks(subpart, collection, texts), collection, FEW)
        chosen += [passage for passage in best if not _overlaps(passage, chosen)][:1]
    # Those that a reading model finds likelier not to answer come last, as the one on both may be
    chosen.sort(key=lambda passage: passage.is_doubtful)
    further = [passage for passage in selected if not _overlaps(passage, chosen)]
    room = max(0, FEW - len(chosen))
    return Draft(passages=(*chosen, *further[:room]), further=tuple(further[room:]))


def compared_things(question: str) -> tuple[str, ...]:
    """The things that a question compares, as it writes them; none where they cannot be told
    apart."""
    text = " ".join(question.split()).strip(" ?.!")[:_LONGEST]
    for before, between in _THINGS:
        if match := before.search(text):
            things = between.split(_ASKS_ON.sub("", match["things"]))
            things[-1] = _GOES_ON.sub("", things[-1])
            things = [re.sub(r"^(?:a|an|the)\s+", "", thing) for thing in things]
            if 1 < len(things) <= _MOST_THINGS and all(topic_of(thing).terms for thing in things):
                return tuple(things)
    return ()


def _parts(part: Part, collection: TextCollection) -> list[tuple[Part, frozenset[str] | None]]:
    """What is asked of each thing, and of which texts (None: of all).

    Where titles name a thing, what the question asks besides is asked of these texts; else what
    the thing is. The terms are those of the question without those of the others: "a standard and
    a compressed schedule" are a standard schedule and a compressed schedule, "a work group and a
    board meeting" share nothing.
    """
    things = [topic_of(thing).terms for thing in compared_things(part.question)]
    is_short = any(len(terms) == 1 for terms in things)
    distinct = [set(terms[:1] if is_short else terms) for terms in things]
    every = set().union(*distinct)
    asks_more = not every.union(*things).issuperset(part.topic.terms)
    what_is = _WHAT_IS.get("".join(question_languages(part.question)), "What is {}?")
    parts: list[tuple[Part, frozenset[str] | None]] = []
    for of_thing, terms in zip(distinct, things, strict=True):
        others = every - of_thing
        query = " ".join(term for term in part.topic.terms if term not in others)
        subpart = replace(part, topic=topic_of(query), query=query)
        texts = _titled(terms, collection) if asks_more else None
        if texts:
            question = _without(others, part.question)
            parts.append((replace(subpart, question=question), texts))
        else:
            question = what_is.format(query)
            parts.append((replace(subpart, question=question, intent=Intent.DEFINITION), None))
    return parts


def _without(terms: Collection[str], question: str) -> str:
    return " ".join(word for word in question.split() if not set(words(word)) & set(terms))


def _titled(terms: Sequence[str], collection: TextCollection) -> frozenset[str]:
    """The texts whose titles have all of some terms."""
    stems = frozenset(map(stem, terms))
    return frozenset(info.snapshot_id for info in collection.texts() if title_stems(info) >= stems)


def _overlaps(selected: Selected, chosen: Sequence[Selected]) -> bool:
    return any(
        passage.snapshot_id == selected.snapshot_id and passage.window.start < selected.window.end
        and selected.window.start < passage.window.end
        for passage in chosen
    )  # fmt: skip
