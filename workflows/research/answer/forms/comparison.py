"""How two things differ: passages that speak of both, then the best of each."""

import re
from collections.abc import Sequence
from dataclasses import replace

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms.passages import FEW
from workflows.research.answer.selection import SHOWN, Ranked, Selected, rank_chunks, select
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
        r"\bcompare\s+(?:and contrast\s+)?(?P<things>.+)",
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
_GOES_ON = re.compile(r"\s(?:for|in|on|when|as|with regard to|regarding)\s.*$", re.I)
_MOST_THINGS = 4
_LONGEST = 600  # characters; who asks at greater length compares no two things in one sentence


def comparison(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Passages on both things, then one on each; without two things that can be told apart, the
    best passages."""
    selected = select(part, ranked, collection, SHOWN)
    chosen = selected[:_BOTH]
    for thing in _queries(part):
        subpart = replace(
            part,
            question=f"What is {thing}?",
            intent=Intent.DEFINITION,
            topic=topic_of(thing),
            query=thing,
        )
        best = select(subpart, rank_chunks(subpart, collection), collection, FEW)
        chosen += [passage for passage in best if not _overlaps(passage, chosen)][:1]
    further = [passage for passage in selected if not _overlaps(passage, chosen)]
    room = max(0, FEW - len(chosen))
    return Draft(passages=(*chosen, *further[:room]), further=tuple(further[room:]))


def compared_things(question: str) -> tuple[str, ...]:
    """The things that a question compares, as it writes them; none where they cannot be told
    apart."""
    text = " ".join(question.split()).strip(" ?.!")[:_LONGEST]
    for before, between in _THINGS:
        if match := before.search(text):
            things = between.split(match["things"])
            things[-1] = _GOES_ON.sub("", things[-1])
            things = [re.sub(r"^(?:a|an|the)\s+", "", thing) for thing in things]
            if 1 < len(things) <= _MOST_THINGS and all(topic_of(thing).terms for thing in things):
                return tuple(things)
    return ()


def _queries(part: Part) -> list[str]:
    """For each thing the terms of the question without those of the others: "a standard and a
    compressed schedule" are a standard schedule and a compressed schedule, "a work group and a
    board meeting" share nothing."""
    things = [topic_of(thing).terms for thing in compared_things(part.question)]
    is_short = any(len(terms) == 1 for terms in things)
    distinct = [set(terms[:1] if is_short else terms) for terms in things]
    shared = set(part.topic.terms).difference(*distinct) if distinct else set()
    return [" ".join(t for t in part.topic.terms if t in terms | shared) for terms in distinct]


def _overlaps(selected: Selected, chosen: Sequence[Selected]) -> bool:
    return any(
        passage.snapshot_id == selected.snapshot_id and passage.window.start < selected.window.end
        and selected.window.start < passage.window.end
        for passage in chosen
    )  # fmt: skip
