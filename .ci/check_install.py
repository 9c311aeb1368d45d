"""Is this installation whole? Run with its own Python, away from the checkout: check_install.py
ZORORA HOME.

Imports every declared dependency, starts `zorora web`, and fetches the first page with its
stylesheets and scripts.
"""

# ruff: noqa: T201, S603, S310 - it is a script, and runs what it is told to
import importlib
import importlib.metadata
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

SECONDS = 60


def main(zorora: str, home: str) -> None:
    """Raises where something is missing."""
    import_dependencies()
    for package in (
        "engine",
        "ui.terminal.main",
        "tools.errors",
        "workflows.routing.router",
        "zorora.engine",
    ):
        where = Path(importlib.import_module(package).__file__ or "")
        assert "site-packages" in where.parts, (
            f"{package} comes from {where}, not from the installation"
        )
    print(run(zorora, "version"))
    run(zorora, "--home", home, "ingest", str(examples()))
    library(home)
    page(zorora, home)


def library(home: str) -> None:
    """Use the package as docs/library.md does, over the documents that were ingested."""
    from zorora import ResearchEngine, RunOptions

    with ResearchEngine(home=home) as engine:
        report = engine.run(
            "How many street trees did Ostervale plant?", RunOptions(depth=1, sources=("local",))
        )
        assert report.answer is not None and report.answer.status == "answered", report.synthesis
        assert engine.export(report.research_id, "html").data
    for package in ("zorora", "engine", "tools", "workflows"):
        folder = Path(importlib.import_module(package).__file__ or "").parent
        assert (folder / "py.typed").exists(), f"{package} carries no py.typed"
    print(f"library: {report.answer.passages[0].lead.text}")


def import_dependencies() -> None:
    """Import the top-level modules of everything zorora requires without extras."""
    modules: dict[str, list[str]] = {}
    for module, owners in importlib.metadata.packages_distributions().items():
        for owner in owners:
            modules.setdefault(canonical(owner), []).append(module)
    for line in importlib.metadata.requires("zorora") or ():
        if "extra ==" in line:
            continue
        name = canonical(re.split(r"[\s<>=!~;\[(]", line, maxsplit=1)[0])
        for module in modules[name]:
            if not module.startswith("_"):
                importlib.import_module(module)
        print(f"imported {name}: {', '.join(sorted(modules[name]))}")


def canonical(name: str) -> str:
    """The name of a distribution as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def examples() -> Path:
    """The example documents inside the installation."""
    folder = Path(importlib.import_module("ui").__file__ or "").parent / "examples"
    assert any(folder.iterdir()), "the wheel carries no examples"
    return folder


def run(*words: str) -> str:
    """Standard output of a command that must succeed."""
    return subprocess.run(
        words, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True
    ).stdout.strip()


def page(zorora: str, home: str) -> None:
    """Start the page on a free port and fetch it with all it needs."""
    words = [zorora, "--home", home, "web", "--port", "0", "--no-browser"]
    server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        base = address(server)
        html = fetch(base, "text/html")
        assets = re.findall(r'(?:href|src)="([^"]+\.(?:css|js|svg)[^"]*)"', html)
        assert any(".css" in asset for asset in assets), "the first page names no stylesheet"
        for asset in dict.fromkeys(assets):
            kind = "text/css" if ".css" in asset else ""
            print(
                f"fetched {asset}: {len(fetch(urllib.parse.urljoin(base, asset), kind))} characters"
            )
    finally:
        server.terminate()
        server.wait(SECONDS)


def address(server: "subprocess.Popen[str]") -> str:
    """The address the server prints when it listens."""
    assert server.stderr is not None
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        line = server.stderr.readline()
        match = re.search(r"http://\S+", line)
        if match:
            return match.group(0)
        assert line, f"zorora web ended with {server.wait(SECONDS)}"
    raise TimeoutError("zorora web printed no address")


def fetch(url: str, kind: str) -> str:
    """The body of a page that must be there."""
    with urllib.request.urlopen(url, timeout=SECONDS) as answer:
        assert answer.status == 200, f"{url}: {answer.status}"
        assert answer.headers["Content-Type"].startswith(kind), (
            f"{url}: {answer.headers['Content-Type']}"
        )
        return answer.read().decode("utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
