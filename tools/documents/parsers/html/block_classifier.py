"""The chance of each block of a page to be main text, by small decision trees over its features.

The tables (tools/data/main_text.json) come from an earlier form of
benchmarks/training/main_text_train.py; main_text_sources.toml, beside it, names the collections of
pages.
"""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from tools.documents.parsers.html.block_features import PageFeatures, Vocabulary
from tools.documents.parsers.html.markup_writer import PlacedBlock

_ARTICLE = 100  # characters: with so much text of its own an article is read without its comments


def chances(blocks: Sequence[PlacedBlock], title: str, kinds: Sequence[float]) -> list[float]:
    """title: of the page. kinds: what the page says it is (metadata.page_kinds)."""
    if not blocks:
        return []
    tables = _tables()
    page = PageFeatures(blocks, title, Vocabulary(tables["names"], tables["words"]))
    block_chances = [_chance(tables, [*row, *kinds]) for row in page.rows()]
    article, discussion, *_, shared_as_article, _, _ = kinds
    if (
        (article or shared_as_article)
        and not discussion
        and page.text_outside_comments() >= _ARTICLE
    ):
        return [
            0.0 if inside else chance
            for inside, chance in zip(page.in_comments(), block_chances, strict=True)
        ]
    return block_chances


def _chance(tables: dict[str, Any], row: Sequence[float]) -> float:
    """A tree is a leaf (a number) or [feature, threshold, tree when not above it, tree when above
    it]."""
    total: float = tables["start"]
    for tree in tables["trees"]:
        while type(tree) is list:
            tree = tree[2] if row[tree[0]] <= tree[1] else tree[3]
        total += tree
    return 1 / (1 + math.exp(-total))


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(
        files("tools.data").joinpath("main_text.json").read_text("utf-8")
    )
    return tables
