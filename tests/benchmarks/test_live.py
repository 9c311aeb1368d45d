"""The measurement of whole researches: what counts as a dead link, and which bars invented works
are held to."""

from dataclasses import replace

from benchmarks.live import rows
from workflows.research.model import DeadEnd, Quality
from workflows.research.state import ResearchState

QUALITY = Quality(
    sources_used=8, distinct_domains=3, links_alive=18, links_checked=20, credible_share=0.5
)
DEAD = tuple(
    DeadEnd(None, url, "pages", "error") for url in ("http://here/1", "http://elsewhere/2")
)
STATE = ResearchState("Why?", quality=QUALITY, dead_ends=DEAD, status="complete")


def test_real_researches_are_held_to_every_bar() -> None:
    by_name = {
        row["what"].split(",")[0]: row for row in rows([STATE, replace(STATE, dead_ends=())])
    }
    assert (
        by_name["links alive"]["value"] == round(36 / 38, 3)
        and by_name["links alive"]["ok"] is False
    )
    assert by_name["sources used by a research"]["ok"] is True
    assert by_name["domains of a research"]["ok"] is False
    assert by_name["used sources with credibility 0.70 or more"]["ok"] is False


def test_with_stand_ins_only_their_own_links_count() -> None:
    by_name = {row["what"].split(",")[0]: row for row in rows([STATE], "http://here")}
    assert by_name["links alive"]["value"] == round(18 / 19, 3)
    assert (
        by_name["domains of a research"]["ok"]
        is by_name["used sources with credibility 0.70 or more"]["ok"]
        is None
    )
