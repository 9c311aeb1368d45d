"""The judge `model`: the user's language model, up to ten statements in one call.

It must name the words that decide, and they must stand in the passage it names; otherwise its word
counts for nothing. What it leaves out, or answers in a wrong shape after one repair, is not judged.
The hard checks stand before and after.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tools.judging.checks import Checks, guarded, is_open
from tools.judging.judge import JudgeKind, Judgement, Label, Pair, Passage
from tools.judging.windows import windows
from tools.models.model import CHARACTERS_PER_TOKEN, Request
from tools.models.prompts import RULE, fence, load
from tools.models.structured import Asked, Listening, ask_structured, salvaged

BATCH = 10  # statements in one call
CHARACTERS = 12_000  # of statements and passages in one call, where nobody says more
MOST_CHARACTERS = 48_000  # where the window of the model is large
SHARE = 0.5  # of the window
PASSAGES = 4  # of a statement, the first ones
# Of a longer passage than one in so many of the characters the likeliest sentences are shown
LONG = 6
_LONGEST = 2_000  # characters of a statement
LEAST_WORDS = 2  # that decide
_MAX_TOKENS = 1_200
_ROLE = "judge"
_PROMPT = Path(__file__).with_name("prompts") / "judge.md"
_SCHEMA = {
    "type": "object",
    "required": ["judgements"],
    "properties": {
        "judgements": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["statement", "label", "passage", "words"],
                "properties": {
                    "statement": {"type": "integer"},
                    "label": {"type": "string", "enum": [label.value for label in Label]},
                    "passage": {"type": "integer"},
                    "words": {"type": "string"},
                },
            },
        }
    },
}
_WORD = re.compile(r"[^\W_]+")


class ModelJudge:
    """A judge that asks a language model; safe to use from several threads where `models` is."""

    kind = JudgeKind.MODEL

    def __init__(
        self, models: Asked, model: str, *, private: bool = False,
        check_cancelled: Callable[[], None] | None = None,
        on_support: Callable[[int], object] | None = None,
        window: int = 0,
    ) -> None:  # fmt: skip
        """model: the name that is recorded. private: the passages are of the user's own documents.
        window: tokens.

        on_support: is handed the number of a pair as soon as the model supports it, while it still
        answers; what `judge` returns decides.
        """
        self._models, self._private, self._check = models, private, check_cancelled
        self._on_support = on_support
        self._room = max(
            CHARACTERS, min(MOST_CHARACTERS, int(SHARE * window * CHARACTERS_PER_TOKEN))
        )
        self.name = f"model {model}"

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement a pair, in order. Cancelled passes through; a model that fails leaves pairs
        not judged."""
        judgements = Checks().judge(pairs)
        evidence = {
            number: [
                _shortened(claim, passage, self._room // LONG) for passage in passages[:PASSAGES]
            ]
            for number, (claim, passages) in enumerate(pairs)
            if passages and is_open(judgements[number])
        }
        for batch in _batches(pairs, evidence, self._room):
            statements = [(pairs[number][0], evidence[number]) for number in batch]
            found_here = self._ask(statements, partial(self._tell, pairs, evidence, batch))
            for number, judgement in zip(batch, found_here, strict=True):
                judgements[number] = guarded(*pairs[number], judgement)
        return judgements

    def _tell(
        self,
        pairs: Sequence[Pair],
        evidence: dict[int, list[Passage]],
        batch: Sequence[int],
        row: Any,
    ) -> None:
        """Pass on a support in an answer that is still coming."""
        if self._on_support and 1 <= row["statement"] <= len(batch):
            number = batch[row["statement"] - 1]
            claim, passages = pairs[number]
            if guarded(claim, passages, self._of_row(row, evidence[number])).label == Label.SUPPORT:
                self._on_support(number)

    def _ask(
        self, batch: Sequence[tuple[str, Sequence[Passage]]], on_item: Callable[[Any], object]
    ) -> list[Judgement]:
        prompt = load(_PROMPT)
        messages = prompt.messages(rule=RULE, statements="\n\n".join(_statements(batch)))
        request = Request(
            messages, _SCHEMA, "judgements", _MAX_TOKENS, prompt=prompt.label, private=self._private
        )  # fmt: skip
        models = Listening(self._models, on_item) if self._on_support else self._models
        reply = ask_structured(
            models, _ROLE, request, check_cancelled=self._check, salvage=salvaged
        )
        if reply.data is None:
            reason = f"Not judged: {reply.problem or 'the model gave no answer.'}"
            return [Judgement(Label.NEITHER, reasons=(reason,), judge=self.name) for _ in batch]
        return self._read(batch, reply.data["judgements"])

    def _read(
        self, batch: Sequence[tuple[str, Sequence[Passage]]], rows: Sequence[Any]
    ) -> list[Judgement]:
        """The judgements of a batch; a statement that is judged twice in different ways is not
        judged."""
        by_number: dict[int, list[Any]] = {}
        for row in rows:
            by_number.setdefault(row["statement"], []).append(row)
        readings = []
        for number, (_, passages) in enumerate(batch, 1):
            answers = by_number.get(number, [])
            if len({row["label"] for row in answers}) != 1:
                reason = "Not judged: the model left it out or contradicted itself."
                readings.append(Judgement(Label.NEITHER, reasons=(reason,), judge=self.name))
            else:
                readings.append(self._of_row(answers[0], passages))
        return readings

    def _of_row(self, row: Any, passages: Sequence[Passage]) -> Judgement:
        label = Label(row["label"])
        if label == Label.NEITHER:
            return Judgement(
                label,
                reasons=(f"{self.name} finds it neither stated nor denied.",),
                judge=self.name,
            )
        index, deciding = row["passage"] - 1, row["words"].strip()
        if not (0 <= index < len(passages) and _stands(deciding, passages[index].text)):
            reason = "Not counted: the words that the model says decide are not in the passage."
            return Judgement(Label.NEITHER, reasons=(reason,), judge=self.name)
        reason = f"{self.name} reads it as {label.value}: “{deciding}”."
        return Judgement(label, None, (reason,), self.name, index, deciding)


def _shortened(claim: str, passage: Passage, longest: int) -> Passage:
    if len(passage.text) <= longest:
        return passage
    return replace(
        passage, text=" […] ".join(windows(claim, passage.text, step=3, most=3))[:longest]
    )


def _batches(
    pairs: Sequence[Pair], evidence: dict[int, list[Passage]], room: int
) -> Iterator[list[int]]:
    """Numbers of pairs that go into one call each, of at most so many characters."""
    batch: list[int] = []
    size = 0
    for number, passages in evidence.items():
        length = len(pairs[number][0]) + sum(
            len(passage.text) + len(passage.surroundings) for passage in passages
        )
        if batch and (len(batch) == BATCH or size + length > room):
            yield batch
            batch, size = [], 0
        batch.append(number)
        size += length
    if batch:
        yield batch


def _statements(batch: Sequence[tuple[str, Sequence[Passage]]]) -> Iterator[str]:
    for number, (claim, passages) in enumerate(batch, 1):
        yield fence(claim[:_LONGEST], f"statement {number}")
        for index, passage in enumerate(passages, 1):
            above = "".join(
                f"{line[:300]}\n"
                for line in (passage.title, passage.heading, passage.date or "")
                if line
            )
            yield fence(f"{above}{passage.text}", f"passage {index} of statement {number}")


def _stands(deciding: str, text: str) -> bool:
    """Whether words stand in a passage as one piece, whatever the marks and spaces between them."""
    deciding_words, text_words = (_WORD.findall(words.casefold()) for words in (deciding, text))
    if len(deciding_words) < LEAST_WORDS:
        return False
    return f" {' '.join(deciding_words)} " in f" {' '.join(text_words)} "
