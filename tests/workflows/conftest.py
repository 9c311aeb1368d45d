"""A small world of texts that agree, disagree and copy."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from plain_deps import World

TEXTS = {
    "Market review": (
        "local",
        "Grid-scale batteries in Norland lowered the average evening electricity price by 9% in "
        "the winter of 2024. "
        "The evening price in summer fell by 14% after large batteries were connected. Batteries "
        "charge at noon when "
        "solar power is plentiful and discharge after sunset. In 2024 batteries supplied 12% of "
        "evening demand in "
        "Norland. The review covers five markets.",
    ),
    "University study": (
        "openalex",
        "After large batteries were connected, summer evening electricity prices fell by 14% in "
        "Norland. Batteries "
        "charge from midday solar power and discharge in the hours after sunset. However, the "
        "effect was small below "
        "4% of peak demand [3]. It depends on many things.",
    ),
    "Trade press": (
        "wikipedia",
        "Grid-scale batteries lowered the average evening electricity price in Norland by only 1% "
        "in the winter of "
        "2024. Operators complain about network charges. Subscribe to our newsletter. The price of "
        "lithium fell by "
        "40% in 2023.",
    ),
    "Operator report": (
        "local",
        "Batteries supplied 12% of evening demand in Norland in 2024, up from 3% in 2021. Summer "
        "evening prices "
        "dropped by 14% once large batteries were connected, the operator reports. Pumped hydro "
        "provided 5% of "
        "evening demand.",
    ),
}


@pytest.fixture
def world() -> World:
    """Four sources of three clients about batteries in Norland."""
    return World(TEXTS)
