"""The cookie: signed, HttpOnly, SameSite=Strict, one name per port so that two servers do not
disturb each other."""

import hashlib
import hmac
import secrets

from flask import Flask, Request, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from engine.models import ZororaError
from ui.web.context import secret_key

DAYS = 90
PROBLEM = "zorora.problem"


class Cookie(SecureCookieSessionInterface):
    """Flask's signed cookie with SHA-256 and a name that carries the port."""

    digest_method = staticmethod(hashlib.sha256)
    salt = "zorora-cookie"

    def get_cookie_name(self, app: Flask) -> str:
        port = app.config.get("PORT") or request.environ.get("SERVER_PORT") or "0"
        return f"zorora_{port}"

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        secret_key()
        return super().get_signing_serializer(app)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        # Files of the page need no cookie; so they are served before any database is opened.
        if request.path.startswith("/static/"):
            return self.session_class()
        try:
            return super().open_session(app, request)
        except ZororaError as problem:
            # Raised here it would find no error handler; the first check of the request raises it
            # again.
            request.environ[PROBLEM] = problem
            return self.session_class()


def csrf_token() -> str:
    """The token of this browser's forms: a keyed hash of the random number in its cookie.

    On a page that is being made for the page cache it is a placeholder.
    """
    if placeholder := g.get("csrf_placeholder"):
        return str(placeholder)
    key, nonce = secret_key(), session.get("n")
    if not isinstance(nonce, str):
        nonce = session["n"] = secrets.token_urlsafe(16)
        session.permanent = True
    return hmac.new(key, f"csrf:{nonce}".encode(), hashlib.sha256).hexdigest()


def csrf_fits(token: str) -> bool:
    """Compared in constant time; a browser without a cookie has no valid token."""
    if not isinstance(session.get("n"), str):
        return False
    return hmac.compare_digest(csrf_token().encode(), token.encode("utf-8", "replace"))
