"""Absence: whether the texts answer a question at all, and which of its words stand in none of
them."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.documents.passage import telling_name
from tools.reading.reader import EVEN_ODDS
from tools.reading.thesaurus import related
from tools.reading.word_vectors import Likeness
from tools.text.instructions import speaks_to_machines
from tools.text.language import language_of, question_languages
from tools.text.rarity import rarity
from tools.text.sentences import spans
from tools.text.tokens import stem, stems, words
from tools.translation.dictionary import rarity_in
from tools.translation.gloss import gloss, query_languages, text_languages
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.forms.comparison import compared_things
from workflows.research.answer.named_folders import texts_of_folders
from workflows.research.answer.named_texts import dated_texts, named_texts
from workflows.research.answer.ranking import Ranked
from workflows.research.answer.wording import NEAREST, Wording, is_capitalised, is_named
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part

# The fit: what the best passage covers of a question (0..1) plus how alike its best sentence is in
# meaning (-1..1). From here on the texts may answer. This and the two below were chosen on 120
# questions about six collections, most of them in other words than the texts, and 24 that these do
# not answer: 6 of the 120 are refused (14 with 0.92), and 14 of the 24; of all 144 put to another
# collection 108 (125 with 0.92), and most others are doubtful. Of 198 others (bench/answers, a
# textbook) one is refused.
LEAST_FIT = 0.8
# The same where rare words of the question stand nowhere, and no word of like meaning does
LEAST_FIT_MISSING = 0.92
# Below this it is doubtful whether the passages answer: of 18 such questions 2 are answered; of 17
# of the 198 others 6.
DOUBTFUL_FIT = 1.0
# The same for a question in another language about texts of it, both read in English word by
# word. Of 120 German questions of XQuAD 3 are refused, as without the glosses, and of 45 about laws
# put to it 20 are noticed (13); of Spanish ones 2 of 120 and 12 of 32 (2 and 4). XQuAD alone would
# allow 0.75, which notices 33 and 21, but refuses 13 more of the 131 questions of benchmarks/asked
# in four languages; 0.65 refuses 4 more. So it was chosen on these, too.
LEAST_GLOSSED_FIT = 0.65
# The log odds that the likeliest of the passages answers, where a model read them: then these
# decide, not the fit. From LIKELY on the texts answer, from SURE on although words of the question
# stand in none of them. Chosen on 529 questions about eight collections (1% are refused) and on 143
# that these do not answer, most of which they speak of (19% are noticed); of 322 and 42 about seven
# others 3% are refused and 19% noticed. Where a rare word of the question stands nowhere, and none
# like it, it must be likelier than not that one answers (none of 14 answered questions is refused).
LIKELY, SURE = -2.0, 1.0
# The same as LIKELY and LEAST_FIT where an overview or a definition is asked for of a phrase whose
# words all stand somewhere, but nowhere in a row. Chosen on the odd ones of 146 topics about
# thirteen collections, of words that stand there, written by another hand: none of 50 that are
# there is refused, of the 25 others 15 and 12 are noticed (11 and 1 without these). Of the even
# ones 2 and 3 of 41 are refused (2 and none), 16 and 15 of 30 noticed (12 and 1).
LIKELY_APART, FIT_APART = -1.0, 1.3
# The same as LEAST_FIT for a question that was put into English word by word, of which the words
# without a counterpart count as not covered. Chosen on German questions of XQuAD; of the Spanish
# ones 2% are refused, and 15% of those put to COVID-QA.
LEAST_TRANSLATED_FIT = 0.6
# Nothing is found where half of what is asked about stands in no text: rare words that no word of
# like meaning stands for ("Is caffeine addictive?"). Of 216 questions about nine collections a
# third decides no other way; a fifth refused 4 of 340 answered ones.
ABSENT_SHARE = 0.5
# Rarity from which a word is missed where it does not stand; a small collection lacks many common
# words
RARE = 0.8
_SHORTEST = 3  # letters
_READ_CLOSELY = 12  # passages whose sentences are compared
_WORDS_APART = re.compile(r"[_\W]")  # of a file name


@dataclass(frozen=True, slots=True)
class Presence:
    """may_answer: whether any passage may answer. absent: words of the topic that stand in no text,
    rarest first; where a passage may answer, only rare ones that no word of like meaning stands
    for. is_doubtful: whether it is less likely than not that one does."""

    may_answer: bool
    absent: tuple[str, ...] = ()
    is_doubtful: bool = False


def presence(wording: Wording, ranked: Sequence[Ranked], collection: TextCollection) -> Presence:
    """Whether the best passages speak of enough of what is asked; what they do not answer, they are
    only near to."""
    if not ranked:
        return Presence(False, wording.missing)
    part = wording.part
    is_foreign = in_another_language(part.question, ranked)
    asks_for_texts = part.intent == Intent.DISAGREEMENT or (
        part.intent == Intent.OVERVIEW
        and (wording.in_english or is_foreign or _names_texts(part, collection))
    )
    if asks_for_texts and not wording.missing:
        return Presence(True)  # every single one may say little
    if wording.in_english:
        return Presence(_fits_in_english(wording, ranked, collection))
    if is_foreign:
        # a name, a number, a word of both languages
        shared = Coverage(part.question, collection.rarity)
        return Presence(any(shared.of(_whole(chunk)) for chunk in ranked))
    if part.intent in (Intent.OVERVIEW, Intent.DEFINITION) and not wording.missing:
        return _presence_of_topic(part, ranked, collection)
    return _presence_of_words(wording, ranked, collection)


def _presence_of_topic(
    part: Part, ranked: Sequence[Ranked], collection: TextCollection
) -> Presence:
    """Presence of what an overview or a definition is about, whose words all stand somewhere. What
    the question names by a phrase is there where the phrase stands."""
    if part.intent == Intent.OVERVIEW and len(part.topic.terms) == 1:
        return Presence(True)
    phrase = _phrase(part)
    stands = bool(phrase) and bool(collection.occurring([phrase]))
    absent = (phrase,) if phrase and not stands else ()
    log_odds = _log_odds(ranked)
    if not log_odds:
        fit, least_fit = _fit(part.question, ranked, collection), FIT_APART if absent else LEAST_FIT
        there = stands or fit >= least_fit
        return Presence(there, absent, there and fit < DOUBTFUL_FIT)
    best, least = max(log_odds), LIKELY_APART if absent else LIKELY
    there = stands or best >= least or _is_called(part, ranked, collection)
    is_doubtful = best < EVEN_ODDS
    return Presence(there, absent if is_doubtful else (), there and is_doubtful)


def _phrase(part: Part) -> str:
    """The words that a topic consists of, where they are several and stand in a row; those of a
    definition at the end ("What is a hot journal?")."""
    phrase, question = " ".join(part.topic.terms), f" {' '.join(words(part.question))} "
    if part.intent == Intent.DEFINITION and not question.endswith(f" {phrase} "):
        return ""
    return phrase if len(part.topic.terms) > 1 and f" {phrase} " in question else ""


def _names_texts(part: Part, collection: TextCollection) -> bool:
    """Whether a question names texts, by their folder, their date or their title."""
    return bool(
        texts_of_folders(part, collection)
        or dated_texts(part.question, collection)
        or named_texts(part, collection)
    )


def _log_odds(ranked: Sequence[Ranked]) -> list[float]:
    """That each passage answers; none where no model read them."""
    return [chunk.reading.log_odds for chunk in ranked if chunk.reading.log_odds is not None]


def _presence_of_words(
    wording: Wording, ranked: Sequence[Ranked], collection: TextCollection
) -> Presence:
    """Presence in texts of the question's language: by its words that stand in none, then by the
    best passages."""
    absent, names, telling = _absent_words(wording)
    log_odds = _log_odds(ranked)
    if max(log_odds, default=-math.inf) >= SURE:
        return Presence(True, _missed(telling, collection))
    if names:
        return Presence(False, tuple(dict.fromkeys((*names, *absent))))
    unlike = _missed(telling, collection)
    if unlike and len(unlike) >= ABSENT_SHARE * len(wording.part.topic.terms):
        return Presence(False, absent)
    # No question that compares is among those the model learned from
    if log_odds and wording.part.intent != Intent.COMPARISON:
        best = max(log_odds)
        is_doubtful = best < EVEN_ODDS
        least = EVEN_ODDS if unlike else LIKELY
        there = best >= least or _is_called(wording.part, ranked, collection)
    else:
        fit = _fit(wording.part.question, ranked, collection)
        is_glossed = bool(query_languages(wording.part.question))
        least_fit = LEAST_FIT_MISSING if unlike else LEAST_FIT
        there = fit >= (LEAST_GLOSSED_FIT if is_glossed else least_fit)
        is_doubtful = fit < DOUBTFUL_FIT and not is_glossed
    return Presence(there, unlike if there else absent, is_doubtful and there)


def _absent_words(
    wording: Wording,
) -> tuple[tuple[str, ...], Sequence[str], Sequence[str]]:
    """The missing words, rarest first; the names among them; those that tell something by standing
    nowhere."""
    question, languages = wording.part.question, question_languages(wording.part.question)
    rarities = {
        term: rarity_in(term, languages) if languages else rarity(stem(term))
        for term in wording.missing
    }
    absent = tuple(sorted(rarities, key=lambda term: (-rarities[term], term)))
    names = [term for term in absent if is_named(term, question)]
    telling = [term for term in absent if _tells(term, rarities[term])]
    if "de" in languages and any(map(str.istitle, question.split()[1:])):
        # Every noun has a capital, and what has none says little
        rare = [term for term in absent if rarities[term] >= RARE]
        names = telling = [term for term in rare if is_capitalised(term, question)]
    return absent, names, telling


def _fit(question: str, ranked: Sequence[Ranked], collection: TextCollection) -> float:
    """How much passages speak of a question, or of the one of the things that it compares of which
    they speak most."""
    things = compared_things(question) or (question,)
    covered = max(_covered(thing, ranked, collection) for thing in things)
    return covered + _likeness(question, ranked)


def _is_called(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> bool:
    """Whether a ranked text is called by all that a question is about, in its title or its file
    name ("auto-alumni.md")."""
    coverage = Coverage(part.question, collection.rarity)
    infos = map(collection.info, {chunk.passage.snapshot_id for chunk in ranked})
    return bool(part.topic.terms) and any(
        coverage.of(_WORDS_APART.sub(" ", name)) >= 1.0
        for info in infos
        for name in (info.title, telling_name(info.name))
    )


def _missed(terms: Iterable[str], collection: TextCollection) -> tuple[str, ...]:
    """Of words that stand in no text those that no title has and no word of like meaning stands
    for."""
    unlike = [term for term in terms if not collection.occurring(related(term))]
    titles = (
        {word for text in collection.texts() for word in stems(text.title)} if unlike else set()
    )
    return tuple(term for term in unlike if stem(term) not in titles)


def _tells(term: str, weight: float) -> bool:
    """Whether it tells something that a word stands nowhere.

    A common one may be left out, and numbers, dates and what is shorter than three letters are
    written in several ways.
    """
    return term.isalpha() and len(term) >= _SHORTEST and weight >= RARE


def _fits_in_english(
    wording: Wording, ranked: Sequence[Ranked], collection: TextCollection
) -> bool:
    question, worded = wording.part.question, len(wording.part.topic.terms)
    covered = _covered(question, ranked, collection) * worded / (worded + len(wording.missing))
    return covered + _likeness(question, ranked) >= LEAST_TRANSLATED_FIT


def _covered(question: str, ranked: Sequence[Ranked], collection: TextCollection) -> float:
    """How much of a question the passage covers that covers most, 0..1."""
    coverage = Coverage(question, collection.rarity)
    return max(
        coverage.of(f"{collection.info(chunk.passage.snapshot_id).names} {_whole(chunk)}")
        for chunk in ranked
    )


def _likeness(question: str, ranked: Sequence[Ranked]) -> float:
    """How alike the sentence nearest in meaning is to a question, both in English, but for orders
    to machines, which nobody quotes."""
    languages = query_languages(question)
    likeness = Likeness(gloss(question, languages).text)
    texts = [chunk.passage.text for chunk in ranked[:_READ_CLOSELY]]
    sentences = [
        gloss(text[start:end], text_languages(text, languages)).text
        for text in texts
        for start, end in spans(text)
        if not speaks_to_machines(text[start:end])
    ]
    return max(map(likeness.of, sentences), default=0.0)


def _whole(ranked: Ranked) -> str:
    return f"{ranked.passage.heading or ''} {ranked.passage.text}"


def in_another_language(question: str, ranked: Sequence[Ranked]) -> bool:
    """Whether the question is in a language that most of the nearest texts are not in: its words
    cannot stand there."""
    spoken = question_languages(question) or (language_of(question),)
    nearest = Counter(language_of(chunk.passage.text) for chunk in ranked[:NEAREST])
    others = [count for language, count in nearest.items() if language not in ("", *spoken)]
    return spoken != ("",) and 2 * max(others, default=0) > nearest.total()
