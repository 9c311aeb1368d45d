"""A model arranges the claims that were chosen for a report under headings; it adds none and loses none."""

from collections.abc import Sequence
from typing import Any

from tools.models.prompts import fence
from workflows.research.model import Claim
from workflows.research.modelled.headings import heading_problem, stems_of
from workflows.research.modelled.shown import own_sources
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState

Sections = tuple[tuple[str, tuple[Claim, ...]], ...]
_LEAST = 4  # claims below which there is nothing to arrange
_TEXT = 300  # characters of a claim that are shown
OUTLINE = Step(
    "outline", "synthesis", "reasoning", "Outline", "the sections of the research tree stand",
    {
        "type": "object",
        "properties": {
            "sections": {
                "type": "array", "minItems": 1, "maxItems": 6,
                "items": {
                    "type": "object",
                    "properties": {
                        "heading": {"type": "string", "minLength": 2, "maxLength": 60},
                        "claims": {"type": "array", "minItems": 1, "maxItems": 12, "items": {"type": "string"}},
                    },
                    "required": ["heading", "claims"],
                },
            }
        },
        "required": ["sections"],
    },
    calls=2, max_tokens=700,
)  # fmt: skip


def arrange(state: ResearchState, sections: Sections, work: Work) -> Sections | None:
    """The claims in the model's sections; None where it gave no useful answer.

    Claims that the model may not see, or that it leaves out, stay under the heading they had.
    """
    seen = _visible(state, sections, work)
    if len(seen) < _LEAST:
        return None
    tree = [text for question in state.plan.questions for text in (question.heading, question.text)]
    shared, standing = stems_of(state.original_query, *tree), {heading for heading, _ in sections}

    def problems(data: Any) -> Sequence[str]:
        own = [row for row in data["sections"] if row["heading"] not in standing]
        return [*_wrong_ids(data["sections"], seen), *_wrong_headings(own, state.original_query, shared, seen)]

    shown = "\n".join(
        f"{heading}\n" + "\n".join(f"  {c.claim_id}: {c.text[:_TEXT]}" for c in claims if c.claim_id in seen)
        for heading, claims in sections
    )
    values = {"question": fence(state.original_query, "question"), "sections": fence(shown, "claims")}
    own = own_sources(state)
    private = any(own.intersection(claim.supporting_sources) for claim in seen.values())
    answer = work.ask(OUTLINE, values, problems, private=private)
    return _made(answer["sections"], sections, seen) if answer else None


def _visible(state: ResearchState, sections: Sections, work: Work) -> dict[str, Claim]:
    """The claims that may be shown to the model, by id."""
    own = set() if work.models.may_see_documents(OUTLINE.role) else own_sources(state)
    return {c.claim_id: c for _, claims in sections for c in claims if not own.intersection(c.supporting_sources)}


def _wrong_ids(rows: Sequence[Any], seen: dict[str, Claim]) -> list[str]:
    named = [one for row in rows for one in row["claims"]]
    headings = [row["heading"].strip().lower() for row in rows]
    strange = sorted(set(named) - set(seen))
    found = [f"there is no claim {', '.join(strange)[:100]}"] if strange else []
    found += ["every claim stands under one heading only"] if len(set(named)) < len(named) else []
    return found + (["every heading must be different"] if len(set(headings)) < len(headings) else [])


def _wrong_headings(rows: Sequence[Any], asked: str, shared: frozenset[str], seen: dict[str, Claim]) -> list[str]:
    found = []
    for row in rows:
        known = shared | stems_of(*(seen[one].text for one in row["claims"] if one in seen))
        if problem := heading_problem(row["heading"], asked, known):
            found.append(problem)
    return found


def _made(rows: Sequence[Any], sections: Sections, seen: dict[str, Claim]) -> Sections:
    made: dict[str, list[Claim]] = {}
    for row in rows:
        heading = " ".join(row["heading"].split()).rstrip("?")
        made[heading[:1].upper() + heading[1:]] = [seen[one] for one in row["claims"]]
    taken = {claim.claim_id for claims in made.values() for claim in claims}
    for heading, claims in sections:
        left = [claim for claim in claims if claim.claim_id not in taken]
        if left:
            made.setdefault(heading, []).extend(left)
    return tuple((heading, tuple(claims)) for heading, claims in made.items())
