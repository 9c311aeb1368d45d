"""Cross-reference (3): which passages answer the question, who else says so, and who says
otherwise."""

from workflows.research.answer.phase import answer_question
from workflows.research.deps import Deps
from workflows.research.state import ResearchState
from workflows.research.understand.plan import finish_tasks
from workflows.research.verify.agreement import with_claims
from workflows.research.verify.credibility import scored_sources
from workflows.research.verify.disagreement import with_disagreements
from workflows.research.verify.verdict import with_verdict


def cross_reference(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with its answer, claims and contradictions. Sources that may support nothing are
    set aside first."""
    state = answer_question(scored_sources(state, deps), deps)
    if state.config.cross_reference and deps.settings.cross_reference:
        state = with_verdict(with_disagreements(with_claims(state, deps), deps), deps)
    return finish_tasks(state, "cross_validate")
