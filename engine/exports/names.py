"""Names of authors as bibliographies need them: family, given, the particle between them, a suffix;
or one literal.

Sources give names as one text ("Jan van der Berg", "Smith JA", "Doe, Jane", "World Health
Organization"). What is not surely a person's name of several parts stays one literal: a split
institution is worse than an unsplit person.
"""

import re
from dataclasses import dataclass

from tools.sources.source import Source
from tools.text.plain import line

_ORGANISATION = frozenset(
    """agency association authority bank board bureau centre center centers church collaboration
    college commission committee company consortium corporation council court department directorate
    division federation foundation forum fund government group inc initiative institute institution
    international laboratory league library limited ltd ministry museum nations network news
    observatory office operator organisation organization panel parliament press programme program
    project registry review school secretariat service services society staff study team trust union
    universitat university université universidad desk editors gmbh""".split()
)
_INSIDE = frozenset("of the for and on in & und für et des pour y para do da".split())
_PARTICLES = frozenset(
    "van von de der den del della dello di da la le du dos das ter ten "
    "te zu zum zur af al bin ibn el y".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv".split())
_DEGREES = frozenset("phd md msc bsc dr prof mph rn dphil frs".split())
_OTHERS = frozenset(("", "et al", "others", "and others"))
_INITIALS = re.compile(r"[A-Z]{1,3}(?:-[A-Z])?\Z")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Name:
    """A person, or with `family` alone an organisation or a name of one word."""

    family: str
    given: str = ""
    particle: str = ""
    suffix: str = ""

    @property
    def literal(self) -> bool:
        """Whether the name is to be kept in one piece."""
        return not self.given

    def sorted_form(self) -> str:
        """ "van der Berg, Jan, Jr.", or the literal."""
        family = f"{self.particle} {self.family}".strip()
        return ", ".join(part for part in (family, self.given, self.suffix) if part)


def people(source: Source) -> list[Name]:
    """The authors of a source, in order; empty names are left out."""
    names = (line(author) for author in source.authors)
    return [parsed(name) for name in names if name.lower().rstrip(".") not in _OTHERS]


def parsed(text: str) -> Name:
    """One name in its parts."""
    if "," in text:
        return _inverted(text)
    words = text.split()
    if len(words) == 1 or _organisation(words):
        return Name(text)
    if _CJK.search(text):
        return Name(words[0], " ".join(words[1:])) if len(words) == 2 else Name(text)
    words, suffix = _without_suffix(words)
    if len(words) < 2:
        return Name(text)
    if _INITIALS.match(words[-1]) and not _INITIALS.match(words[0].replace(".", "")):
        # "Smith JA", as indexes of medicine write
        return _with_particle(words[:-1], _dotted(words[-1]), suffix)
    first = _begin_of_family(words)
    return _with_particle(words[first:], " ".join(words[:first]), suffix)


def _inverted(text: str) -> Name:
    """ "Family, Given" with an optional suffix; degrees are dropped."""
    parts = _without_degrees(text)
    if not parts:
        return Name(text)
    suffix = next((part for part in parts[1:] if part.lower().rstrip(".") in _SUFFIXES), "")
    rest = [part for part in parts[1:] if part != suffix]
    if _organisation(text.replace(",", " ").split()) or len(rest) > 1:
        return Name(text)
    if rest:
        return _with_particle(parts[0].split(), rest[0], suffix)
    whole = parsed(parts[0])  # "Martin L. King, Jr."
    return Name(whole.family, whole.given, whole.particle, suffix or whole.suffix)


def _without_degrees(text: str) -> list[str]:
    """The parts of a name between its commas."""
    parts = filter(None, map(str.strip, text.split(",")))
    return [part for part in parts if part.lower().replace(".", "") not in _DEGREES]


def _organisation(words: list[str]) -> bool:
    plain = [word.lower().strip("().,") for word in words]
    return (
        any(word in _ORGANISATION for word in plain)
        or any(word in _INSIDE - _PARTICLES for word in plain[1:])
        or any(sign.isdigit() for word in words for sign in word)
        or plain[0] == "the"
        or len(words) > 6
    )


def _without_suffix(words: list[str]) -> tuple[list[str], str]:
    last = words[-1].lower().rstrip(".")
    return (words[:-1], words[-1]) if last in _SUFFIXES and len(words) > 2 else (words, "")


def _begin_of_family(words: list[str]) -> int:
    """The last word, and the lower-case particles right before it."""
    first = len(words) - 1
    while first > 1 and words[first - 1] in _PARTICLES:
        first -= 1
    return first


def _with_particle(family: list[str], first_names: str, suffix: str) -> Name:
    count = 0
    while count < len(family) - 1 and family[count] in _PARTICLES:
        count += 1
    return Name(" ".join(family[count:]), first_names, " ".join(family[:count]), suffix)


def _dotted(initials: str) -> str:
    return " ".join(f"{letter}." for letter in initials if letter.isalpha())
