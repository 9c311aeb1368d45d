"""The gate for written sentences: form, hard checks, then a judge. Wording and order are the
judge's business."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tools.judging.checks import Checks
from tools.judging.judge import Judgement, Label, Passage
from tools.models.thinking import refuses
from tools.text.instructions import speaks_to_machines
from tools.text.language import language_of
from tools.text.sentences import spans as sentence_spans
from tools.text.tokens import stems
from workflows.research.deps import Deps
from workflows.research.writing.facts import missing_fact
from workflows.research.writing.judging import judge_of
from workflows.research.writing.packets import PacketPassage
from workflows.research.writing.steps import LONGEST

MOST_CITED = 4
FEWEST_WORDS = 4
_LONGEST_WORDS = 70
# Of the words of a sentence, that a passage must have to be cited in place of a wrong one
_SHARED = 0.7
_TAG = re.compile(r"[\[(]\s*((?:[A-Z]\d+:\d+)(?:\s*[,;]\s*[A-Z]\d+:\d+)*)\s*[\])]")
_REF = re.compile(r"[A-Z]\d+:\d+")
# Marks, addresses and tags stand in no sentence, whatever its passages have: they may be a trap
_MARKUP = re.compile(r"<<<|>>>|https?:|```|\[[A-Z]\d+(?::\d+)?\]|<\w+|\]\(|^\s*[#*-]\s")
_CODE = re.compile(r"[{}|\\]|(?<!\w)/\w+/\w")
# Markdown, which no report interprets
_EMPHASIS = re.compile(r"(?<![\w*])\*\*(?=\S)([^*\n]{1,200}?)(?<=\S)\*\*(?![\w*])")
_ABOUT_TEXT = re.compile(
    r"\b(?:the|these|this) (?:passages?|provided (?:text|context|sources?))\b", re.I
)


@dataclass(frozen=True, slots=True)
class WrittenDraft:
    """A sentence that a model wrote. place: the part of the report that it belongs to, 0 for the
    answer.

    quoted: it is a passage's own words. problem: why it may not stand; empty while nothing speaks
    against it. judge: who let it stand. deciding: the words of a passage by which.
    """

    text: str
    citations: tuple[PacketPassage, ...] = ()
    place: int = 0
    quoted: bool = False
    problem: str = ""
    judge: str = ""
    deciding: str = ""


def drafts_of(
    row: Mapping[str, Any], packet: Sequence[PacketPassage], place: int = 0
) -> Iterator[WrittenDraft]:
    """The sentences of a row of a model's answer after the checks of form: references, length,
    language, no markup.

    Small models put several sentences into one row: each is checked by itself, with the citations
    of the row.
    """
    by_ref = {entry.ref: entry for entry in packet}
    text, refs = _without_tags(str(row["text"]))
    refs += [ref for cite in row.get("cites", ()) for ref in _REF.findall(str(cite))]
    names = list(dict.fromkeys(refs))
    passages = tuple(by_ref[ref] for ref in names if ref in by_ref)
    strange = [ref for ref in names if ref not in by_ref]
    for start, end in sentence_spans(text) or [(0, len(text))]:
        draft = _rightly_cited(WrittenDraft(text[start:end].strip(), passages, place), packet)
        yield replace(
            draft,
            problem=_citation_problem(draft, strange)
            or _wording_problem(draft)
            or _language_problem(draft),
        )


def _rightly_cited(draft: WrittenDraft, packet: Sequence[PacketPassage]) -> WrittenDraft:
    """The draft with the passage that has its words, where those it cites are missing or lack what
    it states."""
    if any(_quotes(draft.text, entry) for entry in draft.citations):
        return draft
    if verbatim := next((entry for entry in packet if _quotes(draft.text, entry)), None):
        return replace(draft, citations=(verbatim,))
    if draft.citations and not _missing_fact(draft):
        return draft
    return _with_nearest(draft, packet)


def _with_nearest(draft: WrittenDraft, packet: Sequence[PacketPassage]) -> WrittenDraft:
    """The draft with the passage that has most of its words, if that has enough of them and all
    facts it states."""
    terms = set(stems(draft.text))
    shares = [
        len(terms & set(stems(f"{entry.about} {entry.passage.text}"))) / max(1, len(terms))
        for entry in packet
    ]
    best = max(range(len(packet)), key=lambda i: shares[i], default=-1)
    if best < 0 or shares[best] < _SHARED:
        return draft
    nearest = replace(draft, citations=(packet[best],))
    return draft if _missing_fact(nearest) else nearest


def _missing_fact(draft: WrittenDraft) -> str:
    return missing_fact(draft.text, [passage_of(entry) for entry in draft.citations])


def checked(draft: WrittenDraft) -> WrittenDraft:
    """A draft after the hard checks; a quotation passes them, being what the passage says."""
    if draft.problem:
        return draft
    if any(_quotes(draft.text, entry) for entry in draft.citations):
        return replace(draft, quoted=True)
    return replace(draft, problem=_missing_fact(draft))


def judged(
    drafts: Sequence[WrittenDraft], deps: Deps, on_pass: Callable[[WrittenDraft], object]
) -> list[WrittenDraft]:
    """The drafts, each with its problem or with who let it stand, within the calls of a run.
    on_pass: is handed each as soon as a judge supports it."""
    results = [checked(draft) for draft in drafts]
    visible_places: set[int] = set()

    def show(i: int) -> None:
        if i not in visible_places:
            visible_places.add(i)
            on_pass(results[i])

    for i, draft in enumerate(results):
        if draft.quoted:
            show(i)
    for private in (False, True):
        _judge_open(results, private, deps, show)
    return results


def _judge_open(
    results: list[WrittenDraft], private: bool, deps: Deps, show: Callable[[int], object]
) -> None:
    """Put drafts that were judged in the place of those that are open."""
    places = [i for i, draft in enumerate(results) if _is_open(draft, private)]
    judge = judge_of(deps, private, lambda pair: show(places[pair])) if places else None
    pairs = [(results[i].text, [_together(results[i].citations)]) for i in places]
    judgements = (judge or Checks()).judge(pairs)
    for i, judgement in zip(places, judgements, strict=True):
        results[i] = _after(results[i], judgement)
        if not results[i].problem:
            show(i)


def passage_of(packet_passage: PacketPassage) -> Passage:
    """A passage of a packet as a judge reads it."""
    date = packet_passage.passage.date or packet_passage.source.published
    if packet_passage.source.authors:
        authors = f" ({', '.join(packet_passage.source.authors[:3])})"
    else:
        authors = ""
    return Passage(
        packet_passage.passage.text,
        heading=" › ".join(packet_passage.passage.heading_path),
        title=packet_passage.source.title + authors,
        date=date,
    )


def _together(passages: Sequence[PacketPassage]) -> Passage:
    """The passages of a sentence as one: each clause needs support by one of them."""
    if len(passages) == 1:
        return passage_of(passages[0])
    return Passage("\n\n".join(f"{entry.about}\n{entry.passage.text}" for entry in passages))


def _after(draft: WrittenDraft, judgement: Judgement) -> WrittenDraft:
    if judgement.label == Label.SUPPORT:
        return replace(draft, judge=judgement.judge, deciding=judgement.deciding)
    reason = " ".join(judgement.reasons) or "No judge confirmed that the passages say it."
    return replace(draft, problem=reason)


def _is_open(draft: WrittenDraft, private: bool) -> bool:
    """Whether a judge has yet to decide. private: on what cites the user's own documents, or else
    on the others."""
    return (
        not draft.problem
        and not draft.quoted
        and any(entry.is_local for entry in draft.citations) == private
    )


def _citation_problem(draft: WrittenDraft, strange: Sequence[str]) -> str:
    if not draft.citations:
        return f"There is no passage {strange[0]}." if strange else "It cites no passage."
    if len(draft.citations) > MOST_CITED:
        return f"It cites more than {MOST_CITED} passages."
    return ""


def _wording_problem(draft: WrittenDraft) -> str:
    words = len(draft.text.split())
    if words < FEWEST_WORDS or words > _LONGEST_WORDS or len(draft.text) > LONGEST:
        return "It is too short or too long for a sentence."
    if not draft.text.isprintable() or _has_markup(draft) or _ABOUT_TEXT.search(draft.text):
        return "It contains markup, or speaks of the passages instead of the subject."
    if speaks_to_machines(draft.text) or refuses(draft.text):
        return "It gives instructions, or speaks of its author."
    return ""


def _language_problem(draft: WrittenDraft) -> str:
    language = language_of(draft.text)
    theirs = {language_of(entry.passage.text) for entry in draft.citations}
    if language and theirs and "" not in theirs and language not in theirs:
        return "It is in another language than its passages."
    return ""


def _has_markup(draft: WrittenDraft) -> bool:
    """Whether a sentence has markup, or code in a word that none of its passages has: a path may
    stand in them."""
    return bool(_MARKUP.search(draft.text)) or any(
        not any(word in entry.passage.text for entry in draft.citations)
        for match in _CODE.finditer(draft.text)
        for word in [_word_at(draft.text, match.start(), match.end())]
    )


def _word_at(text: str, start: int, end: int) -> str:
    """The words that a span touches, without the marks around them."""
    first = text.rfind(" ", 0, start) + 1
    last = text.find(" ", end)
    return text[first : last if last >= 0 else None].strip(" .,;:()\"'“”")


def _without_tags(text: str) -> tuple[str, list[str]]:
    """The text without references in brackets and marks of emphasis, and these references."""
    refs = [ref for match in _TAG.finditer(text) for ref in _REF.findall(match[1])]
    plain = " ".join(_EMPHASIS.sub(r"\1", _TAG.sub("", text)).split())
    return re.sub(r" ([.,;:])", r"\1", plain), refs


def _quotes(text: str, packet_passage: PacketPassage) -> bool:
    """Whether a text is a whole sentence of a passage: a piece of one may say what the sentence
    does not."""
    quoted, passage = " ".join(text.split()), packet_passage.passage.text
    if quoted not in " ".join(passage.split()):
        return False
    return any(
        " ".join(passage[start:end].split()) == quoted for start, end in sentence_spans(passage)
    )
