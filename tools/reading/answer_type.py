"""What kind of words must stand in an answer: "how many" wants a number, "when" a date, "who" a
name."""

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import pairwise

from tools.text.tokens import fold, stem, words


class AnswerType(StrEnum):
    NUMBER = "number"
    DURATION = "duration"
    DATE = "date"
    NAME = "name"
    REASON = "reason"
    METHOD = "method"
    DEFINITION = "definition"
    ANY = "any"


_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
)
_NUMBER = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion"
    r"|half|thirds?|quarters?|twice|once|double|none|all)\b"
)
_UNIT_OF_TIME = r"\b(?:second|minute|hour|day|week|month|year|decade)s?\b"

# "Until when?"; "what happens when" asks for no date
_BEFORE_WHEN = "|and|so|since|until|till|by|from|after"
# How a question asks for it (folded text), tried in this order
_ASKED = (
    (
        AnswerType.DURATION,
        r"\bhow (?:long|often|soon|quickly)\b|\bwithin what time\b|\bwie (?:lange|oft)\b"
        r"|\bhow much time\b",
    ),
    (
        AnswerType.NUMBER,
        r"\bhow (?:many|much|large|big|high|tall|old|fast|far|small|low|heavy|deep|wide)\b"
        r"|\b(?:what|which) (?:(?:is|are|was|were) (?:the |an? )?)?(?:\w+ )?(?:percent\w*"
        r"|number|size|share|fraction|part|age|amount|limit|rate|price|cost|value|version|maximum|minimum)\b"
        r"|\bwie viele?\b|\bcombien\b|\bcuant[oa]s?\b|\bquant[oaie]s?\b|\bhoeveel\b",
    ),
    (
        AnswerType.DATE,
        rf"^(?:{_BEFORE_WHEN}) ?(?:when|wann|quand|cuando|quando|wanneer)\b"
        r"|\b(?:what|which) (?:year|date|day|month|time)\b",
    ),
    (
        AnswerType.NAME,
        r"^(?:\w+ )?(?:who|whom|whose|where|wer|wem|wo|qui|quien|chi|quem|waar)\b"
        r"|\bwhich "
        r"(?:company|person|president|country|team|organi[sz]ation|tool|program|city|state)\b",
    ),
    (
        AnswerType.REASON,
        r"\b(?:why|warum|wieso|pourquoi|por que|perche|waarom)\b|\breasons? (?:for|why)\b",
    ),
    (
        AnswerType.METHOD,
        r"\bhow (?:do|can|to|should|could)\b|\bwie (?:kann|mache|macht)\b|\bcomment\b|\bcomo\b",
    ),
    (
        AnswerType.DEFINITION,
        # Of 43 questions of TREC with up to two words behind "the" 31 ask for a definition or
        # description, of 150 with three or four 54
        r"^what (?:is|are) (?:(?:an? )?(?!the\b)[^?]{1,40}|the [\w-]+(?: [\w-]+)?)\??$"
        r"|^what (?:does|do) [^?]{1,60} do\??$"
        r"|\bmeaning\b|\bmeans?\b|^define\b|\bdefinitions?\b|\bstands? for\b",
    ),
)
# How an answer shows it
_SHOWN = {
    AnswerType.NUMBER: _NUMBER,
    AnswerType.DURATION: rf"(?:{_NUMBER}).{{0,30}}{_UNIT_OF_TIME}|\b(?:daily|weekly|monthly|yearly|"
    r"annual(?:ly)?)\b",
    AnswerType.DATE: rf"\b(?:1[5-9]|20)\d\d\b|\b(?:{_MONTHS})\b"
    r"|\b(?:today|yesterday|annually|century|year|week|month)\b",
    AnswerType.REASON: r"\b(?:because|since|so that|in order to|reasons?|due "
    r"to|therefore|thus|cause[sd]?|as a result"
    r"|to (?:avoid|ensure|allow|prevent|reduce|help|make))\b",
    AnswerType.METHOD: r"\b(?:you "
    r"(?:can|must|should|need)|use|run|click|select|open|choose|submit|steps?|first"
    r"|by \w+ing)\b",
    AnswerType.DEFINITION: r"\b(?:is|are|was|were) (?:an?|the)\b"
    r"|\b(?:means|refers to|called|known as|stands for|defined)\b|:",
}
# "A code of conduct is a document": what may stand before and after the words of the subject, and
# what follows
_BEFORE_SUBJECT, _APPOSITION, _SUBJECT = 3, 3, 8  # words
_COPULAS = frozenset("is are was were ist sind est sont es son e sao".split())
_MEANS = frozenset("means refers describes denotes bezeichnet bedeutet designe significa".split())
_ARTICLES = frozenset(
    "a an the any one ein eine der die das un une le la les "
    "una uno el los las um uma o os as".split()
)
_WHERE = re.compile(
    r"(?<=\w)\s(?:in|within|for|at|on|stands?|im|bei|en|dans|em|nel|nella|voor)\s", re.I
)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
# "DIA - duration of insulin action", and so in the cells of a table
_SAYS_WHAT = 4  # words behind the subject of an entry
_ENTRY = re.compile(r"\W{0,4}(?P<subject>[^:|\n]{1,60}?)(?::|\s[-–—=|])\s+\S")
_NAME = re.compile(r"(?<=[^.!?\s]\s)[A-Z][\w.-]+")
_ASKS_WHETHER = re.compile(
    r"(?:^|[,.;!] )(?:am|is|are|was|were|do|does|did|can|could|may|must|should|will|would"
    r"|has|have|had)\s"
)
# "Answer: No, ..." on pages of questions, and not "No texts are kept"
_YES_OR_NO = re.compile(r"\W{0,4}(?:answer\W{1,4})?(?:yes(?: and no)?|no)\b(?! \w)", re.I)
_ASKED_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _ASKED)
_SHOWN_COMPILED = {kind: re.compile(pattern, re.I) for kind, pattern in _SHOWN.items()}


def expected_answer(question: str) -> AnswerType:
    """The kind of answer that a question wants; ANY where its words do not tell."""
    folded = fold(question)
    return next(
        (kind for kind, pattern in _ASKED_COMPILED if pattern.search(folded)), AnswerType.ANY
    )


def asks_whether(question: str) -> bool:
    """Whether yes or no answers a question."""
    return _ASKS_WHETHER.search(fold(question)) is not None


def says_yes_or_no(text: str) -> bool:
    """Whether a text begins with yes or no."""
    return _YES_OR_NO.match(text) is not None


def defined_subject(question: str) -> str:
    """The words of a question for a definition that name what is to be defined, without where: "a
    hook in Git"."""
    return _WHERE.split(question, maxsplit=1)[0]


def defines(terms: Collection[str], text: str) -> float:
    """How far a sentence says what its subject is, when that is all of some stemmed terms, 0..1.

    1 for "X is a ...", "X means ...", and "X - ..." as in a glossary; 0.5 for "X is ...", which may
    say anything of it, and for an entry of a few words, which may give a value.
    """
    plain = _BRACKETS.sub(" ", text)
    if terms and _is_entry(terms, plain):
        return 1.0 if len(words(plain)) - len(terms) >= _SAYS_WHAT else 0.5
    for verb, following in pairwise(_behind_subject(terms, words(plain)[: len(terms) + _SUBJECT])):
        if verb in _MEANS or (verb in _COPULAS and following in _ARTICLES):
            return 1.0
        if verb in _COPULAS:
            return 0.5
    return 0.0


def _behind_subject(terms: Collection[str], tokens: Sequence[str]) -> Sequence[str]:
    """The first words behind the last term; none where the terms do not all stand at the
    beginning."""
    places = {
        term: at for at, word in reversed(list(enumerate(tokens))) if (term := stem(word)) in terms
    }
    if not terms or places.keys() != set(terms) or min(places.values()) > _BEFORE_SUBJECT:
        return ()
    return tokens[max(places.values()) + 1 :][: _APPOSITION + 2]


def _is_entry(terms: Collection[str], text: str) -> bool:
    """Whether a text begins with the subject and a dash, a colon or the next cell, as in
    a glossary."""
    entry = _ENTRY.match(text)
    if entry is None:
        return False
    subject = [term for term in map(stem, words(entry["subject"])) if term not in _ARTICLES]
    return sorted(subject) == sorted(terms)


def holds(kind: AnswerType, text: str) -> bool:
    """Whether a text has words that such an answer must have; True for ANY."""
    if kind == AnswerType.ANY:
        return True
    if kind == AnswerType.NAME:
        return bool(_NAME.search(text))
    return bool(_SHOWN_COMPILED[kind].search(text))
