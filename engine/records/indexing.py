"""What of a record stands in the database: pure functions from a state to rows."""

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import chain

from engine.ids import time_of
from tools.text.tokens import fold, words
from workflows.conversation.turns import answer_text
from workflows.research.answer.model import Answer, shown_passages
from workflows.research.kinds import AnswerStatus
from workflows.research.report.document import absence_sentence
from workflows.research.state import Report, ResearchState, UserMarks

SYNTHESIS_LENGTH = 500
SUMMARY_LENGTH = 320
TYPE_BITS = {"academic": 1, "web": 2, "newsroom": 4, "local": 8}

# Characters that mark matches in snippets, or that no terminal should see
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_MARKDOWN = re.compile(r"^#{1,6}\s+|^>\s?|^[*-]\s+|\*\*|`|\[S\d+\]|^\|?[\s:|-]+\|?$", re.M)
_LINK = re.compile(r"\[([^\]]{0,400})\]\([^)]{0,2000}\)")
_SPACES = re.compile(r"\s+")
_NO_SPACES = re.compile(r"[぀-ヿ㐀-䶿一-鿿가-힯฀-๿]")
_LETTERS = re.compile(r"[\w\u0300-\u036f]+")  # words with their combining marks

Row = tuple[object, ...]


def clean(text: str) -> str:
    """Text without control characters and surrogates; tabs and line ends stay."""
    return _CONTROL.sub(" ", text)


def cleaned(values: Iterable[object]) -> Row:
    """A row whose texts are clean."""
    return tuple(clean(value) if isinstance(value, str) else value for value in values)


def texts(state: ResearchState) -> tuple[str, ...]:
    """What the history search looks through, in the order of the table history_text."""
    report = clean(f"{plain_report(state)}\n{_conversation_text(state)}".strip())
    # An extractive report is made of its claims: those it prints need no second place
    claims = clean("\n".join(c.text for c in state.claims if c.text not in report))
    sources = clean("\n".join(source.title for source in state.sources))
    query, note = clean(state.original_query), clean(state.user.note)
    tags = clean(", ".join(state.user.tags))
    searched = (query, tags, note, report, claims, sources)
    return (*searched, forms(searched))


def forms(searched: tuple[str, ...]) -> str:
    """The folded forms of words that folding changes beyond their case.

    SQLite's tokenizer folds Latin diacritics only, and takes a run of a script without spaces for
    one word; a question is folded by `words`.
    """
    candidates = (
        word for text in searched if not text.isascii() for word in _LETTERS.findall(text)
    )
    others = dict.fromkeys(word for word in candidates if not word.isascii())
    affected = (word for word in others if _NO_SPACES.search(word) or fold(word) != word.lower())
    return " ".join(chain.from_iterable(map(words, affected)))


def _conversation_text(state: ResearchState) -> str:
    """What was asked afterwards, and the answers."""
    lines = (line for turn in state.conversation for line in (turn.question, answer_text(turn)))
    return "\n".join(line for line in lines if line)


def plain_report(state: ResearchState) -> str:
    """The report as text without markup; of a record without report, its synthesis with the markup
    taken off."""
    if state.report is not None and (
        lines := [*_answer_lines(state.answer), *_section_lines(state.report)]
    ):
        return "\n".join(dict.fromkeys(lines))
    return _LINK.sub(r"\1", _MARKDOWN.sub("", state.synthesis))


def summary(state: ResearchState) -> str:
    """The first sentences, for lists."""
    if state.report is not None and state.report.summary:
        text = " ".join(sentence.text for sentence in state.report.summary)
    elif state.answer is not None:
        text = " ".join(answer_lead(state.answer))
    else:
        text = plain_report(state)
    flat = _SPACES.sub(" ", clean(text[: 2 * SUMMARY_LENGTH])).strip()
    return flat if len(flat) <= SUMMARY_LENGTH else flat[:SUMMARY_LENGTH].rpartition(" ")[0] + " …"


def answer_lead(answer: Answer) -> list[str]:
    """What a list shows of an answer: the sentences or leads that answer, or that nothing was
    found."""
    if answer.status == AnswerStatus.NOT_FOUND:
        return [absence_sentence(answer)]
    if answer.written:
        return [sentence.text for sentence in answer.written]
    leads = [passage.lead.text for passage in shown_passages(answer)]
    return leads or [item.text for item in answer.items]


def _answer_lines(answer: Answer | None) -> Iterable[str]:
    if answer is not None:
        yield from (sentence.text for sentence in answer.written)
        yield from (passage.text for passage in shown_passages(answer))
        yield from (item.text for item in answer.items)


def _section_lines(report: Report) -> Iterable[str]:
    yield from (sentence.text for sentence in report.sentences())
    yield from (passage.text for section in report.sections for passage in section.passages)


def created_at(state: ResearchState) -> str:
    """When the research began, as ISO time in UTC with a fixed form, so that text order is time
    order."""
    return began(state).isoformat(timespec="seconds")


def number_of(state: ResearchState) -> int:
    """The preferred number of a research: milliseconds of its beginning since 1970."""
    return int(began(state).timestamp() * 1000)


def began(state: ResearchState) -> datetime:
    """When a research began; of a state without a time, what its id says; else 1970."""
    text = state.started_at or state.completed_at or state.as_of
    return moment(text) or time_of(state.research_id) or datetime(1970, 1, 1, tzinfo=UTC)


def moment(text: str) -> datetime | None:
    """An ISO time or date as UTC; None for what is not one."""
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def binned_at(user: UserMarks) -> str | None:
    """Since when a research is in the bin; None when no date says so: what is no date empties no
    bin."""
    time = moment(user.deleted_at or "")
    return time.isoformat(timespec="seconds") if time else None


def source_types(state: ResearchState) -> int:
    """The kinds of sources used, one bit each."""
    kinds = {source.source_type for source in state.sources if not source.rejected}
    return sum(TYPE_BITS.get(kind, 0) for kind in kinds)


def source_rows(state: ResearchState) -> list[Row]:
    """Rows of the table sources."""
    rows = {
        source.source_id: (
            source.source_id,
            state.research_id,
            source.url,
            source.title,
            source.credibility.score if source.credibility else None,
            source.credibility.category if source.credibility else None,
            source.source_type,
            json.dumps(source.authors, ensure_ascii=False),
            source.published,
            source.doi,
            source.venue,
            source.tag,
            source.rejected,
            source.snapshot_id,
        )
        for source in state.sources
    }
    return [cleaned(row) for row in rows.values()]


def citation_rows(state: ResearchState) -> list[Row]:
    """Rows of the table citations."""
    edges = {
        (source, cited_id)
        for source, all_cited in state.citation_graph.items()
        for cited_id in all_cited
    }
    return [cleaned((source, cited_id, state.research_id)) for source, cited_id in sorted(edges)]


def claim_rows(state: ResearchState) -> list[Row]:
    """Rows of the table claims."""
    rows = {
        claim.claim_id: (
            state.research_id,
            claim.claim_id,
            claim.text,
            claim.section,
            int(claim.verified),
            claim.confidence,
            claim.level,
            claim.independent_sources,
            json.dumps(list(claim.supporting_sources)),
        )
        for claim in state.claims
    }
    return [cleaned(row) for row in rows.values()]


def snapshot_ids(state: ResearchState) -> list[str]:
    """Every text the record refers to."""
    ids = {snapshot.snapshot_id for snapshot in state.snapshots}
    ids |= {source.snapshot_id for source in state.sources if source.snapshot_id}
    ids |= {evidence.snapshot_id for evidence in state.evidence}
    return sorted(ids)
