"""Who may ask what: host names, origin of changes, form tokens, sign-in, and the headers of every
answer.

The order of the checks: host name, bearer token, sign-in, then (for changes) origin and form token.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address

from flask import (
    Flask,
    Response,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests, Unauthorized

from engine.models import Refused
from ui.web.access_token import Failures, Token
from ui.web.context import own_path, this_page
from ui.web.session import PROBLEM, csrf_fits, csrf_token

SAFE = ("GET", "HEAD", "OPTIONS")
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
OPEN = ("static", "signin.form", "signin.enter")  # reached without signing in
HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[\w.-]{1,253}))(?::\d{1,5})?")
FORM_BYTES = 1024 * 1024
# Where more may be sent
UPLOADS = (
    "/library/upload",
    "/library/documents",
    "/import",
    "/images/describe",
)
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECRET = {"settings.keys", "settings.save", "signin.enter"}  # forms whose fields no page may repeat
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def protect(app: Flask) -> None:
    """Register the checks and headers for every request of the application."""
    app.before_request(check)
    app.after_request(add_headers)
    app.jinja_env.globals["csrf_token"] = csrf_token


def check() -> ResponseReturnValue | None:
    """Let a request in, send it to the sign-in form, or refuse it with a sentence."""
    if problem := request.environ.get(PROBLEM):
        raise problem
    check_host()
    if request.endpoint == "static":
        return None
    if not request.path.endswith(UPLOADS):
        request.max_content_length = FORM_BYTES
    g.bearer = bearer_fits()
    if g.bearer:
        return None
    if away := first_visit():
        return away
    if not signed_in() and request.endpoint not in OPEN:
        return ask_to_sign_in()
    return check_change() if request.method not in SAFE else None


def check_sender() -> None:
    """What the headers alone tell: whether somebody may send anything here. Raises Refused,
    Unauthorized."""
    if problem := request.environ.get(PROBLEM):
        raise problem
    check_host()
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer" and token().fits(secret.strip()):
        return
    if not signed_in():
        raise Unauthorized("Send the access token: Authorization: Bearer TOKEN.")
    check_origin()


def check_host() -> None:
    """The name in the Host header must be ours; otherwise a foreign name could be pointed at this
    computer."""
    allowed = {*LOOPBACK_NAMES, *(name.lower() for name in current_app.config["ALLOWED_HOSTS"])}
    match = HOST.fullmatch(request.environ.get("HTTP_HOST", request.host))  # as it was sent
    name = (match["address"] or match["name"]).lower() if match else ""
    if name.removesuffix(".") not in allowed:
        g.foreign = True
        raise Refused(
            "This address is not one that Zorora answers to. Open it as http://localhost, "
            "or start it with --allow-host and the name you want to use."
        )


def bearer_fits() -> bool:
    """Whether the request carries the access token; a wrong one is refused and counted."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        return False
    check_token(secret.strip())
    return True


def check_token(secret: str) -> None:
    """Raises Unauthorized for a wrong token, TooManyRequests after ten of them within a minute.

    The right one is let in all the same: nobody guesses 256 bit, and whoever knows it may share an
    address with others.
    """
    if token().fits(secret):
        return
    failures: Failures = current_app.extensions["zorora_failures"]
    address = request.remote_addr or ""
    if failures.too_many(address):
        raise TooManyRequests("Too many wrong tokens. Wait a minute and try again.")
    failures.add(address)
    raise Unauthorized("This token is not valid.")


def token() -> Token:
    """The access token of this home directory."""
    return Token(current_app.extensions["zorora_token_path"]())


def signed_in() -> bool:
    """Always, unless the server asks for its token. It does of who comes from elsewhere, whatever
    it was told about itself: another server may run this application on any address.
    """
    if not current_app.config["TOKEN"] and from_here():
        return True
    fingerprint = token().fingerprint()
    return bool(fingerprint) and session.get("in") == fingerprint[:32]


def ask_to_sign_in() -> ResponseReturnValue:
    if request.path.startswith("/api/"):
        raise Unauthorized("Send the access token: Authorization: Bearer TOKEN.")
    return redirect(url_for("signin.form", next=this_page() if request.method == "GET" else "/"))


def first_visit() -> ResponseReturnValue | None:
    """A link on another site brings no SameSite=Strict cookie along; the same address is asked for
    again from here.

    Without this step such a visit would be given a new cookie, and the forms in other tabs would
    stop working.
    """
    foreign = request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    page = request.headers.get("Sec-Fetch-Mode") == "navigate" and request.method == "GET"
    if foreign and page and not session and not request.path.startswith("/api/"):
        return render_template("again.html", target=this_page())
    return None


def check_change() -> ResponseReturnValue | None:
    """A change must come from our own pages: by Sec-Fetch-Site, else by Origin, and with the form's
    token.

    With an old token, as after the cookies were cleared, the page that offers to send the same once
    more.
    """
    check_origin()
    sent_token = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    if csrf_fits(sent_token):
        return None
    if (
        not request.endpoint
        or request.endpoint in SECRET
        or request.path.startswith("/api/")
        or request.files
    ):
        raise Refused("This page is out of date. Go back, reload it and submit the form again.")
    fields = [(name, value) for name, value in request.form.items(multi=True) if name != "csrf"]
    return make_response(
        render_template(
            "stale.html", fields=fields, target=own_path(request.full_path.rstrip("?"))
        ),
        403,
    )


def check_origin() -> None:
    """Raises Refused for a change that another page asks for, or nobody can tell who."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is None and origin is None:
        raise Refused(
            "Without a browser, send the access token: Authorization: Bearer TOKEN. You can create "
            "one in the settings."
        )
    if site is not None:
        is_own = site == "same-origin"
    else:
        is_own = origin == f"{request.scheme}://{request.host}"
    if not is_own:
        raise Refused("Another page requested this change, so it was not made.")


def check_served_here(deed: str) -> None:
    """Refused where other computers may reach the page. deed: the beginning of the sentence."""
    if not served_here():
        raise Refused(f"{deed} only while the page is served to this computer alone.")


def served_here() -> bool:
    """Whether the page is served to this computer alone."""
    return from_here() and serves_here(
        current_app.config["HOST"], current_app.config["ALLOWED_HOSTS"]
    )


def from_here() -> bool:
    """Whether the connection comes from this computer; one without an address is a socket file of
    it."""
    return is_loopback(request.remote_addr or "localhost")


def serves_here(host: str, names: Iterable[str]) -> bool:
    """Whether a server bound to an address is for this computer alone: a further name is one that
    others open."""
    return is_loopback(host) and all(is_loopback(name) for name in names)


def is_loopback(host: str) -> bool:
    """Whether a server bound to this address is reached from this computer only."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def add_headers(answer: Response) -> Response:
    """Headers of every answer; pages are never stored by anyone but the browser's own back
    button."""
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if request.endpoint != "static":
        answer.headers.setdefault("Cache-Control", "private, no-cache")
    elif request.args.get("v"):
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer
