"""Serve the web page with waitress. Heavy imports stand inside, so that the terminal starts without
them."""

import errno
import gc
import select
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass

from engine.models import ConfigError, ZororaError
from engine.research_engine import ResearchEngine
from engine.web_addresses import host_name

THREADS = 16
RESUMED_AFTER = 1.0  # seconds: the first page comes before work in the background
# Bytes of a request, of one who may send it (connection_limits.py), that are read before it is
# answered. More than the application takes (200 MB), so that what is too large is refused with a
# page that explains: beyond this the connection breaks while the browser still sends.
TAKEN_IN = 1024**3


@dataclass(frozen=True, slots=True)
class Serving:
    """How to serve. token: ask for the access token also on loopback; new_token: make a new one
    first."""

    host: str = "127.0.0.1"
    port: int = 5000
    open_browser: bool = True
    allow_hosts: tuple[str, ...] = ()
    token: bool = False
    new_token: bool = False
    threads: int = THREADS


def serve(
    engine: ResearchEngine,
    how: Serving,
    say: Callable[[str], object],
    ready: Callable[[int], object] = bool,
) -> None:
    """Serve until interrupted. Raises ConfigError with a sentence when the port cannot be had.

    ready: called with the port once the address was said.
    """
    listening = listen(how.host, how.port)
    from waitress.server import create_server

    from ui.web.access_token import Token
    from ui.web.app import create_app
    from ui.web.connection_limits import MOST, channel
    from ui.web.security import is_loopback

    port = listening.getsockname()[1]
    faults = bool(engine.config.get("web.debug"))
    app = create_app(
        {
            "ENGINE": engine,
            "HOST": how.host,
            "PORT": port,
            "TOKEN": how.token,
            "SHOW_FAULTS": faults,
            "ALLOWED_HOSTS": how.allow_hosts,
        }
    )
    token = Token(app.extensions["zorora_token_path"]())
    secret = (
        token.renew() if how.new_token or (app.config["TOKEN"] and not token.exists()) else None
    )
    address = f"http://{host_name(how.host)}:{port}/"
    say(f"Zorora is at {address}")
    ready(port)
    if secret:
        say(f"The access token, shown this once: {secret}")
    if not is_loopback(how.host):
        say(
            "Warning: other computers reach the page without encryption. Put a server with HTTPS "
            "in front of it."
        )
    limits = {
        "max_request_body_size": TAKEN_IN,
        "clear_untrusted_proxy_headers": True,
        # select() takes no descriptor above 1,023
        "asyncore_use_poll": hasattr(select, "poll"),
        "connection_limit": MOST,
    }
    if is_loopback(how.host) and engine.config.get("corpus.watch"):
        engine.watch_folders()
    with (
        closing(
            create_server(app, sockets=[listening], threads=how.threads, ident=None, **limits)
        ) as server,
        _vectors_resumed(engine),
    ):
        server.channel_class = channel(app)
        # What is loaded now stays for good: the collector need not look at it again while a page is
        # made
        gc.collect()
        gc.freeze()
        if how.open_browser:
            threading.Timer(0.2, webbrowser.open, (address,)).start()
        server.run()


@contextmanager
def _vectors_resumed(engine: ResearchEngine) -> Iterator[None]:
    """Vectors of documents that an earlier program left are made while the server runs."""

    def begin() -> None:
        with suppress(ZororaError):  # a library that cannot be opened says so on its page
            engine.preparing(begin=True)

    later = threading.Timer(RESUMED_AFTER, begin)
    later.start()
    try:
        yield
    finally:
        later.cancel()


def listen(host: str, port: int) -> socket.socket:
    """A bound, listening socket. Port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen(128)
    except (OSError, OverflowError) as problem:
        listening.close()
        raise ConfigError(sentence(problem, host, port)) from problem
    return listening


def sentence(problem: Exception, host: str, port: int) -> str:
    """What is wrong with an address, and what to do."""
    code = getattr(problem, "errno", None)
    if code == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program. Choose another one with --port, for "
            f"example --port {port + 1}."
        )
    if code == errno.EACCES:
        return f"Port {port} needs administrator rights. Choose one above 1023 with --port."
    return f"Zorora cannot listen on {host}, port {port}. Check --host and --port (0 to 65535)."
