"""Who judges in a run: the language model within its calls, else the judge of the run where that
may say so."""

from collections.abc import Callable

from tools.judging.judge import Judge, JudgeKind
from tools.judging.model_judge import ModelJudge
from workflows.research.deps import Deps
from workflows.research.modelled.work import StepModels
from workflows.research.writing.steps import JUDGE


def judge_of(
    deps: Deps, private: bool, on_support: Callable[[int], object] | None = None
) -> Judge | None:
    """The judge for passages; None where nobody may affirm. private: they are of the user's own
    documents.

    on_support: is handed the number of each pair that a language model supports, as its answer
    comes.
    """
    work = deps.work
    if (
        work is not None
        and work.calls_left(JUDGE)
        and (not private or work.models.may_see_documents(JUDGE.role))
    ):
        request, name = StepModels(work, JUDGE), work.models.name(JUDGE.role)
        return ModelJudge(
            request, name, private=private, check_cancelled=deps.check_cancelled,
            on_support=on_support,
            window=work.models.window(JUDGE.role),
        )  # fmt: skip
    return deps.judge if deps.judge.kind != JudgeKind.NONE else None
