"""From the first passages to the next: names that a good passage brings into play and the question
does not say.

"Who leads the country where X was born?": the passage about X is found by its words; the one about
the country shares none with the question. The first passages name the country; passages that are
about one of these names, or mention it together with what the question asks further, move up.
(Multi-hop retrieval without a model; the numbers were chosen on one half of the queries of the
public sets, see benchmarks/retrieval.py.)
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tools.index.index import ChunkRow
from tools.search.passage_words import Reading
from tools.search.query import terms
from tools.text.names import names
from tools.text.tokens import fold, stem, stems, words

PASSAGES = 3  # of different texts, that give leads
_NAMES = 8  # of one passage
_NAMES_ASKED = 5  # that the next question holds
_TRUST = 2.0  # the power of a passage's score relative to the best one
_NEXT = 0.9  # each further passage is trusted so much less
_OWN_TITLE = 1.3  # the passage's own title as a lead: what speaks about it elsewhere
_NO_MORE_ASKED = 0.3  # of the gain, for a passage with the name and nothing else the question asks
_MENTION, _IN_HEADING, _IS_HEADING = 0.5, 0.6, 1.0
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how)\b|\?\s*$"
    r"|^\s*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|should|would)\s",
    re.I,
)
_IN_BRACKETS = re.compile(r"(?:(?<!\s)\s+)?\([^)]{0,300}\)")


class Asked(NamedTuple):
    """A query as leads see it: its folded words, and the weight of each stem (rare ones weigh
    more)."""

    text: str
    folded: str
    weights: Mapping[str, float]


class Lead(NamedTuple):
    """A name out of one passage. open: stems of the question that this passage does not hold.
    trust: 0..1.3."""

    name: str
    snapshot_id: str
    trust: float
    open: frozenset[str]


def asks(query: str) -> bool:
    """Whether a query asks for something it does not name itself; a claim or a list of words does
    not."""
    return _ASKS.search(query) is not None


def read_question(query: str, weight: Callable[[str], float]) -> Asked:
    """weight: of a word as it is written."""
    return Asked(
        query, _framed(words(query)), {stem(fold(word)): weight(word) for word in terms(query)}
    )


def leads(question: Asked, first: Sequence[tuple[float, Reading]]) -> list[Lead]:
    """The leads of the best passages with their scores, best first; each name once, from where it
    is trusted most."""
    by_name: dict[str, Lead] = {}
    best = first[0][0] if first else 0.0
    for rank, (score, passage) in enumerate(first):
        row = passage.row
        trust = (score / best) ** _TRUST * _NEXT**rank if best > 0 else 0.0
        missing = frozenset(question.weights) - passage.stems
        title = _own_title(row)
        for name in dict.fromkeys((*title, *names(row.body)[:_NAMES])):
            lead = Lead(
                name, row.snapshot_id, trust * (_OWN_TITLE if name in title else 1.0), missing
            )
            if not _names_it(question, name) and (
                name not in by_name or lead.trust > by_name[name].trust
            ):
                by_name[name] = lead
    return list(by_name.values())


def gain(lead: Lead, question: Asked, passage: Reading) -> float:
    """How much a passage that holds the name of a lead is moved up, before the rarity of the name
    counts; 0..1.3."""
    if passage.row.snapshot_id == lead.snapshot_id:
        return 0.0
    weight = sum(question.weights[term] for term in lead.open)
    weight_met = sum(question.weights[term] for term in lead.open & passage.stems)
    share = weight_met / weight if weight else 0.0
    return lead.trust * _place(lead.name, passage) * (_NO_MORE_ASKED + (1 - _NO_MORE_ASKED) * share)


def next_question(question: Asked, passage: Reading) -> str | None:
    """What is still to be asked after a passage, with the names it gave: a text to embed. None
    without names."""
    unasked = [name for name in names(passage.row.body) if not _names_it(question, name)][
        :_NAMES_ASKED
    ]
    if not unasked:
        return None
    remaining_words = [
        word for word in question.text.split() if passage.stems.isdisjoint(stems(word))
    ]
    return f"{' '.join(remaining_words)} {', '.join(unasked)}"


def _names_it(question: Asked, name: str) -> bool:
    """Whether the question says a name itself, as it stands or in other forms of its words."""
    parts = {stem(word) for word in name.split()}
    return f" {name} " in question.folded or parts <= question.weights.keys()


def _own_title(row: ChunkRow) -> list[str]:
    """The heading of a passage when all of it is a name."""
    title = _IN_BRACKETS.sub("", row.title)
    whole = " ".join(words(title))
    return [
        name
        for name in names(title)[:1]
        if whole in (name, f"the {name}", f"a {name}", f"an {name}")
    ]


def _place(name: str, passage: Reading) -> float:
    """1 where the heading is the name, less where it says more, least for a mention in the text."""
    parts = name.split()
    if parts[0] not in passage.heading:
        return _MENTION
    heading = words(_IN_BRACKETS.sub("", passage.row.title))
    if f" {name} " not in _framed(heading):
        return _MENTION
    return _IN_HEADING + (_IS_HEADING - _IN_HEADING) * len(parts) / len(heading)


def _framed(names: Sequence[str]) -> str:
    return f" {' '.join(names)} "
