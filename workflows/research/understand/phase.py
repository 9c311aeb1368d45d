"""Understand: what kind of question is it, what is it about, and whom does a name in it mean?"""

import re
from dataclasses import replace

from tools.text.asking import without_document_names
from tools.text.name_hints import is_organisation
from workflows.research.answer.forms.comparison import compared_things
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.model import RunConfig, Understanding
from workflows.research.state import ResearchState
from workflows.research.understand.discover import discover
from workflows.research.understand.intent import QUERY_TYPES, Intent, intent_of, named_subject
from workflows.research.understand.plan import QUERY_WORDS
from workflows.research.understand.topic import topic_of

_LIMIT = 2000  # characters of a question that are read; the rest is kept in the record
_URL = re.compile(
    r"\bhttps?://[^\s<>\"']{3,500}"
    r"|\b(?:[a-z0-9-]{1,40}\.){1,4}(?:com|org|net|edu|gov|io|eu|info|int)\b(?:/[^\s<>\"']{0,300})?",
    re.I,
)
_IN_WORDS = {
    Intent.FACT: "a question for a fact",
    Intent.YES_NO: "a question of yes or no",
    Intent.HOW_TO: "a question how to do something",
    Intent.WHY: "a question for reasons",
    Intent.LIST: "a question for a list",
    Intent.COMPARISON: "a comparison",
    Intent.DEFINITION: "a question what something is",
    Intent.OVERVIEW: "a request for an overview",
    Intent.DISAGREEMENT: "a question where sources disagree",
    Intent.CLAIM: "a claim to check",
    Intent.PERSON: "a question about a person",
    Intent.UNCLEAR: "unclear",
}


def understand(state: ResearchState, deps: Deps) -> ResearchState:
    """The intent of the question, its topic, the addresses that it names, and whom a name in it
    means."""
    understanding = read_question(state.original_query)
    reading = state.understanding
    if reading.clarification and reading.clarification.answer:
        understanding = replace(
            understanding, candidates=reading.candidates, clarification=reading.clarification
        )
    state = discover(replace(state, understanding=understanding, config=_with_urls(state)), deps)
    understanding = state.understanding
    intent_words = _IN_WORDS[Intent(understanding.intent)]
    anchor = understanding.primary_anchor
    about = f", about: {anchor}" if understanding.anchor_terms else ""
    deps.emit(
        Event(
            EventKind.QUERY_ANALYZED,
            "understand",
            f"Read as {intent_words}{about}.",
            {
                "intent": understanding.intent,
                "anchor": anchor,
                "terms": list(understanding.anchor_terms),
            },
        )
    )
    return state


def read_question(text: str) -> Understanding:
    """The intent of a question with its topic and, of a comparison, the things that it compares."""
    text = without_document_names(text)
    question = " ".join(_URL.sub(" ", text[:_LIMIT]).split()) or " ".join(text[:200].split())
    intent, topic = intent_of(question), topic_of(question)
    name = named_subject(question)
    kind = "person" if intent == Intent.PERSON else "organisation" if is_organisation(name) else ""
    return Understanding(
        query_type=kind or QUERY_TYPES.get(intent, "general"),
        intent=intent.value,
        primary_anchor=(name if kind else "")
        or " ".join(topic.terms[:QUERY_WORDS])
        or " ".join(question.split()[:QUERY_WORDS]),
        anchor_terms=topic.terms,
        subjects=compared_things(question) if intent == Intent.COMPARISON else (),
        confidence=1.0,
    )


def urls_in(text: str) -> tuple[str, ...]:
    """Addresses that a question names; bare domains are taken as https."""
    urls = (match.group(0).rstrip(".,;:!?)") for match in _URL.finditer(text[:_LIMIT]))
    return tuple(dict.fromkeys(url if "://" in url else f"https://{url}" for url in urls))


def _with_urls(state: ResearchState) -> RunConfig:
    filters = state.config.filters
    urls = tuple(dict.fromkeys((*filters.urls, *urls_in(state.original_query))))
    return replace(state.config, filters=replace(filters, urls=urls))
