"""`make audit`: known weaknesses, lower bounds and licences of everything that comes with Zorora.

What needs a network (the advisories of today, by pip-audit) and what needs none (weaknesses known
when this was written, licences, bounds) are told apart. Exit status: 0 looked up and sound, 1
something is wrong, 2 nobody could be asked.
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
# Offered under this one too; of docutils only a file for Emacs, which is not installed, is not
ALSO = {"docutils": "BSD", "pyphen": "MPL-1.1", "tld": "MPL-1.1"}
# name -> (least version, the weakness that it ends); direct dependencies have it as their lower
# bound too
LEAST = {
    "brotli": ("1.2.0", "CVE-2025-6176"), "certifi": ("2024.7.4", "CVE-2024-39689"),
    "dask": ("2021.10.0", "CVE-2021-42343"), "flask": ("3.1.1", "CVE-2025-47278"),
    "fonttools": ("4.60.2", "CVE-2025-66034"), "h11": ("0.16.0", "CVE-2025-43859"),
    "idna": ("3.7", "CVE-2024-3651"),
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
    """What the advisories say. asked: packages that were found there. weak: package and what is
    known of it."""

    service: str
    packages: int
    unknown: int
    weak: tuple[str, ...] = ()


def name_of(requirement: str) -> str:
    """The normal name in a requirement."""
    return re.split(r"[^A-Za-z0-9_.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def licence_of(distribution: metadata.Distribution) -> str:
    """What a distribution says of itself, without the text of the licence."""
    metadata = distribution.metadata
    names = [
        metadata.get("License-Expression") or "",
        (metadata.get("License") or "").split("\n")[0][:80],
    ]
    return "; ".join(
        [*names, *(c for c in metadata.get_all("Classifier") or () if c.startswith("License"))]
    )


@cache
def needed() -> dict[str, metadata.Distribution]:
    """Everything that comes with the program and its extras for users, as far as it is installed
    here."""
    extras = {
        name: listed
        for name, listed in PROJECT["optional-dependencies"].items()
        if name not in ("dev", "fuzz")
    }
    waiting = [
        name_of(requirement)
        for requirement in (
            *PROJECT["dependencies"],
            *(requirement for listed in extras.values() for requirement in listed),
        )
    ]
    distributions: dict[str, metadata.Distribution] = {}
    while waiting:
        name = waiting.pop()
        if name in distributions or name == "zorora":
            continue
        try:
            distributions[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        waiting += [
            name_of(requirement)
            for requirement in distributions[name].requires or ()
            if "extra ==" not in requirement
        ]
    return distributions


def bound() -> dict[str, str]:
    """Packages whose licence would bind the users, with what they say."""
    licences = {
        name: licence_of(distribution)
        for name, distribution in needed().items()
        if name not in ALSO
    }
    return {
        name: licence
        for name, licence in licences.items()
        if BINDING.search(WEAKER.sub("", licence))
    }


def number(version: str) -> tuple[int, ...]:
    """A version for comparing: four numbers."""
    parts = [int(part) for part in re.findall(r"\d+", version.split("+")[0])[:4]]
    return (*parts, *[0] * (4 - len(parts)))


def too_old() -> list[str]:
    """What is installed with a weakness that was known when this was written."""
    versions = {name: distribution.version for name, distribution in needed().items()}
    return [
        f"{name} {versions[name]}: at least {least} is wanted ({why})"
        for name, (least, why) in LEAST.items()
        if name in versions and number(versions[name]) < number(least)
    ]


def loose() -> list[str]:
    """Direct dependencies for users that have no lower bound, or one with a known weakness."""
    wrong = []
    for group, listed in {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}.items():
        for requirement in listed if group != "dev" else ():
            least = re.search(r"(?:>=|==|~=)\s*([\d.]+)", requirement)
            least_version = LEAST.get(name_of(requirement), ("0", ""))[0]
            if not requirement.startswith("zorora") and (
                least is None or number(least[1]) < number(least_version)
            ):
                wrong.append(requirement)
    return wrong


def looked_up() -> LookedUp | None:
    """The advisories of today for what is installed; None when no service could tell anything."""
    for service in SERVICES:
        command = [
            sys.executable,
            "-m",
            "pip_audit",
            "--skip-editable",
            "--format",
            "json",
            "--vulnerability-service",
        ]
        try:
            done = subprocess.run(
                [*command, service], capture_output=True, text=True, timeout=300, check=False
            )
            rows = json.loads(done.stdout)["dependencies"]
        except (OSError, subprocess.TimeoutExpired, ValueError, KeyError):
            continue
        checked_rows = [row for row in rows if "vulns" in row]
        weak = [
            f"{row['name']} {row['version']}: {v['id']}"
            for row in checked_rows
            for v in row["vulns"]
        ]
        if checked_rows:
            return LookedUp(service, len(checked_rows), len(rows) - len(checked_rows), tuple(weak))
    return None


def main() -> int:
    """Print both parts."""
    distributions, wrong = (
        needed(),
        [*too_old(), *(f"{name} is under {licence}" for name, licence in bound().items())],
    )
    wrong += [
        f"{requirement} may be installed in a version with a known weakness"
        for requirement in loose()
    ]
    print(f"Without a network: {len(distributions)} packages come with Zorora and its extras here.")
    for name, problem in sorted(distributions.items()):
        print(f"  {name:<24} {problem.version:<14} {licence_of(problem).strip('; ')[:70]}")
    print(
        f"  {len(LEAST)} of them, or of what they bring, had weaknesses that are known here by "
        "their numbers."
    )
    lookup = looked_up()
    if lookup is None:
        print(
            "With a network: NOT DONE. No service of advisories could be reached, so nothing is "
            "known of weaknesses"
        )
        print(
            f"  that were found after this list was written. Asked: {', '.join(SERVICES)}. Run it "
            "again with a network."
        )
    else:
        print(
            f"With a network: {lookup.packages} packages were looked up at {lookup.service}, "
            f"{lookup.unknown} are unknown there."
        )
        wrong += lookup.weak
    for problem in wrong:
        print(f"WRONG: {problem}")
    print(f"{len(wrong)} things are wrong." if wrong else "Nothing that was looked at is wrong.")
    return 1 if wrong else 0 if lookup else 2


if __name__ == "__main__":
    sys.exit(main())
