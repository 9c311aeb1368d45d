"""The schema of corpus.db and of the PostgreSQL index: numbered SQL files, run in order, each once; never edit one
that was released.
"""

from importlib.resources import files


def load(name: str) -> str:
    """The text of one SQL file of this folder."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


CORPUS = (
    load("corpus_001_cache.sql"),
    load("corpus_002_index.sql"),
    load("corpus_003_journals.sql"),
    load("corpus_004_blocks.sql"),
    load("corpus_005_words.sql"),
    load("corpus_006_titles.sql"),
)
POSTGRES = (load("postgres_001_index.sql"),)
