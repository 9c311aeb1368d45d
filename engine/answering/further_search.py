"""The answer to a question that a finished research was searched further for."""

from collections.abc import Callable
from dataclasses import replace

from tools.models.roles import REASONING, Models
from workflows.conversation.follow_up import answer
from workflows.conversation.turns import carry, with_answer
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.modelled.work import Work
from workflows.research.state import ResearchState

_DEPTH = 1  # a model may take as many calls for an answer as for a quick research


def answer_further(
    gathered: ResearchState, question: str, stored: ResearchState | None, deps: Deps
) -> ResearchState:
    """A record that was searched further, with the question and what its texts say to it now, be it
    still nothing.

    stored: the record before, whose earlier answers have passages that keep their numbers.
    """
    state = carry(stored, gathered)
    quiet = replace(deps, emit=lambda event: None)  # the steps of an answer are none of the run's
    deps = with_models(quiet, deps.models, quiet.emit)
    return with_answer(state, *answer(state, question, deps))


def with_models(deps: Deps, models: Models | None, emit: Callable[[Event], object]) -> Deps:
    """The effects with a model's calls for one answer; what is asked of it is emitted."""
    if models is None or not models.has(REASONING):
        return deps
    return replace(deps, models=models, work=Work(models, _DEPTH, emit, deps.check_cancelled))
