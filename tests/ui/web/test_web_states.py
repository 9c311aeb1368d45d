"""Every page in its rare states answers as it should, without a browser; pictures of them: make
screenshots."""

import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask

from benchmarks import screenshots
from benchmarks.screenshot_states import STATES, nothing
from tests.ui.fake_engine import FakeEngine
from ui.web.context import KEY, Opened

pytestmark = pytest.mark.lab
FORBIDDEN = re.compile(r"<[^>]*\s(?:style|on[a-z]+)=|<script(?![^>]*\ssrc=)")


@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
@pytest.mark.parametrize(
    "name", [name for name, state in STATES.items() if state.act is not nothing]
)
def test_a_state_is_reached_in_a_browser(chrome: Any, name: str) -> None:
    with screenshots.in_state(chrome, name, 1440, "light") as (page, _):
        assert page.locator("h1, dialog[open]").count()


@pytest.mark.parametrize("name", STATES)
def test_a_rare_state_is_a_page_without_inline_style_or_script(
    app: Flask, tmp_path: Path, name: str
) -> None:
    state, engine = STATES[name], FakeEngine(tmp_path)
    app.extensions[KEY] = Opened(engine, None, None)
    app.config["TOKEN"] = state.token
    path = urlsplit(state.prepare(engine))
    answer = app.test_client().get(path.path, query_string=path.query, follow_redirects=True)
    page = answer.text
    assert answer.status_code == (state.answers if state.act is nothing else 200)
    assert "<h1" in page and not FORBIDDEN.findall(page)
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "a name stands once"
    gone = {name for name in re.findall(r'href="#([^"]+)"', page) if name not in ids}
    assert not gone - {"g-high", "g-ok", "g-low", "star"}, "links within the page lead somewhere"
