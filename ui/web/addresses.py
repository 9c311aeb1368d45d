"""Addresses of this server that stand in links, forms and redirects."""

from flask import request


def own_path(target: str) -> str:
    """A path on this server, never another site: "//x" and "/\\x" would lead away."""
    plain = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if plain and target.isprintable() else "/"


def this_page() -> str:
    """The address of the page that was asked for, of a form without its query; another site's
    becomes "/".

    A request for `/%5cevil.example/` arrives here as `/\\evil.example/`, which browsers take for
    another site.
    """
    return own_path(request.full_path.rstrip("?") if request.method == "GET" else request.path)
