"""Selection: from the chunks that a search brings to the passages that answer, best first."""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import mul

from tools.documents.model import SENTENCE_KINDS, Block, BlockKind, Passage
from tools.reading.answer_type import (
    AnswerType,
    asks_whether,
    expected_answer,
    says_yes_or_no,
)
from tools.reading.change_logs import asks_for_changes, tells_of_release
from tools.reading.reader import EVEN_ODDS, READ, Candidate
from tools.text.tokens import STOP, stem, words
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.ranking import Ranked
from workflows.research.answer.windows import (
    PASSAGE_WORDS,
    Unit,
    Window,
    units_within,
    window_around,
)
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import ASKING_WORD, Part

_ANSWER_WITHIN = 300  # characters behind a question, in which its answer begins
# What counts for the order of passages beside what a reading model adds: the log odds of the chunk,
# the share of the question that is shown, each of the names of document and section that the
# question names, and an opening. Fitted by benchmarks/training/fit_order.py; all four are a quarter
# of what fits, which is what orders best beside a model.
ORDER_WEIGHTS = (0.17, 0.43, 0.26, 0.63)
# A document says the main thing about its subject at its beginning. A passage there is an opening
# as far as the title covers the question, and half as much after so many characters.
_OPENING_HALVED = 1000
# What a passage loses that tells of a release where no change is asked for. Chosen on 50 questions
# of the FAQ of a program, put to its documentation without their headings (the first passage
# answers 23, 20 without it; release notes among the first three 18, 33); of 78 about two others 14
# (13), and 9 (25). Twice as much does no better.
_OF_RELEASE = 0.5
_LEAST = 1e-4  # the least probability that log odds are taken of
# Of the best coverage, that an abstract must have as a whole to be shown, for that names all that
# it is about. Chosen on 80 claims of SciFact and 100 questions of PubMedQA; on 100 and 150 others
# answers lose 260 of 404 passages of other works, and have 306 of the right one (302 before).
_OF_THE_BEST_ABSTRACT = 0.7
# The log odds by which the first, the second and any further passage that a model read may be less
# likely to answer than the likeliest. Chosen on 124 questions about six collections that are given
# passages, and 147 of bench/answers: of 812 passages among the first three 575 are left, and
# these answer 198 (205 with all; with 1.5 for each of them 632, and 198).
_LESS_LIKELY = (1.5, 2.0, 0.75)
# How much less of the question a passage may speak of than one before it that is as likely to
# answer. Chosen on the odd questions of bench/answers, with every passage labelled by hand: by
# words 116 of 163 are left, of which 54% bear on the question (42% of all), and one of the first
# three answers 44 (46); with a model 107 of 131, 63% (55%), and 49 (50).
_LESS_SHARE = 0.15
SHOWN = 8  # passages that are made ready, for the answer and the sections after it
# An abstract begins with an aim, which repeats the question, and ends with what was found. A
# sentence gains up to this much, the later it stands; so many words are shown. Chosen on 500
# questions of PubMedQA, reported on the other 500. Where a reading model finds that the answer
# begins does not count where it is asked whether something is so: the model finds that in the aim.
_AT_THE_END = 1.5
_ABSTRACT_WORDS = 100
_ADDRESS = re.compile(r"(?:\w{1,40}\W{1,3}){0,3}?\w{2,9}://\S{1,2000}\s*")  # "Page URL: ..."
_ASKS_MORE = re.compile(rf"\b{ASKING_WORD}\b", re.I)
# What may stand anywhere in an abstract
_ANYWHERE = frozenset((AnswerType.NUMBER, AnswerType.DURATION, AnswerType.DATE, AnswerType.NAME))
# The probability from which the words that answer are shown by themselves; calibrated on questions
# that the reader was not trained on
SURE = 0.9
_ALONE = (Intent.FACT, Intent.PERSON)
_SAME_TEXT = 0.85  # of the words of the shorter: such passages are one, with two sources
_OVERLAP = 0.3  # of a passage, that may stand in a better one already


@dataclass(frozen=True, slots=True)
class Selected:
    """A passage with its lead. score: how likely it answers, 0..1. same: snapshots that hold it
    too.

    by_model: what a reading model adds to its place, 0 without one. log_odds: that the passage
    answers, None where no model read any. share: of the question, that it speaks of.
    """

    snapshot_id: str
    window: Window
    lead: Unit
    score: float
    span: tuple[int, int] | None = None
    span_score: float = 0.0
    same: tuple[str, ...] = ()
    by_model: float = 0.0
    log_odds: float | None = None
    share: float = 1.0

    @property
    def is_doubtful(self) -> bool:
        """Whether a model finds it less likely than not that the passage answers."""
        return self.log_odds is not None and self.log_odds < EVEN_ODDS


def select(
    part: Part,
    ranked: Sequence[Ranked],
    collection: TextCollection,
    limit: int = SHOWN,
    read: int | None = None,
) -> list[Selected]:
    """The first `limit` passages of a ranking, each with its lead, without repetitions.

    read: so many chunks are looked at; None: those that a model read, the first READ without one.
    """
    chosen: list[Selected] = []
    looked_at = ranked[:read] if read else _read_closely(ranked)
    for passage in in_order(part, looked_at, collection):
        if len(chosen) >= limit:
            break
        if overlaps(passage, chosen):
            continue
        twin = next(
            (i for i, other in enumerate(chosen) if _same_text(passage, other, collection)), None
        )
        if twin is None:
            chosen.append(passage)
        elif passage.snapshot_id not in (chosen[twin].snapshot_id, *chosen[twin].same):
            chosen[twin] = replace(chosen[twin], same=(*chosen[twin].same, passage.snapshot_id))
    return chosen


def _read_closely(ranked: Sequence[Ranked]) -> Sequence[Ranked]:
    return [chunk for chunk in ranked if chunk.reading.begins] or ranked[:READ]


def select_shown(
    part: Part, ranked: Sequence[Ranked], collection: TextCollection, limit: int = SHOWN
) -> list[Selected]:
    """What `select` gives, without passages that a model finds far less likely to answer than the
    likeliest, and those that add nothing to one before them."""
    selected = select(part, ranked, collection, limit)
    best = max((_odds_of(passage) for passage in selected), default=0.0)
    likely: list[Selected] = []
    for passage in selected:
        gap = _LESS_LIKELY[min(len(likely), len(_LESS_LIKELY) - 1)]
        is_likely = best - _odds_of(passage) <= gap
        if is_likely and not any(_outdoes(other, passage) for other in likely):
            likely.append(passage)
    return likely


def _outdoes(better: Selected, passage: Selected) -> bool:
    """Whether a passage speaks of more of the question than another, and is as likely to answer."""
    return better.share > passage.share + _LESS_SHARE and _odds_of(better) >= _odds_of(passage)


def _odds_of(passage: Selected) -> float:
    """That a passage answers, as log odds; where no model read any all are alike."""
    return passage.log_odds or 0.0


def in_order(
    part: Part, ranked: Sequence[Ranked], collection: TextCollection
) -> Iterator[Selected]:
    """The passages of a ranking, best first; abstracts that speak of far less of the question than
    the best passage are left out."""
    rows = list(measured(part, ranked, collection))
    loss = 0.0 if asks_for_changes(part.question) else _OF_RELEASE
    scores = [
        sum(map(mul, ORDER_WEIGHTS, row))
        + passage.by_model
        - loss * tells_of_release(passage.window.heading_path)
        for passage, row in rows
    ]
    order = sorted(range(len(rows)), key=lambda i: (-round(scores[i], 6), i))
    coverage = Coverage(part.whole, collection.rarity)
    abstracts = {
        i: coverage.of(_whole(passage, collection))
        for i, (passage, _) in enumerate(rows)
        if collection.info(passage.snapshot_id).abstract
    }
    best = max((abstracts.get(i, passage.share) for i, (passage, _) in enumerate(rows)), default=0)
    least = _OF_THE_BEST_ABSTRACT * (best or 1.0)
    return (rows[i][0] for i in order if abstracts.get(i, 1.0) >= least)


def measured(
    part: Part, ranked: Sequence[Ranked], collection: TextCollection
) -> Iterator[tuple[Selected, tuple[float, float, float, float]]]:
    """Each passage of a ranking with what decides its place, beside a model: the log odds of its
    chunk, the share of the question that is shown, how many of its names the question names, and
    how near it is to the opening of a document of that title."""
    coverage = Coverage(part.whole, collection.rarity)
    question = frozenset(map(stem, words(part.whole)))
    for chunk in ranked:
        if (passage := make_passage(part, chunk, collection)) is not None:
            share = coverage.of(_covering(part, passage, collection))
            names = sum(_is_named(name, question) for name in _names(passage, collection))
            titled = coverage.of(_title(passage, collection))
            opening = titled / (1 + passage.window.start / _OPENING_HALVED)
            row = (_log_odds(passage.score), share, names, opening)
            yield replace(passage, share=share), row


def _log_odds(probability: float) -> float:
    """Of a probability, kept away from 0 and 1."""
    probability = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(probability / (1 - probability))


def _names(selected: Selected, collection: TextCollection) -> tuple[str, ...]:
    """The title of the document of a passage, and the heading above it."""
    title = _title(selected, collection)
    return (title, *(heading for heading in selected.window.heading_path[-1:] if heading != title))


def _title(selected: Selected, collection: TextCollection) -> str:
    return collection.info(selected.snapshot_id).title


def _is_named(name: str, stems: Collection[str]) -> bool:
    """Whether all words of a name are among some stems."""
    content = [word for word in words(name) if word not in STOP]
    return bool(content) and all(stem(word) in stems for word in content)


def shown_text(selected: Selected, collection: TextCollection) -> str:
    """Everything of a passage that its reader sees, and the title of its document."""
    text, window = collection.text(selected.snapshot_id), selected.window
    context = (text[start:end] for start, end in window.context)
    names = collection.info(selected.snapshot_id).names
    return " ".join([names, *window.heading_path, *context, text[window.start : window.end]])


def _covering(part: Part, selected: Selected, collection: TextCollection) -> str:
    """The text whose words count as shown; of an abstract all of it, for a conclusion need not name
    its subject."""
    if _has_conclusion(part, selected.snapshot_id, collection):
        return _whole(selected, collection)
    return shown_text(selected, collection)


def _whole(selected: Selected, collection: TextCollection) -> str:
    """The names and the text of the document of a passage."""
    return f"{collection.info(selected.snapshot_id).names} {collection.text(selected.snapshot_id)}"


def _has_conclusion(part: Part, snapshot_id: str, collection: TextCollection) -> bool:
    """Whether a text is an abstract and its conclusion answers: no figure, date, name or definition
    is asked for."""
    if not collection.info(snapshot_id).abstract or part.intent == Intent.DEFINITION:
        return False
    return expected_answer(part.question) not in _ANYWHERE


def make_passage(part: Part, chunk: Ranked, collection: TextCollection) -> Selected | None:
    """The passage of a chunk, around the unit that answers best; None when it holds no unit."""
    passage = chunk.passage
    text, blocks = collection.text(passage.snapshot_id), collection.blocks(passage.snapshot_id)
    concluding = _has_conclusion(part, passage.snapshot_id, collection)
    units, candidates = leads(part, passage, collection, concluding)
    if not units:
        return None
    readings = collection.reader.read(part.question, candidates, units=True)
    late = _AT_THE_END / len(text) if concluding else 0.0
    read, at = chunk.reading, passage.start
    if concluding and not _ASKS_MORE.search(part.question):
        read = replace(read, begins=())
    gains = [
        late * unit.end + read.lead_weight * read.begins_within(unit.start - at, unit.end - at)
        for unit in units
    ]
    best = max(range(len(units)), key=lambda i: (round(readings[i].score + gains[i], 6), -i))
    lead = _answer_to(units[best], text, blocks)
    window = window_around(text, blocks, lead, _ABSTRACT_WORDS if concluding else PASSAGE_WORDS)
    span = (at + read.span[0], at + read.span[1]) if read.span else None
    return Selected(
        passage.snapshot_id, window, lead, chunk.score, span, read.span_score,
        by_model=read.with_lead(lead.start - at, lead.end - at),
        log_odds=read.log_odds,
    )  # fmt: skip


def leads(
    part: Part, passage: Passage, collection: TextCollection, concluding: bool = False
) -> tuple[list[Unit], list[Candidate]]:
    """What may lead a passage, in order. concluding: whether anything in its text may."""
    text, blocks = collection.text(passage.snapshot_id), collection.blocks(passage.snapshot_id)
    start, end = (0, len(text)) if concluding else (passage.start, passage.end)
    units = _leading(text, units_within(text, blocks, start, end))
    if asks_whether(part.question):
        units = [u for u in units if says_yes_or_no(text[u.start : u.end])] or units
    return units, [
        Candidate(
            text[u.start : u.end],
            _heading(text, u.block, passage),
            start=0 if concluding else max(0, u.start - passage.start),
        )
        for u in units
    ]


def _answer_to(unit: Unit, text: str, blocks: Sequence[Block]) -> Unit:
    """A sentence, or what follows it where it asks: a question that is like the one asked stands
    before its answer."""
    if unit.block.kind not in SENTENCE_KINDS or not text[unit.start : unit.end].rstrip().endswith(
        "?"
    ):
        return unit
    following = units_within(text, blocks, unit.end, unit.end + _ANSWER_WITHIN)
    answers = (unit for unit in following if not text[unit.start : unit.end].rstrip().endswith("?"))
    return next(answers, unit)


def _leading(text: str, units: list[Unit]) -> list[Unit]:
    """The units that say something by themselves: a sentence rather than code, which stands in the
    passage with it, or the address of a page.

    What only leads in to a list or code comes with that as context. For questions of two
    collections that ask for no steps, 3 of 20 first passages that code led answered, and 215 of 266
    that a paragraph led.
    """
    spoken = [unit for unit in units if not text[unit.start : unit.end].rstrip().endswith(":")]
    telling = [
        unit
        for unit in spoken
        if unit.block.kind != BlockKind.CODE and not _ADDRESS.fullmatch(text[unit.start : unit.end])
    ]
    return telling or spoken or units


def _heading(text: str, block: Block, passage: Passage) -> str:
    context = " ".join(text[start:end] for start, end in block.context)
    if context and context not in passage.heading:
        return f"{passage.heading} {context}"
    return passage.heading


def overlaps(selected: Selected, chosen: Sequence[Selected]) -> bool:
    """Whether a good part of a passage stands in one of those that were chosen before."""
    mine = selected.window
    for other in (
        passage.window for passage in chosen if passage.snapshot_id == selected.snapshot_id
    ):
        shared = min(mine.end, other.end) - max(mine.start, other.start)
        if shared > _OVERLAP * (mine.end - mine.start):
            return True
    return False


def _same_text(selected: Selected, other: Selected, collection: TextCollection) -> bool:
    """Whether a passage has the lead of another word for word, and nearly all of its words."""
    window, lead = selected.window, other.lead
    ours = words(collection.text(selected.snapshot_id)[window.start : window.end])
    text = collection.text(other.snapshot_id)
    if f" {' '.join(words(text[lead.start : lead.end]))} " not in f" {' '.join(ours)} ":
        return False
    mine, theirs = set(ours), set(words(text[other.window.start : other.window.end]))
    most, least = max(len(mine), len(theirs)), min(len(mine), len(theirs))
    return len(mine & theirs) >= _SAME_TEXT * least and most - least <= (1 - _SAME_TEXT) * most


def sure_enough(part: Part, selected: Selected) -> bool:
    """Whether the span of a passage may stand alone as the answer."""
    if selected.span is None or part.intent not in _ALONE:
        return False
    return selected.span_score >= SURE
