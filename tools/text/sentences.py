"""Sentences of a text, as spans. One pass over the characters that may end a sentence; every
pattern is linear.

What ends a sentence: a stop (with its closing quotes, brackets and citation marks) before white
space and something that can begin a sentence; a stop of a script without spaces; a blank line; a
line break before or after a line that looks like a list item or a heading. What does not:
abbreviations, initials, decimals, list numbers, `"Why?" he asked`. Where an abbreviation may also
end a sentence ("in the U.S. The ..."), a word that usually begins one decides.
"""

import re

_LATIN = ".!?…؟۔।"
_CLOSE = "\"'”’»›)\\]*_」』）】"

# Begins with one character class, so that the search runs at the speed of a scan; what follows is
# looked at only there.
_CANDIDATE = re.compile(
    rf"[{_LATIN}。！？｡\n]"
    r"(?:(?<=\n)"
    rf"|(?<=[。！？｡])[。！？｡{_CLOSE}]{{0,8}}+"
    rf"|(?<=[{_LATIN}])(?<![{_LATIN}][{_LATIN}])[{_LATIN}]*+"
    rf"(?:[{_CLOSE}]|[ \u00a0\u202f]»(?=\s|\Z)"
    r"|\[(?:\d[\d,–\- ]{0,15}|[a-z]|note \d{1,2}|citation needed)\]){0,6}+"
    r"(?:(?<=[a-z)]\.)\d{1,3}(?:[,–-]\d{1,3}){0,4}+(?=\s[A-Z]))?(?=\s|\Z))"
)
_SOLID = re.compile(r"\S")
_WORD = re.compile(r"[\"'“”‘’«»(\[*_¿¡]{0,4}([\w'’\-]{0,40}\.?)")
_BLANK = re.compile(r"[ \t\r\f\v]*+(?:\n|\Z)")
_ITEM = re.compile(
    r"[ \t]{0,16}+(?:[-*+•‣◦▪·–—] |\(?\d{1,2}[.)][ \t]|\(?[a-zA-Z]\)[ \t]|#{1,6} |\||> |={3}|-{3})"
)
_HEADING = re.compile(r"[ \t]{0,16}+(?:#{1,6} |={3}|-{3})")
_NUMBER_AT_LINE_START = re.compile(
    r"[ \t]*+\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[IVXLC]{1,7}|[A-Za-z])$"
)
_ACRONYM = re.compile(r"[A-Za-z](?:\.[A-Za-z]{1,2})+$")
# mRNA, pH, iPhone: may begin a sentence though lower case
_MIXED_CASE = re.compile(r"[a-z]{1,2}[A-Z]")
_SHORT_LINE, _LONG_LINE = 48, 130
_LOOK_BACK = 24

# Never the end of a sentence.
_TITLES = frozenset(
    """dr mr mrs ms mx prof rev hon st mt ft gen sen rep gov pres capt cmdr lt col maj sgt adm amb
    supt messrs mme mlle vs v cf eg ie e.g i.e viz resp ca approx fig figs eq eqs tab ref refs thm
    lem def prop ex ed eds trans al-fig z.b d.h u.a u.ä bzw vgl abb bd nr usw. hrsg evtl ggf dipl
    ing dott avv sig sra srta núm p.ej dept univ assn bros asst incl excl esp repr suppl illus cit
    op loc ser spp subsp var sp cv""".split()
)
# Never the end before a number, a roman numeral or a single letter; a word of its own elsewhere.
_NUMBERED = frozenset(
    "no nos vol vols ch chap sec sect art p pp pt pts para fol "
    "ll n l ser app suppl iss par est".split()
)
# May end a sentence: they do before a word that usually begins one.
_EITHER = frozenset(
    """al inc ltd co corp plc llc bros jr sr esq u.s u.k u.n e.u d.c ph.d m.d b.a m.a b.sc m.sc b.c
    a.d b.c.e c.e p.s jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur
    thurs fri sat sun ave blvd rd sq min max avg ibid et seq cm mm kg km hr hrs sec yr yrs wt dist
    bldg""".split()
)
_CLOCK = frozenset("a.m p.m am pm".split())
_AFTER_CLOCK = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january
    february march april may june july august september october november december est edt cst cdt
    mst mdt pst pdt et ct mt pt gmt utc bst cet cest""".split()
)
_ORDINAL_MONTHS = frozenset(
    "januar februar märz april mai juni juli august september "
    "oktober november dezember jahrhundert".split()
)
_LABELS = frozenset(
    """vitamin hepatitis type group grade class plan appendix section figure table part level
    category phase point option step case model influenza series version schedule stage team factor
    annex title chapter exhibit""".split()
)
_STARTERS = frozenset(
    """The A An In On At It Its This That These Those There Here He She They We I You His Her Their
    Our My Your But And Or Nor So Yet For However Moreover Furthermore Therefore Thus Hence
    Meanwhile Nevertheless Nonetheless Instead Although Though While Whereas When Where What Who
    Whose Which Why How If Unless Until Since Because As After Before During Despite By From To With
    Without Within Under Over Between Among Through Throughout Across Against Not No Some Many Most
    Much Few Several Both Each Every All Any Another Other Others One Two Three Is Are Was Were Be
    Do Does Did Has Have Had Can Could Should Would Will May Might Now Then Later Today Once Also
    Even Only Such Still Finally First Second Third Overall Again Recently Currently Previously
    Subsequently Additionally Similarly Conversely According Using Based Given Our Results Patients
    Researchers Scientists Critics Experts Let Please See It's It’s He's She's They're We're I'm
    I've You're There's That's Don't""".split()
)
_DANGLING = frozenset(
    "a an the of in on at to for and or but by with from as is are was were that which than".split()
)


def spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """(start, end) of every sentence of `text[start:end]`, in order, without surrounding white
    space."""
    stop = len(text) if end is None else min(end, len(text))
    sentences: list[tuple[int, int]] = []
    begin = max(0, start)
    for match in _CANDIDATE.finditer(text, begin, stop):
        at = match.end()
        if text[match.start()] == "\n":
            if not _line_ends_sentence(text, match.start(), begin, stop):
                continue
        elif not _stop_ends_sentence(text, match.start(), at, begin, stop):
            continue
        _add(sentences, text, begin, at)
        begin = at
    _add(sentences, text, begin, stop)
    return sentences


def _add(sentences: list[tuple[int, int]], text: str, begin: int, end: int) -> None:
    raw = text[begin:end].rstrip()
    bare = raw.lstrip()
    if bare:
        first = begin + len(raw) - len(bare)
        sentences.append((first, first + len(bare)))


def _stop_ends_sentence(text: str, dot: int, at: int, begin: int, stop: int) -> bool:
    """Whether the stop at `dot`, which ends with its closing marks at `at`, ends a sentence."""
    solid = _SOLID.search(text, at, stop)
    if solid is None:
        return True
    if text[dot] in "。！？｡":
        return not _quotation_goes_on(text, at)
    match = _WORD.match(text, solid.start(), stop)
    following = match.group(1) if match else ""
    first = following[:1] or text[solid.start()]
    before = text[max(begin, dot - 4) : dot]
    if text[dot] == "." and before[-1:].isspace():
        return _spaced_stop_ends(before.rstrip()[-1:], first)
    if first in ".,;:/=<≥≤%" or (first.islower() and not _MIXED_CASE.match(following)):
        return False
    if text[dot] != "." or text.startswith("..", dot, at):
        return True  # a question, an exclamation or an ellipsis before a capital
    return _dot_ends_sentence(text, dot, begin, following)


def _spaced_stop_ends(before: str, first: str) -> bool:
    """Text with a space before each stop ends there whatever follows; a spaced ellipsis only before
    a capital."""
    return first != "." and bool(before) and (before != "." or first.isupper())


def _quotation_goes_on(text: str, at: int) -> bool:
    """A Japanese quotation that its sentence goes on after: 「…。」と言った."""
    return text[at - 1] in "」』）" and text[at : at + 1] in tuple("とっはがをにでもの、，")


def _dot_ends_sentence(text: str, dot: int, begin: int, following: str) -> bool:
    words_before = text[max(begin, dot - _LOOK_BACK) : dot].rsplit(None, 2)
    word = words_before[-1].lstrip("\"'“‘«([{*_-–—/") if words_before else ""
    if not word:
        return False
    if len(word) == 1 or word.isdigit() or word.isupper():
        line = text[max(begin, text.rfind("\n", begin, dot) + 1) : dot]
        if len(line) < _LOOK_BACK and _NUMBER_AT_LINE_START.match(line):
            return False  # the number of a list item or heading belongs to what follows it
    if word.isdigit():
        return not (len(word) < 3 and following.rstrip(".").lower() in _ORDINAL_MONTHS)
    if len(word) == 1 and word.isalpha():
        return _initial_ends(word, words_before, following)
    return _abbreviation_ends(word, following)


def _initial_ends(letter: str, words_before: list[str], following: str) -> bool:
    if following in _STARTERS:
        return True
    if letter.islower():
        return letter not in "pvscdn" and not following[:1].isdigit()
    before = words_before[-2].lower() if len(words_before) > 1 else ""
    return before in _LABELS and not following.endswith(".")


def _abbreviation_ends(word: str, following: str) -> bool:
    lower = word.lower()
    if lower in _CLOCK:
        return following.rstrip(".").lower() not in _AFTER_CLOCK
    if lower in _EITHER or (_ACRONYM.match(word) and lower not in _TITLES):
        return following in _STARTERS
    if lower in _NUMBERED:
        bare = following.rstrip(".")
        return not (
            bare[:1].isdigit() or (len(bare) == 1 and bare not in ("A", "I")) or _is_roman(bare)
        )
    return lower not in _TITLES


def _is_roman(word: str) -> bool:
    return len(word) > 1 and not word.strip("IVXLC")


def _line_ends_sentence(text: str, at: int, begin: int, stop: int) -> bool:
    """Whether the line break at `at` ends a sentence though no stop stands before it."""
    if _BLANK.match(text, at + 1, stop) or _ITEM.match(text, at + 1, stop):
        return True
    first = max(begin, text.rfind("\n", begin, at) + 1)
    if _HEADING.match(text, first, at) or text.startswith("|", first, at):
        return True
    if _SHORT_LINE < at - first < _LONG_LINE:
        return False  # a line of a paragraph that was wrapped
    return _reads_as_a_line(text[max(first, at - _LOOK_BACK) : at].rstrip(), text[at + 1 : at + 2])


def _reads_as_a_line(tail: str, following: str) -> bool:
    """A short line (a heading, a caption) or an unwrapped one (a paragraph) before a capital stands
    for itself."""
    if not tail or not following.isupper() or not (tail[-1].isalnum() or tail[-1] in '?!)”"'):
        return False
    return tail.rsplit(None, 1)[-1].lower() not in _DANGLING
