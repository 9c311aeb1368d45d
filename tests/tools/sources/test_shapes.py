"""Drift: how a live answer differs from those that were recorded, and the table that says so."""

from engine.answers import SourceCheck
from tests.tables import each
from tests.tools.sources.live_table import lines
from tools.sources.answer_shapes import drift, names, shapes
from tools.sources.registry import SOURCES
from tools.sources.source import make_source


def test_names_are_those_of_keys_and_elements_and_never_of_values() -> None:
    answer = (
        b'{"results": [{"title": "T", "abstract_inverted_index": {"word": [1]}}, {"year": '
        b'1}], "meta": {"count": 2}}'
    )
    assert names(answer) == {"results", "title", "abstract_inverted_index", "year", "meta", "count"}
    assert names(b'<feed xmlns="urn:x"><entry><title>T</title></entry></feed>') == {
        "feed",
        "entry",
        "title",
    }


@each(
    "answer",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"<html><body>busy</body></html>",
        b"<",
        b"\xff\xfe",
        b"text",
        b"<a><b></a>",
    ],
)
def test_an_answer_of_any_kind_has_names_or_none(answer: bytes) -> None:
    assert names(answer) <= {"a", "b"}


def test_fields_that_are_gone_and_names_that_are_new_are_told() -> None:
    bare = make_source("https://doi.org/10.1000/x", "T", published="2020")
    seen = drift("openalex", [bare], [b'{"results": [{"brand_new": 1}]}'])
    assert seen.fields == ("doi", "published") and seen.new == ("brand_new",)
    assert {"abstract", "authors"} <= set(seen.lost)
    assert drift("openalex", [], []).lost == (), "where nothing was found nothing is lost"
    assert drift("nobody", [bare], [b'{"x": 1}']).new == ()


def test_every_service_of_which_answers_were_recorded_has_its_form_shipped() -> None:
    assert set(shapes()) <= {client.name for client in SOURCES}
    assert all(
        shape["names"] or name in ("duckduckgo", "google_scholar")
        for name, shape in shapes().items()
    )
    assert {"authors", "published", "venue", "cited_by_count"} <= set(
        shapes()["openalex"]["fields"]
    )


def test_the_table_to_send_back_has_time_fields_and_drift() -> None:
    checks = [
        (
            "openalex",
            SourceCheck(
                "ok",
                "OpenAlex: answered.",
                3,
                0.31,
                ("authors", "doi"),
                ("venue",),
                tuple("abcdef"),
            ),
        ),
        ("core", SourceCheck("off", "CORE: needs a key.")),
    ]
    head, openalex, core = lines(checks)
    assert head.split()[:5] == ["name", "state", "time", "hits", "fields"]
    assert (
        openalex.split("  ")[-1] == "no venue; new: a, b, c, d and 2 more" and " 0.3 s " in openalex
    )
    assert core.endswith("CORE: needs a key.") and lines([]) == []
