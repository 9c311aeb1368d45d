"""How a question's words stand in the texts: misspelled, in another language, by like words, or not
at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.reading.answer_type import AnswerType, expected_answer
from tools.reading.thesaurus import related
from tools.reading.translation import translations
from tools.text.language import language_of, opening_words, question_languages, small_words
from tools.text.rarity import rarity
from tools.text.tokens import STOP, fold, stem, words
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.named_folders import in_folder_names
from workflows.research.understand.parts import Part
from workflows.research.understand.topic import topic_of

_CLOSE = 0.6  # likeness from which a word of like meaning is searched for as well
_MOST_RELATED = 2  # of one word
_WORD = re.compile(r"[^\W_]+")
# How English asks for a type of answer; "who" and "where" are of one type, and stay as they are
_ASKED_IN_ENGLISH = {
    AnswerType.NUMBER: "How many",
    AnswerType.DURATION: "How long",
    AnswerType.DATE: "When",
    AnswerType.REASON: "Why",
    AnswerType.METHOD: "How can",
}
NEAREST = 5  # passages whose language tells that of the texts
# Rarity from which an English word that stands nowhere may be a misspelling: "korean" is none of
# "koran". Chosen on 40 articles of COVID-QA: of 600 words of other questions that do not occur
# there, 6% are taken for another word (28% without this and with cognates); of 577 words with one
# letter changed, 91% are put right. On XQuAD 9% (26%) and 89%.
LEAST_RARE = 0.8
_SHORTEST_NAME = 6  # letters of a name that may be misspelled; a shorter one is another name


@dataclass(frozen=True, slots=True)
class Wording:
    """part: the question in words that the texts have. related: a query with words of like meaning,
    "" without any.

    missing: terms that stand nowhere, in no form and no spelling. in_english: whether it is put
    into English word by word.
    """

    part: Part
    related: str
    missing: tuple[str, ...] = ()
    in_english: bool = False


def word_for(part: Part, collection: TextCollection) -> Wording:
    """The wording of a part of the question for a collection."""
    terms = part.topic.terms
    present = _present(terms, collection)
    question, foreign = part.question, bool(question_languages(part.question))
    added: list[str] = []
    missing: list[str] = []
    for term in terms:
        if term in present or term in STOP:
            continue
        may_be = (foreign or rarity(stem(term)) >= LEAST_RARE) and _may_be_misspelled(
            term, part.question
        )
        variants = collection.spelled_like(term, cognates=foreign) if may_be else ()
        if variants:
            question = _replaced(question, term, variants[0])
            added += variants
        else:
            missing.append(term)
    worded = replace(part, question=question, query=" ".join((part.query, *added)))
    return Wording(worded, _related_query(terms), tuple(missing))


def _present(terms: Sequence[str], collection: TextCollection) -> frozenset[str]:
    """Those of some terms that stand in the texts or in the names of their folders."""
    present = collection.occurring(terms)
    return present | in_folder_names(set(terms) - present, collection.texts())


def _related_query(terms: Sequence[str]) -> str:
    """The terms with words of like meaning; "" where they have none."""
    near = [
        near
        for term in terms
        for near, likeness in list(related(term).items())[:_MOST_RELATED]
        if likeness >= _CLOSE
    ]
    by_stem = {stem(term) for term in terms}
    return " ".join((*terms, *(n for n in near if n not in by_stem))) if near else ""


def word_in_english(part: Part, collection: TextCollection) -> Wording | None:
    """The wording of a part in another language where the texts are in English; None otherwise.

    Word by word: of the English words that mean the same, those that the texts have. Question words
    stay, so that the type of the answer is known; what is not translated stays where the texts have
    it, as a name may.
    """
    languages = question_languages(part.question)
    if not languages or not _are_english(_nearest_texts(part.query, collection)):
        return None
    dropped, opening = STOP | small_words(languages), opening_words(languages)
    question_words = _ASKED_IN_ENGLISH.get(expected_answer(part.question), "")
    worded: list[str] = question_words.split()
    synonyms: list[str] = []
    missing: list[str] = []
    for word in _WORD.findall(part.question):
        folded = fold(word)
        if folded in opening:
            worded += [] if question_words else [word]
        elif folded not in dropped:
            present, others = _in_english(word, languages, collection)
            worded += [other for other in present if other not in worded]
            synonyms += others
            missing += [] if present else [folded]
    question = f"{' '.join(worded)}?"
    topic = topic_of(question)
    if not topic.terms:
        return None
    query = " ".join((question, *synonyms))
    return Wording(
        replace(part, question=question, topic=topic, query=query), "", tuple(missing), True
    )


def _nearest_texts(query: str, collection: TextCollection) -> list[str]:
    """The nearest passages; where none is near, the first texts."""
    nearest = [passage.text for passage in collection.search(query, NEAREST)]
    return nearest or [collection.text(info.snapshot_id) for info in collection.texts()[:NEAREST]]


def _are_english(texts: Sequence[str]) -> bool:
    """Whether at least half of some texts are in English."""
    return 2 * sum(language_of(text) == "en" for text in texts) >= len(texts)


def _in_english(
    word: str, languages: Sequence[str], collection: TextCollection
) -> tuple[list[str], list[str]]:
    """A word as the texts have it: itself, the likeliest English word or one written nearly like
    it; further words."""
    as_written = [word] if _present([fold(word)], collection) else []
    english = [
        other
        for other in translations(word, languages)
        if other not in STOP and collection.occurring([other])
    ]
    cognates = (
        [] if as_written or english else [*collection.spelled_like(fold(word), cognates=True)[:1]]
    )
    return [*as_written, *english[:1], *cognates], english[1:]


def _may_be_misspelled(term: str, question: str) -> bool:
    is_name = any(
        match.start() and match.group(0)[:1].isupper() and words(match.group(0)) == [term]
        for match in re.finditer(r"[^\W_]+", question)
    )
    return term.isalpha() and (not is_name or len(term) >= _SHORTEST_NAME)


def _replaced(question: str, term: str, variant: str) -> str:
    """The question with a word spelled as the texts spell it, or with that word added where it is
    not found alone."""
    for match in re.finditer(r"[^\W_]+", question):
        if words(match.group(0)) == [term]:
            return f"{question[: match.start()]}{variant}{question[match.end() :]}"
    return f"{question} {variant}"
