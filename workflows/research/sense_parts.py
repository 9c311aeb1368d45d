"""The part of a report that tells different answers apart, each with what it is about and its weight."""

import re
from collections.abc import Mapping
from dataclasses import replace

from tools.text.phrases import counted
from tools.trust.answers import Wanted, answers
from workflows.research.compose import Composer
from workflows.research.model import Claim, Sense
from workflows.research.report import Edit, SensePart, Sentence
from workflows.research.senses import short_answer
from workflows.research.state import ResearchState

_DOUBTFUL = 4  # answers of texts that do not name what was asked about
_WORDS = 12  # of a sentence quoted above, by which it is found again
_PRONOUN = re.compile(r"(?:He|She|It|They)(?=\s)")
_POINTS = re.compile(
    r"\W*(?:he|she|it|they|his|her|its|their|this|that|these|those|such|there|here|we|our|i|you)\b", re.I
)


def sense_parts(state: ResearchState, composer: Composer, said: Mapping[str, Sentence]) -> tuple[SensePart, ...]:
    """One part an answer, the one with most voices first; none where there is a single answer.

    said: the sentences that the report has told already, by claim id; they are not quoted twice.
    """
    claims = {claim.claim_id: claim for claim in state.claims}
    total = sum(one.voices for one in state.senses)
    doubtful = [sense for sense in state.senses if not sense.named][:_DOUBTFUL]
    shown = [sense for sense in state.senses if sense.named or sense in doubtful]
    asked = short_answer(state)
    parts = [_part(sense, claims, composer, said, total, asked) for sense in shown]
    told = tuple(part for part in parts if part is not None)
    return told if len(told) > 1 else ()


def _part(
    sense: Sense,
    claims: Mapping[str, Claim],
    composer: Composer,
    said: Mapping[str, Sentence],
    total: int,
    asked: Wanted | None,
) -> SensePart | None:
    known = [claims[one] for one in sense.claim_ids if one in claims and claims[one].verified]
    above = [said[claim.claim_id] for claim in known if claim.claim_id in said]
    quotes = [_named(one, sense.thing) for one in composer.sentences(c for c in known if c.claim_id not in said)]
    quotes = [one for one in quotes if not _POINTS.match(one.text)]
    if not quotes and not above:
        return None
    weight = f"{counted(sense.voices, 'voice')} of {total} {'says' if sense.voices == 1 else 'say'} so."
    weight += "" if sense.named else " What was read there does not name what was asked about: it may be another thing."
    told = composer.narration(f"{_above(above[0], asked)}; {weight}" if above else weight)
    return SensePart(sense.thing, (*quotes, told))


def _above(sentence: Sentence, asked: Wanted | None) -> str:
    """Which of the sentences above an answer is: by its number or date, else by how it begins; and its source."""
    found = answers(asked, sentence.text, [(0, len(sentence.text))]) if asked else []
    words = sentence.text.rstrip(".").split()
    begins = " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
    return f"“{next((one.said for one in found if one.said), begins)}”, quoted above from {sentence.citations[0].tag}"


def _named(sentence: Sentence, thing: str) -> Sentence:
    """A sentence that begins with a pronoun, with the name its source goes by instead, in brackets."""
    match = _PRONOUN.match(sentence.text)
    if match is None or not thing or sentence.edits:
        return sentence
    edit = Edit(0, match.end(), f"[{thing}]", "pronoun")
    return replace(sentence, kind="edited", text=edit.replacement + sentence.text[match.end() :], edits=(edit,))
