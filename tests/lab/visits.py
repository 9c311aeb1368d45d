"""Every page and every API read of the server, what of a home a look must not change, and what
other programs do."""

import hashlib
import sqlite3
import urllib.error
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from tests.lab.places import Browser
from ui.web.app import create_app

# Not part of what a user did: pages are computed from the rest, events end with their research
FILES = ("research", "documents", "config.toml", "keys.json")
DATABASES = ("zorora.db", "corpus.db")
# Reads that need more than ids: what they are asked with
QUERIES = {
    "/api/v1/compare": "?a={research_id}&b={other_id}",
    "/api/v1/export": "?id={research_id}",
    "/api/v1/library/search": "?q=battery",
    "/api/v1/related": "?q=battery",
    "/api/v1/research": "?q=battery",
    "/compare": "?a={research_id}&b={other_id}",
    "/history": "?q=battery",
    "/related": "?q=battery",
    "/search": "?q=battery",
}


def addresses(names: Mapping[str, str]) -> list[str]:
    """Every address that answers GET, with these values for the parts of its path."""
    result = []
    for rule in sorted(create_app().url_map.iter_rules(), key=lambda rule: rule.rule):
        if "GET" not in (rule.methods or ()) or rule.endpoint in ("static", "api.unknown"):
            continue
        path = rule.rule.replace("<int:", "<")
        for name in rule.arguments:
            path = path.replace(f"<{name}>", names[name])
        assert "<" not in path, f"no value for {rule.rule}"
        result.append(path)
        if query := QUERIES.get(rule.rule):
            result.append(path + query.format(**names))
    return result


def contents(home: Path) -> dict[str, Any]:
    """All rows of both databases and all files that hold what a user did, as another program sees
    them."""
    result: dict[str, Any] = {}
    for name in DATABASES:
        with closing(sqlite3.connect(home / name, timeout=20)) as connection:
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall()
            for (table,) in tables:
                with suppress(
                    sqlite3.OperationalError
                ):  # tables of the full text without content of their own
                    rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
                    result[f"{name}: {table}"] = sorted(map(repr, rows))
    for path in (
        path
        for name in FILES
        for path in (home / name, *(home / name).rglob("*"))
        if path.is_file()
    ):
        result[str(path.relative_to(home))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return result


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Names of the tables and files that are not the same."""
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def deleted_files(browser: Browser) -> list[str]:
    """Files of a server's descriptors that were deleted under it."""
    result = []
    for descriptor in list(Path(f"/proc/{browser.process.pid}/fd").iterdir()):
        with suppress(FileNotFoundError):
            target = str(descriptor.readlink())
            if target.endswith("(deleted)") and any(name in target for name in DATABASES):
                result.append(target)
    return result


def open_and_close(home: Path) -> None:
    """What any other program does: open both databases, look, and close them as the last who has
    them, if so."""
    for name in DATABASES:
        with closing(sqlite3.connect(home / name, timeout=20)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def look(browser: Browser, address: str) -> int:
    """Visit an address; its status. Refusals are answers too, faults of the server are not."""
    try:
        browser.get(address)
        return 200
    except urllib.error.HTTPError as refused:
        assert refused.code < 500 or refused.code == 502, (
            f"{address}: {refused.code} {refused.read()[:1000]!r}"
        )
        return refused.code
