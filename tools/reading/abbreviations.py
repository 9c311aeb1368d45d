"""Abbreviations where a text says what they stand for: "service level objectives (SLOs)", "FTL
(faster than light)".

The letters are looked for backwards in the words before the bracket, as by Schwartz and Hearst, "A
simple algorithm for identifying abbreviation definitions in biomedical text" (2003).
"""

import re

_BRACKET = re.compile(r"\(([^()]{1,400})\)")


def introduces(text: str, short: str) -> bool:
    """Whether a text says what an abbreviation stands for, in a bracket behind it or before it;
    case does not count."""
    short = short.lower()
    if len(short) < 2 or not short.isalnum():
        return False
    most = 2 * len(short)  # words of a long form
    for bracket in _BRACKET.finditer(text):
        before = text[: bracket.start()].rsplit(maxsplit=most)[-most:]
        inside = re.split(r"[,;]", bracket[1])[0].split()
        if len(inside) == 1 and _is_short(inside[0], short):
            if _spells(before, short):
                return True
        elif (
            before
            and _is_short(before[-1], short)
            and len(inside) <= most
            and _spells(inside, short)
        ):
            return True
    return False


def _is_short(word: str, short: str) -> bool:
    """Whether a word is the abbreviation, in the singular or in the plural."""
    return word.lower().strip("()\"'“”.:,").removesuffix("s").removesuffix("'") in (
        short,
        short.removesuffix("s"),
    )


def _spells(words: list[str], short: str) -> bool:
    """Whether some words have these letters in order, the first at the beginning of one, and are
    not the short form."""
    if any(_is_short(word, short) for word in words):
        return False
    text = " ".join(words).lower()
    at = len(text)
    for place, letter in reversed(list(enumerate(short))):
        at -= 1
        while at >= 0 and not (text[at] == letter and (place or not text[at - 1 : at].isalnum())):
            at -= 1
        if at < 0:
            return False
    return True
