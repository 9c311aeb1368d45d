"""Understand: what kind of question is it, and what is it about? Patterns only; the first that matches decides."""

import re
from dataclasses import replace

from tools.text.tokens import STOP, words
from workflows.research.deps import Deps
from workflows.research.discover import discover
from workflows.research.events import Event
from workflows.research.model import RunConfig, Understanding
from workflows.research.state import ResearchState

_LIMIT = 2000  # characters of a question that are read; the rest is kept in the record

_A, _B, _END = r"(?P<a>.{2,120}?)", r"(?P<b>.{2,160}?)", r"[?.]*$"
_COMPARE = (
    re.compile(rf"^{_A}\s+(?:vs\.?|versus)\s+{_B}{_END}", re.I),
    re.compile(
        rf"\bcompar(?:e|ing|ison (?:of|between))\s+{_A}\s+(?:and|with|to|against)\s+{_B}{_END}",
        re.I,
    ),
    re.compile(rf"\bdifferences?\s+between\s+{_A}\s+and\s+{_B}{_END}", re.I),
    re.compile(
        r"\b(?:better|cheaper|safer|faster|cleaner|healthier)\b[,:]?\s+"
        rf"(?P<a>[^,]{{2,80}}?)\s+or\s+(?P<b>[^,]{{2,80}}?){_END}",
        re.I,
    ),
)
_CLAIM = (
    re.compile(rf"^(?:is it|it is)\s+(?:really\s+)?(?:true|correct|a fact|a myth)\s+that\s+(?P<claim>.+?){_END}", re.I),
    re.compile(
        r"^(?P<aux>do|does|did|can|could|will|would|should|has|have|is|are|was|were)\s+"
        rf"(?P<claim>.+?){_END}",
        re.I,
    ),
)
_PERSON = re.compile(r"^who\s+(?:is|was|are|were)\s+(?P<subject>.+?)[?.]*$", re.I)
_CONCEPT = re.compile(
    r"^(?:what\s+(?:is|are|was|were)|define|explain|meaning of)\s+(?:an?\s+|the\s+)?(?P<subject>[^?]+?)[?.]*$", re.I
)
_TECHNICAL = re.compile(
    r"^(?:how\s+(?:do|does|did|is|are|can|to)|explain how)\s+(?:an?\s+|the\s+)?(?P<subject>.+?)"
    r"(?:\s+(?:work|works|function|functions|made|built|operate|operates))?[?.]*$",
    re.I,
)
_RELATION = re.compile(
    r"\b(?:effects?|impacts?|influence|role|causes?|consequences|number|price|cost|capital|history|best|main|share)\b",
    re.I,
)
_WORD = r"[A-Z][\w.&'’-]*"
_AT = re.compile(rf"^(?P<a>{_WORD}(?:\s{_WORD}){{0,3}})\s+(?:at|of|from|@)\s+(?P<b>{_WORD}(?:\s{_WORD}){{0,4}}){_END}")
_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,80})[\"”»]")
_NAMES = re.compile(rf"\b{_WORD}(?:\s(?:(?:of|de|van|von|der|the|and)\s)?{_WORD}){{0,6}}")
_LEAD = re.compile(
    r"^(?:what|which|how|why|when|where|who|whose|do|does|did|is|are|was|were|can|could|will|would|should|has|have"
    r"|tell me|please|explain|describe|compare)\b",
    re.I,
)
_URL = re.compile(
    r"\bhttps?://[^\s<>\"']{3,500}"
    r"|\b(?:[a-z0-9-]{1,40}\.){1,4}(?:com|org|net|edu|gov|io|eu|info|int)\b(?:/[^\s<>\"']{0,300})?",
    re.I,
)


def understand(state: ResearchState, deps: Deps) -> ResearchState:
    """Classify the question, find its anchors and the addresses it names, and settle whom a name means."""
    read = read_question(state.original_query)
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
            f"Read as {_KIND_WORDS[read.query_type]} about “{read.primary_anchor}”.",
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


def read_question(text: str) -> Understanding:
    """Type, primary anchor, anchor terms and compared subjects of a question."""
    question = " ".join(_URL.sub(" ", text[:_LIMIT]).split()) or " ".join(text[:200].split())
    kind, subject, subjects = _classify(question)
    quoted = tuple(_QUOTED.findall(question))
    anchor = quoted[0] if quoted else _anchor(question, subject)
    terms = tuple(dict.fromkeys(word for word in words(question) if word not in STOP | {"vs", "versus"}))
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


def _classify(question: str) -> tuple[str, str, tuple[str, ...]]:
    """(type, subject as written, compared subjects)."""
    for pattern in _COMPARE:
        if match := pattern.search(question):
            a, b = _LEAD.sub("", match["a"]).strip(" ,:"), match["b"].strip(" ,:")
            return "comparison", f"{a} {b}", (a, _without_tail(b))
    if match := _AT.match(question):
        return "person", match["a"].strip(), ()
    for pattern in _CLAIM:
        if (match := pattern.match(question)) and not _open_ended(match["claim"]):
            return "claim_check", match["claim"], ()
    for kind, pattern in (("person", _PERSON), ("technical", _TECHNICAL), ("concept", _CONCEPT)):
        if (match := pattern.match(question)) and not (kind == "concept" and _is_wide(question, match["subject"])):
            return kind, match["subject"], ()
    return "general", "", ()


def _is_wide(question: str, subject: str) -> bool:
    """ "What is the effect of X on Y" asks for findings, not for a definition."""
    return len(subject.split()) > 6 or bool(_RELATION.search(question))


def _open_ended(claim: str) -> bool:
    """ "Are there any ...", "can you tell me ..." ask for information, not for a verdict."""
    return bool(re.match(r"(?:there|you|we|i|someone|anyone)\b", claim, re.I))


def _without_tail(subject: str) -> str:
    """ "lithium batteries for eight-hour storage" is compared as "lithium batteries"."""
    return re.split(r"\s+(?:for|in|on|with|at|when|as)\s+", subject)[0]


def _anchor(question: str, subject: str) -> str:
    if subject:
        return " ".join(subject.strip(" \"'“”?.,").split()[:8])
    body = _LEAD.sub("", question).strip()
    names = [match.group(0) for match in _NAMES.finditer(body)]
    if names and max(names, key=len).count(" ") >= 1:
        return max(names, key=len)
    return _longest_run(body) or " ".join(question.split()[:8])


def _longest_run(text: str) -> str:
    """The longest run of words without a stop word, as written."""
    best: list[str] = []
    run: list[str] = []
    for word in [*re.findall(r"[\w'’.-]+", text), "the"]:
        if word.lower() in STOP:
            best, run = (run, []) if len(run) > len(best) else (best, [])
        else:
            run.append(word.strip("."))
    return " ".join(best[:6])
