"""How the code work asks its model: prompts from prompts/, text or JSON back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.errors import ModelError
from tools.models.model import Request, Schema
from tools.models.prompts import RULE, load
from tools.models.roles import Models
from tools.models.structured import ask_structured

_PROMPTS = Path(__file__).parent / "prompts"
ROLE = "codestral"
_LEAST_ROOM, _MOST_ROOM, _MOST_FILE_ROOM = 6_000, 48_000, 200_000


@dataclass(frozen=True, slots=True)
class Coder:
    """The coding model. check_cancelled: raises Cancelled when the user stops it."""

    models: Models
    check_cancelled: Callable[[], None] = lambda: None

    @property
    def room(self) -> int:
        """Characters of code that a question may show: a quarter of the model's window, within
        reason."""
        return max(_LEAST_ROOM, min(_MOST_ROOM, self.models.window(ROLE)))

    @property
    def file_room(self) -> int:
        """Characters of the file that is changed, before only its parts are shown: a third of the
        window."""
        return max(_LEAST_ROOM, min(_MOST_FILE_ROOM, self.models.window(ROLE) * 4 // 3))

    @property
    def name(self) -> str:
        """The model that answers."""
        return self.models.name(ROLE)

    def text(self, prompt: str, values: Mapping[str, str], sample: int = 0) -> str:
        """The answer as it is. Raises ModelError."""
        request = Request(
            _messages(prompt, values), prompt=load(_PROMPTS / f"{prompt}.md").label, sample=sample
        )
        return self.models.ask(ROLE, request, check_cancelled=self.check_cancelled).text

    def data(
        self,
        prompt: str,
        values: Mapping[str, str],
        schema: Schema,
        validate: Callable[[Any], Sequence[str]],
    ) -> Any:
        """The answer as JSON that passed, after one repair at most. Raises ModelError with the
        reason."""
        label = load(_PROMPTS / f"{prompt}.md").label
        request = Request(_messages(prompt, values), schema, prompt, prompt=label)
        reply = ask_structured(
            self.models, ROLE, request, validate, check_cancelled=self.check_cancelled
        )
        if reply.data is None:
            raise ModelError(
                f"{self.name or 'The model'} gave no plan. {reply.problem or ''}".strip(), "shape"
            )
        return reply.data


def _messages(prompt: str, values: Mapping[str, str]) -> Any:
    return load(_PROMPTS / f"{prompt}.md").messages(**{**values, "rule": RULE})
