"""The pictures of a report say what its table says, for any research."""

from dataclasses import replace

from tests.ui import fake_research
from tools.research.source import Credibility, make_source
from ui.web.citing import Citing
from ui.web.pictures import agreement, spread, timeline
from workflows.research.state import ResearchState

STATE = fake_research.finished()


def test_agreement_counts_voices_for_and_those_of_the_claim_that_contradicts() -> None:
    rows = {row.text: row for row in agreement(STATE, Citing(STATE))}
    assert len(rows) == 9, "only verified claims"
    assert (rows[fake_research.CLAIMS[4].text].in_favour, rows[fake_research.CLAIMS[4].text].against) == (2, 5)
    assert rows[fake_research.CLAIMS[0].text].against == 0
    scope = replace(STATE, contradictions=(replace(STATE.contradictions[0], nature="scope"),))
    assert not any(row.against for row in agreement(scope, Citing(scope)))


def test_every_source_is_a_dot_inside_the_drawing_and_a_number_in_the_table() -> None:
    found = spread(STATE, Citing(STATE))
    dots = [dot for band in found.bands for dot in band.dots]
    assert len(dots) == len(STATE.sources) == sum(sum(counts) for _, counts in found.counts)
    assert all(0 <= dot.x <= 100 and 0 <= dot.y <= found.height for dot in dots)
    assert sorted(dot.mark for dot in dots) == ["off", *["on"] * 6, *["out"] * 3]


def test_two_hundred_sources_of_one_score_stay_inside_their_row() -> None:
    score = Credibility(0.65, "x", 0.65)
    many = tuple(replace(make_source(f"https://a.example/{n}", "t"), credibility=score) for n in range(200))
    found = spread(ResearchState("q", "q_1", sources=many), Citing(ResearchState("q", "q_1", sources=many)))
    assert min(dot.y for dot in found.bands[0].dots) > 0


def test_the_timeline_has_a_bar_for_every_year_and_none_for_dates_that_are_none() -> None:
    drawn = timeline(STATE)
    assert drawn is not None and [bar.name for bar in drawn.bars] == ["2023", "2024", "2025", "2026"]
    assert [(bar.used, bar.other) for bar in drawn.bars] == [(1, 0), (1, 0), (2, 1), (2, 0)] and drawn.undated == 0
    odd = tuple(replace(source, published=text) for source, text in
                zip(STATE.sources, ("soon", "٢٠٢٤", "1600", "2020-01", None, "0000", ""), strict=False))  # fmt: skip
    long = timeline(replace(STATE, sources=odd))
    assert long is not None and len(long.bars) <= 43 and long.bars[-1].x + long.bars[-1].width <= 100
    assert long.undated == 5
    assert timeline(replace(STATE, sources=odd[:2])) is None
