"""Who may ask what: host names, origins, form tokens, the access token, headers."""

import html
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser

from tests.tables import each
from tests.ui.fake_engine import RUNNING, FakeEngine
from tests.ui.web.conftest import bearer
from tests.web_app import web_app
from ui.web.access_token import Failures, Token
from ui.web.connection_limits import refusal
from ui.web.context import own_path

OWN = {"Sec-Fetch-Site": "same-origin"}


def form_token(client: Any) -> str:
    return re.findall(r'name="csrf" value="(\w+)"', client.get("/help").text)[0]


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:5000", "127.0.0.1:5000", "[::1]:5000", "LOCALHOST", "localhost."],
)
def test_our_own_names_are_answered(app: Flask, host: str) -> None:
    assert app.test_client().get("/help", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:5000",
        "0.0.0.0",
        "[::",
        "a@b",
        "",
    ],
)
def test_a_foreign_name_is_refused(app: Flask, host: str) -> None:
    answer = app.test_client().get("/help", headers={"Host": host})
    assert answer.status_code in (400, 403)
    assert b"csrf" not in answer.data or answer.status_code == 403


def test_a_name_can_be_allowed(fake: FakeEngine) -> None:
    app = web_app(fake, ALLOWED_HOSTS=("desk.lan",))
    assert app.test_client().get("/sign-in", headers={"Host": "desk.lan:5000"}).status_code == 200


def test_a_further_name_is_for_others_so_it_asks_for_the_token(fake: FakeEngine) -> None:
    """Also on loopback, where a server with HTTPS stands before this one."""
    client = web_app(fake, ALLOWED_HOSTS=("desk.lan",), SHOW_FAULTS=True).test_client()
    assert "/sign-in" in client.get("/help", headers={"Host": "desk.lan"}).headers["Location"]
    good = {**bearer(fake), "Host": "desk.lan"}
    assert (
        client.post("/api/v1/library/folders", json={"path": "/x"}, headers=good).status_code == 403
    )
    assert (
        client.put("/api/v1/settings/corpus.roots", json={"value": "/x"}, headers=good).status_code
        == 403
    )
    assert fake.calls == []
    assert web_app(fake, ALLOWED_HOSTS=("127.0.0.2",)).config["TOKEN"] is False


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("settings/corpus.roots", {"value": "/any"}),
        ("settings/storage.db_path", {"value": "/any/x.db"}),
        ("settings/embeddings.path", {"value": "/any"}),
        ("settings/http.allow_fetch_hosts", {"value": "127.0.0.1:8080"}),
        ("settings/http.proxy", {"value": "http://far.example"}),
        ("settings/web.token", {"value": "false"}),
        ("models/servers/lab", {"url": "http://10.0.0.5/v1"}),
        ("models/roles/reasoning", {"endpoint": "local", "model": "/any.gguf"}),
        ("models/roles/reasoning", {"endpoint": "http://10.0.0.5/v1", "model": "m"}),
    ],
)
def test_places_and_addresses_of_this_computer_are_not_set_from_another_one(
    fake: FakeEngine, path: str, body: dict[str, str]
) -> None:
    client, secret = locked(fake)
    answer = client.put(f"/api/v1/{path}", json=body, headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 403 and "computer" in answer.json["detail"]
    assert fake.calls == [] and not (Path(fake.config.home) / "config.toml").exists()


def test_the_form_says_that_a_place_holds_from_the_next_start(
    browser: Any, fake: FakeEngine
) -> None:
    row = fake.rows["research.depth"]
    fake.rows["storage.home"] = replace(
        row, name="storage.home", type="path", value="", next_start=True
    )
    answer = browser.post(
        "/settings", {"storage.home": "/elsewhere", "place": "all"}, follow_redirects=True
    )
    assert "It takes effect the next time Zorora starts." in answer.text


def test_the_form_of_another_computer_saves_nothing_when_one_field_is_shut(
    fake: FakeEngine,
) -> None:
    client, secret = locked(fake)
    fake.rows["corpus.roots"] = replace(
        fake.rows["research.depth"], name="corpus.roots", type="paths", value=""
    )
    good = {"Authorization": f"Bearer {secret}"}
    answer = client.post(
        "/settings", data={"research.depth": "3", "corpus.roots": "/any"}, headers=good
    )
    assert (
        answer.status_code == 403
        and b"zorora config set corpus.roots" in answer.data
        and fake.calls == []
    )
    page = client.get("/settings", headers=good).text
    assert (
        re.search(r'name="corpus.roots"[^>]* readonly', page)
        and "on the computer that Zorora runs on" in page
    )
    for path, data in (("endpoint", {"name": "lab", "url": "http://10.0.0.5/v1"}),
        ("endpoint/remove", {"name": "lab"}),
                       ("served", {"endpoint": "http://10.0.0.5/v1"}),
                       ("role",
                           {"role": "search", "address": "http://10.0.0.5/v1",
                               "model": "m"})):  # fmt: skip
        assert (
            client.post(f"/settings/models/{path}", data=data, headers=good).status_code == 403
        ), path
    data = {"role": "search", "endpoint": "ollama", "model": "m"}
    assert client.post("/settings/models/role", data=data, headers=good).status_code == 303


def test_forwarded_headers_are_ignored(app: Flask) -> None:
    answer = app.test_client().get(
        "/help", headers={"Host": "evil.example", "X-Forwarded-Host": "localhost"}
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("headers", [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:8000"},
    {"Origin": "https://localhost"},
    {},
])  # fmt: skip
def test_a_change_from_elsewhere_is_refused_even_with_a_form_token(
    app: Flask, fake: FakeEngine, headers: dict[str, str]
) -> None:
    client = app.test_client()
    data = {"csrf": form_token(client), "q": "Why?", "sources": "web"}
    answer = client.post("/research", data=data, headers=headers)
    assert answer.status_code == 403 and fake.calls == []


@pytest.mark.parametrize("headers", [OWN, {"Origin": "http://localhost"}])
def test_a_change_from_our_own_form_is_made(
    app: Flask, fake: FakeEngine, headers: dict[str, str]
) -> None:
    client = app.test_client()
    data = {"csrf": form_token(client), "q": "Why?", "sources": "web"}
    assert client.post("/research", data=data, headers=headers).status_code == 303
    assert fake.calls[0][:2] == ("start", "Why?")


@pytest.mark.parametrize("token", ["", "x", "é" * 64, "0" * 64])
def test_a_wrong_form_token_is_refused(app: Flask, fake: FakeEngine, token: str) -> None:
    client = app.test_client()
    form_token(client)
    answer = client.post(
        "/research", data={"csrf": token, "q": "Why?", "sources": "web"}, headers=OWN
    )
    assert answer.status_code == 403 and fake.calls == []


def test_a_form_token_of_another_browser_is_refused(app: Flask, fake: FakeEngine) -> None:
    token = form_token(app.test_client())
    answer = app.test_client().post(
        "/research", data={"csrf": token, "q": "Why?", "sources": "web"}, headers=OWN
    )
    assert answer.status_code == 403 and fake.calls == []


def test_what_was_written_is_kept_when_the_cookies_were_cleared(
    app: Flask, fake: FakeEngine
) -> None:
    client, old = app.test_client(), form_token(app.test_client())
    written = {
        "csrf": old,
        "q": "A long <b>question</b>?",
        "sources": ["web", "local"],
        "depth": "3",
    }
    answer = client.post("/research", data=written, headers=OWN)
    page = answer.text
    assert (
        answer.status_code == 403
        and fake.calls == []
        and 'action="/research"' in page
        and old not in page
    )
    form = re.search(r'<form class="text".*?</form>', page, re.S)
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form.group() if form else "")
    sent: dict[str, list[str]] = {}
    for name, value in fields:
        sent.setdefault(name, []).append(html.unescape(value))
    assert client.post("/research", data=sent, headers=OWN).status_code == 303
    _, query, options = fake.calls[0]
    assert (query, options.sources, options.depth) == (
        "A long <b>question</b>?",
        ("web", "local"),
        3,
    )


@pytest.mark.parametrize(
    "path",
    ["/settings/keys", "/settings", "/sign-in", "/library/upload", "/nowhere", "/api/v1/research"],
)
def test_no_page_repeats_a_secret_a_file_or_what_has_no_form(app: Flask, path: str) -> None:
    data = {
        "csrf": "old",
        "value": "sk-secret",
        "token": "sk-secret",
        "files": (io.BytesIO(b"sk-secret"), "a.txt"),
    }
    if path != "/library/upload":
        del data["files"]
    answer = app.test_client().post(path, data=data, headers=OWN)
    assert answer.status_code in (403, 404, 415) and b"sk-secret" not in answer.data


def test_every_form_that_changes_something_carries_the_token(browser: Any) -> None:
    for path in (
        "/",
        "/history",
        "/library",
        "/settings",
        f"/research/{RUNNING}",
        "/research/" + browser_done(browser),
    ):
        html = browser.get(path).text
        for form in re.findall(r'<form[^>]*method="post"[^>]*>.*?</form>', html, re.S):
            assert 'name="csrf"' in form, form[:200]


def browser_done(browser: Any) -> str:
    return "do_grid_scale_batteries_20261014_120200"


def test_every_route_that_changes_something_is_a_post_or_refused(
    app: Flask, fake: FakeEngine
) -> None:
    client = app.test_client()
    values = {"research_id": RUNNING, "source_id": "x", "document_id": "d1",
        "name": "research.depth", "format": "md",
              "unknown": "x", "filename": "zorora.css"}  # fmt: skip
    for rule in app.url_map.iter_rules():
        with app.test_request_context():
            path = rule.rule
            for key, value in values.items():
                path = re.sub(rf"<(?:\w+:)?{key}>", value, path)
        if "GET" in (rule.methods or ()):
            client.get(path, buffered=True).close()
        for method in sorted((rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}):
            assert client.open(path, method=method).status_code == 403, (method, path)
    assert fake.calls == []


def test_headers_of_every_answer(browser: Any) -> None:
    for path in ("/", "/nowhere", "/api/v1/health", "/static/zorora.css"):
        with browser.get(path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert (
                "unsafe" not in policy
                and "default-src 'none'" in policy
                and "frame-ancestors 'none'" in policy
            )
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["X-Frame-Options"] == "DENY"


def test_the_cookie_is_for_this_port_and_out_of_reach_of_scripts(fake: FakeEngine) -> None:
    app = web_app(fake, PORT=5123)
    cookie = app.test_client().get("/").headers["Set-Cookie"]
    assert (
        cookie.startswith("zorora_5123=") and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    )


def test_a_forged_cookie_is_worth_nothing(app: Flask, fake: FakeEngine) -> None:
    client = app.test_client()
    token = form_token(client)
    cookie = client.get_cookie("zorora_80")
    assert cookie is not None
    value, _, signature = cookie.value.rpartition(".")
    client.set_cookie("zorora_80", f"{value}.{signature[::-1]}")
    answer = client.post(
        "/research", data={"csrf": token, "q": "Why?", "sources": "web"}, headers=OWN
    )
    assert answer.status_code == 403 and fake.calls == []


def test_a_visit_from_another_site_keeps_the_cookie_of_other_tabs(app: Flask) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = app.test_client().get("/history?q=a%26b", headers=headers)
    assert "Set-Cookie" not in answer.headers and b'http-equiv="refresh" content="0"' in answer.data
    assert b'href="/history?q=a%26b"' in answer.data


def locked(fake: FakeEngine) -> tuple[Any, str]:
    secret = Token(Path(fake.config.home) / "web_token").renew()
    return web_app(fake, HOST="0.0.0.0", ALLOWED_HOSTS=("desk.lan",)).test_client(), secret


def test_another_server_may_run_the_application_on_any_address(
    app: Flask, fake: FakeEngine
) -> None:
    client, far = app.test_client(), {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get("/api/v1/research", environ_base=far).status_code == 401
    assert client.get("/api/v1/research").status_code == 200
    answer = client.put(
        "/api/v1/settings/corpus.roots",
        json={"value": "/x"},
        headers=bearer(fake),
        environ_base=far,
    )
    assert answer.status_code == 403 and fake.calls == []


def test_beyond_loopback_everything_asks_for_the_token(fake: FakeEngine) -> None:
    client, _ = locked(fake)
    for path in ("/", "/history", "/settings", "/research/x", "/library/d1"):
        assert "/sign-in?next=" in client.get(path).headers["Location"], path
    answer = client.get("/api/v1/research")
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == "Bearer"
    with client.get("/static/zorora.css") as sheet:
        assert sheet.status_code == 200


def test_signing_in_opens_the_page_that_was_asked_for(fake: FakeEngine) -> None:
    client, secret = locked(fake)
    page = client.get("/sign-in?next=/history?q=x").text
    token = re.findall(r'name="csrf" value="(\w+)"', page)[0]
    wrong = client.post(
        "/sign-in", data={"csrf": token, "token": "no", "next": "/history"}, headers=OWN
    )
    assert wrong.status_code == 401 and b"not valid" in wrong.data
    right = client.post(
        "/sign-in", data={"csrf": token, "token": secret, "next": "/history?q=x"}, headers=OWN
    )
    assert right.headers["Location"] == "/history?q=x"
    assert client.get("/history").status_code == 200
    Token(Path(fake.config.home) / "web_token").renew()
    assert "/sign-in" in client.get("/history").headers["Location"]


def test_the_bearer_token_lets_programs_in_and_nothing_else_does(fake: FakeEngine) -> None:
    client, secret = locked(fake)
    good = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/research", headers=good).status_code == 200
    assert client.post("/api/v1/research", json={"query": "Why?"}, headers=good).status_code == 202
    for wrong in ("Bearer ", "Bearer x", "Basic eDp5", f"Bearer {secret}x"):
        assert client.get("/api/v1/research", headers={"Authorization": wrong}).status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Sec-Fetch-Site": "cross-site"}, 403), ({"Origin": "http://evil.example"}, 403), ({}, 403),
     (OWN, None), ({"Origin": "http://localhost"}, None), ({"Host": "evil.example", **OWN}, 403)],
)  # fmt: skip
def test_a_large_body_of_another_page_is_not_begun(
    app: Flask, headers: dict[str, str], status: int | None
) -> None:
    parser = HTTPRequestParser(Adjustments())
    lines = {"Host": "localhost", "Content-Length": "2000000", **headers}
    parser.parse_header(
        "\r\n".join(["POST /library/upload HTTP/1.1", *map(": ".join, lines.items())]).encode()
    )
    answer = refusal(app, parser)
    assert (answer.code if answer else None) == status


def test_who_is_signed_in_may_send_a_large_body(fake: FakeEngine) -> None:
    client, secret = locked(fake)
    token = re.findall(r'name="csrf" value="(\w+)"', client.get("/sign-in").text)[0]
    client.post("/sign-in", data={"csrf": token, "token": secret}, headers=OWN)
    cookie = client.get_cookie("zorora_80")
    for value, status in ((cookie.value, None), (cookie.value[:-2] + "xx", 401)):
        parser = HTTPRequestParser(Adjustments())
        lines = f"Host: localhost\r\nSec-Fetch-Site: same-origin\r\nCookie: zorora_80={value}"
        parser.parse_header(
            f"POST /library/upload HTTP/1.1\r\n{lines}\r\nContent-Length: 2000000".encode()
        )
        answer = refusal(client.application, parser)
        assert (answer.code if answer else None) == status


def test_ten_wrong_tokens_a_minute_are_enough(fake: FakeEngine) -> None:
    client, secret = locked(fake)
    for _ in range(10):
        assert (
            client.get("/api/v1/health", headers={"Authorization": "Bearer no"}).status_code == 401
        )
    assert client.get("/api/v1/health", headers={"Authorization": "Bearer no"}).status_code == 429
    # Others who guess behind the same address do not shut its owner out
    right = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/health", headers=right).status_code == 200


def test_failures_are_forgotten_after_a_minute() -> None:
    now = [0.0]
    failures = Failures(lambda: now[0])
    for _ in range(10):
        failures.add("a")
    assert failures.too_many("a") and not failures.too_many("b")
    now[0] = 61.0
    assert not failures.too_many("a")
    for number in range(5000):
        failures.add(str(number))
    assert len(failures._times) == 1024


def test_the_token_file_holds_a_hash_and_is_private(tmp_path: Path) -> None:
    token = Token(tmp_path / "web_token")
    secret = token.renew()
    assert len(secret) >= 43 and secret not in (tmp_path / "web_token").read_text()
    assert (tmp_path / "web_token").stat().st_mode & 0o777 == 0o600
    assert token.fits(secret) and not token.fits("") and not token.fits("é\ud800")
    assert not Token(tmp_path / "none").fits("") and not Token(tmp_path / "none").fits("-")


@each(
    "target", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\r\nb", ""]
)
def test_a_form_never_leads_to_another_site(target: str) -> None:
    assert own_path(target) == "/"


@pytest.mark.parametrize(
    "path", ["/%5cevil.example/", "/%5c%5cevil.example", "/%2fevil.example/", "/%09/evil.example"]
)  # fmt: skip
def test_the_page_that_asks_again_leads_to_no_other_site(fake: FakeEngine, path: str) -> None:
    """Browsers take a backslash in an address for a slash, so a link to /\\evil.example/ would
    leave this server."""
    client = web_app(fake).test_client()
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = client.get(path, headers=foreign)
    assert answer.status_code == 200 and "Opening" in answer.text
    (link,) = re.findall(r'<a href="([^"]*)"', answer.text)
    assert link.startswith("/") and link[1:2] not in ("/", "\\", "\t")
    old = client.post(
        path, data={"csrf": "old", "q": "x"}, headers={"Sec-Fetch-Site": "same-origin"}
    )
    assert re.findall(r'(?:action|href)="/?[\\/][^"]*evil', old.text) == []
    response = web_app(fake).test_client().get("/history?q=a", headers=foreign)
    assert 'href="/history?q=a"' in response.text


def test_keys_are_never_shown(browser: Any, fake: FakeEngine) -> None:
    browser.post(
        "/settings/keys", {"name": "BRAVE_SEARCH_API_KEY", "value": "brave-new-secret-1234"}
    )
    for path in ("/settings", "/api/v1/keys", "/api/v1/settings"):
        assert "brave-new-secret" not in browser.get(path).text
    assert "••••\u00a01234" in browser.get("/settings").text


def test_the_access_token_is_shown_once(browser: Any, fake: FakeEngine) -> None:
    page = browser.post("/settings/token").text
    secret = re.findall(r'<p class="mono">([\w-]+)</p>', page)[0]
    assert Token(Path(fake.config.home) / "web_token").fits(secret)
    assert secret not in browser.get("/settings").text
