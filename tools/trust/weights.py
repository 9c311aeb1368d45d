"""The learned part of the verifier: a multinomial logistic regression over readable features, from one data file.

tools/data/verifier.toml holds the weights, what they were trained on, and the figures of the cross-validation; it is
written by `python -m benchmarks.train_verifier`.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

SUPPORT, CONTRADICT, NEITHER = "support", "contradict", "neither"
LABELS = (SUPPORT, CONTRADICT, NEITHER)
FILE = "verifier.toml"


@dataclass(frozen=True)
class Weights:
    """by_label: label -> feature -> weight ("bias" among them). measured: figures of the cross-validation."""

    version: str
    by_label: Mapping[str, Mapping[str, float]]
    measured: Mapping[str, Any]

    def probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """Estimated probability of each label, rounded to 6 places."""
        sums = {
            label: weights["bias"] + sum(weights[name] * value for name, value in features.items())
            for label, weights in self.by_label.items()
        }
        highest = max(sums.values())
        raised = {label: math.exp(value - highest) for label, value in sums.items()}
        total = sum(raised.values())
        return {label: round(value / total, 6) for label, value in raised.items()}


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights that travel with the program."""
    read = tomllib.loads(files("tools.data").joinpath(FILE).read_text("utf-8"))
    return Weights(str(read["version"]), read["weights"], read["measured"])
