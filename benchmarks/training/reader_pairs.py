"""Second step of training the reader: pairs of a question and a passage, as token ids.

    python -m benchmarks.training.reader_pairs WORK

Reads what reader_data wrote and writes pairs.npz. Each question meets its own passages, the best and some more that
BM25 finds in its collection, one at random, and sentences of its own passage. Next: reader_train.
"""

import json
import math
import random
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.index.vectors.wordpiece import WordPiece
from tools.text.sentences import spans
from tools.text.tokens import stem, words

QUESTION_TOKENS, PASSAGE_TOKENS = 48, 256
_MOST_QUESTIONS = 7000  # of one collection
_CANDIDATES = 40
_HELD_OUT = 0.07  # of the documents
_OF_A_PASSAGE, _UNKNOWN = 0.3, -1

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pair:
    """start, end: tokens of the answer; 0 when the passage has none, -1 when nobody knows."""

    ids: list[int]
    question_length: int
    start: int
    end: int
    held_out: bool


def held_out(document: str) -> bool:
    """Whether nothing is trained on questions about a document."""
    return zlib.crc32(document.encode()) % 1000 < 1000 * _HELD_OUT


class Index:
    """BM25 over the passages of a collection."""

    def __init__(self, passages: Sequence[dict[str, Any]]) -> None:
        bags = [Counter(map(stem, words(" ".join([*p["heading"], p["context"], p["text"]])))) for p in passages]
        self._lengths = [sum(bag.values()) or 1 for bag in bags]
        self._mean = sum(self._lengths) / len(bags)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, bag in enumerate(bags):
            for term, count in bag.items():
                self._postings[term].append((number, count))

    def best(self, question: str) -> list[int]:
        scores: dict[int, float] = defaultdict(float)
        size = len(self._lengths)
        for term in set(map(stem, words(question))):
            rows = self._postings.get(term, [])
            if size > 400 and len(rows) > size / 4:
                continue
            rarity = math.log(1 + (size - len(rows) + 0.5) / (len(rows) + 0.5))
            for number, count in rows:
                norm = 0.25 + 0.75 * self._lengths[number] / self._mean
                scores[number] += rarity * count * 2.5 / (count + 1.5 * norm)
        return sorted(scores, key=lambda number: -scores[number])[:_CANDIDATES]


class Maker:
    """Makes the pairs of all questions."""

    def __init__(self, passages: Sequence[dict[str, Any]], seed: int = 11) -> None:
        self._passages, self._random, self._pieces = passages, random.Random(seed), WordPiece()

    def pairs(self, question: dict[str, Any], index: Index, numbers: Sequence[int]) -> Iterator[Pair]:
        """numbers: of the passages in the index, in its order."""
        answers: dict[int, list[Place]] = {int(n): [(a, b) for a, b in p] for n, p in question["answers"].items()}
        texts = {self._passages[n]["text"][a:b].lower() for n, places in answers.items() for a, b in places}
        first = next(iter(answers))
        is_held_out = held_out(self._passages[first]["document"])
        with_heading = self._random.random() < 0.8
        for number in list(answers)[:2]:
            place = self._random.choice(answers[number]) if answers[number] else None
            yield self._pair(question["text"], self._passages[number], with_heading, place, is_held_out)
            if place and self._random.random() < 0.6:
                yield from self._sentences(question["text"], self._passages[number], place, is_held_out)
        ranked = [numbers[i] for i in index.best(question["text"]) if numbers[i] not in answers]
        others = ranked[:3] + self._random.sample(ranked[3:], min(len(ranked[3:]), 2)) + [self._random.choice(numbers)]
        for number in others:
            certain = bool(texts) and not any(text in self._passages[number]["text"].lower() for text in texts)
            none = (0, 0) if certain else None
            yield self._pair(question["text"], self._passages[number], with_heading, none, is_held_out)

    def _sentences(self, question: str, passage: dict[str, Any], place: Place, is_held_out: bool) -> Iterator[Pair]:
        """The sentence with the answer, and two without it."""
        cut = spans(passage["text"])
        mine = [(a, b) for a, b in cut if a <= place[0] and place[1] <= b]
        rest = [one for one in cut if one not in mine]
        for a, b in mine[:1] + self._random.sample(rest, min(2, len(rest))):
            sentence = passage | {"text": passage["text"][a:b], "context": ""}
            inside = (place[0] - a, place[1] - a) if (a, b) in mine else (0, 0)
            yield self._pair(question, sentence, self._random.random() < _OF_A_PASSAGE, inside, is_held_out)

    def _pair(
        self, question: str, passage: dict[str, Any], with_heading: bool, place: Place | None, is_held_out: bool
    ) -> Pair:
        """place: of the answer in the passage; (0, 0) for none, None when nobody knows."""
        pieces = self._pieces
        ids = [pieces.cls, *(t.id for t in pieces.tokens(question)[:QUESTION_TOKENS]), pieces.sep]
        length = len(ids)
        heading = f"{'. '.join(passage['heading'])}. " if with_heading and passage["heading"] else ""
        lead_in = f"{passage['context']} " if passage["context"] else ""
        ids += [t.id for t in pieces.tokens(heading + lead_in)[: PASSAGE_TOKENS // 4]]
        tokens = pieces.tokens(passage["text"])[: PASSAGE_TOKENS - (len(ids) - length)]
        start = end = 0 if place == (0, 0) else _UNKNOWN
        if place and place != (0, 0):
            inside = [at for at, token in enumerate(tokens) if token.end > place[0] and token.start < place[1]]
            if inside and tokens[inside[-1]].end >= place[1]:
                start, end = len(ids) + inside[0], len(ids) + inside[-1]
        return Pair([*ids, *(t.id for t in tokens), pieces.sep], length, start, end, is_held_out)


def main(work: Path) -> None:
    import numpy as np

    passages = [json.loads(line) for line in (work / "passages.jsonl").open()]
    questions: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (work / "questions.jsonl").open():
        question = json.loads(line)
        questions[question["collection"]].append(question)
    maker, rnd = Maker(passages), random.Random(5)
    groups: list[list[Pair]] = []
    for collection, own_questions in questions.items():
        numbers = [p["number"] for p in passages if p["collection"] == collection]
        index = Index([passages[number] for number in numbers])
        for question in rnd.sample(own_questions, min(len(own_questions), _MOST_QUESTIONS)):
            groups.append(list(maker.pairs(question, index, numbers)))
        print(collection, len(own_questions), "questions,", sum(map(len, groups)), "pairs so far", flush=True)
    rnd.shuffle(groups)  # whole questions: any first part of the pairs is a sample
    pairs = [pair for group in groups for pair in group]
    np.savez(
        work / "pairs.npz",
        ids=np.concatenate([np.array(pair.ids, np.uint16) for pair in pairs]),
        offsets=np.cumsum([0, *(len(pair.ids) for pair in pairs)]),
        question_length=np.array([pair.question_length for pair in pairs], np.int16),
        start=np.array([pair.start for pair in pairs], np.int16),
        end=np.array([pair.end for pair in pairs], np.int16),
        held_out=np.array([pair.held_out for pair in pairs]),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
