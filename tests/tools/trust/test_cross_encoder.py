"""A cross-encoder of the user's own: read, believed, held to the rules for numbers and names, refused when wrong."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")
sys.path.insert(0, str(Path(__file__).parent))

from tiny_onnx import write

from tools.errors import ModelError
from tools.trust.cross_encoder import CrossEncoder
from tools.trust.verifiers import find
from tools.trust.verify import CONTRADICT, NEITHER, SUPPORT, RuleVerifier

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cooler", "warmer", "trees", "streets", "are", "under", "."]
NLI = '{"id2label": {"0": "contradiction", "1": "entailment", "2": "neutral"}}'
# "cooler" speaks for support, "warmer" for contradiction, [CLS] for neither
TABLE = [[0.0, 0.0, 0.0] for _ in WORDS]
TABLE[2], TABLE[4], TABLE[5] = [0.0, 0.0, 1.0], [0.0, 3.0, 0.0], [8.0, 0.0, 0.0]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder with a tiny model that knows two words."""
    return write(tmp_path / "tiny", TABLE, WORDS, NLI)


@pytest.mark.parametrize(
    ("passage", "label"),
    [
        ("Under trees, streets stay cooler.", SUPPORT),
        ("Under trees, streets are warmer.", CONTRADICT),
        ("Bread and roses.", SUPPORT),  # the claim itself says "cooler": this model is no good, and is still asked
    ],
)
def test_the_model_decides_and_is_named(model: Path, passage: str, label: str) -> None:
    judged = find(f"onnx:{model}").judge("Streets under trees are cooler.", passage)
    assert judged.label == label
    assert judged.verifier == "onnx tiny"
    assert judged.reasons[0] == f"onnx tiny reads it as {label}"


def test_what_has_no_counterpart_is_not_supported_whatever_the_model_says(model: Path) -> None:
    judged = find(str(model)).judge("Streets under trees are 4 °C cooler.", "Streets under trees are 2 °C cooler.")
    assert judged.label == NEITHER
    assert judged.score > 0.9
    assert judged.vetoes == ("number: 4 °C here, 2 °C in the passage",)


def test_the_file_may_be_named_instead_of_the_folder(model: Path) -> None:
    assert find(str(model / "model.onnx")).name == "onnx tiny"


def test_one_output_is_the_chance_of_support(tmp_path: Path) -> None:
    folder = write(tmp_path / "one", [[row[1]] for row in TABLE], WORDS, None)
    assert CrossEncoder(folder).chances("cooler", "trees")[SUPPORT] == pytest.approx(0.952574)


def test_nothing_named_means_the_rules() -> None:
    assert isinstance(find(None), RuleVerifier)
    assert isinstance(find(""), RuleVerifier)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: (f / "model.onnx").unlink(), "is not there"),
        (lambda f: (f / "model.onnx").write_bytes(b"not a model"), "could not be opened"),
        (lambda f: (f / "config.json").unlink(), "which of them means support"),
        (lambda f: (f / "config.json").write_text("{"), "cannot be read as JSON"),
        (lambda f: (f / "config.json").write_text('{"id2label": {"0": "LABEL_0"}}'), "names the label 'label_0'"),
        (lambda f: (f / "config.json").write_text('{"id2label": {"0": "neutral"}}'), "means support"),
        (lambda f: (f / "vocab.txt").write_text("a\nb\n"), "not a vocabulary of BERT"),
        (lambda f: (f / "vocab.txt").write_text("\n".join([*WORDS[::-1]] * 9)), "failed on a text"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_with_a_sentence(model: Path, spoil: object, said: str) -> None:
    spoil(model)  # type: ignore[operator]
    with pytest.raises(ModelError, match=said):
        find(str(model))
