"""Queries fitted to a service: length, operators, quoting. Quoted phrases (the anchors) are never
lost.

What is searched for is the topic: the rare words of a question and its names are required, the
others welcome. How rare a word is, is told by its place in a list of English words by frequency.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import chain, dropwhile, zip_longest

from tools.index.vectors.wordpiece import read_vocabulary
from tools.text.language import asking_words
from tools.text.tokens import STOP, fold, stem

_LONGEST_WORD = 80
_ALL_OF = 3  # so many terms of a query are all required
_RARE = 2  # of a longer one, one of so many rare ones, with another term beside it
# a name of words more frequent than this ("United States") is a term like others
_COMMON_NAME = 3500
_PHRASE = re.compile(r"[\"“”„]([^\"“”„]{1,200})[\"“”„]")
_WORD = re.compile(r"[^\W_]+(?:[-'’.+#][^\W_]+|[+#]{1,2})*|[,;:()?!.]")
_CAPITAL = r"(?:[A-Z][a-zà-ÿ]+|[A-Z]{2,6}\b)"
_NAME = re.compile(rf"\b{_CAPITAL}(?: (?:(?:of|the|de|van|von|der|du|la) )*{_CAPITAL})+")
_BRACKETS = re.compile(rf"{_PHRASE.pattern}|(?<=[^\s(]) \(([^()\"“”„]{{1,60}})\)")
# "work" and "long" say nothing of a topic in "How does it work in winter?" and "How long does it
# last?"
_HOW_IT_WORKS = re.compile(
    r"(?i)^(\s{0,9}how (?:do|does"
    r"|did)\b.{1,200}?) work(?=\s{0,9}(?:[?,;.]|$|(?:and|as|at|in|on|under|when|with)\b))"
)
_HOW_LONG = re.compile(r"(?i)\bhow (?:far|long|often)\b")
_NUMBER = re.compile(r"[\d.]+")
_TOPIC_MARK = re.compile(r"[,:](?=\s)")
_UNSEEN = 40_000  # the place of a word that is not in the list of frequent ones


@dataclass(frozen=True, slots=True)
class Terms:
    """What a query asks for: every term of `must`, and one of the `pairs`: a name or rare word with
    a term beside it.

    others: what else is asked for; without pairs one of them must stand beside those of `must`.
    aspects: what stands behind a colon ("ocean acidification: history"); one of them must occur.
    optional: what no service must find: other names in brackets, and words that say nothing of the
    topic.
    """

    must: tuple[str, ...] = ()
    pairs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    others: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every term, the weightier ones first."""
        topic = (*self.must, *(word for word, _ in self.pairs), *self.others)
        return tuple(dict.fromkeys((*topic, *self.optional, *self.aspects)))

    def found_in(self, holds: Callable[[str], bool]) -> bool:
        """Whether a text is on the topic, whatever aspect is asked for. holds: whether it has a
        term."""
        if not all(map(holds, self.must)):
            return False
        if self.pairs:
            return any(holds(word) and any(map(holds, beside)) for word, beside in self.pairs)
        return not self.others or any(map(holds, self.others))


def read_terms(query: str, all_of: int = _ALL_OF) -> Terms:
    """The terms of a query, each once. all_of: so many are all required; of more what stands in
    quotes, or pairs.

    Small words, relations ("affects") and commas part a query into groups ("daylight saving time",
    "road accidents"). The rarest word stands with any other term; the rarest of another group with
    one from outside that group, because "drinking water" alone is not what somebody asks about who
    asks for microplastics in it.
    """
    topic, aspects = _without_aspects(query)
    topic, optional = _without_brackets(topic)
    phrases, groups = _phrases_and_groups(topic)
    terms = _each_once(phrases, groups)
    is_one_group = len(groups) == 1 and not phrases
    if len(terms) <= (all_of + 1 if is_one_group else all_of):
        return Terms(terms, aspects=aspects, optional=optional)
    if must := tuple(phrase for phrase in phrases if f'"{phrase}"' in query):
        others, weak = _without_weak([term for term in terms if term not in must])
        return Terms(must, (), others, aspects, (*optional, *weak))
    return replace(_by_rarity(terms, phrases, groups), aspects=aspects, optional=optional)


def _without_aspects(query: str) -> tuple[str, tuple[str, ...]]:
    """A question without what stands behind its colon, and the terms of that."""
    if ": " not in query.strip():
        return query, ()
    topic, _, aspects = query.rpartition(": ")
    return topic, _each_once(*_phrases_and_groups(aspects))


def _each_once(phrases: Sequence[str], groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*phrases, *chain.from_iterable(groups))))


def _by_rarity(
    terms: Sequence[str], phrases: Sequence[str], groups: Sequence[Sequence[str]]
) -> Terms:
    """The rarest names and words, each with a term beside it where there is one; the other
    terms."""
    names = sorted(
        (name for name in phrases if _rarity(name) >= _COMMON_NAME), key=_rarity, reverse=True
    )
    rare = [*names, *_rarest(groups)][:_RARE]
    content = [term for term in terms if not (_NUMBER.fullmatch(term) or _is_weak(term))]
    pairs = _pairs(rare, content, groups)
    must = () if pairs else tuple(rare)
    weighty = (*must, *(word for word, _ in pairs))
    return Terms(must, pairs, tuple(term for term in terms if term not in weighty))


def _without_weak(terms: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Terms that say something by themselves, and the others; where none does, all are taken."""
    strong = tuple(term for term in terms if not _is_weak(term))
    return (
        (strong, tuple(term for term in terms if _is_weak(term))) if strong else (tuple(terms), ())
    )


def _without_brackets(topic: str) -> tuple[str, tuple[str, ...]]:
    """A question without other names in brackets ("semaglutide (Ozempic)"), and their terms.
    Operators stay."""
    asides: list[str] = []

    def take_out(match: re.Match[str]) -> str:
        if match[2] is None or re.search(r"\b(?:AND|OR|NOT)\b", match[2]):
            return match[0]
        asides.append(match[2])
        return ""

    rest = _BRACKETS.sub(take_out, topic)
    return rest, _each_once(*_phrases_and_groups(" , ".join(asides)))


def _is_weak(term: str) -> bool:
    """Whether a term names how something was studied, not what."""
    return fold(term) in _weak()[1]


def _pairs(
    rare: Sequence[str], content: Sequence[str], groups: Sequence[Sequence[str]]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each rare word with the terms that make it the topic, no pair twice."""
    pairs: list[tuple[str, tuple[str, ...]]] = []
    for place, word in enumerate(rare):
        with_word = (group for group in groups if word in group)
        group = next(with_word, ()) if place and len(groups) > 1 else ()
        other_terms = [term for term in content if term not in rare[: place + 1]]
        if beside := [term for term in other_terms if term not in group] or other_terms:
            pairs.append((word, tuple(beside)))
    return tuple(pairs)


def _rarest(groups: Sequence[Sequence[str]]) -> list[str]:
    """The rarest word of each group, the rarest groups first; then further words."""
    topics = [[word for word in group if not _is_weak(word)] for group in groups]
    ranked = [sorted(topic, key=_rarity, reverse=True) for topic in topics if topic] or [
        list(g) for g in groups[:1]
    ]
    ranked.sort(key=lambda topic: _rarity(topic[0]), reverse=True)
    by_stem: dict[str, str] = {}  # by stem: "sorting" and "sorted" are one
    for word in chain.from_iterable(zip_longest(*ranked)):
        if word:
            by_stem.setdefault(stem(fold(word)), word)
    return list(by_stem.values())


def _phrases_and_groups(query: str) -> tuple[list[str], list[list[str]]]:
    """Quoted phrases and names of several words; the other words that say something, in their
    groups."""
    phrases = [" ".join(_words(match)) for match in _PHRASE.findall(query)]
    foreign = asking_words(query)
    small = STOP | foreign
    rest = _HOW_LONG.sub("how", _HOW_IT_WORKS.sub(r"\1", _PHRASE.sub(" , ", query)))
    if not _in_title_case(rest):
        names = _names(rest, small, foreign)
        phrases += names
        for name in names:
            rest = rest.replace(name, " , ")
    for dropped in (
        small | _weak()[0],
        small,
        frozenset[str](),
    ):  # where nothing else is left, small words will do
        groups = _groups(rest, dropped)
        if groups or phrases:
            break
    return list(dict.fromkeys(filter(None, phrases))), groups


def _names(text: str, small: frozenset[str], foreign: frozenset[str]) -> list[str]:
    """Names of several words, by their capitals: without the question word or verb before them and
    what is asked of them ("History of the Suez Canal"); not abbreviations alone.

    foreign: small words of another language than English; nouns that they join ("Ursache von
    Migraine") are no name.
    """
    names = []
    asking = small | _weak()[0]
    for match in _NAME.findall(text):
        parts = match.split()
        if _is_weak(parts[0]) and parts[1] == "of":
            del parts[0]
        parts = list(dropwhile(lambda part: part.islower() or fold(part) in asking, parts))
        if len(parts) > 1 and foreign.isdisjoint(parts) and not all(map(_is_abbreviation, parts)):
            names.append(" ".join(parts))
    return names


def _is_abbreviation(part: str) -> bool:
    return not (part[0].isupper() and part[-1].islower())


def _groups(text: str, dropped: frozenset[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in _WORD.findall(text):
        if not word[0].isalnum() or fold(word) in dropped:
            groups.append([])
        else:
            groups[-1].append(word[:_LONGEST_WORD])
    return [group for group in groups if group]


def _in_title_case(text: str) -> bool:
    """Whether capitals say nothing, because most words have one; abbreviations and the first word
    always have."""
    words = [
        word
        for word in _words(text)[1:]
        if word.isalpha() and not word.isupper() and fold(word) not in STOP
    ]
    return len(words) > 3 and sum(word[:1].isupper() for word in words) >= 0.9 * len(words)


def _words(text: str) -> list[str]:
    return [word[:_LONGEST_WORD] for word in _WORD.findall(text) if word[0].isalnum()]


def _rarity(term: str) -> int:
    """The place among frequent English words (the vocabulary is in that order); of several parts
    the rarest."""
    return max(
        (_places().get(part, _UNSEEN) for part in re.split(r"[^\w]+", fold(term)) if part),
        default=0,
    )


@cache
def _places() -> dict[str, int]:
    return {word: place for place, word in enumerate(read_vocabulary())}


@cache
def _weak() -> tuple[frozenset[str], frozenset[str]]:
    """(relations, aspects) of tools/data/query_words.txt."""
    text = files("tools").joinpath("data", "query_words.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    relations, _, aspects = "\n".join(lines).partition("[aspects]")
    return frozenset(relations.replace("[relations]", "").split()), frozenset(aspects.split())


def quoted(phrase: str) -> str:
    """A phrase as search services write it."""
    return f'"{phrase}"' if " " in phrase else phrase


def topic_of(question: str, most: int = 20) -> str:
    """What a question is about, as a query: its groups of words parted by commas. most: so many
    words, rare ones."""
    phrases, groups = _phrases_and_groups(question)
    rarest = set(_rarest(groups)[:most])
    parts = [quoted(phrase) if f'"{phrase}"' in question else phrase for phrase in phrases]
    parts += [" ".join(word for word in group if word in rarest) for group in groups]
    return ", ".join(filter(None, parts))


def plain_query(query: str, longest: int, most: int = 50) -> str:
    """For services without operators: the weightiest terms, phrases in quotes, within `longest`
    characters."""
    terms = [quoted(term) for term in read_terms(query).all[:most]]
    return " ".join(_within(terms, longest, 1))[: longest + 200]


def boolean_query(query: str, longest: int, field: str = "") -> str:
    """For services with AND and OR: phrases, names and a rare word of the topic must occur, with
    another term.

    longest: characters; field: what stands before every term ("all:" for arXiv).
    """
    terms = read_terms(query)
    aspects = [field + quoted(term) for term in terms.aspects]
    room = longest - sum(len(aspect) + len(" AND ") for aspect in aspects)
    topic = _paired(terms, room, field) if terms.pairs else _together(terms, room, field)
    if not topic or not aspects:
        return topic or " AND ".join(aspects)
    return f"{f'({topic})' if terms.pairs else topic} AND {_any_of(aspects)}"


def _together(terms: Terms, room: int, field: str) -> str:
    """All that must occur, and one of the others."""
    must = _within([field + quoted(term) for term in terms.must], room, len(" AND "))
    room -= sum(len(term) + len(" AND ") for term in must)
    some = _within([field + quoted(term) for term in terms.others], room, len(" OR "), least=0)
    return " AND ".join([*must, *([_any_of(some)] if some else [])])


def _paired(terms: Terms, room: int, field: str) -> str:
    pairs = []
    for word, beside in terms.pairs:
        room_each = room // len(terms.pairs) - len(field) - len(quoted(word)) - len("( AND ()) OR ")
        some = _within([field + quoted(term) for term in beside], room_each, len(" OR "))
        pairs.append(f"({field}{quoted(word)} AND {_any_of(some)})")
    return " OR ".join(pairs)


def _any_of(terms: Sequence[str]) -> str:
    return f"({' OR '.join(terms)})" if len(terms) > 1 else terms[0]


def _within(parts: Sequence[str], longest: int, gap: int, least: int = 1) -> list[str]:
    """The first parts that fit, at least so many."""
    words_within: list[str] = []
    for part in parts:
        if (
            sum(len(term) + gap for term in words_within) + len(part) > longest
            and len(words_within) >= least
        ):
            break
        words_within.append(part)
    return words_within


def web_query(query: str, sites: tuple[str, ...], excluded: tuple[str, ...], longest: int) -> str:
    """The question as typed, shortened when long, with site operators as web search engines know
    them.

    A topic with its aspect ("battery, grid: cost") loses its marks: nobody types them.
    """
    text = " ".join(_TOPIC_MARK.sub(" ", query).split())
    text = text if len(text) <= longest else plain_query(text, longest)
    allowed = " OR ".join(f"site:{site}" for site in sites[:5])
    return " ".join(filter(None, (text, allowed, *(f"-site:{site}" for site in excluded[:5]))))


def spoken(lang: str | None) -> tuple[str, str]:
    """(language, country) of a filter like "de", "pt-BR" or "en_GB", in lower case; empty where it
    says none."""
    parts = re.split(r"[-_]", (lang or "").strip().lower())
    language = parts[0] if re.fullmatch(r"[a-z]{2,3}", parts[0]) else ""
    country = next((part for part in parts[1:] if re.fullmatch(r"[a-z]{2}", part)), "")
    return language, country if language else ""


def first_day(date: str) -> str:
    """An ISO date as exact as a day: the first of its month or year."""
    return (date + "-01-01")[:10] if len(date) < 7 else (date + "-01")[:10]


def last_day(date: str) -> str:
    """An ISO date as exact as a day: the last of its month or year."""
    parts = [int(part) for part in date.split("-") if part.isdigit()]
    if len(date) >= 10 or not parts or not 1 <= parts[0] <= 9999:
        return date[:10]
    month = min(max(parts[1], 1), 12) if len(parts) > 1 else 12
    return f"{parts[0]:04d}-{month:02d}-{monthrange(parts[0], month)[1]:02d}"
