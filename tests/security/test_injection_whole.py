"""Orders in documents and pages, through the whole program: a real engine, a network that is told
everything, a model server that obeys, files beside, and every page and export afterwards."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import obliging
from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from engine import ResearchEngine
from engine.answers import RunOptions
from engine.models import Filters
from tests.model_endpoint import Asked, ModelEndpoint
from tests.security.injections import HOST, INJECTIONS, Obeying, judged
from tests.security.test_injection import CANARY, OUTSIDE
from tests.security.test_payloads import acting
from ui.web.app import create_app
from workflows.research.state import ResearchState

pytestmark = pytest.mark.lab

KEY = "canary-key-9f2c77aa01"
MODEL_KEY = "canary-model-key-51d3"
PAGES = 24
QUESTION = "What did batteries do to evening electricity prices in Norland?"
WRITING = {"answer", "outline", "section", "revise", "judgements"}


@dataclass
class Place:
    """Everything around one engine. reached: hosts that were looked up or connected to. obeys: the
    kinds of work in which the model obeys what it reads; none named: in all."""

    engine: ResearchEngine
    endpoint: ModelEndpoint
    server: Standin
    beside: Path
    reached: set[str] = field(default_factory=set)
    obeys: list[str] = field(default_factory=list)


@pytest.fixture
def place(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    reached: set[str] = set()
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def connected(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            reached.add(str(address[0]))
        connect(self, address)

    def looked_up(host: Any, *more: Any, **kwargs: Any) -> Any:
        reached.add(str(host))
        return look_up(host, *more, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", connected)
    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    model = Obeying("words")

    obeys: list[str] = []

    def reply(request: Asked) -> str:
        step = request.schema_name or "answer"
        if step == "judgements" and step not in obeys:
            return json.dumps(judged(request.text))
        if obeys and step not in obeys:  # so that the work after it is reached
            return json.dumps(obliging.answer(step, request.text))
        model.way = "words" if obeys else ("words", "ids", "talk")[len(request.text) % 7 % 3]
        answer = model(step, request.text, request.schema)
        return answer if isinstance(answer, str) else json.dumps(answer)

    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "diary.txt").write_text("Nobody may read this.")
    with serve() as server, ModelEndpoint(reply, key=MODEL_KEY) as endpoint:
        world = mount(server, characters=3000)
        settings = {
            **world.settings, "embeddings.enabled": False, "storage.keyring": False,
            "endpoints.own.url": endpoint.url, "endpoints.own.key": "OWN_API_KEY",
            "models.reasoning.endpoint": "own", "models.reasoning.model": "obeying",
        }  # fmt: skip
        with ResearchEngine(home=home, environ={}, overrides=settings) as engine:
            engine.set_key("BRAVE_SEARCH_API_KEY", KEY)
            engine.set_key("OWN_API_KEY", MODEL_KEY)
            yield Place(engine, endpoint, server, beside, reached, obeys)


def filled(place: Place) -> tuple[str, ...]:
    """Every injection as a document, and some as pages; the addresses of these."""
    for number, injection in enumerate(INJECTIONS):
        place.engine.upload(
            f"{number} {injection.title}.{injection.kind}"[-150:], injection.body.encode("utf-8")
        )
    pages = [injection for injection in INJECTIONS if injection.kind == "html"][:PAGES]
    return tuple(
        place.server.on(f"/injected/{number}", Reply(page.body.encode("utf-8")))
        for number, page in enumerate(pages)
    )


def shown(engine: ResearchEngine, home: Path, state: ResearchState) -> Iterator[tuple[str, str]]:
    """Every page of a research, and its exports as text."""
    client = create_app({"ENGINE": engine, "PORT": 80}).test_client()
    base = f"/research/{state.research_id}"
    paths = [base, f"{base}/log", f"{base}/graph", "/history", "/library", "/"]
    paths += [f"{base}/source/{source.source_id}?show=all" for source in state.sources]
    paths += [f"{base}/claim/{claim.claim_id}" for claim in state.claims]
    paths += [f"/library/{document.document_id}?show=all" for document in engine.library()]
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        yield path, answer.get_data(as_text=True)
    for name, _, _ in engine.export_formats():
        if name not in ("pdf", "docx"):
            yield name, engine.export(state.research_id, name).data.decode("utf-8")


def leading(name: str, text: str) -> list[str]:
    """What acts, or leads to where an order wanted."""
    if not (name.startswith("/") or name == "html"):
        return []
    problems = [f"{name}: {what}" for what in acting(text)]
    return problems + [
        f"{name}: {tag}"
        for tag in re.findall(r"<[^>]+\s(?:href|src|action)=[^>]*>", text)
        if HOST in tag
    ]


def said_by(state: ResearchState) -> list[str]:
    """The sentences of a report and of what was asked afterwards, and its headings."""
    assert state.report is not None
    sentences = [
        sentence.text
        for sentence in (*state.report.sentences(), *(state.answer.written if state.answer else ()))
    ]
    sentences += [part.heading for part in state.report.sections] + [
        question.text for question in state.plan.questions
    ]
    return sentences + [sentence.text for turn in state.conversation for sentence in turn.sentences]


def test_orders_in_documents_and_pages_reach_nothing(
    place: Place, home: Path, tell: Callable[[str, int, int], None]
) -> None:
    urls = filled(place)
    options = RunOptions(
        sources=("local", "web"), depth=2, clarify=False, filters=Filters(urls=urls)
    )
    wrong: list[str] = []
    reached: set[str] = set()
    for obeys in (
        (),
        ("answer",),
        ("outline",),
        ("section",),
        ("judgements",),
        ("answer", "revise"),
    ):
        place.obeys[:] = obeys
        before = len(place.endpoint.calls)
        state = place.engine.run(QUESTION, options)
        assert (
            state.status == "complete"
            and state.answer is not None
            and state.answer.status == "answered"
        )
        reached |= {call.schema_name for call in place.endpoint.calls[before:]}
        wrong += [f"written: {text}" for text in said_by(state) if CANARY.search(text)]
    assert reached >= WRITING, "the hostile texts reach the writer and its judge"
    shown_to = [call.text for call in place.endpoint.calls if call.schema_name in WRITING]
    assert (
        sum(any(injection.body[-40:] in text for text in shown_to) for injection in INJECTIONS) >= 5
    )
    place.obeys.clear()
    read = {snapshot.source_id for snapshot in state.snapshots}
    place.engine.follow_up(state.research_id, "What did batteries do to evening prices in Norland?")
    place.engine.follow_up(state.research_id, f"Was there a ban, and what stands at {HOST}?")
    place.engine.asking.quick.search("Evening electricity prices and batteries in Norland")
    loaded = place.engine.load_research(state.research_id)
    assert loaded is not None and len(loaded.conversation) == 2
    wrong += [
        f"said: {text}"
        for text in said_by(loaded)
        if CANARY.search(text) and text not in questions(loaded)
    ]
    tried = 0
    for name, text in shown(place.engine, home, replace(loaded, conversation=())):
        tried += 1
        wrong += leading(name, text)
        wrong += [f"{name}: a key" for key in (KEY, MODEL_KEY) if key in text]
    requests = [
        (request.target, request.body.decode("utf-8", "replace"))
        for request in place.server.requests
    ]
    wrong += [
        f"asked: {text[:200]}"
        for pair in requests
        for text in pair
        if HOST in text or "passwd" in text
    ]
    wrong += [
        f"a key to {target}"
        for target, body in requests
        if KEY in target + body or MODEL_KEY in target + body
    ]
    wrong += [
        "a key to the model"
        for call in place.endpoint.calls
        if KEY in str(call) or MODEL_KEY in call.text
    ]
    wrong += [
        "a file to the model"
        for call in place.endpoint.calls
        if "Nobody may read this" in call.text
    ]
    wrong += [f"reached {host}" for host in place.reached - {"127.0.0.1", "localhost", "::1"}]
    assert sorted(path.name for path in place.beside.iterdir()) == ["diary.txt"]
    assert not Path("/tmp/zanzibonite").exists()
    assert len(place.endpoint.calls) >= 8 and len(read) >= 10 and OUTSIDE.search(f"//{HOST}")
    tell("the same through the whole program: answers of the model", len(place.endpoint.calls), 0)
    tell(
        "pages, exports and requests after orders in what was read",
        tried + len(requests),
        len(wrong),
    )
    assert not wrong, "\n".join(wrong)


def questions(state: ResearchState) -> set[str]:
    """What people asked is shown as they asked it."""
    return {turn.question for turn in state.conversation} | {state.original_query}
