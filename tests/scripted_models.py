"""Models for tests, without any server: a function answers each question, and what was asked is
kept."""

import json
from collections.abc import Callable
from typing import Any

from tools.errors import ModelError
from tools.models.model import Endpoint, Reply, Request, Role, Usage
from tools.models.roles import Check, Models, OnText

# (name of the step, request) -> text, data, or a ModelError to raise
Answer = Callable[[str, Request], object]


class Script:
    """`models` answers with `answer`; `asked` holds (name of the step, request) in the order of
    asking."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.requests: list[tuple[str, Request]] = []
        self.models = Models(
            {"reasoning": Role("reasoning", Endpoint("script", "http://127.0.0.1:1"), "m-1")}, self
        )

    def __call__(
        self,
        role: Role,
        request: Request,
        *,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
    ) -> Reply:
        if check_cancelled:
            check_cancelled()
        self.requests.append((request.schema_name, request))
        answer = self._answer(request.schema_name, request)
        if isinstance(answer, ModelError):
            raise answer
        data: Any = None if isinstance(answer, str) else answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        if on_text:
            on_text(text)
        return Reply(
            text,
            data,
            role.model,
            "script",
            usage=Usage(len(str(request)) // 4, len(text) // 4, 0.0, None, 1),
        )

    def steps(self) -> list[str]:
        """The names of the steps that asked, in order."""
        return [name for name, _ in self.requests]
