"""Understand: what kind of question is it, and what is it about? Patterns, and a model where they are unsure."""

import re
from dataclasses import replace

from tools.text.language import asking_words
from tools.text.tokens import STOP, fold, words
from workflows.research.deps import Deps
from workflows.research.discover import discover
from workflows.research.events import Event
from workflows.research.model import RunConfig, Understanding
from workflows.research.modelled.questions import classify as modelled
from workflows.research.question_types import asks_for_somebody, classify
from workflows.research.state import ResearchState

_ANCHOR = 14  # words of a subject: as many as a query has
_LIMIT = 2000  # characters of a question that are read; the rest is kept in the record

_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,80})[\"”»]")
_WORD = r"[A-Z][\w.&'’-]*"
_NAMES = re.compile(rf"\b{_WORD}(?:\s(?:(?:of|de|van|von|der|the|and)\s)?{_WORD}){{0,6}}")
_LEAD = re.compile(
    r"^(?:what|which|how|why|when|where|who|whose|do|does|did|is|are|was|were|can|could|will|would|should|has|have"
    r"|tell me|please|explain|describe|compare)\b",
    re.I,
)
# "physician John Harlow", "Lena Falk the cardiologist": the name, which is then looked up with what stands beside it
_APPOSED = re.compile(
    r"^(?:(?!(?:of|in|for|at|from|to|by|on|with|and|or)\s)[a-z][\w-]+\s){0,2}(?P<name>[A-Z][\w.'’-]+(?:\s(?:(?:de|van|von|der|del|da|la|bin|al|of)\s)?[A-Z][\w.'’-]+){1,4})"
    r"(?:,?\s(?:the|an?)\s[a-z].*|,\s[a-z].*)?$"
)
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\S)", re.I)
# "Who did X ask", "which scientist discovered X": the subject that stands there is not a name
_VERB_FIRST = re.compile(r"^(?:who\s+(?:do|does|did|can|could|should)|(?:which|what)\s+\w+\s+\w+ed)\b", re.I)
# What is asked of a thing, not the thing ("the risks of geoengineering", "how long does it take to Mars")
_ASKED = re.compile(
    r"(?:effect|impact|influence|role|cause|consequence|number|price|cost|risk|benefit|symptom|treatment|factor|reason"
    r"|trend|prospect|debate|population|evidence|problem|challenge|law|development|size|rate|name|origin|purpose"
    r"|impacto|efecto|auswirkung(?:en)?|cons[ée]quence)s?"
    r"|causes?|policies|long|far|old|big|take|takes|happened|start|started|exists?|current|recent|latest|main|list"
    r"|largest|biggest|tallest|highest|history|future|options?|stud(?:y|ies)|reviews?|timelines?|drives?|regulates?"
    r"|summari[sz]e|affects?|scientist|economist|warum|wieso|pourquoi|porqu[eé]|sind|ist|die|der|das|les|des",
    re.I,
)
# The verb that ends a question about a thing: "What sport is X associated with?", "How are X and Y connected?"
_ENDING = re.compile(
    r"(?<=\w)\s+(?:(?:associated|related|connected|linked|located|situated|based|set|born|classified|found|used|known"
    r"|played?|made|named|headquartered|buried|raised|written|published|released|filmed|derived|composed|spoken)"
    r"\s+(?:with|in|on|to|as|by|from|for|at|of)|associated|related|connected|linked|located|situated|headquartered)"
    r"\s*[?.!]*$",
    re.I,
)
# "Combien d'habitants a Lyon", "welche Folgen hat der Brexit": what stands there is asked of the subject
_WHICH = re.compile(
    r"^\W*(?:combien\s(?:de\s|d['’])|(?:welche[rsnm]?|wie\sviele?|hoeveel|welke?|quel(?:le)?s?|cu[aá]nt[oa]s?|quant[aeio]s?)\s)"
    r"(?!(?:est|sont|[èeé]|es|son|ist|sind|is|zijn|alto|grande)\s)\w+(?=\s\w)",
    re.I,
)
_ELIDED = re.compile(r"^(?:[dlsnjc]|qu)['’](?=\w)|-(?:t-)?(?:ils?|elles?|on)$", re.I)  # l'Allemagne, a-t-elle
_URL = re.compile(
    r"\bhttps?://[^\s<>\"']{3,500}"
    r"|\b(?:[a-z0-9-]{1,40}\.){1,4}(?:com|org|net|edu|gov|io|eu|info|int)\b(?:/[^\s<>\"']{0,300})?",
    re.I,
)


def understand(state: ResearchState, deps: Deps) -> ResearchState:
    """Classify the question, find its anchors and the addresses it names, and settle whom a name means."""
    read = read_question(state.original_query)
    if read.confidence < 1:
        read = modelled(state.original_query, read, deps.work, deps.settings.classify_passes)
    known = state.understanding
    if known.clarification and known.clarification.answer:
        read = replace(read, candidates=known.candidates, clarification=known.clarification)
    state = replace(state, understanding=read, config=_with_urls(state))
    state = discover(state, deps)
    read = state.understanding
    deps.emit(
        Event(
            "query_analyzed",
            "understand",
            f"Read as {_read_as(state)} about “{read.primary_anchor}”.",
            {"query_type": read.query_type, "anchor": read.primary_anchor, "terms": list(read.anchor_terms)},
        )
    )
    return state


_KIND_WORDS = {
    "person": "a question about a person",
    "organisation": "a question about an organisation",
    "concept": "a question about a concept",
    "comparison": "a comparison",
    "technical": "a technical question",
    "claim_check": "a claim to check",
    "general": "a general question",
}


def _read_as(state: ResearchState) -> str:
    kind = state.understanding.query_type
    asked_for = kind == "person" and asks_for_somebody(state.original_query)
    return "a question for a person, and so" if asked_for else _KIND_WORDS[kind]


def read_question(text: str) -> Understanding:
    """Type, primary anchor, anchor terms and compared subjects of a question."""
    question = " ".join(_URL.sub(" ", text[:_LIMIT]).split()) or " ".join(text[:200].split())
    kind, subject, subjects = classify(question)
    quoted = tuple(_QUOTED.findall(question))
    anchor = quoted[0] if quoted else _anchor(question, subject)
    if kind == "person" and not asks_for_somebody(question) and (apposed := _APPOSED.match(anchor)):
        anchor = apposed["name"]
    small = asking_words(question)
    terms = tuple(dict.fromkeys(word for word in words(question) if word not in STOP | small | {"vs", "versus"}))
    return Understanding(
        query_type=kind,
        primary_anchor=anchor,
        anchor_terms=terms,
        subjects=subjects,
        confidence=1.0 if subject else 0.5,
    )


def urls_in(text: str) -> tuple[str, ...]:
    """Addresses a question names; bare domains are taken as https."""
    found = (match.group(0).rstrip(".,;:!?)") for match in _URL.finditer(text[:_LIMIT]))
    return tuple(dict.fromkeys(url if "://" in url else f"https://{url}" for url in found))


def _with_urls(state: ResearchState) -> RunConfig:
    filters = state.config.filters
    urls = tuple(dict.fromkeys((*filters.urls, *urls_in(state.original_query))))
    return replace(state.config, filters=replace(filters, urls=urls))


def _anchor(question: str, subject: str) -> str:
    """What the question is about, in at most fourteen words that end in none of the small ones."""
    subject = _ENDING.sub("", _ARTICLE.sub("", subject.strip(" \"'“”?.,:")))
    if subject and not _VERB_FIRST.match(question):
        return _trimmed(subject.split()[:_ANCHOR]).rstrip(",;:")
    body = _LEAD.sub("", subject or _ENDING.sub("", question)).strip()
    if small := asking_words(question):
        return _longest_run(_WHICH.sub("", body), small) or _first_words(question)
    names = [match.group(0) for match in _NAMES.finditer(body)]
    if names and max(names, key=len).count(" ") >= 1:
        return max(names, key=len)
    run = _longest_run(body)
    if (
        names
        and len(run.split()) <= 1
        and not re.search(rf"\b(?:in|of|at|from|to) (?:the )?{re.escape(names[0])}", body)
    ):
        # A name that is no mere place of something says more than one common word
        return names[0]
    return run or _first_words(question)


def _first_words(question: str) -> str:
    return " ".join(question.split()[:8])


def _trimmed(parts: list[str]) -> str:
    while len(parts) > 1 and parts[-1].lower() in STOP:
        parts = parts[:-1]
    return " ".join(parts)


def _longest_run(text: str, small: frozenset[str] = frozenset()) -> str:
    """The longest run of words that say what it is about, as written; the first of equally long ones.

    small: words of another language than English that say nothing either; there of equally long runs one with a
    capital, and the one of more letters.
    """
    runs: list[list[str]] = [[]]
    for written in re.findall(r"[\w'’.-]+", text):
        word = _ELIDED.sub("", written) if small else written
        if word.lower() in STOP or fold(word) in small or _ASKED.fullmatch(word):
            runs.append([])
        else:
            runs[-1].append(word.strip("."))
    best = max(runs, key=lambda run: (len(run), *(_weight(run) if small else ())))
    return " ".join(best[:6])


def _weight(run: list[str]) -> tuple[bool, int]:
    return any(word[:1].isupper() for word in run), sum(map(len, run))
