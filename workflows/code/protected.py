"""What decides whether a change is right: tests and their settings. They are changed only when a
person says so."""

import json
import re
import tomllib
from typing import Any

_TESTS = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)test_[^/]+\.py$|_test\.(?:py|go|rs)$|\.(?:test|spec)\.[cm]?[jt]sx?$"
)
_SETTINGS = re.compile(
    r"(?:^|/)(?:conftest\.py|pytest\.ini|\.pytest\.ini|tox\.ini|\.coveragerc|(?:jest|vitest|karma|playwright)\.config\.\w+)$"
)


def is_test(name: str) -> bool:
    """Whether a path is that of a test."""
    return bool(_TESTS.search(name))


def is_protected(name: str, is_new: bool = False) -> bool:
    """Whether a path is that of a test that exists, or of what steers tests, new or not."""
    return bool(_SETTINGS.search(name)) or (is_test(name) and not is_new)


def weakens(name: str, before: str | None, after: str) -> bool:
    """Whether a change of a file that also holds other things changes how tests are run, or takes
    away Rust's tests."""
    kind = name.rpartition("/")[2]
    if kind == "package.json":
        return bool(_scripts(before or "{}") != _scripts(after))
    if kind in ("pyproject.toml", "setup.cfg"):
        return bool(_sections(kind, before or "") != _sections(kind, after))
    if kind.endswith(".rs"):
        return not _tests_in(before or "") <= _tests_in(after)
    return False


def _scripts(text: str) -> Any:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    scripts = data.get("scripts")
    return (scripts.get("test") if isinstance(scripts, dict) else None, data.get("jest"))


def _sections(kind: str, text: str) -> Any:
    if kind == "setup.cfg":
        return re.findall(r"^\[tool:pytest\][^\[]*", text, re.M)
    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        return None
    return (tool.get("pytest"), tool.get("coverage")) if isinstance(tool, dict) else None


def _tests_in(text: str) -> set[str]:
    """The test modules and test functions of a Rust file as they stand, since they lie beside what
    they test."""
    inside = re.search(r"^#\[cfg\(test\)\][ \t]{0,9}\n.*", text, re.M | re.S)
    return {
        *re.findall(r"^#\[test\]\n[^\n]*\{\n.*?^\}", text, re.M | re.S),
        *([inside[0].strip()] if inside else []),
    }
