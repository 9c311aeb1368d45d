"""Questions about a report itself ("which of these sources is the newest?"): answered from its
record, by no model."""

import re
from collections.abc import Callable, Iterable
from functools import partial

from tools.sources.source import Source
from tools.text.phrases import counted, listed
from tools.text.tokens import STOP, words
from workflows.research.kinds import AnswerStatus
from workflows.research.report.quality import used_sources
from workflows.research.report.sentences import Sentence, SentenceKind
from workflows.research.state import ResearchState

MOST = 10  # of one list
ABOUT_REPORT = "report"  # the intent of such an answer, which needs no passage
# One of these names the report, and with the others makes up the question: any further word belongs
# to the matter
_NAMES = frozenset(
    "source sources document documents paper papers study studies text texts report reports "
    "article articles page pages"
    " file files reference references query queries question questions answer answers you "
    "your".split()
)
_OTHERS = frozenset(
    "use used using read cite cited find found consult consulted search searched research make "
    "made give given take"
    " took many much list name tell show please exactly altogether total one ones come came part "
    "parts did do does"
    " were was are is have has had there here all any these those this that them they it me us "
    "which what who why"
    " how".split()
)
_NEWEST = re.compile(r"\b(?:newest|latest|youngest|most recent)\b", re.I)
_OLDEST = re.compile(r"\b(?:oldest|earliest)\b", re.I)
_SET_ASIDE = re.compile(
    r"\b(?:(?:set|put|left) "
    r"(?:aside|out)|rejected?|excluded?|discard(?:ed)?|ignored?|dropped?|skipped?"
    r"|not (?:use|used|read|cite|cited))\b",
    re.I,
)
_HOW_MANY = re.compile(r"\bhow many\b", re.I)
_WHICH = re.compile(
    r"\b(?:which|what|list|name|show)\b.{0,60}\b(?:sources|documents|papers|studies|texts)\b", re.I
)
_SEARCHED = re.compile(
    r"\b(?:what|which|how)\b.{0,60}\b(?:search(?:ed)?|queries|look(?:ed)? for)\b", re.I
)
_OPEN = re.compile(
    r"\b(?:unanswered|not answered|(?:left|still|remain|remains|remained) open|open questions)\b",
    re.I,
)
_WHO = re.compile(
    r"\b(?:which|what) (?:language )?model (?:did you|do you|wrote|made|judged|are you)\b"
    r"|\bwho (?:wrote|judged|checked) (?:this|it|the (?:report|answer))\b|\bhow was (?:this|it"
    r"|the report) checked\b",
    re.I,
)
_DISAGREE = re.compile(r"\b(?:disagree|contradict|conflict|differ)\w*\b", re.I)


def about_report(state: ResearchState, question: str) -> tuple[Sentence, ...]:
    """What the record says to a question about the report itself; nothing where it is about the
    matter."""
    if state.report is None or state.is_conversation:
        return ()
    for pattern, answer in _TOPICS:
        if (match := pattern.search(question)) and _about_nothing_else(
            question, match[0], pattern is _WHO
        ):
            return tuple(
                Sentence(f"r{number}", SentenceKind.NARRATION, line)
                for number, line in enumerate(answer(state), 1)
            )
    return ()


def _about_nothing_else(question: str, topic: str, is_named: bool) -> bool:
    """Whether a question names the report or what it is made of, and not the matter. is_named: the
    topic does."""
    question_words, about = words(question), words(topic)
    rest = [
        word
        for word in question_words
        if not (word in _NAMES or word in _OTHERS or word in STOP or word in about)
    ]
    return not rest and (is_named or any(word in _NAMES for word in question_words))


def _by_date(state: ResearchState, which: str, place: int) -> Iterable[str]:
    sources = [source for source in state.sources if source.source_id in _read_sources(state)]
    dated = sorted(
        (source for source in sources if source.published), key=lambda source: str(source.published)
    )
    if not dated:
        yield "None of the sources has a date."
        return
    date = str(dated[place].published)
    same = [source for source in dated if source.published == date]
    yield f"The {which} is {_list(map(_title_and_tag, same))}, of {date}."
    if without := len(sources) - len(dated):
        yield (
            f"{counted(without, 'source')} of {len(sources)} "
            f"{'has' if without == 1 else 'have'} no date."
        )


def _count(state: ResearchState) -> Iterable[str]:
    counts = state.quality
    yield (
        f"The report cites {counted(counts.sources_used, 'source')}; {counts.sources_found} were "
        f"found, {counts.sources_read} read and {counts.sources_rejected} set aside."
    )


def _set_aside(state: ResearchState) -> Iterable[str]:
    rejected = [source for source in state.sources if source.rejected]
    unread = [end for end in state.dead_ends if end.url and end.message]
    lines = [
        f"{_title_and_tag(source)} was set aside: {str(source.rejected).rstrip('.')}."
        for source in rejected[:MOST]
    ]
    lines += [f"{end.url} could not be read: {end.message.rstrip('.')}." for end in unread[:MOST]]
    yield from lines or ["Nothing was set aside, and everything could be read."]
    if more := len(rejected) + len(unread) - len(lines):
        yield f"{more} more are under “How this was researched”."
    if (others := len(_read_sources(state)) - len(used_sources(state))) > 0:
        yield (
            f"{counted(others, 'other source')} "
            f"{'was' if others == 1 else 'were'} read and not cited."
        )


def _listed(state: ResearchState) -> Iterable[str]:
    used_ids, read_ids = used_sources(state), _read_sources(state)
    for what, ids in (("The report cites", used_ids), ("Read and not cited:", read_ids - used_ids)):
        sources = [source for source in state.sources if source.source_id in ids]
        if sources:
            yield (
                f"{what} {counted(len(sources), 'source')}: {_list(map(_title_and_tag, sources))}."
            )


def _searched(state: ResearchState) -> Iterable[str]:
    queries = list(dict.fromkeys(search.query for search in state.asked))
    clients = list(dict.fromkeys(search.client for search in state.asked))
    yield (
        f"{counted(len(queries), 'query', 'queries')}: {_list(f'“{query}”' for query in queries)}."
    )
    asked = ("your documents" if client == "local" else client for client in clients)
    yield f"Asked: {_list(asked)}."


def _unanswered(state: ResearchState) -> Iterable[str]:
    assert state.report is not None
    if state.report.open:
        yield f"Unanswered: {' '.join(state.report.open)}"
    elif state.answer is not None and state.answer.status == AnswerStatus.NOT_FOUND:
        yield "The question is not answered by the texts that were searched."
    else:
        yield "No part of the question was left unanswered."


def _who(state: ResearchState) -> Iterable[str]:
    judge = state.answer.judge.name if state.answer and state.answer.judge.kind != "none" else ""
    if names := state.model_names:
        yield (
            f"{_list(names)} worked on it and wrote "
            f"{counted(state.quality.written_sentences, 'sentence')} of it."
        )
    else:
        yield "No language model worked on it: the report consists of unchanged passages."
    yield (
        f"Judged by {judge}."
        if judge
        else "No judge checked its statements; only words and figures were compared."
    )


def _disagreements(state: ResearchState) -> Iterable[str]:
    assert state.report is not None
    if not state.report.disagreements:
        yield "No two of its sources were found to differ. That does not prove that they agree."
    for disagreement in state.report.disagreements[:MOST]:
        sides = [
            f"“{s.text}” {''.join(f'[{c.tag}]' for c in s.citations)}"
            for s in disagreement.sentences
            if s.citations
        ]
        yield " against ".join(sides) + "."


_Answer = Callable[[ResearchState], Iterable[str]]
_TOPICS: tuple[tuple[re.Pattern[str], _Answer], ...] = (
    (_NEWEST, partial(_by_date, which="newest", place=-1)),
    (_OLDEST, partial(_by_date, which="oldest", place=0)),
    (_SET_ASIDE, _set_aside), (_DISAGREE, _disagreements), (_OPEN, _unanswered), (_WHO, _who),
    (_HOW_MANY, _count),
    (_SEARCHED, _searched), (_WHICH, _listed),
)  # fmt: skip


def _read_sources(state: ResearchState) -> set[str]:
    texts = {snapshot.source_id for snapshot in state.snapshots}
    return {
        source.source_id
        for source in state.sources
        if source.source_id in texts and not source.rejected
    }


def _title_and_tag(source: Source) -> str:
    return f"“{source.title}” [{source.tag}]" if source.tag else f"“{source.title}”"


def _list(items: Iterable[str]) -> str:
    return listed(list(items), MOST) or "none"
