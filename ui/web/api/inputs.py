"""Inputs that several routes of the JSON interface read."""

from typing import Annotated, Literal

from ui.web import forms
from ui.web.api.model import Field

BIG = 2**53 - 1  # the largest integer that every program reads as it is

SourceKind = Literal["academic", "web", "newsroom", "local"]
ReportId = Annotated[str, Field("The name of a report.", length=200)]
Question = Annotated[str, Field("The question.", length=forms.QUESTION)]
Limit = Annotated[int, Field("The maximum number of entries.", low=1, high=100)]
Revision = Annotated[int | None, Field("Of this revision; if omitted, of the current one.", low=1, high=BIG)]
Wait = Annotated[float, Field("Seconds to wait for the end.", low=0, high=300, query=True)]
