"""One way to ask a model for a piece of work: counted, validated, repaired once, logged; None means
do it without."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.errors import Cancelled, Check, ModelError
from tools.models.folding import Summarise, by_model
from tools.models.model import OnText, Reply, Request, Schema, Usage
from tools.models.prompts import RULE, load
from tools.models.roles import Models
from tools.models.structured import Salvage, Structured, Validate, ask_structured
from workflows.research.events import Event, EventKind
from workflows.research.model import TrajectoryEntry, Usage as RunUsage

_PROMPTS = Path(__file__).parent / "prompts"
CALLS = (12, 25, 50)  # of a run, by depth, repairs included
# Share of the calls that only the synthesis may take: what is read matters more than how it was
# found
_FOR_WRITING = 0.6
# Share of the calls that only judging may take: a sentence that nobody judged cannot stand
_FOR_JUDGING = 0.25
_JUDGE = "judge"
USED_UP = "the calls of this run are used up"
_STOPPED = "The run was stopped."


@dataclass(frozen=True, slots=True)
class Step:
    """A kind of model work, with the prompt NAME.md of its folder.

    label: how the trajectory names it. without: what is done when no model answers usefully, for
    the trajectory. calls: the most it may take of a run at depth 2, repairs included; max_tokens:
    longest answer. salvage: what is made of an answer that breaks off, or has wrong items, in place
    of a repair.
    """

    name: str
    phase: str
    role: str
    label: str
    without: str
    schema: Schema
    calls: int
    max_tokens: int = 1200
    salvage: Salvage | None = None
    folder: Path = _PROMPTS


class Work:
    """The model's calls in one run. Safe to use from several threads.

    depth: 1..3. emit: progress. check_cancelled: raises Cancelled. spent: calls of an
    earlier life of the run, by step (`spent_in`).
    """

    def __init__(
        self,
        models: Models,
        depth: int,
        emit: Callable[[Event], object],
        check_cancelled: Callable[[], None],
        spent: Mapping[str, int] | None = None,
    ) -> None:
        self.models = models
        self._depth, self.emit, self._check = depth, emit, check_cancelled
        self._lock = threading.Lock()
        self._spent = dict(spent or {})

    def calls_left(self, step: Step) -> int:
        """Calls that may still be made for this step; 0 too when nobody answers for its role."""
        if not self.models.has(step.role):
            return 0
        with self._lock:
            return self._calls_left(step)

    def _calls_left(self, step: Step) -> int:
        of_run = CALLS[self._depth - 1]
        # Two: each answer may be repaired
        of_step = max(min(step.calls, 2), step.calls * of_run // CALLS[1])
        reserve = int(of_run * _FOR_WRITING)
        if step.phase == "synthesis":
            if step.name == _JUDGE:
                reserve = 0
            else:
                reserve = max(0, int(of_run * _FOR_JUDGING) - self._spent.get(_JUDGE, 0))
        return min(
            of_step - self._spent.get(step.name, 0), of_run - reserve - sum(self._spent.values())
        )

    def take(self, step: Step) -> bool:
        """Take one call from what is left; False when nothing is."""
        with self._lock:
            if self._calls_left(step) < 1:
                return False
            self._spent[step.name] = self._spent.get(step.name, 0) + 1
            return True

    def ask(
        self,
        step: Step,
        values: Mapping[str, str],
        validate: Validate | None = None,
        *,
        about: str = "",
        private: bool = False,
        sample: int = 0,
    ) -> Any | None:
        """The validated answer, or None when this piece is to be done without a model.

        values fill the places of the prompt; texts from sources go through
        tools.models.prompts.fence. about: which piece, for the trajectory. private: the prompt
        holds text of the user's own documents. sample: number of this passing of the same question.
        Cancelled passes through; nothing else is raised.
        """
        prompt = load(step.folder / f"{step.name}.md")
        filled = {**values, "rule": RULE} if "{{rule}}" in prompt.system else dict(values)
        name = step.name.replace("-", "_")
        request = Request(
            prompt.messages(**filled), step.schema, name, step.max_tokens,
            prompt=prompt.label, sample=sample, private=private,
        )  # fmt: skip
        counted = _Counted(self, step)
        try:
            reply = ask_structured(
                counted,
                step.role,
                request,
                validate,
                check_cancelled=self._check,
                salvage=step.salvage,
            )
        except Cancelled:
            if counted.calls:  # they are paid for all the same
                self.log(
                    step, about, prompt.label, Structured(None, "fell_back", _STOPPED), counted
                )
            raise
        self.log(step, about, prompt.label, reply, counted)
        return reply.data

    def prompt(self, step: Step) -> str:
        """Name and version of a step's prompt, as recorded."""
        return load(step.folder / f"{step.name}.md").label

    def instructions(self, step: Step) -> str:
        """What a step's prompt says before anything of the run."""
        return load(step.folder / f"{step.name}.md").system.replace("{{rule}}", RULE)

    def summariser(self, step: Step, private: bool) -> Summarise | None:
        """What folds a text by a model within the calls of a step (its prompt is
        tools/models/folding.txt), or None."""
        if not self.calls_left(step):
            return None

        def fold(request: Request) -> Reply:
            return StepModels(self, step).ask(
                step.role, replace(request, private=private), check_cancelled=self._check
            )

        return by_model(fold)

    def log(
        self, step: Step, about: str, prompt: str, reply: Structured, counted: "_Counted"
    ) -> None:
        """Emit what became of one piece of work."""
        piece = f"{step.label} ({about})" if about else step.label
        if reply.outcome == "fell_back":
            message = f"{piece}: {step.without}. {reply.problem or ''}".strip()
        else:
            repaired = " after one repair" if reply.outcome == "repaired" else ""
            message = (
                f"{piece}: answered by {reply.model or self.models.name(step.role)}{repaired}."
            )
        data = {
            "step": step.name, "about": about, "outcome": reply.outcome, "prompt": prompt,
            "role": step.role, "model": reply.model, "calls": counted.calls,
            "problem": reply.problem, "tokens_in": counted.usage.input_tokens,
            "tokens_out": counted.usage.output_tokens, "cost": counted.usage.cost,
        }  # fmt: skip
        self.emit(Event(EventKind.MODEL_ASKED, step.phase, message, data))


class _Counted:
    """The models for one piece of work: each call taken from what the step may have, and what it
    used added up."""

    def __init__(self, work: Work, step: Step) -> None:
        self._work, self._step = work, step
        self.calls = 0
        self.usage = Usage()

    def ask(
        self,
        role: str,
        request: Request,
        *,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
    ) -> Reply:
        if not self._work.models.has(role):
            raise ModelError(
                self._work.models.problem(role) or f"no model answers for {role}.", "absent"
            )
        if not self._work.take(self._step):
            raise ModelError(f"{USED_UP[0].upper()}{USED_UP[1:]}.", "limit")
        self.calls += 1
        reply = self._work.models.ask(
            role, request, on_text=on_text, check_cancelled=check_cancelled
        )
        self.usage += reply.usage
        return reply


class StepModels:
    """The models for requests that are made elsewhere (tools/judging/model_judge.py), within the
    calls of a step."""

    def __init__(self, work: Work, step: Step) -> None:
        self._work, self._step = work, step

    def ask(
        self,
        role: str,
        request: Request,
        *,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
    ) -> Reply:
        """One call. Raises ModelError, also where no call is left."""
        counted, log = _Counted(self._work, self._step), self._work.log
        try:
            reply = counted.ask(role, request, on_text=on_text, check_cancelled=check_cancelled)
        except ModelError as error:
            log(self._step, "", request.prompt, Structured(None, "fell_back", str(error)), counted)
            raise
        log(
            self._step,
            "",
            request.prompt,
            Structured(reply.text, "used", None, reply.model),
            counted,
        )
        return reply


def spent_in(trajectory: Sequence[TrajectoryEntry]) -> dict[str, int]:
    """Calls of earlier lives of a run, by step."""
    calls: dict[str, int] = {}
    for entry in trajectory:
        if entry.kind == EventKind.MODEL_ASKED:
            step = str(entry.data.get("step", ""))
            calls[step] = calls.get(step, 0) + int(entry.data.get("calls") or 0)
    return calls


def used_in(trajectory: Sequence[TrajectoryEntry | Event], usage: RunUsage) -> RunUsage:
    """The usage of a run with what its models took, by model: calls, tokens_in, tokens_out, cost
    (None: unknown)."""
    by_model: dict[str, dict[str, Any]] = {}
    for entry in trajectory:
        if entry.kind == EventKind.MODEL_ASKED and entry.data.get("calls"):
            _add(by_model, entry.data)
    rows = by_model.values()
    return replace(
        usage,
        models=dict(sorted(by_model.items())),
        calls=sum(row["calls"] for row in rows),
        tokens_in=sum(row["tokens_in"] for row in rows),
        tokens_out=sum(row["tokens_out"] for row in rows),
    )


def _add(by_model: dict[str, dict[str, Any]], data: Mapping[str, Any]) -> None:
    """Add one piece of work to the model that did it; what nobody answered stands under the empty
    name."""
    row = by_model.setdefault(
        str(data.get("model") or ""), {"calls": 0, "tokens_in": 0, "tokens_out": 0, "cost": None}
    )
    for name in ("calls", "tokens_in", "tokens_out"):
        row[name] += int(data.get(name) or 0)
    if data.get("cost") is not None:
        row["cost"] = round((row["cost"] or 0.0) + float(data["cost"]), 9)
