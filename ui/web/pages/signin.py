"""Signing in with the access token, where the server asks for it."""

from flask import Blueprint, redirect, render_template, request, session
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests, Unauthorized

from ui.web.context import own_path
from ui.web.security import check_token, token

bp = Blueprint("signin", __name__)


@bp.get("/sign-in")
def form() -> str:
    """The form that asks for the token."""
    return render_template(
        "signin.html", target=own_path(request.args.get("next", "/")), problem=None
    )


@bp.post("/sign-in")
def enter() -> ResponseReturnValue:
    """Remember in the cookie that this browser knows the token."""
    target = own_path(request.form.get("next", "/"))
    try:
        check_token(request.form.get("token", "").strip())
    except (Unauthorized, TooManyRequests) as problem:
        return render_template(
            "signin.html", target=target, problem=problem.description
        ), problem.code or 401
    session["in"] = token().fingerprint()[:32]
    session.permanent = True
    return redirect(target, 303)
