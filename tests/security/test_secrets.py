"""Keys stay where they belong, and everything Zorora writes belongs to its owner alone: looked for
everywhere after a whole research in a worker process of its own."""

import os
import re
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Asked, Reply, serve
from benchmarks.standin_services import mount
from benchmarks.standin_texts import QUESTION
from engine import ResearchEngine
from engine.answers import RunOptions
from engine.models import ZororaError
from tests.engine.pretend import wait_for
from ui.web.access_token import Token
from ui.web.app import create_app

pytestmark = pytest.mark.lab

KEY, SHELL_KEY = "canary-7f3a91d2c4e5", "canary-in-the-shell-55aa"
TEXT = (
    b"# Storage\n\nBatteries lowered the winter evening price by 9% in 2024.\n\nPumped hydro "
    b"did not change it.\n"
)


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    environ = {"PATH": os.defpath, "TAVILY_API_KEY": SHELL_KEY, "LANG": "C.UTF-8"}
    settings = {"embeddings.enabled": False, "storage.keyring": False}
    with ResearchEngine(home=home, environ=environ, overrides=settings) as engine:
        engine.set_key("BRAVE_SEARCH_API_KEY", KEY)
        engine.upload("storage.md", TEXT)
        yield engine


def command_lines() -> list[bytes]:
    """What every process of this machine shows of itself to everybody."""
    leaks = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            leaks.append((folder / "cmdline").read_bytes())
        except OSError:
            continue  # it has ended
    return leaks


def whole_research(engine: ResearchEngine, secrets: tuple[bytes, ...]) -> tuple[str, list[str]]:
    """Its id, and the command lines that showed a secret while it ran."""
    research_id = engine.start(
        "How did batteries change evening prices?", RunOptions(sources=("local",), depth=1)
    )
    shown: list[str] = []

    def over() -> bool:
        shown.extend(repr(line) for line in command_lines() for secret in secrets if secret in line)
        return engine.status(research_id).status in ("complete", "partial", "failed")

    wait_for(over, 60)
    return research_id, shown


def pages(engine: ResearchEngine, home: Path, research_id: str) -> Iterator[tuple[str, bytes]]:
    token = Token(home / "web_token").renew()
    client = create_app({"ENGINE": engine, "PORT": 80}).test_client()
    headers = {"Authorization": f"Bearer {token}"}
    research, api = (
        f"/research/{research_id}",
        ("settings", "keys", "stats", "checks", "sources", f"research/{research_id}"),
    )
    listed = ["/", "/history", "/library", "/settings", "/help", research, f"{research}/log"]
    listed += [f"/api/v1/{name}" for name in api]
    for path in listed:
        with client.get(path, headers=headers) as answer:
            yield path, answer.data + str(answer.headers).encode()


def interfaces(engine: ResearchEngine, research_id: str) -> Iterator[tuple[str, bytes]]:
    """What the doctor, the tools for other programs, the events and the settings say."""
    yield "doctor", str(engine.upkeep.doctor()).encode()
    yield (
        "settings, keys, clients",
        f"{engine.settings()} {engine.keys()} {engine.sources()} {engine.config}".encode(),
    )
    yield "events", str(engine.events(research_id)).encode()
    for tool in engine.tools.offered():
        arguments = dict.fromkeys(tool.schema["required"], research_id)
        if tool.name in ("deep_research", "start_research") or tool.safety == "host":
            continue
        try:
            yield f"tool {tool.name}", engine.tools.call(tool.name, arguments).encode()
        except ZororaError as refusal:
            yield f"tool {tool.name}", str(refusal).encode()


def test_a_key_is_in_its_file_and_nowhere_else(
    engine: ResearchEngine, home: Path, tmp_path: Path, tell: Callable[[str, int, int], None]
) -> None:
    secrets = (KEY.encode(), SHELL_KEY.encode())
    research_id, leaks = whole_research(engine, secrets)
    places: dict[str, Any] = dict(pages(engine, home, research_id))
    places |= {
        name: engine.export(research_id, name).data
        for name, _, _ in engine.export_formats()
        if name != "pdf"
    }
    places |= dict(interfaces(engine, research_id))
    engine.upkeep.backup()
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(home), str(copy)], check=True)
    places |= {
        str(file.relative_to(copy)): file.read_bytes() for file in copy.rglob("*") if file.is_file()
    }
    for name, data in places.items():
        if name.endswith("keys.json"):
            continue
        leaks += [f"{name}: {secret.decode()}" for secret in secrets if secret in data]
    assert any(KEY.encode() in data for data in places.values()), "the key is kept somewhere"
    assert any(name.startswith("backups") for name in places)
    tell(
        "keys looked for in pages, exports, files, tools, backups, command lines",
        len(places) + 1,
        len(leaks),
    )
    assert leaks == []


def test_everything_in_the_home_belongs_to_its_owner_alone(
    engine: ResearchEngine, home: Path, tell: Callable[[str, int, int], None]
) -> None:
    before = os.umask(0)  # the widest: nothing may rely on what the shell has set
    try:
        whole_research(engine, ())
        engine.upkeep.backup()
        Token(home / "web_token").renew()
        engine.set_setting("research.depth", "1")
    finally:
        os.umask(before)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    inside = [path for path in home.rglob("*") if not path.is_socket()]
    wide = [
        path.name for path in inside if path.is_dir() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    # The folder is closed; what must stay closed when somebody copies it elsewhere is closed by
    # itself
    open_files = [
        str(path.relative_to(home))
        for path in inside
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    tell("files and folders of the home open to others", len(inside), len(open_files) + len(wide))
    assert open_files == [] and wide == []


def test_no_export_names_a_place_of_this_computer(engine: ResearchEngine, home: Path) -> None:
    research_id, _ = whole_research(engine, ())
    for name, _, _ in engine.export_formats():
        if name != "pdf":
            data = engine.export(research_id, name).data
            assert str(home).encode() not in data and not re.search(
                rb"/home/|/root/|/tmp/", data
            ), name


def test_no_process_that_reads_foreign_bytes_has_a_key(
    engine: ResearchEngine, tell: Callable[[str, int, int], None]
) -> None:
    """The reader of documents, and programs for models, are started with an environment of their
    own."""
    import subprocess
    import sys

    from tools.host.environment import environment

    code = """
import os, pathlib, subprocess, sys
from tools.documents.parse_pool import ParsePool
with ParsePool() as pool:
    pool.parse(b"Words.", name="a.txt")
    me = os.getpid()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == me:
                print((folder / "environ").read_bytes())
        except OSError:
            continue
"""
    environ = {"PATH": os.environ["PATH"], "TAVILY_API_KEY": SHELL_KEY}  # noqa: TID251 - a process of its own
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environ, check=True
    )
    shown = [line for line in done.stdout.splitlines() if SHELL_KEY in line]
    shown += [name for name, value in environment().items() if KEY in value or SHELL_KEY in value]
    tell(
        "keys in the environment of what reads foreign bytes",
        done.stdout.count("\n") + 1,
        len(shown),
    )
    assert done.stdout.count("\n") >= 1 and shown == []


def test_a_service_that_repeats_its_key_in_an_error_does_not_spread_it(
    home: Path, tell: Callable[[str, int, int], None]
) -> None:
    paid = ("brave", "serper", "tavily")

    def repeats(request: Asked) -> Reply:
        message = f"Wrong key: {request.headers}".replace('"', "'")
        return Reply(
            f'{{"error": {{"detail": "{message}", "code": "X"}}, "message": "{message}"}}'.encode(),
            422,
        )

    with serve() as server:
        world = mount(server, characters=2000)
        base = server.on("/echo/", repeats)
        settings = {
            **world.settings, **{f"sources.{name}.enabled": True for name in paid},
            **{f"sources.{name}.base_url": base for name in paid},
            "embeddings.enabled": False, "storage.keyring": False,
        }  # fmt: skip
        with ResearchEngine(home=home, environ={}, overrides=settings) as engine:
            for name in ("BRAVE_SEARCH_API_KEY", "SERPER_API_KEY", "TAVILY_API_KEY"):
                engine.set_key(name, KEY)
            state = engine.run(QUESTION, RunOptions(sources=("web",), depth=1, clarify=False))
            engine.check_sources(paid)
            places: dict[str, Any] = dict(pages(engine, home, state.research_id)) | dict(
                interfaces(engine, state.research_id)
            )
    requests = [
        request
        for request in server.requests
        if request.path.startswith("/echo/")
        and KEY in str((request.headers, request.target, request.body))
    ]
    # A thread may still be closing its connection, and take the log of a database with it: another
    # process may read beside it, and what is gone by then is not missed
    copy = home.with_name("copy")
    subprocess.run(["cp", "-r", str(home), str(copy)], check=False)
    assert {"corpus.db", "zorora.db"} <= {file.name for file in copy.iterdir()}
    places |= {
        str(file.relative_to(copy)): file.read_bytes() for file in copy.rglob("*") if file.is_file()
    }
    leaks = [
        name
        for name, data in places.items()
        if KEY.encode() in data and not name.endswith("keys.json")
    ]
    tell("keys that a service repeats in its error", len(places), len(leaks))
    assert len(requests) >= 3 and leaks == []
