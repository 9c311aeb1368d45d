"""Words by which a question asks, and by which it calls the documents: no part of what it asks about.

The lists: tools/data/intents.toml, [words].
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def document_words() -> frozenset[str]:
    """Folded words that a question may call the documents by."""
    return frozenset(intents_table()["words"]["documents"].split())


@lru_cache(maxsize=1)
def task_words() -> frozenset[str]:
    """Folded words by which something is asked of documents."""
    return frozenset(intents_table()["words"]["asking"].split())


@lru_cache(maxsize=1)
def intents_table() -> Mapping[str, Any]:
    """The whole file."""
    return tomllib.loads(files("tools.data").joinpath("intents.toml").read_text(encoding="utf-8"))
