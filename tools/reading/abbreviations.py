"""Abbreviations where a text says what they stand for: "service level objectives (SLOs)", "FTL (faster than light)".

The letters are looked for backwards in the words before the bracket, as by Schwartz and Hearst, "A simple algorithm for
identifying abbreviation definitions in biomedical text" (2003).
"""

import re

_NEAR = 400  # characters before a bracket, more than a long form has


def introduces(text: str, short: str) -> bool:
    """Whether a text says what an abbreviation stands for, in a bracket behind it or before it; case does not count."""
    if len(short) < 2 or not short.isalnum():
        return False
    written = rf"\b{re.escape(short)}(?:'?s)?"
    for match in re.finditer(rf"\(\s{{0,9}}{written}\s{{0,9}}[);,]", text, re.I):
        words = text[max(0, match.start() - _NEAR) : match.start()].split()
        if _spells(words[-2 * len(short) :], short):
            return True
    behind = re.search(rf"{written}\s\(([^()]{{1,{_NEAR}}})\)", text, re.I)
    return bool(behind and len(behind[1].split()) <= 2 * len(short) and _spells(behind[1].split(), short))


def _spells(words: list[str], short: str) -> bool:
    """Whether some words have these letters in order, the first at the beginning of one, and are not the short form."""
    text, letters = " ".join(words).lower(), short.lower()
    if re.search(rf"\b{re.escape(letters)}s?\b", text):
        return False
    at = len(text)
    for place, letter in reversed(list(enumerate(letters))):
        at -= 1
        while at >= 0 and not (text[at] == letter and (place or not text[at - 1 : at].isalnum())):
            at -= 1
        if at < 0:
            return False
    return True
