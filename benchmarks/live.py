"""What whole researches find where there is a network: links that answer, sources, domains,
credibility.

The questions are asked of the real services with the settings as they are shipped; without a
network of the stand-in services, and then only what does not hang on their invented works has a
bar. The figures are those of the quality table of each report: a link is alive when the page behind
it was read in this run.
"""

import socket
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import standin_services, standin_texts
from benchmarks.options import Options, Row, at_least, shown
from engine import ResearchEngine
from engine.answers import RunOptions
from engine.models import ResearchState

QUESTIONS = (
    "Does coffee raise blood pressure?",
    "How do grid-scale batteries affect electricity prices?",
    "What is ocean acidification?",
    "Does daylight saving time increase road accidents?",
    "Heat pumps compared with gas boilers",
    "How do street trees cool cities?",
)
# More than 5 sources and 3 domains: shared/spec/quality.md
ALIVE, SOURCES, DOMAINS, CREDIBLE = (
    0.95,
    6,
    4,
    0.70,
)
_REACHED = ("api.openalex.org", 443)
_PATIENCE = 5.0  # seconds


def run(options: Options) -> list[Row]:
    """Rows over all questions; the lowest research decides for sources and domains."""
    if _reachable():
        questions = QUESTIONS[:2] if options.quick else QUESTIONS
        return [
            shown("asked", "the real services"),
            *rows([_research(question, {}) for question in questions]),
        ]
    with standin_services.start() as world:
        states = [
            _research(standin_texts.QUESTION, {**world.settings, "embeddings.enabled": False})
        ]
    return [shown("asked", "stand-in services (no network here)"), *rows(states, world.url)]


def rows(states: Sequence[ResearchState], standin: str = "") -> list[Row]:
    """The figures of some researches. standin: where the stand-in services are; their works are
    invented, and of the links to elsewhere nothing can be said."""
    real, qualities = not standin, [state.quality for state in states]
    lost = [
        e for state in states for e in state.dead_ends if e.url and e.reason != "low_credibility"
    ]
    dead = sum((end.url or "").startswith(standin) for end in lost)
    alive = sum(quality.links_alive for quality in qualities)
    sources, domains = (
        min(getattr(quality, name) for quality in qualities)
        for name in ("sources_used", "distinct_domains")
    )
    credible = statistics.mean(quality.credible_share for quality in qualities)
    shares = "used sources with credibility 0.70 or more, share"
    many = "domains of a research, fewest"
    return [
        shown("researches; those that ended complete",
              f"{len(states)}; {sum(state.status == 'complete' for state in states)}"),
        at_least("links alive, share", alive / max(1, alive + dead), "", ALIVE),
        at_least("sources used by a research, fewest", sources, "", SOURCES),
        at_least(many, domains, "", DOMAINS) if real else shown(many, domains),
        at_least(shares, credible, "", CREDIBLE) if real else shown(shares, round(credible, 3)),
    ]  # fmt: skip


def _research(question: str, overrides: Mapping[str, Any]) -> ResearchState:
    with (
        tempfile.TemporaryDirectory() as home,
        ResearchEngine(home=home, overrides=dict(overrides)) as engine,
    ):
        return engine.run(
            question, RunOptions(depth=2, sources=("academic", "web", "newsroom"), clarify=False)
        )


def _reachable() -> bool:
    """Whether a service of the table can be reached at all."""
    try:
        with socket.create_connection(_REACHED, timeout=_PATIENCE):
            return True
    except OSError:
        return False
