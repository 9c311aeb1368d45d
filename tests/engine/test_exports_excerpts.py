"""The report as one web page: the passages in their paragraphs, readable without Zorora and without
a network."""

import re
from dataclasses import replace

from engine.exports import export
from engine.exports.excerpts import MOST, excerpts
from tests.ui.fake_research import SOURCES, finished, texts
from tests.ui.wide_research import wide
from tools.errors import NotFound


def page(whole: bool = False) -> str:
    contents = texts()
    return export(finished(), "html", contents.__getitem__, whole=whole).data.decode()


def test_every_passage_leads_to_its_paragraph_and_nowhere_outside() -> None:
    shown = page()
    places = set(re.findall(r'href="#x-([^"]+)"', shown))
    anchors = re.findall(r'id="x-([^"]+)"', shown)
    assert places and places <= set(anchors) and len(anchors) == len(set(anchors))
    names = set(re.findall(r'href="#([^"]+)"', shown))
    ids = re.findall(r' id="([^"]+)"', shown)
    assert names <= set(ids) and len(ids) == len(set(ids))
    assert (
        "default-src &#x27;none&#x27;" in shown and "<script" not in shown and "src=" not in shown
    )


def test_the_neighbours_of_a_passage_are_in_the_file() -> None:
    source = SOURCES["S1"]
    excerpt = next(
        excerpt
        for excerpt in excerpts(finished(), texts().__getitem__)
        if excerpt.source.source_id == source.source_id
    )
    shown = [segment for paragraph in excerpt.paragraphs for segment in paragraph.segments]
    assert any(segment.number for segment in shown) and any(not segment.number for segment in shown)
    assert all(segment.text.split()[0] in page() for segment in shown if segment.text.strip())


def test_texts_that_are_gone_leave_the_quotations() -> None:
    def gone(snapshot_id: str) -> str:
        raise NotFound("There is no such text.")

    shown = export(finished(), "html", gone, whole=False).data.decode()
    assert "Passages in context" not in shown and "#x-" not in shown and "Evidence" in shown


def test_what_a_text_says_is_inert_and_long_ones_are_cut() -> None:
    state, contents = wide(3)
    bad = {
        name: f"<script>alert(1)</script> {'word ' * 600}\n\n{text}"
        for name, text in contents.items()
    }
    state = replace(
        state,
        evidence=tuple(
            replace(piece, start=piece.start + 8, end=piece.end + 8) for piece in state.evidence
        ),
    )
    shown = export(state, "html", bad.__getitem__, whole=False).data.decode()
    assert "<script" not in shown
    for excerpt in excerpts(state, bad.__getitem__):
        assert len(excerpt.paragraphs) <= MOST


def test_only_formats_that_show_excerpts_get_texts_unless_asked() -> None:
    contents = texts()
    assert (
        export(finished(), "json", contents.__getitem__, whole=False).data
        == export(finished(), "json").data
    )
    assert export(finished(), "json", contents.__getitem__).data != export(finished(), "json").data
