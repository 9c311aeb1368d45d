"""Inputs and answers that several routes of the JSON interface share."""

from dataclasses import dataclass
from typing import Annotated, Literal

from engine.models import IngestedFile
from ui.web import forms
from ui.web.api.model import Field
from ui.web.background.work import READING, Group, background

BIG = 2**53 - 1  # the largest integer that every program reads as it is

SourceKind = Literal["academic", "web", "newsroom", "local"]
ReportId = Annotated[str, Field("The name of a report.", length=200)]
Question = Annotated[str, Field("The question.", length=forms.QUESTION)]
Limit = Annotated[int, Field("The maximum number of entries.", low=1, high=100)]
Revision = Annotated[
    int | None, Field("Of this revision; if omitted, of the current one.", low=1, high=BIG)
]
Wait = Annotated[float, Field("Seconds to wait for the end.", low=0, high=300, query=True)]


@dataclass(frozen=True, slots=True)
class Done:
    """A request that was carried out."""

    done: bool = True


@dataclass(frozen=True, slots=True)
class Indexed:
    """How far it is. stopping: it ends after the file at hand.

    failed: (name, reason) of the last files that could not be read. files: at the end, what became
    of each.
    """

    running: bool
    name: str
    done: int
    total: int
    failed: tuple[tuple[str, str], ...]
    problem: str | None
    stopping: bool
    files: tuple[IngestedFile, ...]


def progress_of(group: Group) -> Indexed:
    """How far the work of a group is."""
    work = background(group).state
    return Indexed(
        work.running,
        work.name,
        work.done,
        work.total,
        work.failed,
        work.problem,
        work.stopping,
        (work.result or ()) if group is READING else (),
    )
