"""Voices of a set of supporters, bound to a run's texts and to what is known about domains."""

from collections.abc import Mapping
from functools import lru_cache

from tools.research.domains import registrable_domain
from tools.research.source import Source
from tools.text.tokens import shingles, words
from tools.trust.hosts import hosts_many_authors
from tools.trust.voices import Supporter, voices
from workflows.research.deps import Deps

_SHINGLE = 5
_COMPARED = 60_000  # characters of a text that decide whether it is a near-copy


def voice_groups(passages: Mapping[str, str], sources: Mapping[str, Source], deps: Deps) -> tuple[tuple[str, ...], ...]:
    """Voices among the sources (ids) that support something by the given passages."""
    supporters = [Supporter(sources[one], passage) for one, passage in sorted(passages.items()) if one in sources]
    return voices(supporters, lambda snapshot: _shingles(deps, snapshot), registrable_domain, hosts_many_authors)


def _shingles(deps: Deps, snapshot_id: str) -> frozenset[tuple[str, ...]]:
    return _of_text(deps.text(snapshot_id)[:_COMPARED])


@lru_cache(maxsize=256)
def _of_text(text: str) -> frozenset[tuple[str, ...]]:
    return shingles(words(text), _SHINGLE)
