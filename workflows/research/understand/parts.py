"""Questions that ask several things: their parts, each a question that can be answered by
itself."""

import re
from dataclasses import dataclass

from tools.text.asking import without_document_names
from tools.text.tokens import STOP, words
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.topic import Topic, topic_of

MAX_PARTS = 4
_ASKS = (
    r"(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|should|will|has|have"
    r"|was|wer|wann|wo|warum|wie|welche|quel(?:le)?s?|quand|combien|comment|cuant[oa]s?|cuando|como|cual(?:es)?)"
)
ASKING_WORD = r"(?:what|which|who|whom|whose|when|where|why|how)"
# A word may stand before a word that asks ("and in which year"), not before a verb: "which tools
# and services do we use" is one question
_AND_ASKS = re.compile(rf"[,;]?\s(?:and|und|et|y|e|en)\s(?=(?:{_ASKS}|\w+\s{ASKING_WORD})\s)", re.I)
_LONGEST = 600  # characters; a longer question stays whole
# "say about A in 1897 and about B in 1901": the preposition comes again
_AGAIN = re.compile(
    r"^(?P<head>.+?)\s(?P<preposition>about|on|of|for|in|with|to)\s(?P<first>.+?)\s+and\s+(?P=preposition)\s(?P<second>.+)$",
    re.I,
)
_OF_TEXTS = (Intent.OVERVIEW, Intent.DISAGREEMENT)  # these speak of the documents
_QUESTIONS = re.compile(r"(?<=\?)\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is asked. query: what is searched for it. subject: words of the first part of
    the question, which a later one may leave unsaid."""

    question: str
    intent: Intent
    topic: Topic
    query: str
    subject: str = ""

    @property
    def whole(self) -> str:
        """The part with its subject."""
        return f"{self.question} {self.subject}".rstrip()


def parts_of(question: str) -> tuple[Part, ...]:
    """The parts of a question in order; one for most questions."""
    text = " ".join(without_document_names(question).split())
    if text.count("?") > 1:
        pieces = _QUESTIONS.split(text)
    elif intent_of(text) in (Intent.COMPARISON, *_OF_TEXTS):
        pieces = [text]
    else:
        pieces = _split(text)
    pieces = [piece.strip() for piece in pieces if topic_of(piece).terms]
    if not 1 < len(pieces) <= MAX_PARTS:
        pieces = [text]
    return tuple(_part(piece, pieces[0] if number else "") for number, piece in enumerate(pieces))


def _split(text: str) -> list[str]:
    if len(text) > _LONGEST:
        return [text]
    again = _AGAIN.match(text.rstrip(" ?"))
    if again and not STOP.issuperset(words(again["head"])):
        lead = f"{again['head']} {again['preposition']}"
        return [f"{lead} {again['first']}?", f"{lead} {again['second']}?"]
    pieces = _AND_ASKS.split(text)
    if len(pieces) < 2 or not re.match(rf"(?:\w+\s){{0,2}}{_ASKS}\b", pieces[0], re.I):
        return [text]
    return [piece if piece.endswith("?") else f"{piece}?" for piece in pieces]


def _part(piece: str, first: str) -> Part:
    subject = topic_of(first).text() if first else ""
    intent, topic = intent_of(piece), topic_of(piece)
    # "What do the documents say about voting?" would find documents that say something
    wording = topic.text() if intent in _OF_TEXTS and topic.terms else piece
    query = f"{subject} {wording}".lstrip()
    return Part(piece[:1].upper() + piece[1:], intent, topic, query, subject)
