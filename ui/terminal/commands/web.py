"""Commands that lead to the browser: web, open, visualize."""

import threading
import webbrowser

from engine.models import ResearchState
from engine.web_addresses import HERE
from ui.terminal import addresses
from ui.terminal.command import Arguments
from ui.terminal.render import graph, links
from ui.terminal.session import Session

BROWSER_DELAY = 0.3  # seconds until the server answers; the browser itself takes longer


def open_page(session: Session, args: Arguments) -> None:
    """Open a research, or the first page, in the browser; serve it first when nobody does."""
    path = None
    if args.id:
        research_id = session.find(args.id)
        if session.engine.load_research(research_id) is None:
            session.engine.status(research_id)  # raises NotFound for an unknown id
        path = addresses.page(session, research_id)
    _show(session, args, path)


def visualize(session: Session, args: Arguments) -> None:
    """Draw the citation graph of a research here, and open it in the browser where there is one."""
    state = session.record(args.id)
    research_id = state.research_id
    if args.json:
        session.screen.json(_graph(state))
        return

    console = session.screen.console()
    session.screen.show(
        graph.parts(state, console.width, args.limit, links.supports_links(console))
    )
    session.screen.print("")
    path = addresses.page(session, research_id) + "/graph"
    if session.screen.on_terminal and not args.no_browser and addresses.display() is not None:
        return _show(session, args, path)
    session.screen.print(f"In the browser: {path}")
    if not addresses.answering("127.0.0.1", int(session.engine.config.get("web.port"))):
        session.screen.note("`zorora web` serves it.")


def _graph(state: ResearchState) -> dict[str, object]:
    rows = graph.nodes(state)
    ids = {row.name: row.source.source_id for row in rows}
    return {
        "research_id": state.research_id,
        "nodes": [
            {
                "id": row.source.source_id,
                "tag": row.source.tag,
                "title": row.source.title,
                "url": row.source.url,
                "authority": row.authority,
                "cited_by": len(row.cited_by),
                "not_read": row.outside,
            }
            for row in rows
        ],
        "edges": [
            {"from": row.source.source_id, "to": ids[name]} for row in rows for name in row.cites
        ],
    }


def _show(session: Session, args: Arguments, path: str | None) -> None:
    """Open a page in the browser; serve it first when nobody does."""
    config = session.engine.config
    host, port = str(config.get("web.host")), int(config.get("web.port"))
    if not addresses.answering("127.0.0.1" if host in HERE else host, port):
        return web(session, args, path)
    address = path or addresses.base(session)
    session.screen.print(address)
    browser = None if args.no_browser else addresses.display()
    if browser is not None:
        browser.open(address)
    elif not args.no_browser:
        session.screen.note(
            f"There is no display here. From another computer: {addresses.tunnel(port)}"
        )


def web(session: Session, args: Arguments, path: str | None = None) -> None:
    """Serve the page until Ctrl+C, and open it, or a page of it, where there is a display."""
    session.engine.secret_key()  # a home that cannot be used is said here, not on every page
    config = session.engine.config
    host = getattr(args, "host", None) or str(config.get("web.host"))
    typed_port = getattr(args, "port", None)
    port = int(config.get("web.port")) if typed_port is None else typed_port
    opens_browser = not args.no_browser and bool(config.get("web.open_browser"))
    display = addresses.display() if opens_browser else None
    from ui.web import server  # loaded with the first page

    how = server.Serving(
        host=host,
        port=port,
        open_browser=display is not None and path is None,
        allow_hosts=tuple(getattr(args, "allow_host", None) or ()),
        token=bool(config.get("web.token")),
        new_token=bool(getattr(args, "new_token", False)),
        threads=int(config.get("web.threads")),
    )

    def ready(port: int) -> None:
        if not args.no_browser and display is None and host in HERE:
            session.screen.note(f"From another computer: {addresses.tunnel(port)}")
        if path:
            session.screen.note(f"The report is at {path}")

    if path and display:
        threading.Timer(BROWSER_DELAY, webbrowser.open, (path,)).start()
    try:
        server.serve(session.engine, how, session.screen.note, ready)
    except KeyboardInterrupt:
        session.screen.note("Stopped. Running reports continue; `zorora jobs` lists them.")
