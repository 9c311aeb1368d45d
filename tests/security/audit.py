"""`make audit`: known weaknesses, lower bounds and licences of everything that comes with Zorora.

What needs a network (the advisories of today, by pip-audit) and what needs none (weaknesses known when this was
written, licences, bounds) are told apart. Exit status: 0 looked up and sound, 1 something is wrong, 2 nobody could be
asked.
"""

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Words in a licence or classifier that would bind what is built on it
BINDING = re.compile(r"\bA?GPL|Affero|GNU General|SSPL|Commons Clause|BUSL|Non-?Commercial", re.I)
WEAKER = re.compile(r"\bLGPL|Lesser General", re.I)  # a library by itself, used and not changed
ALSO = {"pyphen": "MPL-1.1", "tld": "MPL-1.1"}  # offered under this one too
# name -> (least version, the weakness that it ends); direct dependencies have it as their lower bound too
LEAST = {
    "brotli": ("1.2.0", "CVE-2025-6176"), "certifi": ("2024.7.4", "CVE-2024-39689"),
    "dask": ("2021.10.0", "CVE-2021-42343"), "flask": ("3.1.1", "CVE-2025-47278"),
    "fonttools": ("4.60.2", "CVE-2025-66034"), "h11": ("0.16.0", "CVE-2025-43859"), "idna": ("3.7", "CVE-2024-3651"),
    "jinja2": ("3.1.6", "CVE-2025-27516"), "lxml": ("5.4", "CVE-2025-32414, CVE-2025-32415"),
    "lxml-html-clean": ("0.4.0", "CVE-2024-52595"), "mcp": ("1.23.0", "CVE-2025-66416"),
    "pygments": ("2.15.0", "CVE-2022-40896"),
    "python-multipart": ("0.0.18", "CVE-2024-53981"), "requests": ("2.32.4", "CVE-2024-47081"),
    "starlette": ("0.49.1", "CVE-2025-62727"), "tornado": ("6.5", "CVE-2025-47287"),
    "urllib3": ("2.6.0", "CVE-2025-66418"), "waitress": ("3.0.1", "CVE-2024-49768"),
    "werkzeug": ("3.1.4", "CVE-2025-66221"), "zipp": ("3.19.1", "CVE-2024-5569"),
}  # fmt: skip
SERVICES = ("pypi", "osv")


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What the advisories say. asked: packages that were found there. weak: package and what is known of it."""

    service: str
    asked: int
    unknown: int
    weak: tuple[str, ...] = ()


def name_of(requirement: str) -> str:
    """The normal name in a requirement."""
    return re.split(r"[^A-Za-z0-9_.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def licence_of(found: metadata.Distribution) -> str:
    """What a distribution says of itself, without the text of the licence."""
    told = found.metadata
    said = [told.get("License-Expression") or "", (told.get("License") or "").split("\n")[0][:80]]
    return "; ".join([*said, *(c for c in told.get_all("Classifier") or () if c.startswith("License"))])


@cache
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


def bound() -> dict[str, str]:
    """Packages whose licence would bind the users, with what they say."""
    said = {name: licence_of(one) for name, one in needed().items() if name not in ALSO}
    return {name: licence for name, licence in said.items() if BINDING.search(WEAKER.sub("", licence))}


def number(version: str) -> tuple[int, ...]:
    """A version for comparing: four numbers."""
    parts = [int(part) for part in re.findall(r"\d+", version.split("+")[0])[:4]]
    return (*parts, *[0] * (4 - len(parts)))


def too_old() -> list[str]:
    """What is installed with a weakness that was known when this was written."""
    found = {name: one.version for name, one in needed().items()}
    return [
        f"{name} {found[name]}: at least {least} is wanted ({why})"
        for name, (least, why) in LEAST.items()
        if name in found and number(found[name]) < number(least)
    ]


def loose() -> list[str]:
    """Direct dependencies for users that have no lower bound, or one with a known weakness."""
    wrong = []
    for group, listed in {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}.items():
        for one in listed if group != "dev" else ():
            least = re.search(r"(?:>=|==|~=)\s*([\d.]+)", one)
            wanted = LEAST.get(name_of(one), ("0", ""))[0]
            if not one.startswith("zorora") and (least is None or number(least[1]) < number(wanted)):
                wrong.append(one)
    return wrong


def looked_up() -> LookedUp | None:
    """The advisories of today for what is installed; None when no service could tell anything."""
    for service in SERVICES:
        command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--format", "json", "--vulnerability-service"]
        try:
            done = subprocess.run([*command, service], capture_output=True, text=True, timeout=300, check=False)
            rows = json.loads(done.stdout)["dependencies"]
        except (OSError, subprocess.TimeoutExpired, ValueError, KeyError):
            continue
        asked = [row for row in rows if "vulns" in row]
        weak = [f"{row['name']} {row['version']}: {v['id']}" for row in asked for v in row["vulns"]]
        if asked:
            return LookedUp(service, len(asked), len(rows) - len(asked), tuple(weak))
    return None


def main() -> int:
    """Print both parts."""
    found, wrong = needed(), [*too_old(), *(f"{name} is under {said}" for name, said in bound().items())]
    wrong += [f"{one} may be installed in a version with a known weakness" for one in loose()]
    print(f"Without a network: {len(found)} packages come with Zorora and its extras here.")
    for name, one in sorted(found.items()):
        print(f"  {name:<24} {one.version:<14} {licence_of(one).strip('; ')[:70]}")
    print(f"  {len(LEAST)} of them, or of what they bring, had weaknesses that are known here by their numbers.")
    told = looked_up()
    if told is None:
        print("With a network: NOT DONE. No service of advisories could be reached, so nothing is known of weaknesses")
        print(
            f"  that were found after this list was written. Asked: {', '.join(SERVICES)}. Run it again with a network."
        )
    else:
        print(
            f"With a network: {told.asked} packages were looked up at {told.service}, {told.unknown} are unknown there."
        )
        wrong += told.weak
    for one in wrong:
        print(f"WRONG: {one}")
    print(f"{len(wrong)} things are wrong." if wrong else "Nothing that was looked at is wrong.")
    return 1 if wrong else 0 if told else 2


if __name__ == "__main__":
    sys.exit(main())
