"""Third step of training the reader: a student of six layers learns from a cross-encoder of twelve, and spans.

    python -m benchmarks.training.reader_train WORK TEACHER [--steps N] [--threads N]

TEACHER is an int8 ONNX file of ms-marco-MiniLM-L-12-v2. Reads pairs.npz; writes reader.pt every 20 steps and goes on
from it. The student learns the hidden states and the relevance of the teacher, and from the answers in the data where
the span stands, [CLS] standing for none. Needs torch. On one CPU core: about 20 pairs a second. Next: reader_export.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.training.reader_network import MASKED, Network, student, teacher

RATE, WARM_UP, SMALLEST_RATE = 1e-4, 200, 0.02
_TOKENS = 6144  # of a batch
_STEP = 16  # lengths are padded to multiples of it: a new shape costs the CPU library a compilation
_OTHERS = 2.0  # pairs without a span, for each with one
_SPAN_RATE = 10.0  # of the learning rate, for the new head
_SAVED = 20


class Pairs:
    """What reader_pairs wrote."""

    def __init__(self, path: Path) -> None:
        stored = np.load(path)
        self.ids, self.offsets, self.question_length = (stored[k] for k in ("ids", "offsets", "question_length"))
        self.start, self.end, self.held_out = (stored[k] for k in ("start", "end", "held_out"))

    def batches(self, seed: int) -> list[list[int]]:
        """Batches of pairs of one padded length."""
        rnd, by_length = random.Random(seed), defaultdict(list)
        lengths = np.diff(self.offsets)
        for number in self._mixed(np.random.RandomState(seed)):
            by_length[-(-int(lengths[number]) // _STEP) * _STEP].append(int(number))
        batches = []
        for length, numbers in by_length.items():
            rnd.shuffle(numbers)
            size = max(8, _TOKENS // length // 8 * 8)
            batches += [numbers[at : at + size] for at in range(0, len(numbers), size)]
        rnd.shuffle(batches)
        return batches

    def _mixed(self, rnd: Any) -> Any:
        """All pairs with a span, and as many again of the others: spans are learned from few of the pairs."""
        spans = np.flatnonzero(~self.held_out & (self.start > 0))
        others = np.flatnonzero(~self.held_out & (self.start <= 0))
        return np.concatenate([spans, rnd.permutation(others)[: int(len(spans) * _OTHERS)]])

    def packed(self, batch: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
        """ids, mask, kinds of text."""
        rows = [self.ids[self.offsets[n] : self.offsets[n + 1]].astype(np.int64) for n in batch]
        length = -(-max(map(len, rows)) // _STEP) * _STEP
        ids = torch.zeros(len(batch), length, dtype=torch.long)
        mask, kinds = torch.zeros_like(ids), torch.zeros_like(ids)
        for at, (number, row) in enumerate(zip(batch, rows, strict=True)):
            ids[at, : len(row)], mask[at, : len(row)] = torch.from_numpy(row), 1
            kinds[at, int(self.question_length[number]) : len(row)] = 1
        return ids, mask, kinds


def span_loss(scores: Tensor, mask: Tensor, kinds: Tensor, places: Sequence[Tensor]) -> Tensor:
    """Cross-entropy over the tokens of the passage and [CLS], for pairs whose answer is labelled."""
    allowed = kinds * mask
    allowed[torch.arange(len(mask)), mask.sum(1) - 1] = 0
    allowed[:, 0] = 1
    labelled = places[0] >= 0
    if not labelled.any():
        return torch.tensor(0.0)
    losses = [
        functional.cross_entropy(scores[..., side].float().masked_fill(allowed == 0, MASKED)[labelled], place[labelled])
        for side, place in enumerate(places)
    ]
    return sum(losses[1:], losses[0]) / 2


def loss(model: Network, guide: Network, inputs: tuple[Tensor, Tensor, Tensor], places: Sequence[Tensor]) -> Tensor:
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        theirs = guide.states(*inputs)
        target = guide.relevance(theirs[-1]).float()
    with torch.autocast("cpu", torch.bfloat16):
        ours = model.states(*inputs)
        relevance_now, spans = model.relevance(ours[-1]).float(), model.span(ours[-1])
    real = inputs[1].bool()
    states = [
        functional.mse_loss(one[real].float(), theirs[2 * number][real].float())
        for number, one in enumerate(ours[1:-1], start=1)  # the last layer is free to hold spans
    ]
    relevance = functional.smooth_l1_loss(relevance_now, target, beta=2.0)
    return relevance + sum(states[1:], states[0]) + span_loss(spans, *inputs[1:], places)


def main(work: Path, path: Path, steps: int | None) -> None:
    pairs, guide = Pairs(work / "pairs.npz"), teacher(path)
    model, saved = student(guide), work / "reader.pt"
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not name.startswith(("word", "kind")))
    body = [p for name, p in model.named_parameters() if p.requires_grad and not name.startswith("span")]
    groups = [{"params": body}, {"params": [*model.span.parameters()]}]
    optimizer = torch.optim.AdamW(groups, RATE, weight_decay=0.01)
    first = 0
    if saved.exists():
        state: dict[str, Any] = torch.load(saved)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first = state["step"]
    batches = pairs.batches(100)[:steps]
    for step, batch in enumerate(batches[first:], start=first + 1):
        rate = RATE * min(1.0, step / WARM_UP) * max(SMALLEST_RATE, 1 - step / len(batches))
        for group, factor in zip(optimizer.param_groups, (1.0, _SPAN_RATE), strict=True):
            group["lr"] = rate * factor
        places = [torch.from_numpy(where[batch].astype(np.int64)) for where in (pairs.start, pairs.end)]
        value = loss(model, guide, pairs.packed(batch), places)
        value.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % _SAVED == 0 or step == len(batches):
            print(step, len(batches), f"loss {float(value):.3f}", flush=True)
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, saved)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    main(options.work, options.teacher, options.steps)
