"""What every measurement gets and gives."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Options:
    """data: measure on this instead (same format). shared: public data beside the checkout. quick: smaller, rougher.

    verifier: the one to measure ("onnx:PATH"), None for the default.
    """

    data: Path | None = None
    shared: Path | None = None
    quick: bool = False
    verifier: str | None = None


class Row(TypedDict):
    """One figure. bar: what it must not exceed or fall below, as text. ok: None where there is no bar."""

    what: str
    value: float | int | str | None
    unit: str
    bar: str
    ok: bool | None


def at_most(what: str, value: float, unit: str, bar: float, digits: int = 3) -> Row:
    """A figure that must not exceed its bar."""
    return Row(what=what, value=round(value, digits), unit=unit, bar=f"<= {bar:g}", ok=value <= bar)


def at_least(what: str, value: float, unit: str, bar: float, digits: int = 3) -> Row:
    """A figure that must not fall below its bar."""
    return Row(what=what, value=round(value, digits), unit=unit, bar=f">= {bar:g}", ok=value >= bar)


def shown(what: str, value: float | int | str | None, unit: str = "") -> Row:
    """A figure without a bar."""
    return Row(what=what, value=value, unit=unit, bar="", ok=None)
