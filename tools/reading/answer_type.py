"""What kind of words must stand in an answer: "how many" wants a number, "when" a date, "who" a name."""

import re
from enum import StrEnum

from tools.text.tokens import fold


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

# How a question asks for it (folded text), tried in this order
_ASKED = (
    (AnswerType.DURATION, r"\bhow (?:long|often|soon)\b|\bwithin what time\b|\bwie (?:lange|oft)\b|\bhow much time\b"),
    (
        AnswerType.NUMBER,
        r"\bhow (?:many|much|large|big|high|tall|old|fast|far|small|low|heavy|deep|wide)\b|\b(?:what|which) (?:\w+ )?"
        r"(?:percent\w*|number|size|share|fraction|part|age|amount|limit|rate|price|cost|value|version|maximum|minimum)\b"
        r"|\bwie viele?\b|\bcombien\b|\bcuant[oa]s?\b|\bquant[oaie]s?\b|\bhoeveel\b",
    ),
    (
        AnswerType.DATE,
        r"\b(?:when|wann|quand|cuando|quando|wanneer)\b|\b(?:what|which) (?:year|date|day|month|time)\b|\buntil when\b",
    ),
    (
        AnswerType.NAME,
        r"\b(?:who|whom|whose|where|wer|wem|wo|qui|quien|chi|quem|waar)\b"
        r"|\bwhich (?:company|person|president|country|team|organi[sz]ation|tool|program|city|state)\b",
    ),
    (AnswerType.REASON, r"\b(?:why|warum|wieso|pourquoi|por que|perche|waarom)\b|\breasons? (?:for|why)\b"),
    (AnswerType.METHOD, r"\bhow (?:do|can|to|should|could)\b|\bwie (?:kann|mache|macht)\b|\bcomment\b|\bcomo\b"),
    (AnswerType.DEFINITION, r"^what (?:is|are) (?:an? )?[^?]{1,40}\??$|\bmeaning\b|\bmeans?\b|\bdefin\w+"),
)
# How an answer shows it
_SHOWN = {
    AnswerType.NUMBER: _NUMBER,
    AnswerType.DURATION: rf"(?:{_NUMBER}).{{0,30}}{_UNIT_OF_TIME}|\b(?:daily|weekly|monthly|yearly|annual(?:ly)?)\b",
    AnswerType.DATE: rf"\b(?:1[5-9]|20)\d\d\b|\b(?:{_MONTHS})\b"
    r"|\b(?:today|yesterday|annually|century|year|week|month)\b",
    AnswerType.REASON: r"\b(?:because|since|so that|in order to|reasons?|due to|therefore|thus|cause[sd]?|as a result"
    r"|to (?:avoid|ensure|allow|prevent|reduce|help|make))\b",
    AnswerType.METHOD: r"\b(?:you (?:can|must|should|need)|use|run|click|select|open|choose|submit|steps?|first"
    r"|by \w+ing)\b",
    AnswerType.DEFINITION: r"\b(?:is|are|was|were) (?:an?|the)\b"
    r"|\b(?:means|refers to|called|known as|stands for|defined)\b|:",
}
_NAME = re.compile(r"(?<=[^.!?\s]\s)[A-Z][\w.-]+")
_ASKED_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _ASKED)
_SHOWN_COMPILED = {kind: re.compile(pattern, re.I) for kind, pattern in _SHOWN.items()}


def expected_answer(question: str) -> AnswerType:
    """The kind of answer that a question wants; ANY where its words do not tell."""
    folded = fold(question)
    return next((kind for kind, pattern in _ASKED_COMPILED if pattern.search(folded)), AnswerType.ANY)


def holds(kind: AnswerType, text: str) -> bool:
    """Whether a text has words that such an answer must have; True for ANY."""
    if kind == AnswerType.ANY:
        return True
    if kind == AnswerType.NAME:
        return bool(_NAME.search(text))
    return bool(_SHOWN_COMPILED[kind].search(text))
