"""Which texts a question names, by their title, their file name, their date or their version."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain

from tools.documents.passage import telling_name
from tools.text.asking import document_words
from tools.text.dates import MONTH_NAMES
from tools.text.tokens import STOP, fold, stem, words
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.named_folders import texts_of_folders
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part
from workflows.research.understand.topic import topic_of

_RARE = 0.2  # share of the texts that may have a word of a title before it names none of them
_SHARE = 0.5  # of the best match, and of what could be named
# a word with a capital that begins no sentence
_NAME = re.compile(r"(?<=[^.!?\s]\s)[A-ZÀ-Þ][\w’'-]+")
_MONTHS = "|".join(MONTH_NAMES)
_DAY = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>{_MONTHS})|(?P<month2>{_MONTHS})\s+"
    r"(?P<day2>\d{1,2})(?:st|nd|rd|th)?,?)\s+(?P<year>\d{4})\b"
    rf"|\b(?P<month3>{_MONTHS})\s+(?P<year2>\d{{4}})\b|\b(?P<iso>\d{{4}}-\d\d(?:-\d\d)?)\b",
    re.I,
)
# "The last meeting"; of "the last meetings" and "the last but one" it is not told which are meant
LATEST = re.compile(
    r"\b(?:the|our|my|your|their) (?P<which>last|latest|newest|most recent) "
    r"(?P<kind>[^\W\d_]+)\b(?! but\b)",
    re.I,
)
# Then a question is put to others as well: "How does the last report differ from the first?"
_OTHERS_TOO = re.compile(r"\b(?:first|earlier|earliest|previous|between|since|than)\b", re.I)
_FEWEST = 2  # dated texts of one kind, of which one is the latest
_HAPPENED = re.compile(
    r"what (?:happened|was (?:said|covered|discussed)"
    r"|did (?P<who>.{1,40}?)\b(?:cover|discuss|talk about))"
    r" (?:at|in|on|during) (?P<when>.{1,80}?)\W*",
    re.I,
)
# What is held on a day, and which the titles of its minutes may leave unsaid ("2022-05-01")
_OCCASIONS = frozenset(map(stem, "meeting session call conference workshop hearing".split()))
_YEAR = re.compile(r"\d{4}")
_NUMBER = re.compile(r"\d{1,20}")
_DIGITS = re.compile(r"\d{1,9}(?:-\d{1,9}){1,9}")
_SEPARATOR = re.compile(r"[_.\s]")  # between the numbers of a date in the name of a file
# The number of a version ends what is said of it: "2.5 million" is none; neither is a date
_VERSION = re.compile(
    r"(?:(?P<before>[\w+.-]{1,40})\s+)?(?<![\w.,/$€£-])(?!\d{1,2}\.\d{1,2}\.\d{4}|\d{4}\.\d\d\.\d\d)"
    r"v?(?P<number>\d{1,4}(?:\.\d{1,4}){1,2})"
    r"(?=[\s?!.,;:)]*$|\s+(?:releas\w+|version|has|have|add|bring|change|fix|introduce|remove)\b)",
    re.I,
)
_ASKS_CHANGES = re.compile(
    r"\b(?:added|breaking|bugs?|changed|changes|deprecated|features|fixed|fixes|improved"
    r"|improvements?|incompatible|new (?:in|features?)|release notes|released|removed"
    r"|what(?:.s| is| was) new)\b",
    re.I,
)
_OF_VERSIONS = re.compile(r"\b(?:new|versions?|releases?|changelog|change log)\b", re.I)
# Before the number of something else
_PARTS_OF_TEXTS = frozenset(
    "article chapter clause figure item page paragraph part rule section step table".split()
)
_NUMBERED = re.compile(r"\d{1,4}(?:\.\d{1,4}){1,9}")
# As file names have them: "4-4", "4_4"
_JOINED = re.compile(r"(?<=\d)[-_](?=\d)")


def named_texts(part: Part, collection: TextCollection) -> list[TextInfo]:
    """The texts of a date that the question gives, else those whose titles hold its rare words,
    best first."""
    texts = list(collection.texts())
    if dated := dated_texts(part.question, collection):
        return dated
    if len(texts) < 2 or _speaks_of_several(part.question):
        return []
    titles = {info.snapshot_id: title_stems(info) for info in texts}
    weights = _rare_terms(part, list(titles.values()))
    scores = {key: sum(weights.get(term, 0.0) for term in title) for key, title in titles.items()}
    best = max(scores.values())
    if not _names_enough(part, weights, best):
        return []
    named_infos = [info for info in texts if scores[info.snapshot_id] >= _SHARE * best]
    named_infos.sort(
        key=lambda info: (-round(scores[info.snapshot_id], 6), info.title, info.snapshot_id)
    )
    return named_infos


def _rare_terms(part: Part, titles: Sequence[frozenset[str]]) -> dict[str, float]:
    """The terms of a question that few titles have, by weight: the fewer have it, the more it
    weighs."""
    spread = Counter(chain.from_iterable(titles))
    most = max(1.0, _RARE * len(titles))
    return {
        term: math.log(1 + len(titles) / spread[term])
        for term in part.topic.stems
        if 0 < spread[term] <= most
    }


def _names_enough(part: Part, weights: Mapping[str, float], best: float) -> bool:
    """Whether the rare terms name a title: as a name in the question, or by most of them. best:
    weight in one title."""
    if any(stem(word) in weights for name in _NAME.findall(part.question) for word in words(name)):
        return True
    enough_terms = len(weights) >= _SHARE * len(part.topic.stems)
    return bool(weights) and enough_terms and best >= _SHARE * sum(weights.values())


def _speaks_of_several(question: str) -> bool:
    """Whether a question is put to "the documents", "these papers": what it names besides is a
    topic."""
    words_for_documents = document_words()
    return any(
        word in words_for_documents
        and (word[:-1] in words_for_documents or word[:-2] in words_for_documents)
        for word in words(question)
    )


def _by_date(info: TextInfo) -> tuple[str, str]:
    return info.date or "", info.snapshot_id


def dated_texts(question: str, collection: TextCollection) -> list[TextInfo]:
    """The texts of a date that a question gives: the minutes of a meeting, the report of a month;
    or the latest, where it asks for that, or all of a year."""
    dates, texts = dates_in(question), collection.texts()
    called = [info for info in texts if any(_is_called_by(info, date) for date in dates)]
    published = [info for info in texts if (info.date or "").startswith(tuple(dates))]
    of_dates = list(dict.fromkeys((*called, *published)))
    return of_dates or _latest(question, texts) or _of_year(question, texts)


def _is_called_by(info: TextInfo, date: str) -> bool:
    """Whether title or file name give a date: the report of April may come out in May."""
    digits = _DIGITS.findall(_SEPARATOR.sub("-", f"{info.title} {info.name}"))
    in_digits = any(f"-{date}-" in f"-{row}-" for row in digits)
    return in_digits or any(given.startswith(date) for given in dates_in(info.title))


def _latest(question: str, texts: Sequence[TextInfo]) -> list[TextInfo]:
    """The latest of the dated texts whose titles begin or end with what a question asks the latest
    of."""
    asked = None if _OTHERS_TOO.search(question) else LATEST.search(question)
    kind = fold(asked["kind"]) if asked else ""
    if not kind or (kind.endswith("s") and kind not in document_words()):
        return []
    dated = [info for info in texts if info.date and stem(kind) in _ends_of_title(info)]
    return [max(dated, key=_by_date)] if len(dated) >= _FEWEST else []


def _of_year(question: str, texts: Sequence[TextInfo]) -> list[TextInfo]:
    """The texts of a year, which are called by it, where a question asks what happened in it."""
    match = _HAPPENED.fullmatch(question.strip())
    year = match["when"] if match and _YEAR.fullmatch(match["when"]) else None
    if not year:
        return []
    return [
        info
        for info in texts
        if (info.date or "").startswith(year)
        and any(digits.startswith(year) for digits in _NUMBER.findall(info.names))
    ]


def _ends_of_title(info: TextInfo) -> set[str]:
    """The stems of the first and the last word of a title, its date aside."""
    tokens = [word for word in words(_DAY.sub(" ", info.title)) if word.isalpha()]
    return {stem(word) for word in (*tokens[:1], *tokens[-1:])}


def as_overview(part: Part, collection: TextCollection) -> Part:
    """The part of a question, as one for an overview where it asks what is in the texts of a date
    or of a folder, and nothing besides: "What was discussed at the last meeting?"."""
    asked = _HAPPENED.fullmatch(part.question.strip())
    if not asked:
        return part
    of_when = replace(part, intent=Intent.OVERVIEW, topic=topic_of(asked["when"]))
    folder = texts_of_folders(of_when, collection)
    is_overview = (folder and folder.is_whole) or asks_what_happened(part.question, collection)
    return of_when if is_overview else part


def asks_what_happened(question: str, collection: TextCollection) -> bool:
    """Whether a question asks what is in the texts of a date, and nothing besides; "What did Ada
    say at the last meeting?" asks of Ada."""
    asked = _HAPPENED.fullmatch(question.strip())
    if not asked:
        return False
    names = " ".join(_NAME.findall(f"by {asked['who'] or ''}"))
    return any(
        names_only(
            f"{names} {asked['when']}", [info], _OCCASIONS if _is_record(info) else frozenset()
        )
        for info in dated_texts(question, collection)
    )


def _is_record(info: TextInfo) -> bool:
    """Whether a title is a date, or calls the text minutes, notes or the like: then it need not say
    of what."""
    title = set(words(_DAY.sub(" ", info.title)))
    return not any(map(str.isalpha, title)) or not title.isdisjoint(document_words())


def names_only(question: str, dated: Sequence[TextInfo], besides: Set[str] = frozenset()) -> bool:
    """Whether a question names some dated texts, and nothing that is not in their titles. besides:
    stems that it may name, too."""
    rest = topic_of(LATEST.sub(" ", _DAY.sub(" ", question)))
    asked = set(rest.stems) - set(map(stem, document_words())) - besides
    return bool(dated) and all(asked <= title_stems(info) for info in dated)


def dates_in(question: str) -> list[str]:
    """The dates that a question gives, as ISO dates or months."""
    dates = []
    for match in _DAY.finditer(question):
        month = match["month"] or match["month2"] or match["month3"]
        if match["iso"]:
            dates.append(match["iso"])
        elif month:
            number = MONTH_NAMES.index(month.lower()) + 1
            day = match["day"] or match["day2"]
            dates.append(
                f"{match['year'] or match['year2']}-{number:02d}"
                + (f"-{int(day):02d}" if day else "")
            )
    return dates


def without_dates(question: str) -> str:
    """A question without the dates that `dates_in` finds."""
    return _DAY.sub(" ", question)


def title_stems(info: TextInfo) -> frozenset[str]:
    """The words that a text is called by, of its title and its file."""
    spoken = f"{info.title} {telling_name(info.name)}".replace("_", " ").replace("-", " ")
    return frozenset(stem(word) for word in words(spoken) if word not in STOP)


def versions_asked(question: str) -> list[str]:
    """The number of the version of which a question asks what changed; none where it compares
    versions."""
    if _OTHERS_TOO.search(question) or not _ASKS_CHANGES.search(question):
        return []
    matches = _VERSION.finditer(question)
    return [m["number"] for m in matches if fold(m["before"] or "") not in _PARTS_OF_TEXTS]


def asks_only_changes(question: str) -> bool:
    """Whether a question of what changed in a version asks it of nothing besides: "What is new in
    Celery 5.3?"."""
    rest = _ASKS_CHANGES.sub(" ", _VERSION.sub(" ", question))
    return not topic_of(_OF_VERSIONS.sub(" ", rest)).terms


def is_called(names: str, versions: Sequence[str]) -> bool:
    """Whether names hold one of some versions; 0.12.0 is 0.12, 0.12.1 is not."""
    if not versions:
        return False
    held = map(_without_zeros, _NUMBERED.findall(_JOINED.sub(".", names)))
    return not set(map(_without_zeros, versions)).isdisjoint(held)


def _without_zeros(version: str) -> str:
    while version.endswith(".0"):
        version = version[:-2]
    return version
