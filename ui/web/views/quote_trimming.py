"""Cut a quotation to the part that supports a sentence."""

import re

LENGTH = 140
_FIGURE = re.compile(r"\s{0,3}[€$£]?\d\S{0,40}(?:\s\S{1,40})?")
_FIGURE_BEFORE = re.compile(r"\d[.,]?\s?$")
_WORD = re.compile(r"\w+")


def cut(quote: str, sentence: str, length: int = LENGTH) -> str:
    """About `length` characters of the quote around what it shares with the sentence, cut at words,
    with […].

    A quote that is only a little longer stays whole: a mark that hides three words helps nobody.
    """
    text = " ".join(quote.split())
    if len(text) <= length + 20:
        return text
    start = _support(text, sentence, length)
    end = start + length
    if end >= len(text) - 15:
        start, end = max(0, len(text) - length), len(text)
    if start <= 15:
        start = 0
    start = text.find(" ", start) + 1 if start else 0
    if end < len(text):
        end = max(text.rfind(" ", start, end + 1), start + length // 2)
    end = _behind_figure(text, end)
    before, after = "[…] " if start else "", " […]" if end < len(text) else ""
    return f"{before}{text[start:end].rstrip(' ,;')}{after}"


def _behind_figure(text: str, end: int) -> int:
    """The end of a cut, moved on behind a figure and its unit that would begin right after it, or
    that it divides."""
    match = _FIGURE.match(text, end) or _FIGURE_BEFORE.search(text[: end + 1])
    if match is None:
        return end
    if match.re is _FIGURE:
        return match.end()
    unit = re.compile(r"\s?\S+").match(text, end)
    return unit.end() if unit else end


def _support(text: str, sentence: str, length: int) -> int:
    """Where the window of this length with the most words of the sentence begins."""
    terms = {word.lower() for word in _WORD.findall(sentence) if len(word) > 3}
    places = [m.start() for m in _WORD.finditer(text) if m.group().lower() in terms]
    if not places:
        return 0
    counts = [
        (sum(place <= other < place + length for other in places), -place) for place in places
    ]
    _, place = max(counts)
    last = max(other for other in places if other < -place + length)
    spare = max(0, length - (last + 12 + place))
    return max(0, -place - spare // 2)
