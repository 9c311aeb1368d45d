"""The entailment model as judge: a tiny one made here; wrong files are refused with a sentence."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")
sys.path.insert(0, str(Path(__file__).parent))

from tiny_onnx import write

from tools.errors import ModelError
from tools.judging import nli as module
from tools.judging.judge import JudgeKind, Label, Passage
from tools.judging.nli import BATCH, Nli

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cooler", "warmer", "trees", "shade", "streets"]
LABELS = '{"id2label": {"0": "contradiction", "1": "ENTAILMENT", "2": "neutral"}}'
# "shade" speaks for support, "warmer" for contradiction, [CLS] for neither
TABLE = [[0.0, 0.0, 0.0] for _ in WORDS]
TABLE[2], TABLE[5], TABLE[7] = [0.0, 0.0, 1.0], [8.0, 0.0, 0.0], [0.0, 4.0, 0.0]
CLAIM = "Streets under trees are cooler."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a model that knows two words."""
    return write(tmp_path / "tiny", TABLE, WORDS, LABELS)


@pytest.mark.parametrize(
    ("passage", "label"),
    [
        ("The shade keeps streets pleasant.", Label.SUPPORT),
        ("Under trees, streets are warmer.", Label.CONTRADICT),
        ("Bread and roses.", Label.NEITHER),
        ("", Label.NEITHER),
    ],
)
def test_the_model_decides_and_is_named(folder: Path, passage: str, label: Label) -> None:
    (judgement,) = Nli(folder).judge([(CLAIM, [Passage(passage)])])
    assert judgement.label is label
    assert judgement.probability is None  # not calibrated
    if passage and label is not Label.NEITHER:
        assert judgement.judge == "nli tiny"
        assert judgement.deciding in passage
    assert Nli(folder).kind is JudgeKind.NLI


def test_a_calibrated_model_gives_probabilities(folder: Path) -> None:
    (folder / "calibration.json").write_text('{"temperature": 2.0}')
    (judgement,) = Nli(folder).judge([(CLAIM, [Passage("The shade keeps streets pleasant.")])])
    assert judgement.probability == pytest.approx(0.736, abs=0.02)  # e^2 of e^2 + e^0.5 + 1


def test_an_unsure_model_decides_nothing(folder: Path) -> None:
    (folder / "calibration.json").write_text('{"temperature": 2.0}')
    unsure = Nli(folder, sure_from=0.78)
    assert unsure.judge([(CLAIM, [Passage("The shade helps.")])])[0].label is Label.NEITHER
    (folder / "calibration.json").write_text('{"temperature": 2.4}')
    assert Nli(folder).judge([(CLAIM, [Passage("The shade helps.")])])[0].label is Label.SUPPORT
    (folder / "calibration.json").write_text('{"temperature": 3.2}')  # 0.596
    assert Nli(folder).judge([(CLAIM, [Passage("The shade helps.")])])[0].label is Label.NEITHER
    assert (
        Nli(folder, sure_from=0.48).judge([(CLAIM, [Passage("The shade helps.")])])[0].label
        is Label.SUPPORT
    )


def test_a_vetoed_support_is_none_and_batches_change_nothing(folder: Path) -> None:
    judge = Nli(folder)
    (judgement,) = judge.judge([("The shade is 4 m wide.", [Passage("The shade is 2 m wide.")])])
    assert (judgement.label, judgement.vetoed) == (Label.NEITHER, True)
    texts = [("The shade " + "streets " * (number % 40), CLAIM) for number in range(BATCH * 2 + 3)]
    assert judge.chances(texts) == [judge.chances([text])[0] for text in texts]


def test_a_long_passage_is_read_where_it_speaks_of_the_claim(folder: Path) -> None:
    passage = Passage(
        "Nothing of note was said. " * 1500
        + "Streets under trees lie in the shade. "
        + "It rained. " * 4000
    )
    (judgement,) = Nli(folder).judge([(CLAIM, [Passage("Bread."), passage])])
    assert (judgement.label, judgement.passage) == (Label.SUPPORT, 1)
    assert "shade" in judgement.deciding


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.onnx", None),
        ("model.onnx", b"\x08\x08cut off"),
        ("config.json", None),
        ("config.json", b"{"),
        ("config.json", b'{"id2label": {"0": "cat", "1": "dog", "2": "cow"}}'),
        ("config.json", b'{"id2label": {"0": "neutral", "1": "contradiction", "2": "neither"}}'),
        (
            "config.json",
            b'{"id2label": {"0": "entailment", "1": "neutral"}}',
        ),  # the model has three outputs
        ("vocab.txt", None),
        ("vocab.txt", b"a\nb\n"),
        ("calibration.json", b'{"temperature": 0}'),
        ("calibration.json", b"[]"),
    ],
)
def test_wrong_files_are_refused_with_a_sentence(
    folder: Path, name: str, content: bytes | None
) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(ModelError) as caught:
        Nli(folder)
    assert str(folder) in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_passage_is_read_in_windows_of_three_sentences_that_share_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    premises: list[str] = []
    chances = Nli.chances

    def read(judge: Nli, texts: Sequence[tuple[str, str]]) -> list[module.Chances]:
        premises.extend(premise for premise, _ in texts)
        return chances(judge, texts)

    judge = Nli(folder)
    monkeypatch.setattr(Nli, "chances", read)
    judge.judge([(CLAIM, [Passage(" ".join(f"Street {chr(65 + n)} is hot." for n in range(20)))])])
    letters = ["".join(re.findall(r"Street (\w)", premise)) for premise in premises]
    assert letters == ["ABC", "CDE", "EFG", "GHI", "IJK", "KLM"]
