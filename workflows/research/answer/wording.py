"""How a question's words stand in the texts: misspelled, in another language, by like words, or not
at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tools.index.spelling import nearest_word
from tools.reading.answer_type import AnswerType, expected_answer
from tools.reading.thesaurus import related
from tools.text.inflection import JOINED, halves
from tools.text.language import language_of, opening_words, question_languages, small_words
from tools.text.rarity import UNLISTED, rarity
from tools.text.tokens import STOP, fold, stem, words
from tools.translation.dictionary import is_listed, meanings
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.named_folders import in_folder_names
from workflows.research.answer.named_texts import LATEST
from workflows.research.understand.intent import intent_of
from workflows.research.understand.parts import Part
from workflows.research.understand.topic import topic_of

_CLOSE = 0.6  # likeness from which a word of like meaning is searched for as well
_MOST_RELATED = 2  # of one word
_WORD = re.compile(r"[^\W_]+")
_WITHIN_SENTENCE = re.compile(r"(?<=[a-zß-ÿ,;] )[^\W_]+")
# How English asks for a type of answer; "who" and "where" are of one type, and stay as they are
_ASKED_IN_ENGLISH = {
    AnswerType.NUMBER: "How many",
    AnswerType.DURATION: "How long",
    AnswerType.DATE: "When",
    AnswerType.REASON: "Why",
    AnswerType.METHOD: "How can",
}
NEAREST = 5  # passages whose language tells that of the texts
_MOST_FORMS = 3  # of a word that are searched for
_SHORTEST_NAME = 6  # letters of a name that may be misspelled; a shorter one is another name
# iPad is a name too, and so is Australie in "l'Australie"
_CAPITAL = re.compile(r"(?<=[^.!?\s][\s'’])[a-z]?[A-ZÀ-Þ][\w-]*")
_TITLE_CASE = 0.5  # of the words of a text with capitals: then they say nothing
_BEHIND_VERBS = frozenset("down off out over up".split())
ASKING = "how what why where when which who whose".split()
AUXILIARIES = "would could should does".split()
_WRITTEN_IN = 20  # passages that show how the texts write a word


@dataclass(frozen=True, slots=True)
class Wording:
    """part: the question in words that the texts have. related: a query with words of like meaning,
    "" without any.

    missing: terms that stand nowhere, in no form and no spelling. in_english: whether it is put
    into English word by word. corrected: the question in English or with its misspellings put
    right, as its asker is told; "" where it is searched for as it was asked.
    """

    part: Part
    related: str
    missing: tuple[str, ...] = ()
    in_english: bool = False
    corrected: str = ""


def word_for(part: Part, collection: TextCollection) -> Wording:
    """The wording of a part of the question for a collection."""
    asked, part = part.question, _asking_put_right(part, collection)
    terms = part.topic.terms
    present = _present(terms, collection)
    question = corrected = part.question
    added: list[str] = []
    missing: list[str] = []
    # "The latest report" says which text is meant; that "latest" stands in none tells nothing
    which = {word for asked in LATEST.finditer(question) for word in words(asked["which"])}
    for term in terms:
        if term in present or term in STOP or term in which:
            continue
        spellings, is_corrected = _as_in_texts(term, part.question, collection)
        if spellings:
            question = _replaced(question, term, spellings[0])
            corrected = _replaced(corrected, term, spellings[0]) if is_corrected else corrected
            added += spellings
        else:
            missing.append(term)
    verbs = _verbs_in_one_word(part.question, collection)
    question = " ".join((question, *verbs))
    added += verbs
    worded = replace(part, question=question, query=" ".join((part.query, *added)))
    corrected = corrected if corrected != asked else ""
    return Wording(worded, _related_query(terms), tuple(missing), corrected=corrected)


def _asking_put_right(part: Part, collection: TextCollection) -> Part:
    """A part with the word that asks at its beginning, and "would", "could", "should" and "does"
    anywhere, spelled right ("hwo do I ..."), where no text has a word like it.

    Of 135 misspellings of these words by one letter 108 are told from other words; of 12,388 words
    of twenty collections that are in no list of frequent words four are taken for one ("whey").
    """
    question, query = part.question, part.query
    for place, written in enumerate(_WORD.findall(question)):
        term = fold(written)
        word = nearest_word(term, AUXILIARIES if place else (*ASKING, *AUXILIARIES))
        if word and _is_misspelled(written, term, part, collection):
            query = _replaced(query, term, word)
            question = _replaced(question, term, word if place else word.title())
    if question == part.question:
        return part
    intent, topic = intent_of(question), topic_of(question)
    return replace(part, question=question, intent=intent, topic=topic, query=query)


def _is_misspelled(written: str, term: str, part: Part, collection: TextCollection) -> bool:
    """Whether a word of a question is in no list of words and in no text, nor one like it, and no
    name."""
    is_unknown = term in part.topic.terms and rarity(stem(term)) >= UNLISTED
    is_a_name = written.isupper() or is_named(term, part.question)
    return (
        is_unknown
        and not is_a_name
        and not question_languages(part.question)
        and not _present([term], collection)
        and not collection.spelled_like(term)
    )


def _verbs_in_one_word(question: str, collection: TextCollection) -> list[str]:
    """Verbs of two words as the texts write them in one, too: "backup" for "back up".

    Of 242 questions with "up", "down", "out", "off" or "over" behind a word, about 26 collections,
    by words: the first passage answers 108 (102), one of the first three 147 (144).
    """
    folded = words(question)
    joined = {
        f"{verb}{small}"
        for verb, small in pairwise(folded)
        if small in _BEHIND_VERBS and verb not in STOP and not question_languages(question)
    }
    return sorted(collection.occurring(joined.difference(folded))) if joined else []


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
    asking: list[str] = question_words.split()
    worded: list[str] = []
    synonyms: list[str] = []
    missing: list[str] = []
    for word in _WORD.findall(part.question):
        folded = fold(word)
        if folded in opening:
            asking += [] if question_words else [word]
        elif folded not in dropped:
            present, others = _in_english(word, languages, collection)
            worded += [other for other in present if other not in (*asking, *worded)]
            synonyms += others
            missing += [] if present else [folded]
    question = f"{' '.join((*asking, *worded))}?"
    topic = topic_of(question)
    if not topic.terms:
        return None
    query = " ".join((question, *synonyms))
    in_english = replace(part, question=question, topic=topic, query=query)
    return Wording(in_english, "", tuple(missing), in_english=True, corrected=", ".join(worded))


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
    """A word as the texts have it: itself, the likeliest English word for it and for each half of a
    compound, or one written nearly like it; further words."""
    folded = fold(word)
    as_written = [word] if _present([folded], collection) else []
    parts = [
        [o for o in english if o not in (*STOP, folded) and collection.occurring([o])]
        for english in meanings(word, languages)
    ]
    likeliest = [other for english in parts for other in english[:1]]
    if not (as_written or likeliest):
        return [*collection.spelled_like(folded, cognates=True)[:1]], []
    return [*as_written, *likeliest], [other for english in parts for other in english[1:]]


def _as_in_texts(
    term: str, question: str, collection: TextCollection
) -> tuple[Sequence[str], bool]:
    """Words of the texts for a term: its forms in the language of the question, what it may be a
    misspelling of where it is no word there, or the halves of a compound in one string. Whether
    they put a misspelling right."""
    languages = question_languages(question)
    if not languages or not term.isalpha():
        return _spellings(term, question, collection), True
    forms = _forms(term, question, languages, collection)
    if forms or any(is_listed(term, language) for language in languages):
        return forms, False
    if spellings := _spellings(term, question, collection):
        return spellings, True
    return _halves(term, languages, collection), False


def _forms(
    term: str, question: str, languages: Sequence[str], collection: TextCollection
) -> Sequence[str]:
    # "Julia" is no form of "julio"; in German every noun has a capital
    if "de" not in languages and is_named(term, question):
        return ()
    forms = [form for language in languages for form in collection.forms(term, language)]
    return forms[:_MOST_FORMS]


def _spellings(term: str, question: str, collection: TextCollection) -> Sequence[str]:
    """Words of the texts that a term may be a misspelling of, likeliest first; of a name only what
    the texts write as one. None of a frequent English word: "airplane" is no "airline".

    Chosen on questions about fourteen collections: of 6,312 words of the others that a collection
    lacks 3% are taken for another word, misspelled ones among them; of 1,575 of its own with one
    letter changed 91% are put right.
    Of 1,529 names of Wikipedia put to four collections that lack them 20 are taken for another one
    (57 for any word, "Gartner" for "garner"); of 583 of their own names with one letter changed 490
    are put right.
    """
    if not term.isalpha() or rarity(stem(term)) < UNLISTED:
        return ()
    is_name = is_named(term, question)
    if is_name and len(term) < _SHORTEST_NAME:
        return ()
    # Of several forms of a word the first: each would be searched for, and count again
    by_stem: dict[str, str] = {}
    for word in collection.spelled_like(term):
        by_stem.setdefault(stem(word), word)
    spellings = list(by_stem.values())
    if not is_name:
        return spellings
    return [word for word in spellings if _is_name_in(collection, word)]


def _halves(term: str, languages: Sequence[str], collection: TextCollection) -> Sequence[str]:
    """The halves of a compound in one string, where both stand in the texts; none in a language
    that writes its words apart."""
    if not set(languages).intersection(JOINED):
        return ()
    cuts = list(halves(term))
    every = {half for cut in cuts for half in cut} - STOP - small_words(languages)
    present = collection.occurring(every)
    return [" ".join(cut) for cut in cuts if present.issuperset(cut)][:1]


def is_named(term: str, text: str) -> bool:
    """Whether a term is written as a name, with a capital in a text of small words: no other word
    will do."""
    capitals = _CAPITAL.findall(text)
    title_case = len(capitals) > _TITLE_CASE * len(text.split())
    return not title_case and any(words(capital) == [term] for capital in capitals)


def is_capitalised(term: str, text: str) -> bool:
    """Whether a term has a capital anywhere in a text."""
    return any(word[0].isupper() and words(word) == [term] for word in _WORD.findall(text))


def _is_name_in(collection: TextCollection, word: str) -> bool:
    """Whether texts write a word as a name: with a capital within a sentence, or never without."""
    passages = collection.search(word, _WRITTEN_IN, meaning=False)
    text = "\n".join(passage.text for passage in passages)
    forms = [form for form in _WORD.findall(text) if fold(form) == word]
    within = [form for form in _WITHIN_SENTENCE.findall(text) if fold(form) == word]
    return bool(forms) and (
        any(form[0].isupper() for form in within) or not any(map(str.islower, forms))
    )


def _replaced(question: str, term: str, variant: str) -> str:
    """The question with a word spelled as the texts spell it, or with that word added where it is
    not found alone."""
    for match in re.finditer(r"[^\W_]+", question):
        if words(match.group(0)) == [term]:
            return f"{question[: match.start()]}{variant}{question[match.end() :]}"
    return f"{question} {variant}"
