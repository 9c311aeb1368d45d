"""Which part of a report a sentence belongs to, by how it is said: a definition, a mechanism, a use, a limit ...

Template headings are answered by certain turns of phrase (tools/data/roles.toml). `fit` says how well a sentence has
those of a heading, 0..1; 0 means that it does not belong there, however close to the question it is.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from tools.text.tokens import STOP, stem, stems, words

DEFINING = ("Definition", "Overview", "Introduction")
_VERB = (
    r"\b(?:is|are|was|were)\b(?! not)(?:\s(?:also|usually|often|\w+ly))?\s(?:an?|the|any|one|both)\s"
    r"|\b(?:refers? to|denotes?|means|consists? of)\b"
    r"|\b(?:is|are|can be|was|were) (?:\w+ly )?(?:defined|known|called|termed|described|regarded|understood"
    r"|considered|characteri[sz]ed) (?:as|by|to be)\b"
)
_DEFINES = re.compile(_VERB, re.I)
_CALLED = re.compile(r"\b(?:called|termed|known as|named|referred to as|defined as)\b", re.I)
_NO_DEFINITION = re.compile(
    r"\b(?:was|were|is|are) (?:the |one of the |an? )?(?:only|first|same|result|reason)\b", re.I
)
_PREPOSITION = re.compile(r"\b(?:of|in|for|on|with|by|from|between|at|to)\b", re.I)
_MORE_OF_A_NAME = re.compile(r"(?:['’]s)?\s(?:[A-Z][\w'’-]*)")
_YEAR = re.compile(r"\b(?:1[0-9]\d\d|20\d\d)s?\b")
_STRONG, _WEAK, _DATED, _ENOUGH = 0.6, 0.2, 0.3, 0.6
_SUBJECT_WITHIN = 6  # words beside the subject's own that may stand before "is"


@dataclass(frozen=True, slots=True)
class _Marks:
    strong: re.Pattern[str]
    weak: re.Pattern[str]
    in_time: bool


def fit(heading: str, sentence: str, anchor: str, cues: tuple[str, ...] = ()) -> float:
    """How well a sentence belongs under a heading, 0..1. cues: words of a heading that has no patterns of its own."""
    if heading in DEFINING:
        return defines(sentence, anchor)
    marks = _marks().get(heading)
    if marks is None:
        wanted = {stem(word) for word in cues} - set(stems(anchor))
        hits = len(wanted & set(stems(sentence)))
        return round(hits / (1 + hits), 6)
    score = _STRONG * bool(marks.strong.search(sentence)) + _WEAK * min(2, len(marks.weak.findall(sentence)))
    if marks.in_time and _YEAR.search(sentence):
        score += _DATED
    return round(min(1.0, score), 6) if score >= _ENOUGH else 0.0


def defines(sentence: str, anchor: str) -> float:
    """Whether a sentence says what its subject is: 1.0 "X is a ...", 0.8 "... is called X", 0 otherwise."""
    wanted = stems(anchor)
    if not wanted:
        return 0.0
    match = _DEFINES.search(sentence)
    if (
        match
        and _names(sentence[: match.start()], wanted, anchor)
        and not _NO_DEFINITION.match(sentence, match.start())
    ):
        return 1.0
    called = _CALLED.search(sentence)
    if called and _names(" ".join(sentence[called.end() :].split()[: len(wanted) + 2]), wanted, anchor):
        return 0.8
    return 0.0


def _names(stretch: str, wanted: list[str], anchor: str) -> bool:
    """Whether a short stretch of text names the subject: its last stem, and at least half of all of them."""
    head = re.sub(r"\([^()]*\)", " ", stretch)
    if not _PREPOSITION.search(anchor):
        head = _PREPOSITION.split(head)[0]  # "a regulator of X is" defines no X
    said = [stem(word) for word in words(head)]
    last = next((match for match in re.finditer(r"[^\W_]+", head) if stem(match[0].lower()) == wanted[-1]), None)
    if last and _MORE_OF_A_NAME.match(head, last.end()):
        return False  # "The Dandy Warhols Are Sound" is not The Dandy Warhols
    if len(said) > len(wanted) + _SUBJECT_WITHIN or wanted[-1] not in said:
        return False
    if all(one in said for one in wanted):
        return True
    # "Moore's law" is no canon law; "batteries" may be grid-scale ones
    before = [one for one in said[: said.index(wanted[-1])] if len(one) > 1 and one not in STOP][-1:]
    other = [one for one in before if one not in wanted]
    return not other and sum(one in said for one in wanted) >= len(wanted) / 2


def in_time(heading: str) -> bool:
    """Whether the sentences of a section stand in the order of the years they name."""
    marks = _marks().get(heading)
    return marks is not None and marks.in_time


def year(sentence: str) -> int:
    """The first year a sentence names; 9999 when it names none."""
    match = _YEAR.search(sentence)
    return int(match[0][:4]) if match else 9999


@lru_cache(maxsize=1)
def _marks() -> dict[str, _Marks]:
    """Heading -> its patterns."""
    parts = tomllib.loads(files("tools").joinpath("data", "roles.toml").read_text(encoding="utf-8"))
    found: dict[str, _Marks] = {}
    for part in parts.values():
        strong, weak = (re.compile(rf"(?<!\w)(?:{'|'.join(part[one])})", re.I) for one in ("strong", "weak"))
        weak = re.compile(rf"{weak.pattern}(?!\w)", re.I)
        found |= {heading: _Marks(strong, weak, part.get("in_time", False)) for heading in part["headings"]}
    return found
