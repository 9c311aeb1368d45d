"""What tools work with. Whoever calls tools hands it in; nothing here is shared between two of
them.

with using(context):
    academic_search("sleep and memory")
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from tools.errors import ConfigError
from tools.host.programs import ShellRules

if TYPE_CHECKING:
    from tools.host.place import Workplace
    from tools.models.roles import Models
    from tools.shelf.shelf import Shelf
    from tools.sources.combined import Desk

T = TypeVar("T")


class Memory(Protocol):
    """Notes and findings across researches; the session is known to it. Both give numbered text or
    a sentence."""

    def save(self, text: str, source: str, tags: Sequence[str]) -> str: ...
    def recall(self, query: str, limit: int, all_sessions: bool) -> str: ...


class Researches(Protocol):
    """Whole researches: new ones, and those that are kept. All answers are text."""

    def deep(self, query: str, max_depth: int) -> str: ...
    def start(self, query: str, max_depth: int) -> str: ...
    def status(self, research_id: str) -> str: ...
    def past(self, query: str, limit: int) -> str: ...
    def report(self, research_id: str) -> str: ...
    def export(self, research_id: str, format: str) -> str: ...
    def documents(self, query: str, limit: int) -> str: ...


@dataclass(frozen=True, slots=True)
class Context:
    """Each part is made by the first tool that needs it; None: there is none here.

    desk: source clients. shelf: stored texts. place: the working directory, only with a person at
    the terminal. policy: the policy documents' endpoint. picture: makes an image and gives where it
    lies. shell: what the settings say of programs. web_only: no local documents in this run.
    loaded: the run's texts are there already, nothing more is fetched.
    """

    desk: "Callable[[], Desk] | None" = None
    shelf: "Callable[[], Shelf] | None" = None
    memory: Callable[[], Memory] | None = None
    researches: Callable[[], Researches] | None = None
    models: "Callable[[], Models | None] | None" = None
    place: "Workplace | None" = None
    policy: Callable[[str], str] | None = None
    picture: Callable[[str, str], str] | None = None
    check: Callable[[], None] | None = None
    shell: ShellRules = ShellRules()
    web_only: bool = False
    loaded: bool = False


_CURRENT: ContextVar[Context | None] = ContextVar("zorora_tools", default=None)


@contextmanager
def using(context: Context) -> Iterator[Context]:
    """Tools called inside work with this context; contexts of other threads are untouched."""
    token = _CURRENT.set(context)
    try:
        yield context
    finally:
        _CURRENT.reset(token)


def current() -> Context:
    """The context in force; an empty one where nobody set any."""
    return _CURRENT.get() or Context()


def need(part: Callable[[], T] | None, what: str) -> T:
    """A part of the context. ConfigError says what is missing."""
    if part is None:
        raise ConfigError(
            f"{what} cannot be used here: call them through ResearchEngine.tools.call."
        )
    return part()
