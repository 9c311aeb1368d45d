"""The pure parts: cutting quotes, reading text, the log, the graph, credibility as a sum."""

from dataclasses import replace
from math import dist

import pytest

from engine.answers import LoggedEvent, ReaderPage, Segment
from engine.models import ResearchState
from engine.reports.report_document import Document, Part, PartKind, Piece
from tests.tables import each
from tests.ui import fake_research
from tests.ui.wide_research import wide
from tools.sources.source import Credibility, Source
from ui.web.views import labels
from ui.web.views.block_view import CODE_OPEN, CODE_WHOLE, code_parts
from ui.web.views.citations import Citing, byline
from ui.web.views.graph_layouts import LARGEST, WIDTH, layout, rings
from ui.web.views.graph_spacing import apart, joined
from ui.web.views.graph_svg import Wanted, draw
from ui.web.views.log_view import log_lines, trajectory
from ui.web.views.progress_view import ClientLine, client_lines
from ui.web.views.quote_trimming import cut
from ui.web.views.reader_view import letter, reader_text
from ui.web.views.report_view import as_question, notices, pairs, where_used
from ui.web.views.sources_view import source_row, sum_rows

HOME = "/research/r"
LONG = (
    "The first part says little. Many words follow that have nothing to do with it at all, and "
    "they go on for a while. "
    "Storage lowered the evening price by nine per cent in the winter. "
    "And then the passage ends with a remark about the weather, which was mild in both of the "
    "years that were studied."
)


def test_a_short_quote_stays_whole() -> None:
    assert cut("A  short\nquote.", "Anything") == "A short quote."


def test_a_long_quote_is_cut_at_words_around_what_it_supports() -> None:
    excerpt = cut(
        LONG, "Evening prices fell by nine per cent in winter because storage lowered them."
    )
    assert excerpt.startswith("[…] ") and excerpt.endswith(" […]") and len(excerpt) <= 155
    assert "Storage lowered the evening price by nine per cent" in excerpt
    assert all(word in LONG for word in excerpt.strip("[…] ").split())


@pytest.mark.parametrize("sentence", ["", "nothing in common here", LONG])
def test_any_cut_is_part_of_the_quote(sentence: str) -> None:
    for length in (40, 80, 140):
        excerpt = cut(LONG, sentence, length).replace("[…]", "").strip()
        assert excerpt in LONG and len(excerpt) <= length + 25


def test_a_quote_without_spaces_is_cut_as_well() -> None:
    assert len(cut("x" * 1000, "y")) <= 160


def page(*segments: Segment) -> ReaderPage:
    return ReaderPage("r", "Why?", Source("s", "https://a.example", "A title"), None, segments, 1)


def test_a_passage_over_two_paragraphs_has_one_anchor() -> None:
    used = (("s1", "Summary", "Something else."),)
    blocks, _ = reader_text(
        page(
            Segment("text", "Before ", 0),
            Segment("passage", "begins", 0, 0, 1, ("E1",), used),
            Segment("passage", "ends", 1, 0, 1, ("E1",), used),
            Segment("text", " after", 1),
        ),
        whole=True,
        home=HOME,
    )
    first, second = blocks[0].pieces[1], blocks[1].pieces[0]
    assert first.anchors == ("E1",) and first.uses[0].href == "/research/r#s1"
    assert second.number == 1 and second.anchors == () and second.uses == () and not second.first


def test_headings_never_skip_a_level_and_the_title_is_not_repeated() -> None:
    levels = [(1, "A title"), (3, "x"), (6, "y"), (2, "z")]
    blocks, _ = reader_text(
        page(*(Segment("heading", name, n, level) for n, (level, name) in enumerate(levels))),
        whole=True,
        home=HOME,
    )
    assert [block.level for block in blocks] == [1, 2, 1]


def listing(count: int, marked: int | None = None) -> Piece:
    lines = [f"line {number}\n" for number in range(count)]
    if marked is None:
        return Piece("code", "".join(lines))
    start = len("".join(lines[:marked]))
    return Piece("code", "".join(lines), ((start, start + len(lines[marked]) - 1),))


def test_a_short_listing_stands_whole() -> None:
    before, shown, after = code_parts(listing(CODE_WHOLE))
    assert (before.text, after.text) == ("", "") and shown == listing(CODE_WHOLE)


@pytest.mark.parametrize(("marked", "above"), [(None, 0), (0, 0), (30, 26), (59, 48)])
def test_a_long_listing_is_open_where_it_answers(marked: int | None, above: int) -> None:
    piece = listing(60, marked)
    before, shown, after = code_parts(piece)
    assert before.text + shown.text + after.text == piece.text
    assert before.text.count("\n") == above and shown.text.count("\n") == CODE_OPEN
    if marked is not None:
        (start, end), *others = shown.marks
        assert shown.text[start:end] == f"line {marked}" and not others
        assert before.marks == after.marks == ()


def test_a_long_text_shows_what_stands_around_its_passages() -> None:
    segments = [Segment("text", f"Paragraph {n}.", n) for n in range(200)]
    segments[100] = Segment("passage", "The passage.", 100, 0, 1, ("E1",))
    short, hidden = reader_text(page(*segments), whole=False, home=HOME)
    assert [block.pieces[0].text for block in short] == [
        "Paragraph 99.",
        "The passage.",
        "Paragraph 101.",
    ]
    assert hidden == 197 and short[0].skipped == 99
    assert len(reader_text(page(*segments), whole=True, home=HOME)[0]) == 200


def test_letters_of_passages() -> None:
    assert [letter(n) for n in (1, 26, 27, 52, 53, 703)] == ["a", "z", "aa", "az", "ba", "aaa"]


def event(seq: int, kind: str, message: str = "m", **data: object) -> LoggedEvent:
    return LoggedEvent(kind, "aggregate", message, data, float(seq), "2026-01-01T00:00:00Z", seq)


def test_answers_of_one_client_are_one_line() -> None:
    lines = log_lines([
        event(1, "source_answered", "One.", client="a", label="Alpha", found=2, problem=None),
        event(2, "source_answered", "Two.", client="a", label="Alpha", found=3, problem=None),
        event(3, "source_answered", "Beta failed.", client="b", found=0,
            problem="No answer within 10 s."),
        event(4, "phase_finished"),
        event(5, "source_answered", "Three.", client="a", label="Alpha", found=3, problem=None),
    ])  # fmt: skip
    assert [line.text for line in lines] == ["Alpha: 2 queries, 5 hits.", "Beta failed.", "Three."]
    assert lines[1].why == "No answer within 10 s."


def test_a_client_that_failed_once_keeps_what_it_found() -> None:
    rows = client_lines(
        [
            event(1, "source_answered", client="a", found=3, seconds=1.0, problem=None),
            event(2, "source_answered", client="a", found=0, seconds=2.0, problem="Asked to wait."),
            event(
                3,
                "source_answered",
                client="b",
                found=0,
                seconds="x",
                problem="Down.",
                reason="budget",
            ),
        ],
        [ClientLine("a", "Alpha")],
    )
    assert [(r.label, r.state, r.hits, r.seconds) for r in rows] == [
        ("Alpha", "answered", 3, 3.0),
        ("b", "skipped", 0, 0),
    ]
    assert rows[0].problem == "Asked to wait."


def test_the_graph_is_the_same_every_time_and_stays_inside() -> None:
    pairs = tuple((n, (n * 7 + 3) % 40) for n in range(40))
    places = layout(40, pairs, 580)
    layout.cache_clear()
    assert places == layout(40, pairs, 580)
    assert all(0 <= x <= WIDTH and 0 <= y <= 580 for x, y in places)
    assert len(set(places)) == 40
    assert layout(0, (), 300) == () and len(layout(1, (), 300)) == 1


def test_the_graph_leaves_out_what_has_no_link_and_says_so() -> None:
    state = fake_research.finished()
    graph = draw(state, Wanted())
    assert {node.source.tag or "" for node in graph.nodes} == {
        "S1",
        "S2",
        "S3",
        "S4",
        "S5",
        "",
    } and graph.left_out == 2
    assert [node.retracted for node in graph.nodes if not node.source.tag] == [True]
    assert graph.title.startswith("6 sources and 8 citations") and graph.title.endswith(
        "S3 is cited most"
    )
    assert graph.rows[0].source.tag == "S3"
    broken = replace(
        state,
        citation_graph={
            "unknown": ("x",),
            state.sources[0].source_id: (state.sources[0].source_id,),
        },
    )
    assert draw(broken, Wanted()).lines == ()


def test_a_crowded_graph_names_the_most_cited_works_by_title_and_the_others_on_focus() -> None:
    state, _ = wide(200)
    first, second, *others = [source.source_id for source in state.sources]
    state = replace(
        state,
        citation_graph={
            other: (first, second) if n < 30 else (second,) for n, other in enumerate(others[:60])
        },
    )
    graph = draw(state, Wanted())
    rest = [node for node in graph.nodes if not node.quiet]
    titles = {source.source_id: source.title for source in state.sources}
    assert (
        len(graph.nodes) == 62
        and len(rest) == 12
        and {first, second} <= {node.source.source_id for node in rest}
    )
    assert all(
        titles[node.source.source_id].startswith(node.name.rstrip("…")) for node in graph.nodes
    )
    assert {node.name for node in rest if node.source.source_id in (first, second)} != {""}
    assert all(titles[node.source.source_id][:80] in node.tip for node in graph.nodes)
    assert all(row.source.title for row in graph.rows)


def test_a_graph_shows_only_the_hops_and_kinds_that_are_wanted() -> None:
    state = fake_research.finished()
    graph = draw(state, Wanted(kinds=frozenset({"academic"})))
    assert {node.source.source_type for node in graph.nodes} == {"academic"} and {
        row.source.source_type for row in graph.rows
    } == {"academic"}
    assert graph.kinds == ("academic", "web", "newsroom", "local") and graph.hops == (0, 1)
    assert not draw(state, Wanted(hops=frozenset({1}))).lines


def test_rings_stand_around_each_other_inside_the_drawing() -> None:
    height, places, circles = rings((0,) * 12 + (1,) * 40 + (2,) * 90)
    assert len(set(places)) == 142 and all(0 < x < WIDTH and 0 < y < height for x, y in places)
    assert [circle.radius for circle in circles] == sorted(circle.radius for circle in circles)
    for hops in ((0,), (0, 0, 1), (0,) * 9 + (1,) * 5, (0, 1) * 12):
        _, places, circles = rings(hops)
        for left, top, right, bottom in (circle.box for circle in circles):
            apart = [max(left - x, x - right, top - y, y - bottom) for x, y in places]
            assert min(apart) >= LARGEST - 1, (hops, "a node covers the words of a ring")
    assert rings(())[1:] == ((), ()) and len(rings((0,))[1]) == 1


def test_a_sum_shows_the_product_and_a_concern_halves_it() -> None:
    score = Credibility(0.4675, "Leading journal", 0.85,
        {"citation": 1.1, "cross_reference": 1.0, "journal": 1.0},
                        ("concern",), "…", {}, {"citations": 500, "voices": 2})  # fmt: skip
    row = source_row(
        Source("s", "https://a.example", "T", cited_by_count=500, credibility=score), None
    )
    assert list(row.sum) == [
        ("Base: Leading journal", "0.85"), ("Citations, 500", "× 1.10"),
        ("Cross-references, 2 independent", "× 1.00"), ("Expression of concern", "× 0.50"),
        ("Score", "0.47"),
    ]  # fmt: skip
    assert row.override == ""


def test_bylines() -> None:
    assert (
        byline(Source("s", "https://www.a.example/x", "T", authors=("A", "B"), published="2024-05"))
        == "A, B, 2024"
    )
    assert (
        byline(Source("s", "https://www.a.example/x", "T", authors=("A", "B", "C"))) == "A et al."
    )
    assert byline(Source("s", "https://www.a.example/x", "T")) == "a.example"
    assert byline(
        Source("s", "local://d/x", "A report on many things of the year", source_type="local")
    ) == ("A report on many things…")


def test_paragraphs_are_of_about_equal_length() -> None:
    citing, sentences = Citing(fake_research.finished()), fake_research.WRITTEN * 3
    assert [len(part) for part in citing.paragraphs(sentences)] == [4, 4, 4]
    assert [len(part) for part in citing.paragraphs(sentences[:9])] == [3, 3, 3]
    assert citing.paragraphs([]) == []


def test_open_questions_can_be_asked() -> None:
    state = fake_research.finished()
    assert as_question(state, "Why?") == f"{state.original_query} Why?", (
        "a short one is nothing alone"
    )
    whole = "Who receives the saving in the years that follow?"
    assert as_question(state, whole) == whole


def test_a_source_is_used_when_a_sentence_of_the_report_leads_to_it() -> None:
    state = fake_research.finished()
    unused = fake_research.UNUSED.source_id
    findings = (replace(state.findings[0], claim_id="beside", sources=(unused,)), *state.findings)
    assert unused not in where_used(replace(state, findings=findings))
    assert len(where_used(state)) == state.quality.sources_used


def test_a_section_that_stands_alone_is_named_by_its_heading() -> None:
    state = fake_research.finished()
    assert state.report and len(state.report.sections) > 1
    assert any("§ 1" in parts for parts in where_used(state).values())
    only = state.report.sections[0]
    alone = replace(state, report=replace(state.report, sections=(only,)))
    assert any(only.heading in parts for parts in where_used(alone).values())
    assert not any("§ 1" in parts for parts in where_used(alone).values())


def test_the_trajectory_is_told_in_the_order_of_time() -> None:
    state = fake_research.finished()
    entries = tuple(sorted(state.trajectory, key=lambda entry: entry.time, reverse=True))
    elapsed = [line.elapsed for line in trajectory(replace(state, trajectory=entries))]
    assert len(elapsed) > 2 and elapsed == sorted(elapsed)


def test_a_claim_that_a_weaker_source_contradicts_keeps_its_sign_and_names_who_contradicts_it() -> (
    None
):
    state = fake_research.finished()
    claim = next(claim for claim in state.claims if claim.contradicting_evidence_ids)
    glyph = Citing(state).claim_glyph(replace(claim, indicator="✓", confidence=0.74))
    assert glyph and glyph.name == "g-ok" and glyph.tip.startswith("Supported; S1 disagrees")
    disputed = Citing(state).claim_glyph(replace(claim, indicator="⚠"))
    assert disputed and disputed.tip.startswith("Disputed; S1 disagrees")
    assert Citing(state).claim_glyph(replace(claim, confidence=None)) is None


@each(("value", "expected"), [
    (0.04, "0.0 s"), (9.96, "10.0 s"), (48.2, "48 s"), (59.7, "60 s"), (125, "2 min 5 s"),
    (3600, "1 h 0 min"),
    (None, "0.0 s"),
])  # fmt: skip
def test_durations(value: float | None, expected: str) -> None:
    assert labels.duration(value) == expected


def test_times_and_links_that_are_none() -> None:
    for wrong in (None, "", "soon", "2026-99-99", "9999999999"):
        assert labels.day(wrong) == "" and labels.day_time(wrong) == ""
    for wrong in (
        "javascript:alert(1)",
        "data:text/html,x",
        "//a.example",
        "ftp://a",
        "http://[",
        "file:///etc/passwd",
        "",
        None,
    ):
        assert labels.web_link(wrong) is None
    assert labels.web_link(" https://a.example/x ") == "https://a.example/x"
    assert labels.web_link("mailto:a@b.example") == "mailto:a@b.example"
    assert (
        labels.size(999) == "999 B"
        and labels.size(41_000_000) == "41 MB"
        and labels.size(2.5e9) == "2.5 GB"
    )


def test_nodes_of_a_crowded_graph_do_not_cover_each_other() -> None:
    radii = (26.0, *[9.0] * 30)
    crowded = tuple((480.0 + number % 3, 290.0) for number in range(31))
    places = apart(crowded, radii, (34, 34, 926, 546))
    apart.cache_clear()
    assert places == apart(crowded, radii, (34, 34, 926, 546))
    near = [
        (a, b) for a in range(31) for b in range(a) if dist(places[a],
            places[b]) < radii[a] + radii[b]
    ]  # fmt: skip
    assert not near and all(34 <= x <= 926 and 34 <= y <= 546 for x, y in places)
    assert apart(((100.0, 100.0), (300.0, 100.0)), (9.0, 9.0), (0, 0, 400, 400)) == (
        (100.0, 100.0),
        (300.0, 100.0),
    )


def test_a_drawing_holds_the_first_sources_that_have_a_citation_among_each_other() -> None:
    edges = [("a", "z"), ("b", "c"), ("c", "d"), ("e", "a")]
    assert joined(list("abcdez"), edges, 3) == {"b", "c", "d"}, (
        "what a cites comes last, and e would be the fourth"
    )
    assert (
        joined(list("abcdez"), edges, 6) == set("abcdez") and joined(list("az"), edges, 1) == set()
    )


def disagreement(state: ResearchState) -> Part:
    return next(part for part in Document(state).parts() if part.kind == PartKind.DISAGREEMENTS)


def test_both_sides_of_a_disagreement_are_in_words_and_figures_that_differ_are_no_dispute() -> None:
    state = fake_research.finished()
    part = disagreement(state)
    (facing,) = pairs(part.blocks, Citing(state))
    assert [side.voices for side in facing.sides] == [5, 2], "the stronger side first"
    assert all(side.quote for side in facing.sides) and facing.explanation.endswith(".")
    assert part.heading == "Where sources disagree"
    figures = tuple(
        replace(contradiction, nature="figures") for contradiction in state.contradictions
    )
    assert disagreement(replace(state, contradictions=figures)).heading == "Figures differ"


@pytest.mark.parametrize(
    ("status", "message"), [("cancelled", "was stopped"), ("failed", "failed")]
)
def test_a_report_without_a_sentence_says_why_there_is_none(status: str, message: str) -> None:
    assert message in " ".join(notices(ResearchState("Why?", status=status)))


def test_a_factor_of_a_later_version_stands_in_the_sum_by_its_name() -> None:
    source = fake_research.finished().sources[0]
    assert source.credibility is not None
    modifiers = {"citation": 1.0, "venue_age": 0.5}
    halved = replace(source.credibility, base_score=0.7, modifiers=modifiers, score=0.35)
    assert ("Venue age", "× 0.50") in sum_rows(replace(source, credibility=halved), halved)
