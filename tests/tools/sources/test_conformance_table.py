"""The conformance table: each recording is read, or says why not; one that no parser reads is
named."""

import json
from pathlib import Path

import pytest

from benchmarks import sources
from benchmarks.options import Options, Row
from tools.sources.registry import SOURCES


def table(rows: list[Row]) -> dict[str, Row]:
    return {str(row["what"]): row for row in rows}


def recorded(folder: Path, *files: tuple[str, bytes, int]) -> Path:
    lines = []
    for name, data, status in files:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
        lines.append(json.dumps({"file": name, "service": name.split("/")[0], "status": status}))
    (folder / "MANIFEST.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def test_recordings_are_counted_with_what_they_give(tmp_path: Path) -> None:
    work = {
        "DOI": "10.1234/x",
        "title": ["A title"],
        "references-count": 0,
        "URL": "https://doi.org/10.1234/x",
    }
    good = json.dumps({"status": "ok", "message": {"items": [work]}}).encode()
    folder = recorded(
        tmp_path,
        ("crossref/one.json", good, 200),
        ("crossref/none.json", b'{"status": "ok", "message": {"items": []}}', 200),
        ("crossref/page.html", b"<html>busy</html>", 503),
        ("unheard/of.json", b"{}", 200),
    )
    rows = table(sources.run(Options(data=folder)))
    assert rows["crossref: read of 2"]["ok"] is True
    assert (
        rows["crossref: read of 2"]["unit"]
        == "1 with 1 records, 1 that say none; 1 in which it refuses"
    )
    assert "doi 1" in str(rows["crossref: fields"]["value"])
    assert not any("unheard" in name for name in rows)


@pytest.mark.parametrize(
    "data",
    [
        b'{"status": "ok", "message": {"items": [{"unheard": 1}]}}',
        b'{"works": []}',
        b"[1]",
        b"<html>busy</html>",
    ],
)
def test_an_answer_of_which_nothing_comes_is_not_read(tmp_path: Path, data: bytes) -> None:
    row = table(sources.run(Options(data=recorded(tmp_path, ("crossref/odd.json", data, 200)))))[
        "crossref: read of 1"
    ]
    assert row["ok"] is False and "not read: crossref/odd.json" in row["unit"]


def test_a_parser_that_gives_nothing_must_have_been_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "parsers", lambda service: [lambda data: []])
    work = b'{"total-results": 7, "items": [{"DOI": "10.1/x"}]}'
    folder = recorded(
        tmp_path, ("crossref/full.json", work, 200), ("crossref/none.json", b'{"items": [ ]}', 200)
    )
    row = table(sources.run(Options(data=folder)))["crossref: read of 2"]
    assert (row["value"], row["ok"]) == (1, False) and "crossref/full.json" in row["unit"]


def test_a_folder_without_recordings_is_said_so(tmp_path: Path) -> None:
    (row,) = sources.run(Options(data=tmp_path))
    assert "`make data`" in row["what"] and row["ok"] is None


def test_a_recording_nobody_reads_fails_the_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = recorded(tmp_path, ("crossref/odd.json", b"{}", 200))
    monkeypatch.setattr(sources, "parsers", lambda service: [])
    row = table(sources.run(Options(data=folder)))["crossref: read of 1"]
    assert row["ok"] is False and "crossref/odd.json" in row["unit"]


@pytest.mark.lab
@pytest.mark.shared
def test_every_recording_of_every_client_is_read(shared: Path) -> None:
    there = {client.name for client in SOURCES} | {"pmc", "news_feeds", "semanticscholar"}
    rows = sources.run(Options(shared=shared))
    low = [row for row in rows if row["ok"] is False and str(row["what"]).split(":")[0] in there]
    assert low == []
