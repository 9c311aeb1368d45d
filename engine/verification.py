"""What is known of the verifier that judges support, for the pages that explain confidence."""

from dataclasses import dataclass

from tools.trust.weights import shipped

_SETS = {"wice_dev": "WiCE", "scifact_train": "SciFact"}


@dataclass(frozen=True, slots=True)
class VerifierFigures:
    """Cross-validated figures of the built-in verifier at the threshold of 0.6, as shares 0..1.

    precision: of what it admits, how much is supported. recall: of what is supported, how much it admits.
    by_set: name of the public set -> its precision. version: of the weights, as recorded with each judgement.
    """

    version: str
    precision: float
    recall: float
    by_set: dict[str, float]


def verifier_figures() -> VerifierFigures:
    """The figures that travel with the weights (tools/data/verifier.toml)."""
    weights = shipped()
    both = weights.measured["both"]
    by_set = {told: weights.measured[name]["precision"] for name, told in _SETS.items()}
    return VerifierFigures(weights.version, both["precision"], both["recall"], by_set)
