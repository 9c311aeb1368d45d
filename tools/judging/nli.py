"""The judge `nli`: an entailment model in ONNX that reads passage and claim together.

A folder with model.onnx, config.json (its `id2label` says which output means entailment,
contradiction, neutral) and either tokenizer.json (needs the `tokenizers` package) or vocab.txt
(WordPiece of BERT, uncased). calibration.json may stand beside them: {"temperature": T} divides the
outputs before they become probabilities; without it a judgement has no probability, only a label. A
long passage is read in windows of whole sentences, each under its title and heading; the window
that says most decides. The hard checks stand before and after the model.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tools.errors import ModelError
from tools.judging.checks import Checks, guarded, is_open
from tools.judging.judge import JudgeKind, Judgement, Label, Pair, Passage
from tools.judging.thresholds import SURE_FROM
from tools.judging.windows import windows
from tools.onnx_model import OnnxModel

MAX_TOKENS = 256
BATCH = 16
STEP = 2  # sentences after which the next window begins
WINDOWS = 6  # of a passage, those that share most with the claim
_MEANINGS = {
    "entailment": Label.SUPPORT, "entail": Label.SUPPORT, "support": Label.SUPPORT,
    "supports": Label.SUPPORT, "supported": Label.SUPPORT, "contradiction": Label.CONTRADICT,
    "contradict": Label.CONTRADICT, "contradicts": Label.CONTRADICT, "refutes": Label.CONTRADICT,
    "refuted": Label.CONTRADICT, "neutral": Label.NEITHER, "neither": Label.NEITHER,
    "not_entailment": Label.NEITHER, "not_supported": Label.NEITHER,
    "not enough info": Label.NEITHER, "not_enough_info": Label.NEITHER,
}  # fmt: skip
Chances = Mapping[Label, float]
# Premise, hypothesis -> token ids, and how many of them are the premise's
Encode = Callable[[str, str], tuple[list[int], int]]


@dataclass(frozen=True, slots=True)
class _Window:
    pair: int
    passage: int
    premise: str


class Nli:
    """A judge over one ONNX session; safe to use from several threads."""

    kind = JudgeKind.NLI

    def __init__(self, folder: Path, *, sure_from: float = SURE_FROM) -> None:
        """Opens the model and tries it once. Raises ModelError with a sentence where it cannot be
        used.

        sure_from: the probability below which a label decides nothing.
        """
        self._folder, self._sure_from = folder, sure_from
        self.name = f"nli {folder.name}"
        if not (folder / "model.onnx").is_file():
            raise ModelError(
                f"There is no judge model in {folder}: model.onnx is "
                "missing. Download one, or choose none."
            )
        if find_spec("onnxruntime") is None:
            raise ModelError("A judge model needs onnxruntime: pip install 'zorora[embeddings]'.")
        self._labels = _labels(folder / "config.json")
        self._temperature = _temperature(folder / "calibration.json")
        self._encode = _encoder(folder)
        self._model = OnnxModel(
            folder / "model.onnx",
            name=f"judge model in {folder}",
            consequence="choose another one, or none",
        )
        self.chances([("A passage.", "A claim.")])

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement a pair, in order. Raises ModelError when the model fails, Cancelled."""
        first = Checks().judge(pairs)
        parts = [
            window for number, (claim, passages) in enumerate(pairs) if is_open(first[number])
            for index,
            passage in enumerate(passages) for window in _windows(number, index, claim, passage)
        ]  # fmt: skip
        chances = self.chances([(window.premise, pairs[window.pair][0]) for window in parts])
        chances_of: dict[int, list[tuple[_Window, Chances]]] = {}
        for window, chance in zip(parts, chances, strict=True):
            chances_of.setdefault(window.pair, []).append((window, chance))
        return [
            self._decided(pairs[number], chances_of[number]) if number in chances_of else judgement
            for number, judgement in enumerate(first)
        ]

    def chances(self, texts: Sequence[tuple[str, str]]) -> list[Chances]:
        """Probability of each label for (premise, hypothesis) pairs, in order, whatever they are
        batched with."""
        encoded = [self._encode(premise, claim) for premise, claim in texts]
        order = sorted(range(len(encoded)), key=lambda i: len(encoded[i][0]))
        chance_rows: list[Chances] = [{} for _ in encoded]
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            for number, row in zip(batch, self._run([encoded[i] for i in batch]), strict=True):
                chance_rows[number] = self._chances(row)
        return chance_rows

    def _run(self, batch: Sequence[tuple[list[int], int]]) -> list[list[float]]:
        import numpy as np

        outputs, _ = self._model.run([ids for ids, _ in batch], [first for _, first in batch])
        rows = np.asarray(outputs[0], dtype=np.float64)
        if rows.shape != (len(batch), len(self._labels)) or not np.isfinite(rows).all():
            raise ModelError(
                f"The judge model in {self._folder} gave {rows.shape[-1] if rows.ndim else 0} "
                "numbers a text where its "
                f"config.json names {len(self._labels)} labels, or something that is not a number."
            )
        scores: list[list[float]] = rows.tolist()
        return scores

    def _chances(self, row: Sequence[float]) -> Chances:
        scaled = [value / (self._temperature or 1.0) for value in row]
        raised = [math.exp(value - max(scaled)) for value in scaled]
        by_label = dict.fromkeys(Label, 0.0)
        for number, value in enumerate(raised):
            by_label[self._labels[number]] += value / sum(raised)
        return {label: round(value, 6) for label, value in by_label.items()}

    def _decided(self, pair: Pair, readings: Sequence[tuple[_Window, Chances]]) -> Judgement:
        """The label of the window that is surest of support or contradiction."""
        window, chance = max(
            readings, key=lambda item: max(item[1][Label.SUPPORT], item[1][Label.CONTRADICT])
        )
        label = max((Label.NEITHER, Label.CONTRADICT, Label.SUPPORT), key=lambda name: chance[name])
        if chance[label] < self._sure_from:
            label = Label.NEITHER
        calibrated = chance[label] if self._temperature and label != Label.NEITHER else None
        reason = f"{self.name} reads it as {label.value}."
        claim, passages = pair
        deciding = window.premise.rpartition("\n")[2] if label != Label.NEITHER else ""
        judgement = Judgement(label, calibrated, (reason,), self.name, window.passage, deciding)
        return guarded(claim, passages, judgement)


def _windows(pair: int, index: int, claim: str, passage: Passage) -> list[_Window]:
    """The parts of a passage that are read, each under its title and heading."""
    above = " ".join(part for part in (passage.title[:200], passage.heading[:200]) if part)
    parts = windows(claim, passage.text, step=STEP, most=WINDOWS)
    return [_Window(pair, index, f"{above}\n{' '.join(part.split())}".strip()) for part in parts]


# --- the files of a model -------------------------------------------------------------------------


def _labels(path: Path) -> Mapping[int, Label]:
    try:
        table = json.loads(path.read_text("utf-8"))["id2label"]
        meanings = {int(number): _MEANINGS[str(name).lower()] for number, name in table.items()}
    except KeyError as error:
        raise ModelError(
            f"{path} has no id2label table, or one with an unfamiliar label: {error.args[0]!r}."
        ) from error
    except (ValueError, AttributeError, TypeError, OSError) as error:
        raise ModelError(f"{path} cannot be read as JSON with an id2label table.") from error
    if Label.SUPPORT not in meanings.values() or sorted(meanings) != list(range(len(meanings))):
        raise ModelError(
            f"{path} names no label that means support "
            "(entailment, supported), or leaves outputs out."
        )
    return meanings


def _temperature(path: Path) -> float | None:
    if not path.is_file():
        return None
    try:
        value = float(json.loads(path.read_text("utf-8"))["temperature"])
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ModelError(f'{path} cannot be read as {{"temperature": NUMBER}}.') from error
    if not 0.05 <= value <= 20:
        raise ModelError(
            f"{path} states a temperature of {value:g}; it must lie between 0.05 and 20."
        )
    return value


def _encoder(folder: Path) -> Encode:
    if (folder / "tokenizer.json").is_file():
        return _fast_encoder(folder / "tokenizer.json")
    from tools.index.vectors.wordpiece import CLS, SEP, UNKNOWN, WordPiece, read_vocabulary

    path = folder / "vocab.txt"
    if not path.is_file():
        raise ModelError(f"The judge model in {folder} has neither tokenizer.json nor vocab.txt.")
    vocabulary = read_vocabulary(path)
    if not {CLS, SEP, UNKNOWN} <= set(vocabulary):
        raise ModelError(
            f"{path} is not a vocabulary of BERT (one piece a "
            "line, [CLS], [SEP] and [UNK] among them)."
        )
    pieces = WordPiece(vocabulary)

    def encode(premise: str, claim: str) -> tuple[list[int], int]:
        second = pieces.encode(claim, MAX_TOKENS // 2)[1:]
        first = pieces.encode(premise, MAX_TOKENS - len(second))
        return first + second, len(first)

    return encode


def _fast_encoder(path: Path) -> Encode:
    try:
        library = import_module("tokenizers")
    except ImportError as error:
        raise ModelError(
            "This judge model needs the tokenizers package: pip install tokenizers."
        ) from error
    try:
        tokenizer = library.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises Exception itself
        raise ModelError(f"{path} cannot be read as a tokenizer.") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")

    def encode(premise: str, claim: str) -> tuple[list[int], int]:
        encoded = tokenizer.encode(premise[: MAX_TOKENS * 40], claim[: MAX_TOKENS * 40])
        return list(encoded.ids), list(encoded.type_ids).count(0)

    return encode
