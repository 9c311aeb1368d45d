"""Make tools/data/word_vectors.bin, static word vectors for the tokens of vocab.txt.

    python -m benchmarks.training.make_word_vectors FOLDER

FOLDER holds model.safetensors and tokenizer.json of minishlab/potion-base-8M (MIT). Its vectors are
principal components, so the first 128 of 256 are kept: on the questions of eleven FAQs they rank as
well as all, also as bytes. Needs numpy, safetensors and tokenizers, which the program itself does
not.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.index.vectors.wordpiece import read_vocabulary
from tools.reading.word_vectors import SIZE

PATH = Path(__file__).parents[2] / "tools" / "data" / "word_vectors.bin"
_LARGEST = 4  # standard deviations that the largest byte stands for


def main(folder: Path) -> None:
    import numpy as np

    ids = (
        import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    )
    (vectors,) = import_module("safetensors.numpy").load_file(folder / "model.safetensors").values()
    rows: Any = np.zeros((len(read_vocabulary()), SIZE))
    for number, token in enumerate(read_vocabulary()):
        if token in ids and not token.startswith("["):
            rows[number] = vectors[ids[token], :SIZE]
    PATH.write_bytes(
        np.clip(np.round(rows / rows.std() * 127 / _LARGEST), -127, 127).astype(np.int8).tobytes()
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
