"""What the queries for services with AND and OR match: the topic, or half of the index?

The documents of the public retrieval sets stand for an index, their questions are asked. Beside
each figure stands that of the plain way, every word of the question joined by OR. `cited` ranks
what matches as services do that favour cited works: BM25 times the logarithm of a citation count,
which is drawn here. `--data` takes a folder of a retrieval set.

The rule (one of the two rarest words with another term beside it) was chosen on cranfield,
kag_hotpot and scifact_train; kag_musique was not looked at. These sets hold thousands of texts, an
index hundreds of millions: what a narrow query misses here it rarely misses there, and what a wide
one matches there is half of everything.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.options import Options, Row, at_least, at_most, no_data, shown
from benchmarks.retrieval import TestSet, read
from tools.sources.queries import read_terms
from tools.text.tokens import STOP, stem, stems, words

SETS = ("cranfield", "kag_hotpot", "scifact_train", "kag_musique")
HITS, QUERIES = 20, 300
SHARE = 0.15  # of what the plain query matches, at most this much may match
# of what the plain query finds among the first hits of a service that favours cited works, at least
KEPT = 0.9
# Questions that one text answers; of others no bar is set
ONE_STEP = (
    "cranfield",
    "scifact_train",
)


@dataclass(frozen=True)
class Index:
    """Texts as a search service has them. cited: the logarithm of a citation count."""

    ids: Sequence[str]
    bags: Sequence[Counter[str]]
    texts: Sequence[str]
    cited: Sequence[float]
    holding: dict[str, set[int]]

    def rank(self, matched: Iterable[int], query_terms: set[str], favour_cited: bool) -> list[str]:
        """The ids of the first hits by BM25 over the words asked for."""
        size = sum(bag.total() for bag in self.bags) / len(self.bags)
        scored = []
        for place in matched:
            bag, score = self.bags[place], 0.0
            for word in query_terms & bag.keys():
                weight = math.log(
                    1
                    + (len(self.ids) - len(self.holding[word]) + 0.5)
                    / (len(self.holding[word]) + 0.5)
                )
                score += (
                    weight
                    * bag[word]
                    * 2.2
                    / (bag[word] + 1.2 * (0.25 + 0.75 * bag.total() / size))
                )
            scored.append((-score * (self.cited[place] if favour_cited else 1.0), place))
        return [self.ids[place] for _, place in sorted(scored)[:HITS]]


def run(options: Options) -> list[Row]:
    """Rows for each set; none without the public data."""
    if options.data:
        return _rows(options.data.name, read(options.data))
    folder = options.shared / "bench" / "retrieval" if options.shared else None
    if folder is None or not folder.is_dir():
        return [no_data("retrieval sets")]
    return [row for name in SETS for row in _rows(name, read(folder / name))]


def _rows(name: str, test_set: TestSet) -> list[Row]:
    index = indexed(test_set)
    ours, plain = (_measured(test_set, index, match) for match in (on_topic, any_word))
    share, gain = ours[1] / max(plain[1], 1e-9), ours[3] / max(plain[3], 1e-9)
    label = f"{name}: the same, ranked by citations as well, to any word"
    return [
        shown(f"{name}: relevant texts matched (any word)", f"{ours[0]:.2f} ({plain[0]:.2f})"),
        at_most(f"{name}: texts matched, of those with any word", share, "", SHARE),
        shown(
            f"{name}: relevant in the first {HITS}, BM25 (any word)",
            f"{ours[2]:.2f} ({plain[2]:.2f})",
        ),
        at_least(label, gain, "", KEPT) if name in ONE_STEP else shown(label, round(gain, 3)),
    ]


def indexed(test_set: TestSet) -> Index:
    """The documents of a set; citation counts are drawn, the same in every run."""
    draw = random.Random(7)
    listed = [stems(f"{title} {text}") for _, title, text in test_set.documents]
    holding: dict[str, set[int]] = defaultdict(set)
    for place, document_stems in enumerate(listed):
        for word in document_stems:
            holding[word].add(place)
    cited = [math.log(2 + draw.paretovariate(0.8)) for _ in listed]
    texts = [f" {' '.join(document_stems)} " for document_stems in listed]
    return Index(
        [document_id for document_id, _, _ in test_set.documents],
        list(map(Counter, listed)),
        texts,
        cited,
        holding,
    )


Match = Callable[[str, Index], tuple[set[int], set[str]]]


def on_topic(question: str, index: Index) -> tuple[set[int], set[str]]:
    """Places of the texts that a boolean query matches, and the stems it asks for."""
    terms = read_terms(question)
    keys = {term: " ".join(map(stem, words(term))) for term in terms.all}
    term_words = {word for key in keys.values() for word in key.split()}
    near = set().union(*(index.holding.get(word, set()) for word in term_words))

    def holds(place: int) -> bool:
        return terms.found_in(lambda term: f" {keys[term]} " in index.texts[place])

    places = set(filter(holds, near))
    return places, term_words


def any_word(question: str, index: Index) -> tuple[set[int], set[str]]:
    """The same for every word of the question joined by OR."""
    query_terms = {stem(word) for word in words(question) if word not in STOP}
    return set().union(*(index.holding.get(word, set()) for word in query_terms)), query_terms


def _measured(test_set: TestSet, index: Index, match: Match) -> tuple[float, float, float, float]:
    """Share of relevant texts matched, of all texts matched, and of relevant ones among the first
    hits (two ways)."""
    sums, count = [0.0] * 4, 0
    for key, question in test_set.queries[:QUERIES]:
        relevant = {
            document_id for document_id, gain in test_set.gains.get(key, {}).items() if gain > 0
        }
        if not relevant:
            continue
        count += 1
        matched, query_terms = match(question, index)
        hits = [index.rank(matched, query_terms, favour) for favour in (False, True)]
        sums[0] += len(relevant & {index.ids[place] for place in matched}) / len(relevant)
        sums[1] += len(matched) / len(index.ids)
        for place, first in enumerate(hits, 2):
            sums[place] += len(relevant.intersection(first)) / len(relevant)
    return tuple(value / max(1, count) for value in sums)  # type: ignore[return-value]
