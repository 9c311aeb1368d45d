"""Pages that are kept and asked for again: never an old one, never another visitor's, and 304 where
nothing changed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import ResearchEngine
from tests.finished import record
from tests.web_app import web_app
from ui.web.background import page_cache

TOKEN = re.compile(r'name="csrf" value="([0-9a-f]{64})"')
HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ResearchEngine]:
    """The engine behind the page."""
    with ResearchEngine(home=tmp_path, environ={"ZORORA_EMBEDDINGS_ENABLED": "false"}) as engine:
        yield engine


@pytest.fixture
def research_id(server: ResearchEngine) -> str:
    return server.import_record(record()).research_id


@pytest.fixture
def app(server: ResearchEngine) -> Any:
    """In place of the application over the fake engine: this one has a real database."""
    return web_app(server, TESTING=True)


def tokens(answer: Any) -> set[str]:
    return set(TOKEN.findall(answer.text))


def paths(engine: ResearchEngine, research_id: str) -> list[str]:
    state = engine.load_research(research_id)
    assert state is not None
    source = next(source.source_id for source in state.sources if source.snapshot_id)
    base = f"/research/{research_id}"
    return [
        base,
        f"{base}?all=1",
        f"{base}/source/{source}",
        f"{base}/graph",
        f"{base}/log",
        f"{base}/export/md",
    ]


def test_what_has_not_changed_is_not_sent_again(
    app: Any, server: ResearchEngine, research_id: str
) -> None:
    visitor = app.test_client()
    visitor.get("/help")  # brings the cookie
    for path in paths(server, research_id):
        first = visitor.get(path)
        again = visitor.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (first.status_code, again.status_code, again.data) == (200, 304, b""), path
        assert visitor.get(path).data == first.data
        for answer in (first, again):
            assert answer.headers["Cache-Control"] == "private, no-cache"
            assert "public" not in answer.headers["Cache-Control"]
            assert answer.headers["Content-Security-Policy"]


def test_each_visitor_gets_forms_of_their_own(app: Any, research_id: str) -> None:
    one, other = app.test_client(), app.test_client()
    path = f"/research/{research_id}"
    first, second = one.get(path), other.get(path)
    assert len(tokens(first)) == len(tokens(second)) == 1 and tokens(first).isdisjoint(
        tokens(second)
    )
    placeholder = app.extensions["zorora_pages"].placeholder
    assert placeholder not in first.text + second.text
    assert other.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200
    for visitor, answer in ((one, first), (other, second)):
        form = {"csrf": tokens(answer).pop(), "on": "1"}
        assert visitor.post(f"{path}/star", data=form, headers=HERE).status_code == 303


def test_a_message_is_shown_once_and_to_nobody_else(app: Any, research_id: str) -> None:
    first, other = app.test_client(), app.test_client()
    path = f"/research/{research_id}"
    token = tokens(first.get(path)).pop()
    first.post(f"{path}/marks", data={"csrf": token, "tags": "energy", "note": ""}, headers=HERE)
    shown = first.get(path)
    assert "Saved." in shown.text and "ETag" not in shown.headers
    for answer in (first.get(path), other.get(path)):
        assert "Saved." not in answer.text and "energy" in answer.text


def test_marks_of_another_program_are_seen_at_once(
    app: Any, server: ResearchEngine, research_id: str, tmp_path: Path
) -> None:
    visitor, path = app.test_client(), f"/research/{research_id}"
    visitor.get("/help")
    with ResearchEngine(home=tmp_path, environ={}) as other:
        for change, words in (
            (lambda: other.star(research_id), 'aria-pressed="true"'),
            (lambda: other.tag(research_id, ["norland"]), "norland"),
            (lambda: other.note(research_id, "Ask the monitor."), "Ask the monitor."),
            (lambda: other.delete(research_id), "in the bin"),
        ):
            before = visitor.get(path)
            change()
            after = visitor.get(path, headers={"If-None-Match": before.headers["ETag"]})
            assert after.status_code == 200 and words in after.text, words
            assert words not in before.text.partition("<main")[2].partition("Theme")[0]


def test_a_check_changes_the_page_of_its_source(
    app: Any, server: ResearchEngine, research_id: str
) -> None:
    visitor, path = app.test_client(), paths(server, research_id)[2]
    first = visitor.get(path)
    use = re.search(r'name="use" value="([^"]+)"', first.text)
    assert use
    form = {"csrf": tokens(first).pop(), "use": use[1], "was": "", "mark": "yes"}
    assert visitor.post(f"{path}/check", data=form, headers=HERE).status_code == 303
    after = visitor.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert after.status_code == 200 and 'aria-pressed="true"' in after.text
    assert "checked by you" in visitor.get(f"/research/{research_id}").text


def test_a_record_changed_by_hand_is_shown_as_it_is(
    app: Any, server: ResearchEngine, research_id: str
) -> None:
    visitor, path = app.test_client(), f"/research/{research_id}"
    before = visitor.get(path)
    file = server.record_path(research_id)
    changed = file.read_text("utf-8").replace(
        "evening electricity prices", "morning electricity prices"
    )
    file.write_text(changed, "utf-8")
    after = visitor.get(path, headers={"If-None-Match": before.headers["ETag"]})
    assert "The record was changed after it was written" in after.text
    file.unlink()
    assert "is gone" in visitor.get(path).text


def test_a_text_that_goes_changes_every_page_of_its_research(
    server: ResearchEngine, research_id: str
) -> None:
    state = server.load_research(research_id)
    assert state is not None
    before = server.page_version(research_id)
    snapshot_id = state.snapshots[0].snapshot_id
    (server.config.paths.snapshots / snapshot_id[:2] / f"{snapshot_id}.txt.gz").unlink()
    assert before and server.page_version(research_id) not in ("", before)


def test_what_else_a_report_shows_is_part_of_it(
    app: Any, server: ResearchEngine, research_id: str, tmp_path: Path
) -> None:
    visitor, path = app.test_client(), f"/research/{research_id}"
    before = visitor.get(path)
    token = tokens(before).pop()
    visitor.post("/theme", data={"csrf": token, "theme": "dark", "next": path}, headers=HERE)
    assert 'data-theme="dark"' in visitor.get(path).text
    assert 'data-theme="dark"' not in app.test_client().get(path).text
    with ResearchEngine(home=tmp_path, environ={"ZORORA_EMBEDDINGS_ENABLED": "false"}) as other:
        other.upload("harbour.txt", b"The harbour of Norland was dredged in 2023 and in 2024.")
    assert ">harbour</option>" in visitor.get(path).text
    server.config.paths.config.write_text("[research]\ndepth = 17\n", "utf-8")
    assert "depth" in visitor.get(path).text.partition('role="alert"')[2][:400]


def test_large_pages_are_not_kept(
    app: Any, server: ResearchEngine, research_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, file = f"/research/{research_id}", f"/research/{research_id}/export/md"
    monkeypatch.setattr(page_cache, "LARGEST", 100)
    assert app.test_client().get(page).status_code == app.test_client().get(file).status_code == 200
    store: page_cache.Pages = app.extensions["zorora_pages"]
    assert not len(store.pages) and not len(store.files)
    monkeypatch.undo()
    assert app.test_client().get(page).status_code == app.test_client().get(file).status_code == 200
    assert len(store.pages) == len(store.files) == 1
