"""When the rounds end, how well a question is covered, and which gaps are searched again."""

from dataclasses import replace

import pytest
from plain_deps import World

from tests.tables import each
from tools.sources.source import make_source
from workflows.research.gather.gaps import gaps, reason_to_stop
from workflows.research.model import Gap, Plan, Question, RunConfig
from workflows.research.state import ResearchState

SOURCES = tuple(make_source(f"https://site{n}.example/", f"Title {n}") for n in range(6))
WORDS = (
    "Storage lowers prices.",
    "Storage cuts the peak.",
    "Storage spares plants.",
    "Storage moves demand.",
)


def state_of(
    *coverages: float,
    tier: str = "primary",
    iterations: int = 1,
    sources: int = 6,
    queries: tuple[str, ...] = ("more",),
) -> ResearchState:
    """A research after its first of three rounds, with one question of equal weight for each
    coverage."""
    questions = tuple(
        Question(f"Q{n}", "Why?", tier, 1 / len(coverages), coverage=value, iterations=iterations)
        for n, value in enumerate(coverages, 1)
    )
    return ResearchState(
        "Why?", plan=Plan(questions=questions), config=RunConfig(depth=3), round=1,
        sources=SOURCES[:sources],
        gaps=(Gap("Q1", "Why?", 0.9, queries),),
    )  # fmt: skip


@each(
    ("state", "gained", "reason"),
    [
        (state_of(0.8, 0.8), True, "That is enough."),
        (state_of(1.0, 0.59), True, None),  # 0.795 on average
        (state_of(1.0, 1.0, 0.49), True, None),  # a main question is not covered
        (state_of(1.0, 1.0, 0.5), True, "That is enough."),
        (state_of(1.0, sources=4), True, None),
        (state_of(0.1), False, None),  # the first round is given a second one
        (
            replace(state_of(0.1), round=2),
            False,
            "The round added no independent source to a main question.",
        ),
        (replace(state_of(0.1), round=2), True, None),
        (replace(state_of(0.1), round=3), True, "Round 3 of 3 was the last."),
        (replace(state_of(0.1), config=RunConfig(depth=1)), True, "Round 1 of 1 was the last."),
        (state_of(0.1, queries=()), True, "There is nothing left to search for."),
        (state_of(0.1, queries=(), iterations=0), True, None),
    ],
)
def test_the_rounds_end_for_a_reason(
    state: ResearchState, gained: bool, reason: str | None
) -> None:
    assert reason_to_stop(state, World({}).deps(), gained) == reason


@each(("count", "coverage"), [(0, 0.0), (1, 0.333333), (2, 0.666667), (3, 1.0), (4, 1.0)])
def test_passages_of_three_sources_cover_a_question(count: int, coverage: float) -> None:
    world = World({f"Title {n}": ("openalex", WORDS[n]) for n in range(4)})
    read = [
        replace(source, snapshot_id=world.by_id[source.source_id])
        for source in world.sources["openalex"]
    ]
    (question,) = state_of(0.0).plan.questions
    question = replace(question, text="storage", queries=("storage",))
    state = replace(state_of(0.0), plan=Plan(questions=(question,)), sources=tuple(read[:count]))
    assert gaps(state, world.deps()).plan.questions[0].coverage == coverage


@pytest.mark.parametrize(
    ("tier", "importance", "again"),
    [("primary", 1.0, True), ("secondary", 0.7, True), ("tertiary", 0.5, True)],
)
def test_the_importance_of_a_gap_is_that_of_its_question(
    tier: str, importance: float, again: bool
) -> None:
    (gap,) = gaps(state_of(0.0, tier=tier), World({}).deps()).gaps
    assert (gap.importance, bool(gap.queries)) == (importance, again)
    (gap,) = gaps(state_of(0.0, tier=tier), World({}).deps(gap_importance=importance + 0.01)).gaps
    assert gap.queries == (), "lesser gaps are only listed"
