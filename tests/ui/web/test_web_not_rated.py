"""An outlet that no rule and no list knows is shown as not rated, and keeps a middle place in a
ranking."""

import io
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from engine import exports
from engine.reports.figures import NOT_RATED, quality, rating_of, rating_words, score_of
from tests.ui.fake_engine import FakeEngine
from tests.ui.fake_research import CLAIMS, SOURCES, finished
from tools.sources.source import Credibility, Source
from ui.web.views.graph_svg import _shade
from ui.web.views.report_view import _weight
from workflows.research.report.quality import _credible_share
from workflows.research.state import ResearchState

FACTORS = {"citation": 1.0, "cross_reference": 1.0, "journal": 1.0}
UNKNOWN = Credibility(
    0.50, "Unknown source", 0.50, FACTORS, (), "Not rated (unknown source) -> counts as 0.50"
)


def unrated(tag: str = "S1") -> ResearchState:
    state = finished()
    return replace(
        state,
        sources=tuple(
            replace(source, credibility=UNKNOWN) if source.tag == tag else source
            for source in state.sources
        ),
    )


def entry(text: str, tag: str) -> str:
    return next(line for line in text.splitlines() if f"{tag}</b>" in line or f"**{tag}**" in line)


@pytest.mark.parametrize("name", ["md", "html"])
def test_an_export_says_that_a_source_is_not_rated(name: str) -> None:
    text = exports.export(unrated(), name).data.decode("utf-8")
    assert "redibility not rated" in entry(text, "S1") and "0.50" not in entry(text, "S1")
    assert "redibility 0.79" in entry(text, "S2")


def test_a_word_document_says_that_a_source_is_not_rated() -> None:
    with zipfile.ZipFile(io.BytesIO(exports.export(unrated(), "docx").data)) as packed:
        text = packed.read("word/document.xml").decode("utf-8")
    assert text.count("(credibility not rated)") == 1 and "credibility 0.50" not in text


@pytest.mark.parametrize("name", ["graphml", "dot"])
def test_a_graph_has_no_score_for_a_source_that_is_not_rated(name: str) -> None:
    before, after = (
        exports.export(state, name).data.decode("utf-8") for state in (finished(), unrated())
    )
    scores = [
        text.count('key="credibility"') + text.count('"credibility"=') for text in (before, after)
    ]
    assert scores[0] - scores[1] == 1


def test_the_page_says_that_a_source_is_not_rated(browser: Any, fake: FakeEngine) -> None:
    fake.states[fake.done] = replace(unrated(), research_id=fake.done)
    source = SOURCES["S1"].source_id
    page = browser.get(f"/research/{fake.done}").text
    row = page.split(f'id="src-{source}"')[1].split("</li>")[0]
    assert (
        '<p class="cred">not rated</p>' in row
        and "meter" not in row
        and "0.50" not in row
        and "Why" not in row
    )
    text = browser.get(f"/research/{fake.done}/source/{source}").text
    assert (
        "credibility not rated" in text
        and '<span class="cred">not rated</span>' in text
        and "Why 0.50" not in text
    )


def test_the_api_gives_no_score_for_a_source_that_is_not_rated(
    browser: Any, fake: FakeEngine
) -> None:
    fake.states[fake.done] = replace(unrated(), research_id=fake.done)
    nodes = browser.get(f"/api/v1/research/{fake.done}/graph").get_json()["nodes"]
    assert {node["tag"]: node["credibility"] for node in nodes if node["tag"] in ("S1", "S2")} == {
        "S1": None,
        "S2": 0.786,
    }


def test_a_statement_says_that_its_source_is_not_rated(browser: Any, fake: FakeEngine) -> None:
    fake.states[fake.done] = replace(unrated(), research_id=fake.done)
    claim = next(claim for claim in CLAIMS if SOURCES["S1"].source_id in claim.supporting_sources)
    page = browser.get(f"/research/{fake.done}/claim/{claim.claim_id}").text
    assert '<span class="cred">not rated</span>' in page


def test_the_quality_table_counts_only_rated_sources() -> None:
    assert dict(quality(finished()))["Credibility 0.70 or more"] == "5 of 5 rated sources"
    assert (
        dict(quality(unrated()))["Credibility 0.70 or more"] == "4 of 4 rated sources, 1 not rated"
    )
    nobody = replace(
        unrated(), sources=tuple(s for s in unrated().sources if s.tag in ("S1", "S6"))
    )
    assert dict(quality(nobody))["Credibility 0.70 or more"] == "no source rated, 1 not rated"


def test_the_share_of_credible_sources_leaves_out_what_is_not_rated() -> None:
    state = unrated()
    used = {source.source_id for source in state.sources if source.tag in ("S1", "S2", "S6")}
    assert _credible_share(state, used) == 1.0


def test_a_source_that_is_not_rated_keeps_the_middle_of_a_ranking() -> None:
    ranks = [_weight(rating) for rating in (0.75, NOT_RATED, None, 0.25)]
    assert ranks == sorted(ranks, reverse=True) and ranks[1] == ranks[2] == UNKNOWN.score
    assert _shade(0.4) < _shade(None) == _shade(0.5) < _shade(0.75)


def test_a_rating_in_words() -> None:
    source = Source("s", "https://unheard-of.example/", "A title", credibility=UNKNOWN)
    assert (rating_of(source), score_of(source), rating_words(rating_of(source))) == (
        NOT_RATED,
        None,
        NOT_RATED,
    )
    concern = replace(source, credibility=replace(UNKNOWN, score=0.25, overrides=("concern",)))
    assert (rating_of(concern), rating_words(rating_of(concern))) == (0.25, "0.25")
    assert rating_of(replace(source, source_type="local")) is None and rating_words(None) == ""
