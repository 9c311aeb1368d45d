"""Make tools/data/thesaurus.txt, words of like meaning, from static word vectors.

    python -m benchmarks.training.make_thesaurus FOLDER > tools/data/thesaurus.txt

FOLDER holds model.safetensors and tokenizer.json of minishlab/potion-base-8M (MIT). Needs numpy,
safetensors and tokenizers, which the program itself does not.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.text.tokens import STOP, stem

LEAST = 0.5  # cosine from which two words are alike
MOST = 8  # neighbours of a word
_LOOKED_AT = 60
_SHORTEST = 3


def lines(folder: Path) -> Iterator[str]:
    """A line for each word that has neighbours: "word stem:hundredths ...", nearest first."""
    words, vectors = _read(folder)
    for i, word in enumerate(words):
        near: dict[str, int] = {}
        likeness = vectors @ vectors[i]
        for j in (-likeness).argsort()[:_LOOKED_AT]:
            other = stem(words[j])
            if likeness[j] < LEAST or len(near) == MOST:
                break
            if other != stem(word) and other not in near:
                near[other] = round(100 * float(likeness[j]))
        if near:
            yield " ".join([word, *(f"{other}:{share}" for other, share in near.items())])


def _read(folder: Path) -> tuple[list[str], Any]:
    """The words of the vocabulary that are written whole, and their vectors of length 1."""
    import numpy as np

    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    (table,) = import_module("safetensors.numpy").load_file(folder / "model.safetensors").values()
    words = sorted(
        w
        for w in tokenizer.get_vocab()
        if w.isascii() and w.isalpha() and len(w) >= _SHORTEST and w not in STOP
    )
    rows = [table[tokenizer.encode(word, add_special_tokens=False).ids].mean(0) for word in words]
    vectors = np.array(rows)
    return words, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


if __name__ == "__main__":
    print("\n".join(lines(Path(sys.argv[1]))))
