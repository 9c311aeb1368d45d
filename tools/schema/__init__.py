"""The schema of corpus.db: numbered SQL files, run in order, each once; never edit one
that was released.
"""

from pathlib import Path


def load(name: str) -> str:
    """The text of one SQL file of this folder."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


CORPUS = (
    load("corpus_001_cache.sql"),
    load("corpus_002_index.sql"),
    load("corpus_003_journals.sql"),
    load("corpus_004_blocks.sql"),
    load("corpus_005_words.sql"),
    load("corpus_006_titles.sql"),
)
