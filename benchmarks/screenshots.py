"""Pictures of the pages at two widths, light and dark, with an audit of each: `make screenshots`.

    python -m benchmarks.screenshots [--fake | --states | --readme] [--out build/screenshots]
    [--all] [--only NAME ...]

Over a temporary home with researches on examples/; --fake takes an engine in memory instead, and
--states that engine in the rare states of screenshot_states.py, with the printed report. A page
fails by an accessibility violation (axe), by scrolling sideways, or by a message on the console (a
broken security policy is one).
"""

import argparse
import contextlib
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.screenshot_states import STATES

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-quic",
]
WIDTHS = (375, 1440)
SCHEMES = ("light", "dark")
QUESTIONS = (
    "Do batteries lower evening electricity prices in Norvalen?",
    "Does coffee raise blood pressure?",
)


@dataclass(frozen=True)
class Site:
    """A served application: its root and the address of each page by name."""

    root: str
    pages: dict[str, Callable[[], str]] = field(default_factory=dict)


@contextlib.contextmanager
def serving(engine: Any, **config: Any) -> Iterator[str]:
    """The root address of the page over an engine, served from a thread until the block ends.
    config: of the app."""
    from waitress.server import create_server

    from ui.web.app import create_app
    from ui.web.server import listen

    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    server = create_server(
        create_app({"ENGINE": engine, "PORT": port, **config}),
        sockets=[listening],
        threads=8,
        ident=None,
    )

    def run() -> None:
        with contextlib.suppress(OSError):
            server.run()

    def end() -> None:
        for channel in tuple(server.active_channels.values()):
            channel.handle_close()  # and the file that it was sending, which close_all leaves open
        server.asyncore.close_all(server._map, ignore_all=True)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        # Within the loop, which ends where nothing is left to wait for, and may have ended before
        # the trigger is written to
        with contextlib.suppress(OSError):
            server.trigger.pull_trigger(end)
        thread.join(5)
        server.task_dispatcher.shutdown(timeout=1)


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """A headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def opened(browser: Any, width: int, scheme: str) -> Iterator[tuple[Any, list[str]]]:
    """A page of this width and colour scheme, and the list that its console messages go to."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    messages: list[str] = []
    page.on(
        "console",
        lambda message: (
            messages.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: messages.append(str(error)))
    try:
        yield page, messages
    finally:
        context.close()


def audit(page: Any, messages: list[str]) -> list[str]:
    """What is wrong with a page that is open, one line each; empty when nothing is."""
    from axe_playwright_python.sync_playwright import Axe

    wrong = [f"console: {text}" for text in messages]
    for violation in Axe().run(page).response["violations"]:
        where = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
        wrong.append(
            f"axe {violation['id']} ({violation['impact']}): {violation['help']} at {where}"
        )
    sideways = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    if sideways > 0:
        wrong.append(f"scrolls sideways by {sideways} px")
    return wrong


def fake_site(root: str, engine: Any) -> Site:
    """Pages over the engine in memory."""
    from tests.ui import fake_engine, fake_research

    source = fake_research.SOURCES["S1"].source_id
    addresses = {
        "home": "/",
        "progress": f"/research/{fake_engine.RUNNING}",
        "waiting": f"/research/{fake_engine.WAITING}",
        "failed": f"/research/{fake_engine.FAILED}",
        "report": f"/research/{engine.done}",
        "reader": f"/research/{engine.done}/source/{source}",
        "graph": f"/research/{engine.done}/graph",
        "log": f"/research/{engine.done}/log",
        "claim": f"/research/{engine.done}/claim/C1",
        "revisions": f"/research/{engine.done}/revisions",
        "history": "/history?q=batteries",
        "library": "/library",
        "library-search": "/library?q=flow",
        "document": "/library/d1?start=0&end=40",
        "settings": "/settings",
        "help": "/help",
        "compare": f"/compare?a={engine.done}&b={fake_research.SECOND}",
        "compare-choose": "/compare",
        "import": "/import",
        "api": "/help/api",
        "error": "/research/unknown",
    }
    return Site(root, {name: (lambda path=path: root + path) for name, path in addresses.items()})  # type: ignore[misc]


class Halting:
    """The real pipeline, which stands still where claims have been found for as long as `still` is
    set."""

    def __init__(self, still: threading.Event) -> None:
        self._still = still

    def run(self, state: Any, deps: Any, **more: Any) -> Any:
        def emit(event: Any) -> None:
            deps.emit(event)
            while self._still.is_set() and (event.kind, event.phase) == (
                "phase_started",
                "credibility",
            ):
                time.sleep(0.05)

        from workflows.research import pipeline

        return pipeline.run(state, replace(deps, emit=emit), **more)

    def finish_partial(self, state: Any, deps: Any, ended_by: str = "user") -> Any:
        from workflows.research import pipeline

        return pipeline.finish_partial(state, deps, ended_by)


def halted(engine: Any) -> str:
    """The id of the research that stands still."""
    for _ in range(1200):
        for job in engine.jobs():
            if job.phase == "credibility":
                time.sleep(0.5)  # the last events are written in portions
                return str(job.research_id)
        time.sleep(0.05)
    raise RuntimeError("no research came as far as credibility")


def real_site(root: str, engine: Any, still: threading.Event) -> Site:
    """Pages over a real engine that has read examples/ and done a few researches on them."""
    from engine.answers import RunOptions

    engine.ingest([str(ROOT / "examples")])
    options = RunOptions(depth=2, sources=("local",), clarify=False)
    states = [engine.run(question, options) for question in QUESTIONS]
    state = max(states, key=lambda s: (len(s.contradictions), len(s.claims)))
    engine.star(state.research_id, True)
    engine.tag(state.research_id, ("storage",))
    assert state.answer is not None
    cited = state.answer.passages[0].source_id

    def running() -> str:
        if not still.is_set():
            still.set()
            threading.Thread(target=engine.run, args=(QUESTIONS[0], options), daemon=True).start()
        return f"{root}/research/{halted(engine)}"

    def at(path: str) -> Callable[[], str]:
        return lambda: root + path

    report = f"/research/{state.research_id}"
    return Site(
        root,
        {
            "home": at("/"),
            "progress": running,
            "report": at(report),
            "reader": at(f"{report}/source/{cited}"),
            "graph": at(f"{report}/graph"),
            "compare": at(f"/compare?a={states[0].research_id}&b={states[1].research_id}"),
            "import": at("/import"),
            "api": at("/help/api"),
            "log": at(f"{report}/log"),
            "history": at("/history"),
            "library": at("/library"),
            "library-search": at("/library?q=batteries"),
            "settings": at("/settings"),
            "help": at("/help"),
            "error": at("/research/unknown"),
        },
    )


def shoot(site: Site, names: list[str], out: Path) -> list[str]:
    """Take every picture; the complaints of all audits."""
    out.mkdir(parents=True, exist_ok=True)
    wrong = []
    with chromium() as browser:
        for name in names:
            for width in WIDTHS:
                for scheme in SCHEMES:
                    with opened(browser, width, scheme) as (page, messages):
                        still(page)
                        page.goto(site.pages[name](), wait_until="load")
                        wrong += taken(
                            page, messages, out / f"{name}-{width}-{scheme}.png", name == "error"
                        )
    return wrong


def shoot_states(names: list[str], out: Path) -> list[str]:
    """Take a picture of each rare state, each over an engine of its own; the complaints of all
    audits."""
    out.mkdir(parents=True, exist_ok=True)
    wrong = []
    with chromium() as browser:
        for name in names:
            for width in WIDTHS:
                for scheme in SCHEMES:
                    with in_state(browser, name, width, scheme) as (page, messages):
                        refused = STATES[name].answers >= 400
                        wrong += taken(
                            page, messages, out / f"{name}-{width}-{scheme}.png", refused
                        )
        with in_state(browser, "report-written", 1440, "light") as (page, _):
            printed(page, out / "report-print.png")
    return wrong


@contextlib.contextmanager
def in_state(browser: Any, name: str, width: int, scheme: str) -> Iterator[tuple[Any, list[str]]]:
    """A browser page in a rare state, and the list of its console messages."""
    from tests.ui.fake_engine import FakeEngine

    state = STATES[name]
    with tempfile.TemporaryDirectory() as home, opened(browser, width, scheme) as (page, messages):
        engine = FakeEngine(Path(home))
        path = state.prepare(engine)
        with serving(engine, TOKEN=state.token) as root:
            still(page)
            page.goto(root + path, wait_until="load")
            state.act(page)
            yield page, messages


def picture_report(site: Site, path: Path) -> None:
    """The first screen of a report, for the README."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 860}, reduced_motion="reduce")
        page.goto(site.pages["report"](), wait_until="load")
        page.screenshot(path=str(path))


def still(page: Any) -> None:
    """Keep the page from asking for news: it could turn into the report between the picture and the
    audit."""
    page.route(
        "**/htmx.min.js*", lambda route: route.fulfill(body="", content_type="text/javascript")
    )


def taken(page: Any, messages: list[str], path: Path, refused: bool) -> list[str]:
    """Take the picture; what is wrong with the page. refused: its status of 4xx or 5xx is as it
    should be."""
    # With a dialog over it only what is in view can be seen by a person
    page.screenshot(path=str(path), full_page=page.locator("dialog[open]").count() == 0)
    heard = [
        text
        for text in messages
        if not (refused and "the server responded with a status of" in text)
    ]
    return [f"{path.stem}: {line}" for line in audit(page, heard)]


def printed(page: Any, path: Path) -> None:
    """The page as it is printed on A4, its sheets beside each other in one picture."""
    import pypdfium2
    from PIL import Image

    sheets = [
        sheet.render(scale=1.25).to_pil() for sheet in pypdfium2.PdfDocument(page.pdf(format="A4"))
    ]
    whole = Image.new(
        "RGB", (sum(s.width + 8 for s in sheets), max(s.height for s in sheets)), "gray"
    )
    for number, sheet in enumerate(sheets):
        whole.paste(sheet, (number * (sheet.width + 8), 0))
    whole.save(path)


@contextlib.contextmanager
def site(fake: bool) -> Iterator[Site]:
    """The served pages on a temporary home."""
    with tempfile.TemporaryDirectory() as home:
        if fake:
            from tests.ui.fake_engine import FakeEngine

            engine: Any = FakeEngine(Path(home))
            with serving(engine) as root:
                yield fake_site(root, engine)
            return
        from engine import ResearchEngine
        from engine.extensions import Extensions

        still = threading.Event()
        added = Extensions(pipeline=Halting(still))
        with ResearchEngine(home=home, extensions=added) as engine, serving(engine) as root:
            try:
                yield real_site(root, engine, still)
            finally:
                still.clear()
                while engine.jobs():
                    time.sleep(0.05)


def main(arguments: list[str] | None = None) -> int:
    """0 when every page is in order, else 1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screenshots", description=__doc__)
    parser.add_argument(
        "--fake", action="store_true", help="an engine in memory with invented data"
    )
    parser.add_argument("--states", action="store_true", help="rare states, and the printed report")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument(
        "--all", action="store_true", help="every page, not only the five of the README"
    )
    parser.add_argument(
        "--readme",
        action="store_true",
        help="nothing but docs/report.png, the picture of the README",
    )
    parser.add_argument("--only", nargs="*", help="these pages")
    chosen = parser.parse_args(arguments)
    if chosen.states:
        names = chosen.only or list(STATES)
        wrong = shoot_states(names, chosen.out)
    else:
        with site(chosen.fake) as pages:
            if chosen.readme:
                picture_report(pages, ROOT / "docs" / "report.png")
                return 0
            five = ["home", "progress", "report", "reader", "history"]
            names = chosen.only or (list(pages.pages) if chosen.all else five)
            wrong = shoot(pages, names, chosen.out)
    for line in wrong:
        print(line)
    print(
        f"{len(names) * len(WIDTHS) * len(SCHEMES)} pictures in "
        f"{chosen.out}, {len(wrong)} complaints"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
