"""Names in running text: runs of capitalised words ("Journal of Mathematical Physics", "Treaty of
Rome 1957").

A guess from the writing alone, for scripts with capitals; others give none. Good enough to follow a
name from one text to the next, where a wrong name finds nothing.
"""

import re
from collections.abc import Iterator

from tools.text.tokens import STOP, words

_STOPS = ".!?\n"
_BREAKS = _STOPS + ';:,()[]"“”«»|/'
_TOKEN = re.compile(rf"[^\W_]+(?:['’.\-][^\W_]+)*|[{re.escape(_BREAKS)}]")
# May stand inside a name, never at its end
_INSIDE = frozenset("of the de la von van du del al for in on di der den le".split())
_ARTICLES = frozenset(("the", "a", "an"))
_OPENERS = frozenset(
    """he she it in on at its their after during when while since as although however there they
    also for from by with to""".split()
)


def names(text: str) -> list[str]:
    """The names of a text as their folded words, in order, each once: "pearl jam", "treaty of
    rome".

    A single word that the text also writes small is none ("Water ... water").
    """
    by_name: dict[str, None] = {}
    for run in _runs(text):
        folded = [part for word in run for part in words(word)]
        if folded and folded[0] in _ARTICLES:
            folded = folded[1:]
        if (
            folded
            and not STOP.issuperset(folded)
            and not (len(run) == 1 and _also_small(run[0], text))
        ):
            by_name[" ".join(folded)] = None
    return list(by_name)


def _runs(text: str) -> Iterator[list[str]]:
    """Capitalised words that stand together, with what joins them and the number that follows."""
    run: list[str] = []
    opens = True  # whether the next word begins a sentence
    for token in _TOKEN.findall(text):
        if _belongs(token, run, opens):
            run.append(token)
        elif run:
            yield _without_joining(run)
            run = []
        opens = token in _STOPS or (opens and token in _BREAKS)
    if run:
        yield _without_joining(run)


def _belongs(token: str, run: list[str], opens: bool) -> bool:
    """Whether a token goes on with a run of capitalised words, or begins one."""
    if token[0].isupper():
        return not (opens and (token.lower() in STOP or token.lower() in _OPENERS))
    return bool(run) and (token in _INSIDE or (token.isdigit() and run[-1] not in _INSIDE))


def _without_joining(run: list[str]) -> list[str]:
    while run[-1] in _INSIDE:
        run.pop()
    return run


def _also_small(word: str, text: str) -> bool:
    small = word.lower()
    return small != word and re.search(rf"(?<!\w){re.escape(small)}(?!\w)", text) is not None
