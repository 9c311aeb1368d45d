"""The JSON interface: what it answers, what it refuses, and that it is what its own document
says."""

import io
import json
import random
import re
from typing import Any

import pytest

from tests.ui import fake_research
from tests.ui.fake_engine import FAILED, RUNNING, WAITING, FakeEngine
from tests.ui.web.conftest import bearer
from tests.ui.web.schema_check import problems
from tests.ui.web.test_pages import DONE
from tools.registry import TOOLS
from ui.web.api.routes import described
from ui.web.api.table import ROUTES
from ui.web.connection_limits import channel

SOURCE = fake_research.SOURCES["S1"].source_id
JSON = "application/json"


@pytest.fixture
def api(app: Any, fake: FakeEngine) -> Any:
    """A program with the access token: (method, path, body) -> (status, answer)."""
    client, headers = app.test_client(), bearer(fake)

    def call(method: str, path: str, body: Any = None, **more: Any) -> Any:
        return client.open(f"/api/v1{path}", method=method, json=body, headers=headers, **more)

    return call


@pytest.fixture(scope="module")
def document() -> Any:
    return json.loads(json.dumps(described()))


CALLS = (
    ("GET", "/health", None, 200),
    ("GET", "/research", None, 200),
    (
        "GET",
        "/research?q=batteries&status=complete&starred=true&limit=1&min_confidence=0.2&sort=best",
        None,
        200,
    ),
    (
        "POST",
        "/research",
        {"query": "Why?", "depth": 1, "sources": ["local"], "since": "2024-01-01"},
        202,
    ),
    ("GET", f"/research/{DONE}", None, 200),
    ("GET", f"/research/{RUNNING}", None, 202),
    ("GET", f"/research/{RUNNING}/status", None, 200),
    ("GET", f"/research/{RUNNING}/status?wait=0.1", None, 200),
    ("GET", f"/research/{RUNNING}/events?after=2&limit=3", None, 200),
    ("POST", f"/research/{RUNNING}/cancel", None, 200),
    ("POST", f"/research/{WAITING}/clarify", {"answer": "1"}, 200),
    ("POST", f"/research/{RUNNING}/clarify", {"answer": "1"}, 409),
    ("POST", f"/research/{FAILED}/resume", {"force": True}, 200),
    ("PUT", f"/research/{DONE}/marks", {"starred": False, "tags": ["a"], "note": "n"}, 200),
    ("DELETE", f"/research/{DONE}?now=false", None, 200),
    ("POST", f"/research/{DONE}/undelete", None, 200),
    ("GET", "/tools", None, 200),
    ("POST", "/tools/search_history", {"arguments": {"limit": 2}}, 200),
    ("GET", f"/research/{DONE}/sources", None, 200),
    ("GET", f"/research/{DONE}/sources/{SOURCE}", None, 200),
    ("GET", f"/research/{DONE}/graph", None, 200),
    ("GET", "/formats", None, 200),
    ("GET", "/jobs?over=true", None, 200),
    ("GET", "/library", None, 200),
    ("GET", "/library/documents/d1", None, 200),
    ("DELETE", "/library/documents/d1", None, 200),
    ("GET", "/library/search?q=flow&limit=3", None, 200),
    ("GET", "/library/folders", None, 200),
    ("POST", f"/research/{DONE}/again", {"deeper": True}, 202),
    ("POST", "/research/unknown/again", None, 404),
    ("POST", f"/research/{DONE}/change?wait=2", {"action": "exclude", "source": "S3"}, 202),
    ("POST", f"/research/{DONE}/change?wait=2", {"action": "recheck"}, 202),
    ("POST", f"/research/{DONE}/change", {"action": "exclude"}, 400),
    ("POST", f"/research/{DONE}/change", {"action": "burn"}, 400),
    ("POST", "/research/unknown/change", {"action": "replay"}, 404),
    ("GET", f"/research/{DONE}/change", None, 404),
    ("DELETE", f"/research/{DONE}/change", None, 404),
    ("GET", f"/research/{DONE}/revisions", None, 200),
    ("GET", f"/research/{DONE}/revisions/1", None, 200),
    ("GET", f"/research/{DONE}/revisions/9", None, 404),
    ("GET", "/related?q=do+grid-scale+batteries+lower", None, 200),
    ("GET", f"/compare?a={DONE}&b={fake_research.SECOND}", None, 200),
    ("GET", "/compare?a=x", None, 400),
    ("POST", "/import", None, 400),
    ("POST", "/library/folders", {"path": "Documents/Tender"}, 202),
    ("DELETE", "/library/folders?path=Documents/Tender+2025", None, 200),
    ("DELETE", "/library/folders?path=/nowhere", None, 404),
    ("POST", "/library/refresh", None, 202),
    ("GET", "/library/reading", None, 200),
    ("DELETE", "/library/reading", None, 202),
    ("GET", "/library/watch", None, 200),
    ("PUT", "/library/watch", {"on": True}, 200),
    ("POST", "/sources/check", {"names": ["arxiv"]}, 200),
    ("GET", "/data", None, 200),
    ("POST", "/data/update?wait=2", None, 202),
    ("GET", "/data/update", None, 200),
    ("PUT", "/sources/arxiv", {"enabled": False}, 200),
    ("PUT", "/sources/nobody", {"enabled": False}, 404),
    ("POST", f"/research/{DONE}/follow", {"question": "And in spring?"}, 200),
    ("POST", f"/research/{RUNNING}/follow", {"question": "And in spring?"}, 404),
    ("GET", f"/research/{DONE}/conversation", None, 200),
    ("POST", f"/research/{DONE}/further", {"question": "And in spring?"}, 202),
    ("POST", "/search", {"query": "What is new about batteries?"}, 200),
    ("POST", "/search", {"query": "  "}, 400),
    ("POST", "/ask", {"question": "What is a mill?"}, 200),
    ("POST", "/ask", {"question": "And?", "conversation_id": "nothing"}, 404),
    ("POST", "/works", {"query": "grid batteries", "limit": 2}, 200),
    ("POST", "/documents/ask", {"question": "What does the plan say?"}, 200),
    ("POST", "/images", {"prompt": "a mill", "size": "512x512"}, 200),
    ("POST", "/images", {"prompt": "a mill", "size": "9x9"}, 400),
    ("POST", "/images/describe", None, 400),
    ("GET", f"/research/{RUNNING}/preview", None, 404),
    ("GET", f"/research/{DONE}/preview", None, 200),
    ("GET", f"/research/{RUNNING}/events?after=99&wait=0.1", None, 200),
    ("GET", f"/research/{DONE}/claims/C1", None, 200),
    ("GET", f"/research/{DONE}/claims/C1?revision=1", None, 200),
    ("GET", f"/research/{DONE}/claims/C999", None, 404),
    ("GET", f"/research/{DONE}/retracted", None, 200),
    ("GET", f"/research/{DONE}/sources/{SOURCE}?revision=1", None, 200),
    ("GET", f"/research/{DONE}/export/json?texts=true", None, 200),
    ("GET", f"/export?id={DONE}&id={fake_research.SECOND}&format=ris", None, 200),
    ("GET", "/export", None, 400),
    ("GET", "/settings", None, 200),
    ("PUT", "/settings/research.depth", {"value": "3"}, 200),
    ("PUT", "/settings/research.depth", {"value": "9"}, 400),
    ("GET", "/keys", None, 200),
    ("PUT", "/keys/HF_TOKEN", {"value": "abc"}, 200),
    ("GET", "/sources", None, 200),
    ("GET", "/models/roles", None, 200),
    ("PUT", "/models/roles/reasoning", {"model": "small", "endpoint": "lmstudio"}, 200),
    ("PUT", "/models/roles/king", {"model": "small", "endpoint": "lmstudio"}, 400),
    ("POST", "/models/roles/reasoning/test", None, 400),
    ("GET", "/models/servers", None, 200),
    ("PUT", "/models/servers/mine", {"url": "http://127.0.0.1:9/v1", "provider": "openai"}, 200),
    ("PUT", "/models/servers/mine", {"url": "javascript:1"}, 400),
    ("DELETE", "/models/servers/nobody", None, 404),
    ("GET", "/stats", None, 200),
    ("GET", "/checks", None, 200),
    ("POST", "/backup", None, 201),
    ("PUT", f"/research/{DONE}/checks", {"source_id": SOURCE, "use": "p1", "mark": "yes"}, 200),
    ("POST", "/library/documents", None, 400),
    ("GET", "/library/meaning", None, 200),
    ("POST", "/models/detect", None, 200),
    ("GET", "/models/servers/nobody/models", None, 400),
    ("GET", "/models/files", None, 200),
    ("GET", "/models/offers", None, 200),
    ("POST", "/models/files", {"role": "reader", "name": "nobody"}, 404),
    ("GET", "/models/files/progress", None, 200),
    ("DELETE", "/models/files/reader", None, 404),
    ("GET", "/research/unknown", None, 404),
    ("GET", "/research/unknown/graph", None, 404),
    ("GET", "/library/documents/unknown", None, 404),
    ("PUT", "/keys/PATH", {"value": "abc"}, 404),
    ("GET", "/nowhere", None, 404),
    ("POST", "/health", None, 404),
)


@pytest.mark.parametrize(("method", "path", "body", "status"), CALLS)
def test_a_call_answers_as_its_document_says(
    api: Any, document: Any, method: str, path: str, body: Any, status: int
) -> None:
    answer = api(method, path, body)
    assert answer.status_code == status, answer.text
    assert matches(document, method, path, answer) == []


def test_every_operation_is_tried_with_a_token(document: Any) -> None:
    tried = (operation_of(document, method, path) for method, path, *_ in CALLS)
    assert {operation["operationId"] for operation in tried if operation} == {
        route.name for route in ROUTES
    }


def test_every_operation_asks_for_the_token_where_the_server_does(app: Any, document: Any) -> None:
    app.config["TOKEN"] = True
    for method, path, body, _ in CALLS:
        answer = app.test_client().open(f"/api/v1{path}", method=method, json=body)
        assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == "Bearer", (
            method,
            path,
        )
        assert matches(document, method, path, answer) == []


def test_a_change_without_token_and_from_no_page_is_refused(
    app: Any, fake: FakeEngine, document: Any
) -> None:
    for method, path, body, _ in CALLS:
        if method != "GET":
            answer = app.test_client().open(f"/api/v1{path}", method=method, json=body)
            assert answer.status_code == 403 and matches(document, method, path, answer) == [], (
                method,
                path,
            )
    assert fake.calls == []


def test_problems_are_problem_details(api: Any, app: Any) -> None:
    answer = api("GET", "/research/unknown")
    assert answer.mimetype == "application/problem+json"
    assert answer.json == {
        "type": "about:blank", "title": "Not Found", "status": 404, "detail": answer.json["detail"],
    }  # fmt: skip
    assert answer.json["detail"].endswith(".")
    wrong = {"Authorization": "Bearer wrong"}
    answers = [app.test_client().get("/api/v1/health", headers=wrong) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]
    assert (
        answers[-1].headers["Retry-After"] == "60"
        and answers[-1].json["title"] == "Too Many Requests"
    )


def test_a_running_report_says_when_to_look_again(api: Any, document: Any) -> None:
    assert api("GET", f"/research/{RUNNING}").headers["Retry-After"] == "2"
    assert "once in 2 seconds" in document["info"]["description"]


def matches(document: Any, method: str, path: str, answer: Any) -> list[str]:
    """Where an answer differs from the schema of its operation."""
    operation = operation_of(document, method, path)
    schema = document["components"]["schemas"]["Problem"]
    if answer.status_code >= 400 and answer.mimetype != "application/problem+json":
        return [f"{answer.status_code} comes as {answer.mimetype}"]
    if operation and str(answer.status_code) in operation["responses"]:
        content = operation["responses"][str(answer.status_code)]["content"]
        if JSON not in content:
            return []
        schema = content[JSON]["schema"]
    return problems(answer.json, schema, document)


def operation_of(document: Any, method: str, path: str) -> Any:
    plain = "/api/v1" + path.partition("?")[0]
    for address, methods in document["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", address), plain) and method.lower() in methods:
            return methods[method.lower()]
    return None


def test_the_document_names_every_route_and_no_other(app: Any, document: Any) -> None:
    real = {
        (method, re.sub(r"<(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.") and not rule.endpoint.endswith(("unknown", "openapi"))
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    routes = {
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    }
    assert real == routes
    ids = [
        operation["operationId"]
        for methods in document["paths"].values()
        for operation in methods.values()
    ]
    assert len(ids) == len(set(ids)) == len(ROUTES)


def test_references_in_the_document_resolve(app: Any, document: Any) -> None:
    assert app.test_client().get("/api/v1/openapi.json").json == document
    text = json.dumps(document)
    for name in re.findall(r'"#/components/schemas/(\w+)"', text):
        assert name in document["components"]["schemas"]


def test_starting_answers_202_with_an_address(api: Any, fake: FakeEngine) -> None:
    answer = api(
        "POST",
        "/research",
        {"query": "Why?", "documents": ["d1"], "urls": ["https://a.example"], "lean": True},
    )
    assert answer.status_code == 202 and answer.headers["Location"] == "/api/v1/research/started_1"
    options = fake.calls[0][2]
    assert (
        options.documents == ("d1",)
        and options.filters.urls == ("https://a.example",)
        and options.lean
    )
    assert options.clarify is False


def test_files_are_added(api: Any, fake: FakeEngine, document: Any) -> None:
    data = {"files": [(io.BytesIO(b"good"), "a.txt"), (io.BytesIO(b"broken"), "b.pdf")]}
    answer = api("POST", "/library/documents", data=data, content_type="multipart/form-data")
    assert (
        answer.status_code == 201 and matches(document, "POST", "/library/documents", answer) == []
    )
    assert [d["name"] for d in answer.json["documents"]] == ["a.txt"] and answer.json["failed"][0][
        "name"
    ] == "b.pdf"
    assert api("POST", "/library/documents").status_code == 400


@pytest.mark.parametrize(("body", "message"), [
    ({}, "query is missing"),
    ({"query": 5}, "query must be string"),
    ({"query": ""}, "Write a question first"),
    ({"query": "x" * 20_001}, "at most 20000 characters"),
    ({"query": "Why?", "depth": 4}, "depth must be at most 3"),
    ({"query": "Why?", "depth": True}, "depth must be integer"),
    ({"query": "Why?", "sources": "web"}, "sources must be array"),
    ({"query": "Why?", "sources": ["moon"]}, "sources[0] must be one of academic, web"),
    ({"query": "Why?", "since": "soon"}, "not a date"),
    ({"query": "Why?", "dpeth": 2}, "Unknown name dpeth"),
    ({"query": "a\ud800b"}, "half a character"),
    ([], "must be a JSON object"),
])  # fmt: skip
def test_a_wrong_body_is_refused_in_words(
    api: Any, fake: FakeEngine, body: Any, message: str
) -> None:
    answer = api("POST", "/research", body)
    assert answer.status_code == 400 and message in answer.json["detail"] and fake.calls == []


@pytest.mark.parametrize(("data", "kind", "status"), [
    (b"{", JSON, 400), (b"\xff", JSON, 400), (b"[" * 100_000, JSON, 400),
    (b"query=x", "text/plain", 415),
    (b"", JSON, 400), (b'{"query": NaN}', JSON, 400), (b"x" * 3_000_000, JSON, 413),
])  # fmt: skip
def test_a_broken_body_is_refused(
    app: Any, fake: FakeEngine, data: bytes, kind: str, status: int
) -> None:
    headers = {**bearer(fake), "Content-Type": kind}
    assert (
        app.test_client().post("/api/v1/research", data=data, headers=headers).status_code == status
    )


def test_the_short_address_starts_with_post_and_with_get_only_for_programs(
    app: Any, fake: FakeEngine
) -> None:
    client = app.test_client()
    answer = client.get("/api/research?q=Why&depth=2")
    assert (
        answer.status_code == 405
        and "POST" in answer.json["detail"]
        and answer.headers["Allow"] == "POST"
    )
    assert fake.calls == []
    headers = bearer(fake)
    assert client.get("/api/research?q=Why&depth=2", headers=headers).status_code == 202
    assert client.get("/api/research?q=Why&depth=7", headers=headers).status_code == 400
    assert client.get("/api/research?q=Why&wait=x&depth=3", headers=headers).status_code == 202
    assert client.post("/api/research", json={"query": "Why?"}, headers=headers).status_code == 202


def test_a_page_of_ours_may_use_the_interface_with_its_form_token(
    browser: Any, fake: FakeEngine
) -> None:
    token = browser.get("/").text.split('name="csrf" value="')[1].split('"')[0]
    headers = {"Sec-Fetch-Site": "same-origin", "X-CSRF-Token": token}
    assert (
        browser.client.post("/api/v1/research", json={"query": "Why?"}, headers=headers).status_code
        == 202
    )
    headers["X-CSRF-Token"] = "no"
    assert (
        browser.client.post("/api/v1/research", json={"query": "Why?"}, headers=headers).status_code
        == 403
    )


def sample(schema: Any, luck: random.Random) -> Any:
    """A value that may or may not fit."""
    strange = [
        "",
        "x",
        "\u202e",
        "0",
        "-1",
        "9" * 30,
        "1e999",
        "nan",
        "../..",
        "'",
        "\x00",
        "é" * 600,
        "true",
        "<b>",
    ]
    if luck.random() < 0.3:
        return luck.choice([None, [], {}, 5, -(2**70), 1.5, True, "", ["a", 1], {"a": {}}])
    if "enum" in schema:
        return luck.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "integer":
        return luck.choice([0, 1, 2, 3, -1, 2**63, 2**53])
    if kind == "number":
        return luck.choice([0, 0.5, 1, -0.1])
    if kind == "boolean":
        return luck.random() < 0.5
    if kind == "array":
        return [sample(schema["items"], luck) for _ in range(luck.randint(0, 3))]
    return luck.choice(strange)


@pytest.mark.lab
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.lab) for seed in range(1, 4))]
)
def test_no_input_from_its_own_document_breaks_it(api: Any, document: Any, seed: int) -> None:
    luck = random.Random(seed)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for _ in range(6):
                filled, query = fill(path, operation, luck)
                body = operation.get("requestBody", {}).get("content", {}).get(JSON)
                payload = body_of(body["schema"], luck) if body else None
                answer = api(
                    method.upper(), filled.removeprefix("/api/v1"), payload, query_string=query
                )
                assert answer.status_code < 500, (method, filled, query, payload, answer.text)
                if answer.is_json:
                    assert (
                        matches(document, method.upper(), filled.removeprefix("/api/v1"), answer)
                        == []
                    )


def fill(path: str, operation: Any, luck: random.Random) -> tuple[str, dict[str, str]]:
    query = {}
    for parameter in operation["parameters"]:
        if parameter["in"] == "path":
            values = [
                DONE,
                RUNNING,
                FAILED,
                SOURCE,
                "d1",
                "md",
                "HF_TOKEN",
                "research.depth",
                "x",
                "%00",
                "a%2Fb",
            ]
            path = path.replace("{" + parameter["name"] + "}", luck.choice(values))
        elif parameter["name"] != "wait" and luck.random() < 0.5:
            query[parameter["name"]] = str(sample(parameter["schema"], luck))
    return path, query


def body_of(schema: Any, luck: random.Random) -> Any:
    return {
        name: sample(kind, luck)
        for name, kind in schema["properties"].items()
        if luck.random() < 0.7
    }


@pytest.mark.lab
def test_the_document_is_valid_by_the_rules_of_openapi(document: Any) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    assert [str(problem) for problem in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_the_page_for_people_names_every_route_and_parameter(app: Any) -> None:
    page = app.test_client().get("/help/api").text
    for route in ROUTES:
        plain = route.path.replace("<", "{").replace(">", "}")
        assert f"{route.method} /api/v1{plain}</code>" in page
        assert all(f"<code>{param.name}</code>" in page for param in route.params)
    shapes = app.test_client().get("/api/v1/openapi.json").json["components"]["schemas"]
    assert all(f"<h3><code>{name}</code></h3>" in page for name in shapes)
    assert (
        "Returns 202 JobStatus" in page
        and "list of ClientStatus" in page
        and "<dd>string or null</dd>" in page
    )
    assert (
        "problem+json" in page
        and "once in 2 seconds" in page
        and not re.search(r'(?:src|href)="(?:https?:)?//', page)
    )


def test_a_record_is_brought_in_by_a_program(api: Any, fake: FakeEngine) -> None:
    record = api("GET", f"/research/{DONE}").data
    form = {"files": [(io.BytesIO(record), "record.json")]}
    answer = api("POST", "/import", data=form, content_type="multipart/form-data")
    assert (
        answer.status_code == 201
        and answer.json["research_id"] == DONE
        and answer.json["new"] is False
    )
    broken = {"files": [(io.BytesIO(b"no json"), "record.json")]}
    answer = api("POST", "/import", data=broken, content_type="multipart/form-data")
    assert answer.status_code == 403 and "not JSON" in answer.json["detail"]


def test_the_tools_of_this_machine_are_not_offered(api: Any) -> None:
    host = [tool.name for tool in TOOLS if tool.safety == "host"]
    offered = {tool["name"]: tool for tool in api("GET", "/tools").json}
    assert len(host) > 10 and not set(host) & set(offered) and "academic_search" in offered
    assert {tool["safety"] for tool in offered.values()} == {"read", "research"}
    for name in [*host, "bash", "cat", "use_codestral"]:
        answer = api("POST", f"/tools/{name}", {"arguments": {"command": "ls", "path": "x"}})
        assert answer.status_code == 403 and "not offered" in answer.json["detail"], name
    assert api("POST", "/tools/nope", {}).status_code == 404
    wrong = api("POST", "/tools/search_history", {"arguments": {"limit": "x"}})
    assert wrong.status_code == 403 and "must be integer" in wrong.json["detail"]


def test_feed_readers_find_the_feed_from_every_page(app: Any) -> None:
    client = app.test_client()
    for path in ("/", "/history", f"/research/{DONE}", "/help/api"):
        head = client.get(path).text.partition("</head>")[0]
        (link,) = re.findall(
            r'<link rel="alternate" href="([^"]+)" type="application/atom\+xml"', head
        )
        assert client.get(link).mimetype == "application/atom+xml"


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/v1/import", "application/problem+json"), ("/import", "text/plain")]
)
def test_a_large_body_refused_by_its_headers_is_a_problem_for_programs_too(
    app: Any, path: str, kind: str
) -> None:
    from waitress.adjustments import Adjustments

    app.config["TOKEN"] = True
    parser = channel(app).parser_class(Adjustments())
    parser.received(
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99000000\r\n\r\n".encode()
    )
    status, headers, body = parser.error.to_response()
    assert status == "401 Unauthorized" and dict(headers)["Content-Type"].startswith(kind)
    assert (b'"detail": "Send the access token' in body) == path.startswith("/api")
