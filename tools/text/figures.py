"""Numbers as they are shown."""

from decimal import ROUND_HALF_UP, Decimal
from math import isfinite

_HUNDREDTH = Decimal("0.01")


def hundredths(value: float) -> str:
    """Two places, half up on the number as it is written: 0.575 is 0.58, where formatting the float gives 0.57."""
    shown = Decimal(repr(float(value))).quantize(_HUNDREDTH, ROUND_HALF_UP) if isfinite(value) else value
    return f"{shown:.2f}"
