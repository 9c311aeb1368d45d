"""A configuration that is broken opens no network, deletes nothing and lets nobody in; what holds
instead is said."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Standin, serve
from benchmarks.standin_services import mount
from engine.answers import RunOptions
from engine.cluster.cluster import connected
from engine.llm.model_roles import configured
from engine.records.storage import LocalStorage
from engine.research_engine import ResearchEngine
from engine.settings.config import Config, load
from engine.settings.settings_table import SETTINGS, SOURCE_CLIENTS
from engine.settings.settings_values import read_setting, safe
from engine.wiring.source_settings import client_settings
from tests.model_endpoint import Answer, ModelEndpoint
from tests.tables import each
from tests.web_app import web_app
from tools.errors import ModelError, Refused, StorageError, ZororaError
from tools.sources.registry import SOURCES
from workflows.research.state import ResearchState

BROKEN = "[sources.arxiv]\nenabled flase\n"


def write_config(home: Path, text: str) -> Config:
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(text, encoding="utf-8")
    return load(home, environ={})


# --- a file that is not TOML ----------------------------------------------------------------------


def test_a_file_that_is_not_toml_is_named_with_its_line_and_setting_and_takes_the_network_away(
    home: Path,
) -> None:
    config = write_config(home, "[research]\ndepth = 1\n\n[sources.arxiv]\nenabled = flase\n")
    (problem,) = config.problems
    assert f"{home / 'config.toml'}, line 5, sources.arxiv.enabled: this is not TOML" in problem
    assert problem.endswith("Until it is corrected, no network request is made.")
    assert config.offline == "config.toml cannot be understood"
    with pytest.raises(Refused, match=r"because config\.toml cannot be understood"):
        config.check_online()


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def model() -> Iterator[ModelEndpoint]:
    with ModelEndpoint(lambda _: Answer("yes")) as endpoint:
        yield endpoint


# What a user can do that would ask somebody
ASKING: dict[str, Callable[[ResearchEngine], Any]] = {
    "research": lambda engine: engine.run(
        "How do batteries change prices?", RunOptions(depth=1, clarify=False)
    ),
    "search": lambda engine: engine.asking.quick.search("batteries"),
    "works": lambda engine: engine.asking.quick.academic("batteries"),
    "check": lambda engine: engine.check_sources(),
    "lists": lambda engine: engine.upkeep.update_data(),
    "model file": lambda engine: engine.models.get_file(
        engine.models.find_file("reader", place="https://models.example/reader.onnx")
    ),
    "conversation": lambda engine: engine.asking.conversations.ask("Hello?"),
    "model test": lambda engine: engine.models.test("reasoning"),
    "served": lambda engine: engine.models.served("desk"),
    "detect": lambda engine: engine.models.detect(),
    "offer": lambda engine: engine.models.to_offer(),
    "tool": lambda engine: engine.tools.call("web_search", {"query": "batteries"}),
    "page": lambda engine: engine.tools.call(
        "get_full_content", {"source": "https://example.org/"}
    ),
    "cluster": lambda engine: connected(engine.config, "tcp://127.0.0.1:9"),
}


@pytest.mark.parametrize("what", sorted(ASKING))
def test_while_the_file_is_not_toml_nobody_is_asked_and_afterwards_again(
    home: Path, server: Standin, model: ModelEndpoint, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    reached: list[Any] = []
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            reached.append(address)
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    # Everything that would be asked, from the environment: the file's own settings are not known
    settings = {
        **mount(server).settings,
        "endpoints.desk.url": model.url,
        "models.reasoning.endpoint": "desk",
    }
    overrides = {**settings, "models.reasoning.model": "m", "embeddings.enabled": False}
    write_config(home, BROKEN)
    with ResearchEngine(home=home, environ={}, overrides=overrides) as engine:
        try:
            ASKING[what](engine)
        except (Refused, ModelError) as refused:
            assert "config.toml cannot be understood" in str(refused) or "No model" in str(
                refused
            ), refused
        except ZororaError as refused:
            assert "nothing is kept" in str(refused) or "no source" in str(refused).lower(), refused
        assert reached == [] and server.requests == [] and model.calls == []


def test_a_research_says_why_it_asked_nobody(home: Path, server: Standin) -> None:
    write_config(home, BROKEN)
    overrides = {**mount(server).settings, "embeddings.enabled": False}
    with ResearchEngine(home=home, environ={}, overrides=overrides) as engine:
        state = engine.run(
            "How do batteries change evening prices?", RunOptions(depth=1, clarify=False)
        )
        assert state.config.offline and server.requests == []


def test_every_page_shows_it_on_top(home: Path) -> None:
    write_config(home, BROKEN)
    with ResearchEngine(home=home, environ={}) as engine:
        client = web_app(engine).test_client()
        for path in ("/", "/history", "/library", "/settings", "/help", "/nowhere"):
            page = client.get(path).get_data(as_text=True)
            output = 'role="alert">' + str(home / "config.toml")
            assert output in page and "no network request is made" in page, path
            assert path == "/settings" or page.index(output) < page.index('<main id="main"')


def test_data_is_looked_for_where_a_broken_file_says_it_lies(home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "my.db"
    config = write_config(
        home, f'[storage]\ndb_path = "{elsewhere}"\n[sources.arxiv\nenabled = false\n'
    )
    assert config.offline and not config.misplaced and config.paths.db == elsewhere


@pytest.mark.parametrize(
    "text",
    [
        '[storage]\ndb_path = "/some/where\n',  # its own line is the broken one
        "[storage]\nhome = 5\n",
        '[storage]\njson_paths = "records"\n',
    ],
)
def test_data_whose_place_nobody_knows_is_not_begun_anew_elsewhere(home: Path, text: str) -> None:
    config = write_config(home, text)
    with pytest.raises(
        StorageError, match=r"config\.toml.*storage\..*nothing that is stored is opened"
    ):
        LocalStorage(config=config)
    with ResearchEngine(home=home, environ={}) as engine:
        for act in (
            engine.history,
            engine.upkeep.repair,
            engine.library,
            engine.upkeep.backup,
            engine.get_stats,
        ):
            with pytest.raises(StorageError, match="nothing that is stored is opened"):
                act()
        assert any(
            check.name == "configuration" and check.state == "problem"
            for check in engine.upkeep.doctor()
        )
    assert not (home / "zorora.db").exists() and not (home / "corpus.db").exists()


def test_nothing_is_deleted_and_nobody_let_in_while_a_broken_file_may_say_so(home: Path) -> None:
    config = write_config(
        home, "[storage]\nbin_days = 90O\nbackups = 3\n[web]\ntoken = true\nthreads 3\n"
    )
    assert (config.get("storage.bin_days"), config.get("storage.backups")) == (3650, 3)
    assert config.get("web.token") is True
    assert write_config(home, "[web]\ntoken = yes\n").get("web.token") is True


# --- wrong values and wrong names -----------------------------------------------------------------


@each(
    ("text", "name", "holds"),
    [
        ('[sources.arxiv]\nenabled = "flase"\n', "sources.arxiv.enabled", False),
        ("[sources.arxiv]\nenabeld = false\n", "sources.arxiv.enabled", False),
        ("[sources.arxvi]\nenabled = false\n", "sources.arxiv.enabled", False),
        ("[source.arxiv]\nenabled = false\n", "sources.arxiv.enabled", False),
        ("[sources.arxiv]\nmin_interval = 999\n", "sources.arxiv.min_interval", 60),
        ("[newsroom]\nenable = false\n", "newsroom.enabled", False),
        ('[research]\nsources = ["local", "gossip"]\n', "research.sources", ("local",)),
        ('[research]\nsources = ["gossip"]\n', "research.sources", ("local",)),
        ("[research]\nmax_sources = 5000\n", "research.max_sources", 50),
        ("[research]\nmax_sources = -5\n", "research.max_sources", 1),
        (
            "[privacy]\ndocuments_to_remote_models = 2\n",
            "privacy.documents_to_remote_models",
            False,
        ),
        ('[web]\ntoken = "perhaps"\n', "web.token", True),
        ('[web]\ndebug = "perhaps"\n', "web.debug", False),
        ('[storage]\nbin_days = "forever"\n', "storage.bin_days", 3650),
        ("[storage]\nbin_days = -1\n", "storage.bin_days", 30),
        ('[credibility]\nretraction_check = "of"\n', "credibility.retraction_check", True),
        ('[shell]\nallowed = "git"\n', "shell.allowed", {}),
        ("[endpoints.desk]\nenvironment = 3\n", "endpoints.desk.environment", False),
    ],
)
def test_a_wrong_value_or_name_keeps_the_safer_choice_and_is_named(
    home: Path, text: str, name: str, holds: Any
) -> None:
    config = write_config(home, text)
    (problem,) = config.problems
    assert "config.toml, line 2: " in problem and f"Until that is corrected, {name} is " in problem
    assert config.get(name) == holds and config.offline == ""


def test_a_right_value_beside_a_wrong_name_and_a_later_right_value_hold(home: Path) -> None:
    config = write_config(home, "[sources.arxiv]\nenabled = true\nenabeld = false\n")
    assert config.get("sources.arxiv.enabled") is True and len(config.problems) == 1
    write_config(home, "[research]\nmax_sources = 5000\n")
    later = load(home, environ={"ZORORA_RESEARCH_MAX_SOURCES": "70"})
    assert later.get("research.max_sources") == 70 and not later.unsafe


def test_who_has_a_wrong_address_is_not_asked_at_the_built_in_one(home: Path) -> None:
    config = write_config(
        home,
        '[sources.arxiv]\nbase_url = "localhost:8000"\n[newsroom]\nurl = "desk"\n'
        '[endpoints.openai]\nurl = "gateway"\n[models.reasoning]\nendpoint = "openai"\nmodel = '
        '"m"\n',
    )
    clients = {client.name: client_settings(client, config) for client in SOURCES}
    assert (
        not clients["arxiv"].enabled
        and not clients["newsroom"].enabled
        and clients["crossref"].enabled
    )
    assert configured(config) == {}
    output = " ".join(config.problems)
    for name in (
        "arxiv is not asked",
        "the newsroom is not asked",
        "the model server openai is not asked",
    ):
        assert f"Until that is corrected, {name}." in output


def test_a_wrong_proxy_takes_the_network_away(home: Path) -> None:
    config = write_config(home, '[http]\nproxy = "socks5://127.0.0.1:9050"\n')
    assert config.offline == "http.proxy is wrong"
    assert "no network request is made" in config.problems[0]


def test_source_clients_have_the_names_of_the_table() -> None:
    assert tuple(client.name for client in SOURCES) == SOURCE_CLIENTS


@each("raw", [None, True, -1, 10**30, float("nan"), "", "x", [], ["x"], {}, {"x": 1}, "\0"])
def test_the_safer_value_is_one_that_the_setting_allows(raw: Any) -> None:
    for setting in SETTINGS:
        value = safe(setting, raw)
        assert value is None or read_setting(setting, value) == value, setting.name


# --- every command says it ------------------------------------------------------------------------


def test_every_command_says_what_is_wrong(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from ui.terminal.main import main

    write_config(home, "[research]\nmax_sources = 5000\n[sources.arxvi]\nenabled = false\n")
    storage = LocalStorage(config=load(home, environ={}))
    storage.save_research(ResearchState("A question", "r_20250101_000000", status="complete"))
    storage.close()
    for words in (
        ["history"],
        ["sources"],
        ["library"],
        ["doctor"],
        ["show", "last"],
        ["config", "list"],
        ["jobs"],
    ):
        main(["--home", str(home), *words])
        output = capsys.readouterr().err
        assert output.count("line 2: research.max_sources must be a whole number") == 1, (
            words,
            output,
        )
        assert (
            output.count("line 4: there is no setting 'sources.arxvi.enabled'. Did you mean") == 1
        ), (words, output)
