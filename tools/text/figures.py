"""Numbers as they are shown."""

from math import isfinite


def hundredths(value: float) -> str:
    """Two places, half up on the number as it is written: 0.575 is 0.58, where formatting the float
    gives 0.57."""
    from decimal import ROUND_HALF_UP, Decimal  # every command of the shell loads this module

    rounded = (
        Decimal(repr(float(value))).quantize(Decimal("0.01"), ROUND_HALF_UP)
        if isfinite(value)
        else value
    )
    return f"{rounded:.2f}"
