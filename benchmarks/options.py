"""What every measurement gets and gives."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parent.parent
FETCH_DATA = "`make data` fetches what can be fetched"


def public_data() -> Path | None:
    """The folder of public data: ZORORA_DATA, else `shared` beside the checkout, else where `make
    data` puts it."""
    chosen = os.environ.get("ZORORA_DATA", "")  # noqa: TID251 - no setting of the program
    places = [Path(chosen)] if chosen else [ROOT.parent / "shared", ROOT / "build" / "data"]
    return next((place for place in places if place.is_dir()), None)


@dataclass(frozen=True, slots=True)
class Options:
    """data: measure on this instead (same format). shared: the folder of public data. quick:
    smaller, rougher.

    verifier: the one to measure ("onnx:PATH"), None for the default.
    """

    data: Path | None = None
    shared: Path | None = None
    quick: bool = False
    verifier: str | None = None


class Row(TypedDict):
    """One figure. bar: what it must not exceed or fall below, as text. ok: None where there is no
    bar."""

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


def no_data(what: str) -> Row:
    """The line of a measurement whose data is not here."""
    return shown(f"{what}: not here; {FETCH_DATA}, --data names other data", None)
