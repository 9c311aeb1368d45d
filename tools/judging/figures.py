"""Figures that differ: two statements about the same attribute of the same thing that give
different numbers or dates.

Nothing is said about who is right. What is compared must be the same but for the figure: the same
names, the same other numbers, the same time, the same words around the figure. A date differs only
where the event happens once (a birth, a signing); most of what happens may happen again. Precision
comes before finding all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from tools.judging.sentence import Sentence, coverage, sentences_of
from tools.text.quantities import DATED, Quantity
from tools.text.tokens import stem

# Share of the content of either statement, the figure apart, that the other says
SAME_STATEMENT = 0.8
_WITHIN = 6  # words of content in which what belongs to a figure is looked for
_MONTH = 7  # characters of an ISO date
_WHEN = (*DATED, "clock")
# What happens once to one thing; the forms of one word stand for each other
_ONCE = {
    stem(word): kind
    for kind, listed in {
        "born": "born birth", "died": "died death", "founded": "founded established",
        "opened": "opened inaugurated", "completed": "completed", "built": "built constructed",
        "launched": "launched", "invented": "invented", "discovered": "discovered",
        "demolished": "demolished", "sank": "sank sunk", "signed": "signed signing",
        "ratified": "ratified", "enacted": "enacted", "abolished": "abolished", "buried": "buried",
        "assassinated": "assassinated", "crowned": "crowned", "incorporated": "incorporated",
    }.items()
    for word in listed.split()
}  # fmt: skip
_UNSURE = frozenset(
    """if unless would could might may should expected projected forecast planned target goal
    propose proposed about between reopened again second third another other each per every former
    minimum maximum least most up""".split()
)

# "Latino people": not the thing that is counted
_PEOPLE = re.compile(r"(?:ian|ican|ino|ish|ese|anic)s?$")


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """first, second: the figures as written. explanation: a sentence for people that shows both."""

    subject: str
    attribute: str
    first: str
    second: str
    explanation: str


def figures_differ(
    a: str, b: str, dates: tuple[str | None, str | None] = (None, None)
) -> FigureDifference | None:
    """The first figure that two texts give differently of the same attribute of the same thing;
    None where none is.

    dates: when each text was written, as ISO dates; a number without a time of its own is of that
    time.
    """
    written, other_written = ((date or "")[:_MONTH] for date in dates)
    of_one_time = not (written and other_written) or written == other_written
    for sentence, other in product(_stating(a), _stating(b)):
        if not sentence.names:
            continue  # nobody can tell that both speak of the same thing
        difference = _difference(
            sentence, other, of_one_time or (_is_dated(sentence) and _is_dated(other))
        )
        if difference is not None:
            return difference
    return None


@lru_cache(maxsize=2048)
def _stating(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text that state what is. Kept, because one text is compared with many."""
    return tuple(sentence for sentence in sentences_of(text) if _states(sentence))


def _difference(a: Sentence, b: Sentence, of_one_time: bool) -> FigureDifference | None:
    checks = (_numbers, _dates) if of_one_time else (_dates,)
    return next((difference for check in checks for difference in check(a, b)), None)


def _is_dated(sentence: Sentence) -> bool:
    return any(quantity.kind in DATED for quantity in sentence.quantities)


def _states(sentence: Sentence) -> bool:
    """Whether a sentence states what is, for one thing: no question, no plan, no "up to", none of
    several."""
    month = (word.folded == "may" and word.capital for word in sentence.words)
    unsure = (word.folded in _UNSURE for word in sentence.words)
    asks = sentence.text.rstrip().endswith("?")
    return not asks and not any(out and not may for out, may in zip(unsure, month, strict=True))


# --- numbers --------------------------------------------------------------------------------------


def _numbers(a: Sentence, b: Sentence) -> Iterator[FigureDifference]:
    """One number differs, and every other number and date of either stands in the other too."""
    ours, theirs = _unmatched(a, b), _unmatched(b, a)
    if len(ours) != 1 or len(theirs) != 1:
        return
    first, second = ours[0], theirs[0]
    if first.kind != second.kind or not (_is_comparable(a, first) and _is_comparable(b, second)):
        return
    first_span, other = a.span_of(first), b.span_of(second)
    if a.next_content(first_span.stop) != b.next_content(other.stop) or not _about_the_same(
        a, first_span, b, other
    ):
        return
    yield _figure_difference(a, first_span, first.text, second.text)


def _is_comparable(sentence: Sentence, figure: Quantity) -> bool:
    return (
        figure.kind not in (*_WHEN, "ordinal")
        and not figure.bound
        and _stands_free(sentence, figure)
        and sentence.span_of(figure).start > 0  # "3 Tbsp Oil" says nothing of a thing
    )


def _stands_free(sentence: Sentence, figure: Quantity) -> bool:
    """Whether a number is said in the sentence itself: not in brackets ("[4]"), not half of a range
    ("ages 11-16"), not the number of a thing ("#475", "issues/475", "Step 7:"), no vote ("+1")."""
    before = sentence.text[: figure.start].rstrip()[-1:]
    return before not in tuple("([-–+#/") and sentence.text[figure.end :].lstrip()[:1] not in tuple(
        ")]-–:"
    )


def _unmatched(sentence: Sentence, other: Sentence) -> list[Quantity]:
    def stands(quantity: Quantity, stated: Quantity) -> bool:
        return quantity.agrees(stated) or quantity.covered_by(stated) or stated.covered_by(quantity)

    return [
        quantity
        for quantity in sentence.quantities
        if not any(stands(quantity, stated) for stated in other.quantities)
    ]


# --- dates ----------------------------------------------------------------------------------------


def _dates(a: Sentence, b: Sentence) -> Iterator[FigureDifference]:
    """What happens once, at two times."""
    event = _event(a)
    if not event or event != _event(b):
        return
    ours, theirs = _unmatched(a, b), _unmatched(b, a)
    if any(quantity.kind not in DATED or quantity.bound for quantity in (*ours, *theirs)):
        return
    if not any(_same_grain(first, second) for first, second in product(ours, theirs)):
        return
    first_span, other = _hull(a), _hull(b)
    if (
        _near_event(a, first_span)
        and _near_event(b, other)
        and _about_the_same(a, first_span, b, other)
    ):
        yield _figure_difference(
            a, first_span, _text(a, first_span), _text(b, other), f"when {event}"
        )


def _same_grain(first: Quantity, second: Quantity) -> bool:
    return first.kind == second.kind or {first.kind, second.kind} == {"month", "date"}


def _hull(sentence: Sentence) -> range:
    """All the words of a sentence that say when, from the first to the last."""
    dated = [
        sentence.span_of(quantity) for quantity in sentence.quantities if quantity.kind in DATED
    ]
    spans = [span for span in dated if len(span)]
    return range(min(s.start for s in spans), max(s.stop for s in spans)) if spans else range(0)


def _near_event(sentence: Sentence, span: range) -> bool:
    return len(span) <= _WITHIN and not _ONCE.keys().isdisjoint(sentence.near(span, _WITHIN))


def _event(sentence: Sentence) -> str:
    """The one event of a sentence that happens once; "" for none and for several."""
    events = {
        _ONCE[word.stem] for word in sentence.words if word.stem in _ONCE and not word.capital
    }
    return events.pop() if len(events) == 1 else ""


# --- what both are about --------------------------------------------------------------------------


def _about_the_same(a: Sentence, first_span: range, b: Sentence, other: range) -> bool:
    """Whether the names of either statement stand in the other, and most of its other words too."""
    ours, theirs = _plain_terms(a, first_span), _plain_terms(b, other)
    if (ours or theirs) and min(coverage(ours, theirs), coverage(theirs, ours)) < SAME_STATEMENT:
        return False
    return (
        bool(_subject_names(a, first_span))
        and _names_stand(a, first_span, b)
        and _names_stand(b, other, a)
    )


def _subject_names(sentence: Sentence, figure: range) -> list[range]:
    """The names that say which thing is meant: "the population" of whatever place is not one
    thing."""
    names = [name for name in sentence.names if not set(name) & set(figure)]
    return [
        name
        for name in names
        if not all(_PEOPLE.search(sentence.words[i].folded) for i in name)
        and not _is_order(sentence, name)
    ]


def _is_order(sentence: Sentence, name: range) -> bool:
    """Whether a name may be a verb that opens an order: one word, and what is to be done behind it
    ("Preheat oven")."""
    return name == range(1) and sentence.words[1:2] != () and sentence.words[1].content


def _plain_terms(sentence: Sentence, figure: range) -> frozenset[str]:
    name_stems = [_stems(sentence, name) for name in sentence.names]
    return sentence.terms.difference(_stems(sentence, figure), *name_stems, _ONCE)


def _names_stand(sentence: Sentence, figure: range, other: Sentence) -> bool:
    """Whether each name stands in the other statement, whole or shortened there ("Marta Kessel",
    "Kessel")."""
    short = [_stems(other, name) for name in other.names]
    names = [_stems(sentence, name) for name in sentence.names if not set(name) & set(figure)]
    return all(name <= other.stems or any(partial < name for partial in short) for name in names)


def _stems(sentence: Sentence, span: range) -> frozenset[str]:
    return frozenset(sentence.words[i].stem for i in span)


def _text(sentence: Sentence, span: range) -> str:
    return sentence.text[sentence.words[span.start].start : sentence.words[span.stop - 1].end]


def _attribute(sentence: Sentence, figure: range, subject: str) -> str:
    """What is said of the subject: the words of content before the figure, the subject apart, else
    those behind it."""
    before = [
        word.text
        for word in sentence.words[max(0, figure.start - _WITHIN) : figure.start]
        if word.content
    ]
    others = [word for word in before if word not in subject]
    behind = (word.text for word in sentence.words[figure.stop : figure.stop + 4] if word.content)
    return " ".join(others[-3:]) or next(behind, "")


def _subject(sentence: Sentence, figure: range) -> str:
    """The first name outside the figure; else the words of content before it."""
    for name in sentence.names:
        if not set(name) & set(figure):
            return _text(sentence, name)
    before = [word.text for word in sentence.words[: figure.start] if word.content]
    return " ".join(before[:4])


def _figure_difference(
    a: Sentence, figure: range, first: str, second: str, attribute: str = ""
) -> FigureDifference:
    subject = _subject(a, figure)
    attribute = attribute or _attribute(a, figure, subject)
    of = ", ".join(part for part in (subject, attribute) if part) or "One figure"
    return FigureDifference(
        subject, attribute, first, second, f"{of}: “{first}” in one, “{second}” in the other."
    )
