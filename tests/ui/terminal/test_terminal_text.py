"""What strangers write reaches the screen as text and as nothing else; progress and reports fit the
terminal."""

import io
import logging
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine.jobs.model import RunProgress
from engine.models import Citation, Event, EventKind, Source, Table
from tests.tables import each
from ui.terminal.render import graph, links, report_blocks
from ui.terminal.render.columns import flowed, grid
from ui.terminal.render.layout import MEASURE
from ui.terminal.render.plain import address, marked, plain, shorten, unmarked, wrapped
from ui.terminal.render.run_progress import LOG_LINES, Progress, View, advance, draw
from ui.terminal.screen import Screen
from ui.terminal.traces import PlainFormatter
from workflows.research.model import Authority

DANGEROUS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\ud800-\udfff]"
)
HOSTILE = (
    "\x1b]0;title\x07\x1b[31mred\x9b2J \u202eevil\u2066 [bold]markup[/bold] :smile: \ud800 "
    "\x00 \r\n over"
)


@given(st.text(alphabet=st.characters(codec=None)))
def test_plain_text_holds_nothing_that_acts(text: str) -> None:
    assert not DANGEROUS.search(plain(text))
    assert "\n" not in plain(text)
    assert not DANGEROUS.search(plain(text, lines=True))


def test_ordinary_text_of_any_script_is_left_alone() -> None:
    for text in (
        "Süßes Café",
        "如何学习中文",
        "می‌خواهم",
        "नमस्ते",
        "👩‍🔬 science",
        "a [b] (c) \\ \"d\" 'e'",
    ):
        assert plain(text) == text


def test_control_and_bidi_characters_become_visible() -> None:
    assert plain("\x1b[31m") == "␛[31m"
    assert plain("a\u202eb") == "a<U+202E>b"
    assert plain("\x9b") == "<U+009B>"


@each(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "local://d/x",
        "",
        "//x",
        "http://[",
    ],
)
def test_only_web_addresses_are_shown_as_addresses(url: str) -> None:
    assert address(url) == ""
    assert address("https://example.org/a\x1b[b") == "https://example.org/a␛[b"


def test_match_marks_cut_a_snippet() -> None:
    assert marked("a \x02b\x03 c") == [("a ", False), ("b", True), (" c", False)]
    assert unmarked("\x02\x02b\x03 \x1bc") == "b ␛c"


@given(st.text(), st.integers(2, 50))
def test_shortened_text_fits(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= max(limit, len(text) if len(text) <= limit else limit)


def drawn(thing: Any, width: int, color: bool = False) -> str:
    from rich.console import Console

    file = io.StringIO()
    console = Console(
        file=file, width=width, markup=False, emoji=False, highlight=False, force_terminal=color
    )
    for part in thing if isinstance(thing, list) else [thing]:
        console.print(part)
    return file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 124, 160])
def test_a_report_fits_its_terminal(fake: Any, width: int) -> None:
    from rich.cells import cell_len

    state = next(iter(fake.states.values()))
    wide = replace(
        state.sources[0], title="睡眠と記憶" * 30, url="https://example.org/" + "a" * 300
    )
    state = replace(state, sources=(*state.sources, wide))
    out = drawn(report_blocks.parts(state, width, everything=True), width)
    assert max(cell_len(line) for line in out.splitlines()) <= width
    assert "retracted 2010" in out and "Base: 0.85" in out


def test_what_nobody_has_read_is_not_listed_as_read() -> None:
    from tests.ui.fake_research import UNUSED, finished

    state = finished()
    out = drawn(report_blocks.parts(state, 80, everything=True), 80)
    assert "Found but not read" in out and "Read but not cited" not in out
    read = replace(state.snapshots[0], source_id=UNUSED.source_id)
    out = drawn(
        report_blocks.parts(
            replace(state, snapshots=(*state.snapshots, read)), 80, everything=True
        ),
        80,
    )
    assert "Read but not cited" in out and "Found but not read" not in out


def test_the_terminal_tells_what_could_not_be_verified_and_which_sources_weigh_most() -> None:
    from tests.ui.fake_research import finished

    state = finished()
    unknown = replace(
        state.claims[0], claim_id="U1", verified=False, text="Grids fail.", differs="names no grid."
    )
    out = drawn(report_blocks.parts(replace(state, claims=(unknown,)), 80, everything=True), 80)
    assert "What could not be verified" in out and "Grids fail. (names no grid)" in out
    assert "Most authoritative, by credibility" in out and "6 cited, 3 set aside" in out


def test_the_terminal_says_that_a_source_is_not_rated() -> None:
    from tests.ui.fake_research import finished
    from tools.sources.source import Credibility

    state = finished()
    unknown = Credibility(
        0.5, "Unknown source", 0.5, {}, (), "Not rated (unknown source) -> counts as 0.50"
    )
    sources = (replace(state.sources[0], credibility=unknown), *state.sources[1:])
    out = drawn(report_blocks.parts(replace(state, sources=sources), 80, everything=True), 80)
    shown = out.split("\nSources")[1].split(" S2")[0]
    assert (
        "  not rated" in shown and "Not rated (unknown source)" in shown and "  0.50" not in shown
    )


def test_a_wide_terminal_keeps_lines_that_can_be_read(fake: Any) -> None:
    state = next(iter(fake.states.values()))
    lines = [line.rstrip() for line in drawn(report_blocks.parts(state, 160), 160).splitlines()]
    assert max(map(len, lines)) <= MEASURE


def test_long_lists_end_with_the_way_to_the_rest(fake: Any) -> None:
    state = next(iter(fake.states.values()))
    report = state.report
    cited = [replace(state.sources[0], source_id=f"many{n}", tag=f"S{n}") for n in range(10, 30)]
    citations = tuple(Citation(str(source.tag), source.source_id, "E1") for source in cited)
    summary = (replace(report.summary[0], citations=citations),)
    many = replace(report, summary=summary, disagreements=report.disagreements * 5)
    state = replace(state, sources=tuple(cited), report=many)
    out = drawn(report_blocks.parts(state, 80), 80)
    assert (
        out.count("The two say the opposite.") == 3
        and f"2 more: zorora show {state.research_id} --all" in out
    )
    assert (
        f"10 more: zorora show {state.research_id} --all" in out
        and "S29" not in out.split("Sources")[1]
    )
    assert (
        drawn(report_blocks.parts(state, 80, everything=True), 80).count(
            "The two say the opposite."
        )
        == 5
    )


def test_a_hostile_report_shows_its_tricks(fake: Any) -> None:
    state = next(iter(fake.states.values()))
    report = state.report
    sentence = replace(report.summary[0], text=HOSTILE, indicator=HOSTILE)
    source = Source(
        "x",
        "javascript:alert(1)",
        HOSTILE,
        authors=(HOSTILE,),
        venue=HOSTILE,
        tag="S9",
        rejected=HOSTILE,
    )
    state = replace(
        state,
        original_query=HOSTILE,
        report=replace(
            report, title=HOSTILE, summary=(sentence,), open=(HOSTILE,), notes=(HOSTILE,)
        ),
        sources=(*state.sources, source, replace(source, source_id="y", rejected=None)),
    )
    for width in (80, 160):
        out = drawn(report_blocks.parts(state, width), width, color=False)
        assert not DANGEROUS.search(out)
        assert (
            "[bold]markup[/bold]" in out.replace("\n", " ")
            and ":smile:" in out
            and "javascript" not in out
        )


def test_a_state_without_anything_can_be_shown() -> None:
    from engine.models import ResearchState

    assert "No report was written." in drawn(report_blocks.parts(ResearchState("What?"), 80), 80)


def compared(fake: Any) -> Any:
    """A research whose report compares two things in a table of three columns."""
    state = next(iter(fake.states.values()))
    summary = state.report.summary
    table = Table(
        "Compared",
        ("aspect", "naps", "nights " * 3),
        (((), (summary[1],), (summary[0], summary[1])),) * 2,
    )
    return replace(state, report=replace(state.report, tables=(table,)))


@pytest.mark.parametrize("width", [40, 80, 160])
def test_a_table_has_columns_where_they_can_be_read(fake: Any, width: int) -> None:
    from rich.cells import cell_len

    out = drawn(report_blocks.parts(compared(fake), width), width)
    assert max(cell_len(line) for line in out.splitlines()) <= width
    side_by_side = any("naps" in line and "nights" in line for line in out.splitlines())
    assert side_by_side == (width >= 80) and out.count("It is") >= 3


def test_tags_and_addresses_are_links_where_a_terminal_takes_them(fake: Any) -> None:
    state = next(iter(fake.states.values()))
    out = drawn(report_blocks.parts(state, 80, with_links=True), 80, color=True)
    assert re.search(
        "\x1b]8;[^;]*;https://example.org/1\x1b\\\\S1\x1b]8;;\x1b",
        re.sub("\x1b\\[[0-9;]*m", "", out),
    )
    assert "local://" not in out and "\x1b]8" not in drawn(
        report_blocks.parts(state, 80), 80, color=True
    )


@each("url", ["javascript:x", "file:///etc/passwd", "http://[", "local://d1"])
def test_only_web_addresses_become_links(url: str) -> None:
    assert links.linked(url).link is None


@given(st.text(alphabet=st.characters(codec=None)))
def test_a_link_ends_where_it_ends(text: str) -> None:
    link = links.linked("https://example.org/" + text).link
    assert link is None or (link.isascii() and link.isprintable() and " " not in link)


def test_a_skipped_phase_stays_visible() -> None:
    view = advance(View(), Event("phase_skipped", "follow", "left out", {"why": "--no-follow"}))
    view = advance(view, Event("phase_started", "synthesis", "x", {"number": 6}))
    assert "(skipped)" in drawn(draw(view), 80)


def test_a_phase_between_the_public_ones_is_named_beside_what_is_done() -> None:
    view = advance(View(), Event("phase_started", "plan", "x", {}))
    assert "plan …" in drawn(draw(view), 80) and "✓" not in drawn(draw(view), 80)
    view = advance(view, Event("phase_started", "follow", "x", {"number": 2}))
    view = advance(view, Event("phase_started", "gaps", "x", {"number": None}))
    assert "✓ Finding sources" in drawn(draw(view), 80) and "gaps …" in drawn(draw(view), 80)


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_graph_is_drawn_within_the_terminal(fake: Any, width: int) -> None:
    from rich.cells import cell_len

    state = next(iter(fake.states.values()))
    edges = {"source1": ("source2", "elsewhere"), "source4": ("source2",)}
    ranks = tuple(Authority(f"source{n}", 0, 0.2, 1.5 / n) for n in (2, 1, 3, 4, 5))
    state = replace(state, citation_graph=edges, authority=ranks, original_query=HOSTILE)
    out = drawn(graph.parts(state, width, 25), width)
    assert max(cell_len(line) for line in out.splitlines()) <= width and not DANGEROUS.search(out)
    assert "2 citations" in out and "◀── S1 #4" in out and "──▶ S2 and 1 not read" in out
    assert out.index("S2") < out.index("S1 ") and "A page nobody cites" not in out
    assert "and 2 more" in drawn(graph.parts(state, 80, 1), 80)
    assert "Naps in schools" in drawn(graph.parts(replace(state, citation_graph={}), 80, 25), 80)


def test_progress_is_folded_event_by_event() -> None:
    view = View()
    for event in (
        Event("phase_started", "follow", "x", {"round": 2, "rounds": 3}, 1.0),
        Event("source_answered", "follow", "y", {"client": "a", "found": 3, "seconds": 0.5}, 2.0),
        Event(
            "source_answered", "follow", "z", {"client": "a", "found": 0, "problem": HOSTILE}, 3.0
        ),
        Event("page_fetched", "follow", "", {"ok": True}, 3.0),
        Event("page_fetched", "follow", "", {"ok": False}, 3.0),
        Event("claim_found", "follow", "c", {}, 4.0),
        Event("model_asked", "follow", "m", {"calls": 2, "tokens_in": 40, "tokens_out": 2}, 4.0),
    ):
        view = advance(view, event)
    assert (view.run.phase_number, view.run.round, view.run.rounds) == (2, 2, 3)
    assert view.run.counts == {"queries": 2, "hits": 3, "pages": 1, "claims": 1}
    assert "2 model calls  ·  42 tokens" in drawn(draw(view), 200)
    assert (view.unread, view.clients["a"].hits, view.elapsed) == (1, 3, 4.0)
    assert not DANGEROUS.search(drawn(draw(view), 80))


@each("kind", EventKind)
def test_every_kind_of_event_can_be_shown(kind: str) -> None:
    view = View()
    for _ in range(LOG_LINES + 5):
        view = advance(view, Event(kind, "aggregate", HOSTILE, {}, 1.0))
    assert len(view.log) <= LOG_LINES
    err = io.StringIO()
    Progress(Screen(io.StringIO(), err, io.StringIO()), "q", everything=True)(
        Event(kind, "aggregate", HOSTILE)
    )
    assert not DANGEROUS.search(err.getvalue())


def test_the_picture_fits_narrow_and_wide() -> None:
    from rich.cells import cell_len

    view = View(query="How? " * 40, run=RunProgress(phase="graph", phase_number=5))
    for number in range(30):
        data = {"client": f"[bold]client{number}", "found": 1, "problem": "no answer " * 20}
        view = advance(view, Event("source_answered", "graph", "m " * 90, data))
    for width in (40, 80, 160):
        out = drawn(draw(view), width)
        assert max(cell_len(line) for line in out.splitlines()) <= width
        assert "and 16 more" in out and "[bold]client" in out
    for rows in (20, 24, 30, 50):
        assert len(drawn(draw(view, rows), 80).splitlines()) <= rows


def test_a_trace_cannot_steer_the_terminal() -> None:
    record = logging.LogRecord(
        "zorora.http", logging.INFO, "", 0, "%s said %s", ("a\u202e", HOSTILE), None
    )
    assert not DANGEROUS.search(
        PlainFormatter("%(name)s: %(message)s").format(record).replace("\n", "")
    )


def cells(*rows: str) -> list[list[Any]]:
    from rich.text import Text

    return [[Text(cell) for cell in row.split("|")] for row in rows]


def test_a_list_that_fits_stands_side_by_side_and_one_that_does_not_goes_on_below() -> None:
    columns, rows = (
        ("name", "state", "meaning"),
        cells("a|on|some words", "b|off|" + "many words " * 9),
    )
    assert "name  state  meaning" in drawn(grid(columns, rows, 2, 80), 80)
    long = cells("a" * 40 + "|" + "s" * 30 + "|many words " + "w " * 60, "b|-|")
    lines = [line.rstrip() for line in drawn(grid(columns, long, 2, 80), 80).splitlines()]
    assert lines[0].split() == ["name", "state"] and lines[1] == "    meaning"
    assert lines[2] == "a" * 40 + "  " + "s" * 30 and lines[3].startswith("    many words w w")
    assert lines[-1].split() == ["b", "-"]


@given(
    st.lists(
        st.lists(st.text(alphabet="ab \u7761-", max_size=60), min_size=3, max_size=3), max_size=4
    ),
    st.sampled_from([40, 80, 160]),
)
def test_no_cell_is_cut_off(rows: list[list[str]], width: int) -> None:
    from rich.cells import cell_len

    out = drawn(
        grid(("one", "two", "three"), cells(*("|".join(row) for row in rows)), 2, width), width
    )
    assert all(cell_len(line) <= width for line in out.splitlines())
    for row in rows:
        for cell in row:
            assert "".join(cell.strip(" -").split()) in "".join(out.split()) or cell_len(cell) > 16


@each(
    ("text", "shown"),
    [
        ("a b c", "a b c"),
        ("  /save  give it a name now", "  /save  give it a\n         name now"),
        (
            "record  /a/path/that/is/longer/than/the/line",
            "record  /a/path/that/is/longer/than/the/line",
        ),
        (
            "page  http://an.address.example/x (or open)",
            "page  http://an.address.example/x\n      (or open)",
        ),
        (
            "Read it: /a/path/that/is/longer/than/this then go",
            "Read it:\n/a/path/that/is/longer/than/this\nthen go",
        ),
        ("one two three four five six", "one two three four\nfive six"),
        ("   indented words go on below", "   indented words go\n   on below"),
    ],
)
def test_lines_are_broken_between_words(text: str, shown: str) -> None:
    assert wrapped(text, 20) == shown


@given(st.text(alphabet="ab \n/", max_size=300), st.integers(10, 100))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    assert wrapped(text, width).split() == text.split()


@given(st.lists(st.text(alphabet="ab \u7761\n", max_size=40), max_size=8), st.integers(10, 40))
def test_a_text_that_comes_in_pieces_is_broken_between_words(pieces: list[str], width: int) -> None:
    from rich.cells import cell_len

    column, output = 0, ""
    for piece in pieces:
        text, column = flowed(piece, column, width)
        output += text
    assert output.split() == "".join(pieces).split() or any(piece[-1:].strip() for piece in pieces)
    for line in output.split("\n"):
        assert cell_len(line.rstrip()) <= max([width, *map(cell_len, line.split())])
    assert flowed("one two three", 0, 8) == ("one two \nthree", 5)
    assert flowed("def f():\n    pass", 0, 8) == ("def f():\n    pass", 8)  # indentation stays


def test_a_terminal_of_plain_ascii_still_tells_the_marks_apart() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="legible")
    out.write("✓✓ sure ⚠ doubtful “so” … – 睡 │")
    out.flush()
    assert out.buffer.getvalue() == b'++ sure ! doubtful "so" ... - ? |'  # type: ignore[attr-defined]
