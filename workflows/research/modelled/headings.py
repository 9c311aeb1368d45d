"""Headings and questions that a model words: short names and questions, never statements of their own."""

import re
from collections.abc import Set

from tools.text.tokens import STOP, fold, stem, words
from tools.trust.statement import analyse
from tools.trust.worth import addressed
from workflows.research.modelled.beyond import STRONG

_WORDS = 6
_MARKS = re.compile(r"[<>{}\[\]*_#`|\\]|https?:|www\.|\"")
# A search is made of words: no address, no path, no operator of a search engine, nothing that is packed into one word
_NO_SEARCH = re.compile(
    r"[<>{}\[\]|\\`]|\w:/|//|www\.|(?<!\w)\w{2,}\.\w{2,}\.[^\W\d_]|(?:^|\s)[.~]{0,2}/\w|@|[^\s]{41}|[\w%+-]=[\w%+-]"
    r"|\b(?:site|link|cache|inurl|intitle|intext|filetype|url):",
    re.I,
)
_DIGITS = re.compile(r"\d[\d.,]*\d|\d")
_STATES = frozenset(
    """is are was were be been am isn't aren't wasn't has have had does do did will would shall can cannot could may
    might must should causes caused cause proves proved shows showed kills killed works worked fails failed leads led
    says said claims claimed denies denied admits admitted found not no never always""".split()
)


_ASKS = frozenset("how why what when where who which whether".split())  # "How it works"
_DENIES = frozenset("not no never".split())


def heading_problem(heading: str, asked: str, known: Set[str] | None = None) -> str:
    """What is wrong with a heading, in words; "" when nothing is.

    asked: the user's question. known: stems its words must come from; None where any words may.
    """
    said = words(heading)
    if not 1 <= len(heading.split()) <= _WORDS or not said:
        return f"a heading has 1 to {_WORDS} words"
    if problem := _foreign(heading, asked):
        return problem
    asking = said[0] in _ASKS and not _DENIES.intersection(said)
    states = (not asking and bool(_STATES.intersection(said))) or heading.rstrip()[-1:] in ".!:"
    statement = analyse(heading)
    states = states or any(stem(word) in STRONG and word not in words(asked) for word in said)
    if states or statement.negated or (statement.direction and statement.direction != analyse(asked).direction):
        return f"“{heading[:60]}” makes a statement; a heading only names what is told"
    strange = [word for word in said if word not in STOP and known is not None and stem(word) not in known]
    return f"the heading's word “{strange[0]}” stands neither in the question nor in its claims" if strange else ""


def question_problem(text: str, asked: str) -> str:
    """What is wrong with a question that a model made, in words."""
    return _foreign(text, asked)


def query_problem(query: str, asked: str) -> str:
    """What keeps words of a model from being searched for, in words; what stands in the user's question may be."""
    if not query.isprintable():
        return "it holds invisible signs"
    for word in query.split():
        if _NO_SEARCH.search(word) and word not in asked.split():
            return f"“{word[:60]}” is no word to search for"
    return "it gives orders" if addressed(query) else ""


def _foreign(text: str, asked: str) -> str:
    """Numbers of its own, marks, or words to somebody."""
    own = {match.rstrip(".,") for match in _DIGITS.findall(asked)}
    numbers = [match for match in _DIGITS.findall(text) if match.rstrip(".,") not in own]
    if numbers:
        return f"the number {numbers[0]} is not in the question"
    if not text.isprintable() or _MARKS.search(text):
        return "marks and addresses have no place in it"
    return "it gives orders" if addressed(text) else ""


def stems_of(*texts: str) -> frozenset[str]:
    """Stems of the words of some texts."""
    return frozenset(stem(fold(word)) for text in texts for word in words(text))
