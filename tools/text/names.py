"""Names in running text: runs of capitalised words ("Journal of Mathematical Physics", "Treaty of Rome 1957").

A guess from the writing alone, for scripts with capitals; others give none. Good enough to follow a name from one
text to the next, where a wrong name finds nothing.
"""

import re
from collections.abc import Iterator

from tools.text.tokens import STOP, words

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_BREAK = re.compile(r"[.!?;:,()\[\]\"“”«»\n|/]")
_STOPPED = re.compile(r"[.!?\n]")
# May stand inside a name, never at its end
_INSIDE = frozenset("of the de la von van du del al for in on di der den le".split())
_ARTICLES = frozenset(("the", "a", "an"))
_OPENERS = frozenset(
    """he she it in on at its their after during when while since as although however there they also for from by
    with to""".split()
)


def names(text: str) -> list[str]:
    """The names of a text as their folded words, in order, each once: "pearl jam", "treaty of rome".

    A single word that the text also writes small is none ("Water ... water").
    """
    by_name: dict[str, None] = {}
    for run in _runs(text):
        folded = [part for word in run for part in words(word)]
        if folded and folded[0] in _ARTICLES:
            folded = folded[1:]
        if folded and not STOP.issuperset(folded) and not (len(run) == 1 and _also_small(run[0], text)):
            by_name[" ".join(folded)] = None
    return list(by_name)


def _runs(text: str) -> Iterator[list[str]]:
    """Capitalised words that stand together, with what joins them and the number that follows."""
    run: list[str] = []
    joining: list[str] = []
    last = 0
    for match in _WORD.finditer(text):
        word, gap = match[0], text[last : match.start()].strip(" ")  # nearly always a space alone
        opens = last == 0 or (gap != "" and bool(_STOPPED.search(gap)))
        if run and (opens or (gap and _BREAK.search(gap))):
            yield run
            run, joining = [], []
        last = match.end()
        if word[0].isupper() and not (opens and _common(word)):
            run += (*joining, word)
            joining = []
        elif run and word in _INSIDE:
            joining.append(word)
        elif run and word.isdigit() and not joining:
            run.append(word)
        elif run:
            yield run
            run, joining = [], []
    if run:
        yield run


def _common(word: str) -> bool:
    """Whether a word has its capital from the beginning of a sentence."""
    return word.lower() in STOP or word.lower() in _OPENERS


def _also_small(word: str, text: str) -> bool:
    small = word.lower()
    at = text.find(small) if small != word else -1
    while at >= 0:
        if not (_is_of_word(text[at - 1 : at]) or _is_of_word(text[at + len(small) : at + len(small) + 1])):
            return True
        at = text.find(small, at + 1)
    return False


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"
