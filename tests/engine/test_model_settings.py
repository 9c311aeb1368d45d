"""Roles, model servers and their keys through the front door: what is saved, shown, refused, and where keys go."""

# ruff: noqa: E501 -- expectations on one line

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.llm import model_endpoints, model_roles
from engine.research_engine import ResearchEngine
from engine.runs.worker_context import Order
from engine.settings import keys
from engine.settings.config import Config, load, save_value
from engine.wiring import source_settings
from tests.model_endpoint import ModelEndpoint
from tests.tables import each
from tools.errors import ConfigError, Conflict, ModelError, NotFound
from tools.models.model import Message, Reply, Request, Role, Timing
from tools.sources.registry import SOURCES
from workflows.research.model import RunConfig

KEY = "sk-0123456789abcdef-wxyz"
Open = Callable[..., ResearchEngine]


@pytest.fixture
def open_engine(home: Path) -> Iterator[Open]:
    opened: list[ResearchEngine] = []

    def make(**environ: str) -> ResearchEngine:
        opened.append(
            ResearchEngine(home=home, environ=environ, overrides={"storage.keyring": False})
        )
        return opened[-1]

    yield make
    for engine in opened:
        engine.close()


@pytest.fixture(scope="module")
def server() -> Iterator[ModelEndpoint]:
    with ModelEndpoint("yes", models=("qwen-4b", "embed-small")) as running:
        yield running


def configured(home: Path, **environ: str) -> Config:
    return load(home, environ=environ, overrides={"storage.keyring": False})


def text_of(home: Path) -> str:
    return (home / "config.toml").read_text()


def test_at_first_nobody_answers_for_any_role(open_engine: Open) -> None:
    desk = open_engine().models
    assert [role.role for role in desk.roles()][:2] == ["orchestrator", "reasoning"]
    assert {role.origin for role in desk.roles()} == {"none"}
    names = [endpoint.name for endpoint in desk.endpoints()]
    assert names == [
        "lmstudio",
        "ollama",
        "llamacpp",
        "vllm",
        "openai",
        "anthropic",
        "openrouter",
        "huggingface",
        "local",
    ]
    with pytest.raises(ConfigError, match="No model is set for reasoning"):
        desk.test("reasoning")


def test_a_role_is_set_tested_and_taken_away_again(
    open_engine: Open, home: Path, server: ModelEndpoint
) -> None:
    server.reset("yes")
    desk = open_engine().models
    desk.add_endpoint("lab", server.url)
    desk.set_role("reasoning", "lab", "small-4b")
    roles = {role.role: role for role in desk.roles()}
    assert (roles["reasoning"].origin, roles["reasoning"].model, roles["reasoning"].local) == (
        "configured",
        "small-4b",
        True,
    )
    assert (roles["search"].origin, roles["search"].endpoint) == ("reasoning", "lab")
    assert roles["image_generation"].origin == "none"
    assert {endpoint.name: endpoint.used_by for endpoint in desk.endpoints()}["lab"] == (
        "reasoning",
    )
    result = desk.test("orchestrator")
    assert (
        result.ok
        and result.result == "reached"
        and result.models == ("small-4b",)
        and result.model == "small-4b"
    )
    with pytest.raises(Conflict, match="lab is used for reasoning"):
        desk.remove_endpoint("lab")
    desk.set_role("reasoning", "", "")
    desk.remove_endpoint("lab")
    assert {role.origin for role in desk.roles()} == {"none"} and "lab" not in [
        endpoint.name for endpoint in desk.endpoints()
    ]
    assert "small-4b" not in text_of(home)


def test_a_test_tells_the_class_of_a_failure(open_engine: Open, server: ModelEndpoint) -> None:
    desk = open_engine().models
    desk.set_role("reasoning", server.url, "small-4b")
    expected = {"wrong_key": "wrong key", "wrong_model": "no such model", "html": "not a model server",
              "too_long": "reached, but it failed", "no_quota": "too many requests, or the quota is used up"}  # fmt: skip
    for failure, result in expected.items():
        server.reset("yes")
        server.fail(failure)
        check = desk.test("reasoning")
        assert (check.ok, check.result) == (False, result) and check.message
    desk.set_role("reasoning", "http://127.0.0.1:9/v1", "m")
    assert desk.test("reasoning").result == "not reachable"
    desk.set_role("image_generation", server.url, "painter")
    assert desk.test("image_generation").result == "no such model"  # and no picture was paid for
    desk.set_role("image_generation", server.url, "small-4b")
    assert desk.test("image_generation").ok and not [
        call for call in server.calls if "images" in call.path
    ]


def test_an_address_may_stand_where_a_name_does(open_engine: Open, home: Path) -> None:
    desk = open_engine().models
    desk.set_role("search", "http://10.0.0.5:8000/v1", "m", "anthropic")
    role = next(role for role in desk.roles() if role.role == "search")
    assert (role.url, role.provider, role.local) == ("http://10.0.0.5:8000/v1", "anthropic", False)
    desk.set_role("search", "http://localhost:11434/v1", "m")
    assert (
        next(role for role in desk.roles() if role.role == "search").provider == "ollama"
    )  # known by its address
    desk.set_role("search", "ollama", "m")
    assert "provider" not in text_of(home)


@each(
    ("act", "part"),
    [
        (lambda d: d.set_role("writer", "ollama", "m"), "There is no role 'writer'"),
        (lambda d: d.set_role("reasoning", "olama", "m"), "There is no model server called 'olama'"),
        (lambda d: d.set_role("reasoning", "", "m"), "There is no model server called ''"),
        (lambda d: d.set_role("reasoning", "file:///etc", "m"), "must be an address"),
        (lambda d: d.set_role("reasoning", "http://x/v1", "m", "telepathy"), "must be one of"),
        (lambda d: d.add_endpoint("Lab", "http://x/v1"), "not a valid server name"),
        (lambda d: d.add_endpoint("../x", "http://x/v1"), "not a valid server name"),
        (lambda d: d.add_endpoint("a.b", "http://x/v1"), "not a valid server name"),
        (lambda d: d.add_endpoint("local", "http://x/v1"), "not a valid server name"),
        (lambda d: d.add_endpoint("lab", ""), "Give the address"),
        (lambda d: d.add_endpoint("lab", "javascript:alert(1)"), "must be an address"),
        (lambda d: d.add_endpoint("lab", "http://x/v1", "telepathy"), "must be one of"),
        (lambda d: d.add_endpoint("lab", "http://x/v1", "", "PATH"), "not a valid key name"),
        (lambda d: d.add_endpoint("lab", "http://x/v1", "", "lab key"), "not a valid key name"),
        (lambda d: d.served("nowhere"), "There is no model server called 'nowhere'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_written(
    open_engine: Open, home: Path, act: Any, part: str
) -> None:
    with pytest.raises(ConfigError, match=part):
        act(open_engine().models)
    assert not (home / "config.toml").exists()


def test_built_in_servers_can_be_moved_and_return_to_what_they_were(open_engine: Open) -> None:
    desk = open_engine().models
    desk.add_endpoint("ollama", "http://10.0.0.9:11434/v1", "ollama")
    assert {endpoint.name: (endpoint.url, endpoint.origin) for endpoint in desk.endpoints()}[
        "ollama"
    ] == (
        "http://10.0.0.9:11434/v1",
        "file",
    )
    desk.remove_endpoint("ollama")
    assert {endpoint.name: (endpoint.url, endpoint.origin) for endpoint in desk.endpoints()}[
        "ollama"
    ][1] == "built-in"
    for name, part in (("ollama", "built in"), ("nobody", "does not exist")):
        with pytest.raises(NotFound, match=part):
            desk.remove_endpoint(name)


def test_a_broken_file_is_said_at_the_role_and_stops_nothing(open_engine: Open, home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text(
        '[models.reasoning]\nendpoint = "olama"\nmodel = "m"\n[models.search]\nmodel = "m"\n[models.vision]\nparallel = 0\n'
    )
    engine = open_engine()
    problems = {role.role: role.problem for role in engine.models.roles()}
    assert "no model server called 'olama'" in str(problems["reasoning"])
    assert "needs both an endpoint and a model" in str(problems["search"])
    assert any("models.vision.parallel" in problem for problem in engine.config.problems)
    assert model_roles.models_for_run(engine.config, lambda *a, **k: Reply("")) is None


def test_settings_of_a_role_reach_its_calls(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text(
        '[endpoints.lab]\nurl = "http://10.0.0.5:8000/v1"\n[models.reasoning]\nendpoint = "lab"\nmodel = "m"\n'
        "max_tokens = 900\ntimeout = 30\nparallel = 3\nwindow = 9000\nprice_in = 0.5\nprice_out = 1.5\n"
        '[models.search]\nendpoint = "ollama"\nmodel = "q"\n'
    )
    roles = model_roles.configured(configured(home))
    first, second = roles["reasoning"], roles["search"]
    assert (first.max_tokens, first.parallel, first.window, first.price_in, first.price_out) == (
        900,
        3,
        9000,
        0.5,
        1.5,
    )
    assert (first.timing.first, first.timing.total, first.endpoint.name) == (30, 30, "lab")
    assert second.window == 8192  # Ollama cuts long questions in silence unless it is told
    names = {row.name for row in ResearchEngine(home=home, environ={}).settings()}
    assert "endpoints.lab.url" in names and "models.vision.first_token" in names


def test_a_run_has_models_of_its_own_and_none_when_nothing_is_configured(home: Path) -> None:
    calls: list[Role] = []

    def complete(role: Role, request: Request, **_: Any) -> Reply:
        calls.append(role)
        return Reply("yes")

    config = configured(home)
    assert model_roles.models_for_run(config, complete) is None
    model_roles.set_role(config, "reasoning", "ollama", "m")
    config = configured(home)
    first, second = (model_roles.models_for_run(config, complete) for _ in range(2))
    assert first and second
    request = Request((Message("user", "?"),))
    for models in (first, first, second):
        models.ask("reasoning", request)
    assert len(calls) == 2  # the second asks anew, the first does not
    assert not first.may_see_documents("image_generation") and first.may_see_documents("reasoning")


def test_an_offline_run_uses_only_the_model_inside_the_process(home: Path) -> None:
    config = configured(home)
    model_roles.set_role(config, "reasoning", "ollama", "m")
    config = configured(home)
    assert model_roles.models_for_run(config, lambda *a, **k: Reply(""), offline=True) is None
    model_roles.set_role(config, "search", "local", "/models/tiny.gguf")
    models = model_roles.models_for_run(configured(home), lambda *a, **k: Reply(""), offline=True)
    assert (
        models
        and models.has("search")
        and not models.has("reasoning")
        and models.name("search") == "tiny"
    )


# --- keys -----------------------------------------------------------------------------------------


def key_for(home: Path, place: str, **environ: str) -> str | None:
    return model_endpoints.endpoint(configured(home, **environ), place).key


def test_a_well_known_key_of_the_environment_goes_to_its_service_alone(home: Path) -> None:
    assert key_for(home, "openai", OPENAI_API_KEY=KEY) == KEY
    assert key_for(home, "https://api.openai.com/v1", OPENAI_API_KEY=KEY) == KEY
    for other in ("https://api.openai.com.evil.example/v1", "http://api.openai.com/v1", "https://api.openai.com:8443/v1",
                  "http://localhost:1234/v1", "https://openai.com/v1"):  # fmt: skip
        assert key_for(home, other, OPENAI_API_KEY=KEY) is None
    model_endpoints.add(configured(home), "openai", "https://proxy.example/v1", "openai")
    assert key_for(home, "openai", OPENAI_API_KEY=KEY) is None
    model_endpoints.add(configured(home), "lab", "https://lab.example/v1", "", "OPENAI_API_KEY")
    assert key_for(home, "lab", OPENAI_API_KEY=KEY) is None


def test_a_key_of_the_users_own_is_read_from_environment_or_file_and_bound_to_its_address(
    home: Path,
) -> None:
    model_endpoints.add(configured(home), "lab", "https://lab.example/v1", "", "LAB_API_KEY")
    config = configured(home, LAB_API_KEY=KEY, HOME_KEY="other-secret-value")
    assert model_endpoints.endpoint(config, "lab").key == KEY and "HOME_KEY" not in config.secrets
    assert KEY not in repr(model_endpoints.endpoint(config, "lab")) and KEY not in repr(config)
    assert "LAB_API_KEY" in [key.name for key in keys.status(config)]
    config = configured(home)
    keys.store(config, "LAB_API_KEY", KEY, model_endpoints.address_of_key(config, "LAB_API_KEY"))
    assert key_for(home, "lab") == KEY
    model_endpoints.add(config, "lab", "https://other.example/v1", "", "LAB_API_KEY")
    assert key_for(home, "lab") is None  # a new address asks for it again


def test_a_page_cannot_send_a_variable_of_the_environment_to_an_address_it_chose(
    home: Path,
) -> None:
    """One that was bound on the command line goes on being sent, until a page changes where."""
    model_endpoints.add(
        configured(home), "x", "http://127.0.0.1:5699/v1", "", "GITHUB_TOKEN", by_page=True
    )
    config = configured(home, GITHUB_TOKEN=KEY)
    assert key_for(home, "x", GITHUB_TOKEN=KEY) is None and "GITHUB_TOKEN" not in config.secrets
    assert key_for(home, "http://127.0.0.1:5699/v1", GITHUB_TOKEN=KEY) is None
    keys.store(
        config,
        "GITHUB_TOKEN",
        "stored-for-this-server",
        model_endpoints.address_of_key(config, "GITHUB_TOKEN"),
    )
    assert key_for(home, "x", GITHUB_TOKEN=KEY) == "stored-for-this-server"
    model_endpoints.add(configured(home), "lab", "https://lab.example/v1", "", "GITHUB_TOKEN")
    assert key_for(home, "lab", GITHUB_TOKEN=KEY) == KEY
    assert key_for(home, "x", GITHUB_TOKEN=KEY) == "stored-for-this-server"
    assert (
        model_endpoints.address_of_key(configured(home), "GITHUB_TOKEN") == "https://lab.example/v1"
    )
    model_endpoints.add(
        configured(home), "lab", "https://lab.example/v1", "openai", "GITHUB_TOKEN", by_page=True
    )
    assert key_for(home, "lab", GITHUB_TOKEN=KEY) == KEY
    model_endpoints.add(
        configured(home), "lab", "https://evil.example/v1", "openai", "GITHUB_TOKEN", by_page=True
    )
    assert key_for(home, "lab", GITHUB_TOKEN=KEY) is None
    model_endpoints.add(configured(home), "lab", "https://lab.example/v1", "openai", "GITHUB_TOKEN")
    assert key_for(home, "lab", GITHUB_TOKEN=KEY) == KEY


def test_a_key_of_a_source_is_not_sent_to_a_model_server_by_naming_it(home: Path) -> None:
    model_endpoints.add(configured(home), "lab", "https://lab.example/v1", "", "CORE_API_KEY")
    assert key_for(home, "lab", CORE_API_KEY=KEY) is None


def test_a_key_of_a_model_server_is_not_sent_to_a_source_by_naming_it(home: Path) -> None:
    """A page could name it there; a key of the source itself still comes from the environment."""
    model_endpoints.add(configured(home), "lab", "https://lab.example/v1", "", "LAB_API_KEY")
    save_value(configured(home), "sources.brave.key", "LAB_API_KEY")
    brave = next(client for client in SOURCES if client.name == "brave")
    assert source_settings.secret_of(brave, configured(home, LAB_API_KEY=KEY)) == (None, None)
    save_value(configured(home), "sources.brave.key", "BRAVE_SEARCH_API_KEY")
    secret = source_settings.secret_of(brave, configured(home, BRAVE_SEARCH_API_KEY=KEY))
    assert secret == (KEY, "https://api.search.brave.com:443")


def test_through_the_front_door_a_stored_key_is_masked_and_arrives(
    open_engine: Open, home: Path, server: ModelEndpoint
) -> None:
    server.reset("yes")
    server.key = KEY
    engine = open_engine()
    engine.models.add_endpoint("lab", server.url, "", "LAB_API_KEY")
    engine.models.set_role("reasoning", "lab", "small-4b")
    assert engine.models.test("reasoning").result == "wrong key"
    engine.set_key("LAB_API_KEY", KEY)
    assert engine.models.test("reasoning").ok
    shown = (
        repr(engine.models.endpoints())
        + repr(engine.models.roles())
        + repr(engine.keys())
        + text_of(home)
    )
    assert KEY not in shown and "•••• wxyz" in shown


# --- local servers --------------------------------------------------------------------------------


def test_a_local_server_is_offered_once(
    open_engine: Open, server: ModelEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.reset("yes")
    rows = (
        ("dead", "Dead", "http://127.0.0.1:9/v1", "openai"),
        ("ollama", "Ollama", server.root, "ollama"),
    )
    monkeypatch.setattr("tools.models.detect.SERVERS", rows)
    monkeypatch.setattr("tools.models.detect.detect.__defaults__", (rows,))
    # a busy machine needs more than a second
    monkeypatch.setattr("tools.models.detect.DETECTING", Timing(60.0, 60.0, 60.0))
    engine = open_engine()
    offer = engine.models.to_offer()
    assert offer and (offer.label, offer.best, offer.name) == ("Ollama", "small-4b", "ollama")
    assert engine.models.served(server.url) == ["small-4b"]
    engine.models.offered()
    assert engine.models.to_offer() is None and open_engine().models.to_offer() is None


def test_nothing_is_offered_to_who_has_chosen(open_engine: Open) -> None:
    desk = open_engine().models
    desk.set_role("vision", "openai", "m")
    assert desk.to_offer() is None
    with pytest.raises(ModelError):
        desk.served("http://127.0.0.1:9/v1")


@pytest.mark.parametrize(
    ("closed", "offline", "has_models"),
    [(False, False, True), (True, False, False), (False, True, False)],
)
def test_a_run_is_handed_its_models(
    open_engine: Open, closed: bool, offline: bool, has_models: bool
) -> None:
    """Not when it was stopped (nobody is asked any more) nor when it is offline."""
    engine = open_engine()
    engine.models.set_role("reasoning", "ollama", "m")
    tools = engine._opened.tools
    order = Order(
        "r",
        RunConfig(offline=offline),
        (),
        "2026-01-01",
        lambda _: None,
        lambda: None,
        closed=closed,
    )
    with tools.deps(order) as deps:
        assert (deps.models is not None and deps.models.has("reasoning")) is has_models
    checks = {check.name: check.message for check in engine.upkeep.doctor()}
    assert checks["models"] == "Set for reasoning m."
