"""Voices: what passage of another source counts as one for a claim, and which sources are one voice together."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from tools.research.domains import registrable_domain
from tools.research.source import Source
from tools.text.tokens import shingles, words
from tools.trust.hosts import hosts_many_authors
from tools.trust.verify import SUPPORT, Judgement
from tools.trust.voices import Supporter, voices
from tools.trust.wording import OPEN
from workflows.research.deps import Deps

_SHINGLE = 5
_COMPARED = 60_000  # characters of a text that decide whether it is a near-copy
# What one sentence of another source must say of a claim, by rarity, alone and with the title of its text; of a claim
# that leaves things open: all. Chosen on scifact_train and wice_dev (benchmarks/agreement.py says how).
_HELD, _TITLED = 0.5, 0.72
# "The equations are solved", "heat-transfer rates were measured": a text tells what was done in it
_OF_ITSELF = re.compile(
    r"\b(?:is|are|was|were|(?:has|have) been) (?:(?:also|then|further|both|\w{1,20}ly) ){0,4}(?:considered|presented"
    r"|described|discussed|reviewed|outlined|compared|investigated|examined|studied|analy[sz]ed|evaluated|assessed"
    r"|measured|obtained|determined|performed|carried out|conducted|undertaken|solved|derived|calculated|computed"
    r"|developed|proposed|postulated|extended|utili[sz]ed|applied|shown|taken into account|made (?:of|in|to)"
    r"|used to (?:study|investigate|examine|determine|calculate|measure|estimate))\b"
    r"(?! (?:as|that|to be|to have|the (?:first|only|most)|an?|one)\b)",
    re.I,
)


def says_it_too(claim: str, judged: Judgement, threshold: float) -> bool:
    """Whether a passage found in another source says what a claim says, so that the source counts for it.

    The verifier's probability was learned on passages that are about their claim. Of all that a search finds most are
    not, so one sentence must say most of the claim as well, its subject perhaps by the title above it; and what a text
    says of its own work no other text can support, unless it is a copy.
    """
    held, titled = (1.0, 1.0) if OPEN.search(claim) else (_HELD, _TITLED)
    if judged.label != SUPPORT or judged.score < threshold or judged.held < held or judged.titled < titled:
        return False
    return judged.score == 1.0 or not _OF_ITSELF.search(claim)


def voice_groups(passages: Mapping[str, str], sources: Mapping[str, Source], deps: Deps) -> tuple[tuple[str, ...], ...]:
    """Voices among the sources (ids) that support something by the given passages."""
    supporters = [Supporter(sources[one], passage) for one, passage in sorted(passages.items()) if one in sources]

    @cache
    def of_snapshot(snapshot_id: str) -> frozenset[tuple[str, ...]]:
        return _of_text(deps.text(snapshot_id)[:_COMPARED])

    return voices(supporters, of_snapshot, registrable_domain, hosts_many_authors)


@lru_cache(maxsize=256)
def _of_text(text: str) -> frozenset[tuple[str, ...]]:
    return shingles(words(text), _SHINGLE)
