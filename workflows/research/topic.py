"""What a question is about, as a phrase that stands in a sentence: "street trees" of "street trees cool cities"."""

import re

from tools.text.language import asking_words
from tools.text.tokens import stem, stems
from tools.trust.polarity import lexicon
from tools.trust.statement import down_words, up_words
from workflows.research.model import Understanding

# Verbs beside those that say which way something goes (tools/data/polarity.toml), as they follow a subject
_VERBS = frozenset(
    stem(word)
    for word in """become work make help cause keep get use need have has is are was were can could will would should do
    does did form develop spread store contain move turn save damage kill treat cure give go come mean happen run fly
    live eat convert produce absorb emit detect learn communicate affect generate""".split()
)
_NOUN = re.compile(r"(?:ency|ance|ence|tion|ment|age|ss|th|ity|ion|al|y|ade|or)s?$")
_PAIR = re.compile(r"\w+[^\Wsui]s \w*[^\Ws]", re.I)  # several of a kind, and what they do: "whales sleep"
# "Is it true that ...", "what is known about ...": of what is asked nothing
_ASKING = frozenset(stems("true correct known know tell explain describe please"))
_CLAUSES = ("technical", "claim_check")


def topic(question: str, read: Understanding) -> str:
    """The things compared; of a clause its subject; else what the question is about, with the article it has there. A
    clause without a subject that can be told stands in quotation marks."""
    if read.query_type == "comparison" and len(read.subjects) > 1:
        return f"{', '.join(read.subjects[:-1])} and {read.subjects[-1]}"
    if read.query_type not in _CLAUSES:
        return _as_asked(question, read.primary_anchor)
    if doer := subject(read):
        return _as_asked(question, doer)
    return _as_asked(question, read.primary_anchor) if read.query_type == "technical" else f"“{read.primary_anchor}”"


def subject(read: Understanding) -> str:
    """What stands before the verb of a clause: "street trees" of "street trees cool cities"; "" where none is told."""
    parts, turn = _clause(read)
    return " ".join(parts[:turn])


def verb(read: Understanding) -> str:
    """The verb of a clause: "cool" of "street trees cool cities"; "" where none is told."""
    parts, turn = _clause(read)
    return parts[turn] if turn else ""


def _clause(read: Understanding) -> tuple[list[str], int]:
    """The words of a clause and the place of its verb, 0 where none is told."""
    parts = read.primary_anchor.split() if read.query_type in _CLAUSES else []
    pair = read.query_type == "technical" and bool(_PAIR.fullmatch(read.primary_anchor))
    told = int(pair and not _NOUN.search(parts[1].lower()))
    return parts, next((i for i, word in enumerate(parts) if i and _acts(word)), told)


def content(question: str) -> frozenset[str]:
    """The stems of what a question asks about, without the words by which it asks."""
    found = frozenset(stems(question))
    return found - _ASKING - {stem(word) for word in asking_words(question)} or found


def _as_asked(question: str, phrase: str) -> str:
    """The phrase with the article before it in the question: "the French Revolution", "a boundary layer"."""
    article = re.search(rf"\b(the|an?)\s{re.escape(phrase)}(?!\w)", " ".join(question.split()), re.I)
    return f"{article[1].lower()} {phrase}" if article else phrase


def _acts(word: str) -> bool:
    """Whether a word may be the verb of a clause."""
    plain = word.lower().strip(".,;:?!")
    found = stem(plain)
    if _NOUN.search(plain):
        return False
    moves = any(axis in ("amount", "link") for axis, _ in lexicon().get(found, ()))
    return found in _VERBS or moves or found in up_words() | down_words()
