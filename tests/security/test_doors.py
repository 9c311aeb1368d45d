# ruff: noqa: E501 -- payloads read better side by side
"""What another website, or another program of this computer, can make the page do: nothing, tried at every route."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from tests.ui.fake_engine import RUNNING, FakeEngine
from tests.ui.web.conftest import Browser, app, browser, fake
from tests.ui.web.test_pages import DONE, PAGES
from ui.web.access_token import Token
from ui.web.app import create_app

__all__ = ["app", "browser", "fake"]
pytestmark = pytest.mark.lab
Tell = Callable[[str, int, int], None]

# Origins of a change that is not ours, as browsers and programs send them
FORGED: tuple[dict[str, str], ...] = (
    {}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": ""},
    {"Sec-Fetch-Site": "Same-Origin"}, {"Sec-Fetch-Site": "same-origin, cross-site"}, {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    {"Origin": "null"}, {"Origin": ""}, {"Origin": "http://evil.example"}, {"Origin": "http://localhost:8000"}, {"Origin": "https://localhost"},
    {"Origin": "http://localhost.evil.example"}, {"Origin": "http://evil.example/http://localhost"}, {"Origin": "http://localhost@evil.example"},
    {"Origin": "http://127.0.0.1"}, {"Origin": "file://"}, {"Origin": "chrome-extension://x"}, {"Referer": "http://localhost/"},
    {"X-Requested-With": "XMLHttpRequest"}, {"X-Forwarded-Host": "evil.example", "Origin": "http://evil.example"},
    {"X-HTTP-Method-Override": "POST", "Sec-Fetch-Site": "cross-site"}, {"Authorization": "Bearer "}, {"Authorization": "Basic eDp5"},
    {"Authorization": "bearer\tx"}, {"Authorization": "Bearer null"}, {"Cookie": "zorora_80=forged"}, {"HX-Request": "true"},
)  # fmt: skip
# Bodies that a form of another site can send without asking
BODIES: tuple[dict[str, Any], ...] = (
    {"data": {"q": "x", "csrf": ""}}, {"data": {"q": "x", "csrf": "0" * 64}}, {"data": b'{"query": "x"}', "content_type": "text/plain"},
    {"json": {"query": "x"}}, {"data": {"q": "x"}, "content_type": "multipart/form-data"}, {},
)  # fmt: skip
HOSTS = (
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:5000", "evil.example#localhost", "localhost@evil.example",
    "evil.example/localhost", "0.0.0.0", "0", "2130706433", "0x7f000001", "127.1", "127.0.0.2", "[::ffff:127.0.0.1]", "[::]", "[::1", "::1]",
    "localhost evil.example", "localhost,evil.example", "localhost\tevil.example", "ⓛocalhost", "localhost%00.evil.example", "local\u200bhost", "",
    " ", ".", "..", "localhost..", "a@b", "metadata.google.internal", "rebind.network", "xn--localhost", "localhost:80:80", "localhost:abc",
)  # fmt: skip
SPLITS = (
    "\r\nSet-Cookie: a=b", "%0d%0aSet-Cookie:%20a=b", "%0aX-Evil:1", "%0d%0a%0d%0a<script>alert(1)</script>", "%E5%98%8A%E5%98%8DX-Evil:1",
    "%c4%8d%c4%8aX-Evil:1", "\u010d\u010aX-Evil: 1", "%00", "%1b[2J", "%E2%80%A8X-Evil:1", "%0b%0cX-Evil:1", "%85X-Evil:1", "x\nX-Evil: 1",
    "\\r\\nX-Evil:1", "//evil.example", "/\\evil.example", "https://evil.example", "/%09/evil.example", "/%5cevil.example", "javascript:alert(1)",
    "/ /evil.example", "////evil.example", "http:evil.example", "\x00//evil.example", "/\t/evil.example", "/..//evil.example",
)  # fmt: skip


def routes(app: Flask, *methods: str) -> Iterator[tuple[str, str]]:
    """(method, path) of every route, with places filled in."""
    values = {
        "research_id": DONE,
        "source_id": "x",
        "document_id": "d1",
        "name": "research.depth",
        "format": "md",
        "action": "rescore",
    }
    values |= {"filename": "zorora.css", "number": "1", "role": "reasoning", "claim_id": "C1"}
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:[^<>:]+:)?(\w+)>", lambda match: values.get(match[1], "x"), rule.rule)
        yield from ((method, path) for method in sorted(rule.methods or ()) if method in methods)


def test_no_forged_change_is_made(app: Flask, fake: FakeEngine, tell: Tell) -> None:
    client = app.test_client()
    client.get("/help")  # a visitor with the cookie of this browser
    tried, through = 0, []
    for method, path in routes(app, "POST", "PUT", "PATCH", "DELETE"):
        for number, headers in enumerate(FORGED):
            body = BODIES[number % len(BODIES)]
            answer = client.open(path, method=method, headers=headers, **body)
            tried += 1
            if answer.status_code not in (401, 403, 429) or fake.calls:
                through.append((method, path, headers, answer.status_code, fake.calls[:1]))
            answer.close()
            app.extensions["zorora_failures"]._times.clear()
    tell("changes asked for by other sites and programs (CSRF)", tried, len(through))
    assert through == [] and tried > 1000


def test_no_reading_changes_anything(
    browser: Browser, app: Flask, fake: FakeEngine, tell: Tell
) -> None:
    """Another site can make a browser send any GET; none may start, change or delete."""
    fake.calls.clear()
    paths = [path for _, path in routes(app, "GET")]
    for path in paths:
        for tail in (
            "",
            "?do=delete&sure=1&force=1&on=1&csrf=x&q=x&source=S1&action=delete&_method=DELETE",
        ):
            browser.get(
                path + tail,
                headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
                buffered=True,
            ).close()
    tell("the same by reading alone", 2 * len(paths), len(fake.calls))
    assert fake.calls == []


def test_no_foreign_name_is_answered(app: Flask, fake: FakeEngine, tell: Tell) -> None:
    client, tried, through = app.test_client(), 0, []
    for host in HOSTS:
        for path in (
            "/",
            "/history",
            f"/research/{DONE}",
            "/settings",
            "/api/v1/research",
            "/api/v1/keys",
            "/static/zorora.css",
            "/nowhere",
        ):
            try:
                answer = client.get(
                    path,
                    headers={
                        "Host": host,
                        "X-Forwarded-Host": "localhost",
                        "Forwarded": "host=localhost",
                    },
                )
            except (UnicodeError, ValueError):
                continue  # no such request can be made
            tried += 1
            if (
                answer.status_code not in (400, 403)
                or b"csrf" in answer.data
                or answer.headers.get("Set-Cookie")
            ):
                through.append((host, path, answer.status_code))
            answer.close()
    tell("names that could be pointed at this computer (DNS rebinding)", tried, len(through))
    assert through == [] and tried > 200


def test_no_answer_may_be_framed_read_by_others_or_kept(
    browser: Browser, app: Flask, tell: Tell
) -> None:
    tried, through = 0, []
    paths = (
        {path for _, path in routes(app, "GET")}
        | set(PAGES)
        | {"/nowhere", "/api/v1/nowhere", "/static/nowhere", f"/research/{RUNNING}"}
    )
    for path in sorted(paths):
        for headers in (
            {},
            {"Origin": "http://evil.example"},
            {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"},
        ):
            answer = browser.get(path, headers=headers, buffered=True)
            tried += 1
            policy = answer.headers.get("Content-Security-Policy", "")
            framed = "frame-ancestors 'none'" not in policy and "sandbox" not in policy
            if framed or answer.headers.get("X-Frame-Options") != "DENY" or "unsafe" in policy:
                through.append((path, policy))
            if any(name.lower().startswith("access-control-") for name, _ in answer.headers):
                through.append((path, "read by others"))
            if (
                answer.headers.get("X-Content-Type-Options") != "nosniff"
                or answer.headers.get("Cross-Origin-Resource-Policy") != "same-origin"
            ):
                through.append((path, "sniffed, or loaded by others"))
            answer.close()
    tell("answers that others could frame, load or read", tried, len(through))
    assert through == [] and tried > 200


def test_no_text_becomes_a_header_or_leads_away(
    browser: Browser, app: Flask, fake: FakeEngine, tell: Tell
) -> None:
    tried, through = 0, []
    for split in SPLITS:
        for path, form in (
            (f"/sign-in?next={split}", None), (f"/search?q={split}", None), (f"/history?q={split}&before={split}&tag={split}", None),
            (f"/research/{split}", None), (f"/research/{DONE}/export/{split}", None), (f"/compare?a={split}&b={split}", None),
            (f"/library/{split}", None), (f"/api/v1/research/{split}", None), (f"/static/{split}", None), (f"/research/{DONE}/source/{split}", None),
            ("/theme", {"theme": "dark", "next": split}), (f"/research/{DONE}/star", {"on": "1", "next": split}),
            ("/history", {"star": DONE, "next": split}), ("/history", {"do": split, "id": split, "next": split}),
        ):  # fmt: skip
            try:
                answer = browser.post(path, form) if form else browser.get(path)
            except ValueError:
                continue  # the client itself refuses to send it
            tried += 1
            for name, value in answer.headers:
                away = name == "Location" and not re.match(
                    r"(?:http://localhost)?/(?![/\\\s])", value
                )
                if (
                    "x-evil" in name.lower()
                    or re.search(r"[\r\n\x00]", value)
                    or value.startswith("a=b")
                    or away
                ):
                    through.append((path, form, name, value))
            answer.close()
    tell("texts that could split a header or lead to another site", tried, len(through))
    assert through == []


def test_no_guess_of_the_token_lets_anybody_in(fake: FakeEngine, tell: Tell) -> None:
    secret = Token(fake.config.home / "web_token").renew()
    app = create_app({"ENGINE": fake, "HOST": "0.0.0.0", "ALLOWED_HOSTS": ("desk.lan",)})
    client, tried, through = app.test_client(), 0, []
    stored = (fake.config.home / "web_token").read_text().strip()
    guesses = (
        "",
        "null",
        "undefined",
        stored,
        secret[:-1],
        secret + "x",
        secret.swapcase(),
        secret.lower(),
        " ",
        "é",
        "0" * 43,
        "-" * 43,
        "*",
        "%",
        "' OR '1'='1",
    )
    for guess in guesses:
        for kind in ("Bearer {}", "bearer  {}", "Token {}", "Basic {}", "{}"):
            app.extensions["zorora_failures"]._times.clear()
            for method, path in (
                ("GET", "/api/v1/research"),
                ("POST", "/api/v1/research"),
                ("GET", "/history"),
                ("GET", "/settings"),
            ):
                answer = client.open(
                    path,
                    method=method,
                    headers={"Authorization": kind.format(guess).encode("utf-8").decode("latin-1")},
                )
                tried += 1
                if answer.status_code not in (302, 401, 429) or (
                    answer.status_code == 302 and "/sign-in" not in answer.headers["Location"]
                ):
                    through.append((guess, kind, path, answer.status_code))
    tell("tokens guessed, cut, or stolen from their file", tried, len(through))
    assert through == [] and fake.calls == []


def test_no_huge_form_is_taken_and_none_takes_long(
    browser: Browser, app: Flask, fake: FakeEngine, tell: Tell
) -> None:
    secret = Token(fake.config.home / "web_token").renew()
    bearer = {"Authorization": f"Bearer {secret}"}
    mb = 1_000_000
    boundary = "multipart/form-data; boundary=b"
    part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    bodies: tuple[tuple[bytes, str], ...] = (
        (b"q=" + b"a" * (3 * mb), "application/x-www-form-urlencoded"),
        (b"&".join(b"f%d=x" % n for n in range(300_000)), "application/x-www-form-urlencoded"),
        (b"%" * (2 * mb), "application/x-www-form-urlencoded"),
        (part * 40_000 + b"--b--\r\n", boundary),
        (part.replace(b"x\r\n", b"y" * (3 * mb) + b"\r\n") + b"--b--\r\n", boundary),
        (b"--b\r\n" + b"X: y\r\n" * 200_000 + b"\r\n\r\n--b--\r\n", boundary),
        (b'{"query": ' + b"[" * 900_000, "application/json"), (b'{"a":' * 150_000 + b"1" + b"}" * 150_000, "application/json"),
        (b'{"query": "' + b"a" * (2 * mb) + b'"}', "application/json"), (b'{"query": ' + b"9" * 900_000 + b"}", "application/json"),
        (b'{"query": "x", "depth": 1e999999}', "application/json"), (b"\x00" * mb, "application/json"),
        (b'{"query": "' + b"\\u0000" * 1000 + b'", "sources": ["' + b'","'.join([b"web"] * 50_000) + b'"]}', "application/json"),
    )  # fmt: skip
    tried, through = 0, []
    for body, kind in bodies:
        for path in (
            "/research",
            "/settings",
            "/history",
            "/api/v1/research",
            "/api/v1/settings/research.depth",
            "/sign-in",
        ):
            began = time.process_time()
            method = "PUT" if path.endswith("research.depth") else "POST"
            answer = browser.client.open(
                path, method=method, data=body, content_type=kind, headers=bearer
            )
            tried += 1
            # a form without any field of it
            nothing_done = answer.status_code == 303 and not fake.calls
            if (
                not (400 <= answer.status_code < 500 or nothing_done)
                or time.process_time() - began > 2
            ):
                through.append(
                    (
                        path,
                        kind,
                        body[:20],
                        answer.status_code,
                        round(time.process_time() - began, 2),
                    )
                )
            answer.close()
    tell("forms and bodies without end", tried, len(through))
    assert through == [] and fake.calls == []
