"""Which verifier judges: the built-in rules, or a cross-encoder of the user's own."""

from pathlib import Path

from tools.trust.verify import RuleVerifier, Verifier

_ONNX = "onnx:"


def find(name: str | None = None) -> Verifier:
    """The verifier of a setting: None, "" or "rules"; "onnx:PATH" or a path. Raises ModelError with what is wrong."""
    if not name or name == "rules":
        return RuleVerifier()
    from tools.trust.cross_encoder import CrossEncoder

    return CrossEncoder(Path(name.removeprefix(_ONNX)).expanduser())
