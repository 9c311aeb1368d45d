"""Addresses of the web page: what to print, and whether a browser can be opened here."""

import getpass
import socket
import webbrowser
from urllib.parse import quote

from engine.web_addresses import host_name
from ui.terminal.session import Session


def base(session: Session) -> str:
    """http://host:port of this installation's page."""
    config = session.engine.config
    return f"http://{host_name(config.get('web.host'))}:{config.get('web.port')}"


def page(session: Session, research_id: str) -> str:
    """The bookmarkable address of one research."""
    return f"{base(session)}/research/{quote(research_id)}"


def display() -> webbrowser.BaseBrowser | None:
    """A browser that opens a window here; None on a machine without a display."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return None
    # webbrowser falls back to text browsers (lynx, w3m), which would take over this terminal
    return None if type(browser) is webbrowser.GenericBrowser else browser


def tunnel(port: int) -> str:
    """The ssh line that brings the page to the machine the person sits at."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "USER"
    return f"ssh -L {port}:127.0.0.1:{port} {user}@{socket.gethostname()}"


def answering(host: str, port: int) -> bool:
    """Whether somebody listens there."""
    try:
        with socket.create_connection((host, port), timeout=0.5):
            return True
    except OSError:
        return False
