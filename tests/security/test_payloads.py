# ruff: noqa: E501 -- payloads read better side by side
"""Texts made to act, in every place that comes from outside: pages, exports, log and terminal show them inert."""

import io
import json
import logging
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from engine import logs
from engine.exports import FORMATS, export
from tests.ui.fake_engine import FakeEngine
from tests.ui.web import test_web_hostile as web
from tests.ui.web.conftest import Browser, app, browser, fake
from tests.ui.web.test_pages import DONE, PAGES
from ui.terminal.render import report_blocks
from ui.terminal.render.plain import plain

__all__ = ["app", "browser", "fake"]

# What has worked elsewhere: tags, attributes, addresses, templates, encodings, comment and style tricks, mutation
PAYLOADS = (
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>", "<svg/onload=alert(1)//",
    "<iframe srcdoc='<script>alert(1)</script>'>", "<math><mtext><table><mglyph><style><!--</style><img src onerror=a()>",
    "</title><script>alert(1)</script>", "</textarea><script>alert(1)</script>", "--><script>alert(1)</script><!--",
    "]]><script>alert(1)</script>", "<a href=javascript:alert(1)>x</a>", "<form action=//evil.example><input name=csrf>",
    "<base href=//evil.example>", "<meta http-equiv=refresh content='0;url=//evil.example'>", "<link rel=stylesheet href=//x>",
    "<body onload=alert(1)>", "<details open ontoggle=alert(1)>", "<template><script>alert(1)</script></template>",
    "{{7*7}}{% raw %}${7*7}#{7*7}", "{{config}}{{''.__class__}}", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x onerror=alert(1)&#62;", "\u003cscript\u003e", "<scr\x00ipt>alert(1)</scr\x00ipt>", "<<script>alert(1)//<",
    "<img\x0csrc=x\x0conerror=alert(1)>", "`onmouseover=alert(1)`", "\" autofocus onfocus=alert(1) x=\"", "' style='x:expression(a)",
    "\x1b]0;title\x07\x1b[2J\x1b[31mred", "\x9b31m\x90q\x9c", "\u202eevil\u2066", "a\r\nSet-Cookie: x=1\r\n\r\n<script>",
    "=cmd|' /C calc'!A0", "@SUM(1+1)*cmd|' /C calc'!A0", "+1+cmd", "-2+3+cmd|' /C calc'!A0", "\\input{/etc/passwd}\\write18{id}",
    "![x](javascript:alert(1))[y](data:text/html,<script>)", "<script src=data:,alert(1)>", "hx-get=/x hx-trigger=load",
    "<x hx-on::load=alert(1)>", "<p data-x='\"><script>'>", "ER  - \r\nTY  - JOUR", "}, note = {x", "\"]; evil -> node; [\"",
)  # fmt: skip
GROUPS = [" ".join(PAYLOADS[start::4]) for start in range(4)]
ADDRESSES = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "java\nscript:alert(1)",
    "\x01javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc/passwd", "//evil.example",
    "http://[", "https://a.example/\" onclick=alert(1) x=\"", "https://a.example/<script>", "blob:x", "view-source:x", "http:/x",
    "https://user:pw@evil.example/", "https://a.example/\r\nX: y", "https:\\\\evil.example",
)  # fmt: skip


class Page(HTMLParser):
    """What in a page could act."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.findings: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if (
            tag in ("iframe", "object", "embed", "base", "math", "template", "img", "body")
            and attrs
        ):
            self.findings.append(tag)
        for name, value in attrs:
            text = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if name.startswith("on") or name in ("style", "srcdoc") or name.startswith("hx-on"):
                self.findings.append(f"{tag} {name}")
            if name in ("href", "src", "action", "formaction") and not re.match(
                r"(https?://|mailto:|[/#?]|$)", text
            ):
                self.findings.append(f"{tag} {name}={value}")
            if name in ("href", "src", "action") and "evil.example" in text and tag != "a":
                self.findings.append(f"{tag} {name}={value}")
            if tag == "script" and name == "src" and not text.startswith("/static/"):
                self.findings.append(f"script {value}")


def acting(html: str) -> list[str]:
    """What in a page could act; scripts of our own have no text."""
    page = Page()
    page.feed(html)
    inline = [
        text
        for text in re.findall(r"<script[^>]*>(.*?)</script", html, re.S | re.I)
        if text.strip()
    ]
    return page.findings + inline


def poisoned(fake: FakeEngine, text: str, address: str) -> Any:
    """The finished research with hostile text and addresses in every place from outside."""
    state = web.poison(fake.states[DONE], text)
    raw = json.loads(
        json.dumps(state.to_dict()).replace(
            "javascript:alert(1)//", json.dumps(address)[1:-1] + "#"
        )
    )
    return type(state).from_dict(raw)


def test_the_checker_sees_what_acts() -> None:
    for text in (
        "<p onclick=x>",
        "<a href='java\nscript:x'>",
        "<script>x</script>",
        "<img src=x>",
        "<i style=x>",
        "<base href=x>",
    ):
        assert acting(text), text
    assert not acting(
        "<p class='x'>&lt;script&gt;</p><a href='/x'>y</a><script src='/static/a.js'></script>"
    )


def test_no_payload_acts_in_a_report(browser: Browser, fake: FakeEngine) -> None:
    """One page of each kind with every payload; all pages with all of them are for the lab."""
    fake.states[DONE] = poisoned(fake, " ".join(PAYLOADS), ADDRESSES[3])
    html = browser.get(f"/research/{DONE}").get_data(as_text=True)
    assert "&lt;script&gt;alert(1)" in html and acting(html) == []


@pytest.mark.lab
def test_no_payload_acts_on_any_page(
    browser: Browser, fake: FakeEngine, tell: Callable[[str, int, int], None]
) -> None:
    clean, tried, findings = fake.states[DONE], 0, []
    for number, address in enumerate(ADDRESSES):
        fake.states[DONE] = clean
        text = GROUPS[number % len(GROUPS)]
        fake.states[DONE] = poisoned(fake, text, address)
        for path in [
            *PAGES,
            f"/history?q={number}",
            f"/research/{DONE}/source/{fake.states[DONE].sources[0].source_id}",
        ]:
            answer = browser.get(path)
            assert answer.status_code == 200, path
            tried += len(PAYLOADS) // len(GROUPS)
            findings += [(path, what) for what in acting(answer.get_data(as_text=True))]
            assert not [
                value for value in answer.headers.values() if "\n" in value or "\r" in value
            ]
    tell("script, markup and addresses on pages", tried, len(findings))
    assert findings == []


@pytest.mark.lab
def test_no_payload_acts_in_exports_and_terminal(
    fake: FakeEngine, tell: Callable[[str, int, int], None]
) -> None:
    clean, tried, findings = fake.states[DONE], 0, list[str]()
    names = [form.name for form in FORMATS if form.name not in ("pdf", "docx")]
    for address, text in [(ADDRESSES[n % len(ADDRESSES)], text) for n, text in enumerate(PAYLOADS)]:
        fake.states[DONE] = clean
        state = poisoned(fake, text, address)
        for name in names:
            data = export(state, name).data.decode("utf-8")
            tried += 1
            if name == "html":
                findings += acting(data)
            if name not in ("json", "csl") and re.search(
                r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]", data
            ):
                findings.append(f"{name} keeps a control character of {text!r}")
        out = io.StringIO()
        Console(file=out, width=100, color_system=None).print(*report_blocks.parts(state, 100))
        tried += 1
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", out.getvalue()):
            findings.append(f"the terminal keeps a control character of {text!r}")
    tell("the same in exports and on the terminal", tried, len(findings))
    assert findings == []


def test_plain_words_of_the_terminal_hold_nothing_that_acts() -> None:
    for text in (*PAYLOADS, *ADDRESSES):
        assert plain(text).replace("\u00a0", " ").isprintable(), text


@pytest.mark.lab
def test_no_text_forges_an_entry_of_the_log(
    tmp_path: Path, tell: Callable[[str, int, int], None]
) -> None:
    logger, path = logging.getLogger("zorora.test.forged"), tmp_path / "log"
    handler = logs.start(path)
    try:
        for text in (*PAYLOADS, "x\n2026-01-01 00:00:00,000 1 CRITICAL zorora: forged", "a\u2028b"):
            logger.warning("read %s", text)
        try:
            raise ValueError("x\n2026-01-01 00:00:00,000 1 CRITICAL zorora: forged")
        except ValueError:
            logger.exception("failed")
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    lines = path.read_text().split("\n")
    tell(
        "texts that could forge an entry of the log",
        len(PAYLOADS) + 3,
        sum(line.startswith("2026-01-01") for line in lines),
    )
    assert not [
        line for line in lines if line.startswith("2026-01-01 00:00:00") or not line.isprintable()
    ]
    assert sum(" WARNING zorora.test.forged: read " in line for line in lines) == len(PAYLOADS) + 2


@pytest.mark.parametrize(
    "where", ["%0d%0aSet-Cookie:%20a=b", "%E2%80%A8", "%00", "%1b[2J", "x%0aX-Evil:1"]
)
def test_no_address_forges_a_header(browser: Browser, where: str) -> None:
    for path in (
        f"/{where}",
        f"/research/{where}",
        f"/sign-in?next=/{where}",
        f"/search?q={where}",
    ):
        answer = browser.get(path)
        names = {name.lower() for name, _ in answer.headers}
        assert "x-evil" not in names and not any(
            "a=b" in value for value in answer.headers.getlist("Set-Cookie")
        )
        answer.close()
