"""What is installed with Zorora: lower bounds, and licences that leave its users free."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Words in a licence or classifier that would bind what is built on it
BINDING = re.compile(r"\bA?GPL|Affero|GNU General|SSPL|Commons Clause|BUSL|Non-?Commercial", re.I)
WEAKER = re.compile(r"\bLGPL|Lesser General", re.I)  # a library by itself, used and not changed
ALSO = {"pyphen": "MPL-1.1", "tld": "MPL-1.1"}  # offered under this one too


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9_.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def licence_of(found: metadata.Distribution) -> str:
    """What a distribution says of itself, without the text of the licence."""
    told = found.metadata
    said = [told.get("License-Expression") or "", (told.get("License") or "").split("\n")[0][:80]]
    return "; ".join([*said, *(c for c in told.get_all("Classifier") or () if c.startswith("License"))])


def needed() -> dict[str, metadata.Distribution]:
    """Everything that comes with the program and its extras for users, as far as it is installed here."""
    extras = {name: listed for name, listed in PROJECT["optional-dependencies"].items() if name not in ("dev", "fuzz")}
    waiting = [
        name_of(one) for one in (*PROJECT["dependencies"], *(one for listed in extras.values() for one in listed))
    ]
    found: dict[str, metadata.Distribution] = {}
    while waiting:
        name = waiting.pop()
        if name in found or name == "zorora":
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        waiting += [name_of(one) for one in found[name].requires or () if "extra ==" not in one]
    return found


@pytest.mark.lab
def test_no_licence_binds_the_users() -> None:
    found = needed()
    assert len(found) > 25
    bound = {}
    for name, one in found.items():
        licence = licence_of(one)
        if BINDING.search(WEAKER.sub("", licence)) and name not in ALSO:
            bound[name] = licence
    assert bound == {}


def test_every_dependency_has_a_lower_bound() -> None:
    groups = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    loose = [
        one
        for group, listed in groups.items()
        for one in listed
        if group != "dev" and not re.search(r">=|==|~=", one) and not one.startswith("zorora")
    ]
    assert loose == []
