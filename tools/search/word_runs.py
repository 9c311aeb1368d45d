"""Words that stand together in a query and in a passage: "New York Times", "salt intake"."""

from collections.abc import Callable, Mapping
from itertools import pairwise

from tools.index.index import ChunkRow
from tools.search.fusion import best_first
from tools.search.passage_words import Read
from tools.search.query import terms
from tools.text.tokens import fold, stem

_LOOKED_AT = 40  # best passages by their words


def with_phrases(
    query: str,
    lexical: Mapping[int, float],
    rows: Mapping[int, ChunkRow],
    weight: Callable[[str], float],
    share: float,
    read_chunk: Read,
) -> dict[int, float]:
    """Lexical scores, the best passages raised by up to `share` of the best score.

    A pair of neighbours among the words that count (stop words between them do not matter) weighs
    as much as its two words; a passage gets the part of all pairs that it holds in the same order.
    """
    weights = {stem(fold(word)): weight(word) for word in terms(query)}
    term_pairs = {(a, b): weights[a] + weights[b] for a, b in pairwise(weights) if a != b}
    total, best = sum(term_pairs.values()), max(lexical.values(), default=0.0)
    raised = dict(lexical)
    if total <= 0:
        return raised
    for chunk in best_first(lexical, _LOOKED_AT):
        if chunk in rows:
            present = set(
                filter(term_pairs.__contains__, pairwise(read_chunk(rows[chunk]).ordered))
            )
            raised[chunk] += (
                share * best * sum(term_pairs[pair] for pair in term_pairs.keys() & present) / total
            )
    return raised
