"""Notes on what a run did and found so far, folded to what a model's window takes, for the steps
that go in rounds."""

from tools.models.folding import Interaction, Memory, messages, note_tool, remember
from workflows.research.events import Event, EventKind
from workflows.research.model import Question
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState

# The answer is text, so there is no schema; the prompt is tools/models/folding.txt
FOLD = Step(
    "fold",
    "gaps",
    "reasoning",
    "Notes",
    "sentences of the notes are picked",
    {},
    calls=2,
    max_tokens=1200,
)
OWN_DOCUMENT = "[own document]"  # how a note from one ends
_SHARE = 4  # of the window may be notes


def notes(state: ResearchState, work: Work, role: str, own_too: bool = True) -> tuple[str, bool]:
    """The notes, and whether the user's own documents speak in them. role: who is to read them.

    own_too: whether what was found in these documents may stand in them at all.

    A question with its answer is one exchange of a memory that folds (tools/models/folding.py);
    each client that was asked is a tool of it. Without calls left, or where the model fails,
    sentences are picked.
    """
    local_ids = {source.source_id for source in state.sources if source.is_local}
    hidden = set() if own_too and work.models.may_see_documents(role) else local_ids
    exchanges = [
        Interaction(i, q.text, _answer(q, bool(hidden)))
        for i, q in enumerate(state.plan.questions, 1)
    ]
    if not exchanges:
        return "", False
    *before, last = exchanges
    memory = Memory(working=tuple(before), budget=max(1000, work.models.window(role) // _SHARE))
    for report in state.clients:
        result = report.problem or f"{report.found} hits in {report.requests} requests"
        memory = note_tool(memory, report.client, result)
    private = bool(local_ids - hidden)
    memory = remember(memory, last.question, last.answer, work.summariser(FOLD, private))
    if memory.summaries:
        count = sum(summary.last - summary.first + 1 for summary in memory.summaries)
        message = f"Notes on {count} questions were folded."
        work.emit(
            Event(
                EventKind.CONTEXT_FOLDED,
                "gaps",
                message,
                {"exchanges": count, "tokens": memory.tokens},
            )
        )
    return "\n\n".join(message.text for message in messages(memory, "")), private


def _answer(question: Question, without_own: bool) -> str:
    """What was found for a question; without_own: but not in the user's own documents."""
    lines = [line for line in question.answer if not (without_own and line.endswith(OWN_DOCUMENT))]
    return " ".join(lines) or "Nothing was found."
