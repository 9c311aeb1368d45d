"""Make tools/data/listed_hosts.toml: publishers, agencies and universities of openly licensed
lists, by their host.

    python -m benchmarks.training.make_listed_hosts FOLDER > tools/data/listed_hosts.toml

FOLDER holds the repositories that listed_hosts.toml names, each as a git repository OWNER+NAME
(bare or with a work tree) that contains the commit. Rows that the rules of
tools/data/credibility.toml, a suffix or a platform cover are left out, and so is every address that
is no registered domain of its own: a path, a subdomain.
"""

import csv
import json
import subprocess
import sys
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tools.credibility.credibility_tables import tables
from tools.sources.domains import host_of, hosts_many_authors, longest, registrable_domain

WIDTH = 140
HEADER = """\
# Where hosts of openly licensed lists belong. Made by benchmarks/training/make_listed_hosts.py; do not edit: rules of
# credibility.toml and suffixes take precedence, and that file is the place for a host that a list has wrong.
# Each group names its list, with address, commit and licence; LICENSE texts: listed_hosts.LICENSE.txt.
# A line is a suffix and the names registered under it: "de uni-bonn tu-chemnitz" is uni-bonn.de and tu-chemnitz.de.
"""  # noqa: E501
# Kinds of a ROR record, the more telling first
_ROR_TYPES = (
    "government",
    "education",
    "facility",
    "archive",
    "healthcare",
    "nonprofit",
    "company",
    "other",
    "funder",
)


def main(folder: Path) -> None:
    """Print the file."""
    groups = tomllib.loads(Path(__file__).with_name("listed_hosts.toml").read_text("utf-8"))[
        "lists"
    ]
    seen: set[str] = set()
    print(HEADER.rstrip())
    for group in groups:
        rows = READERS[group["form"]](_Repository(folder, group), group)
        hosts = {host for url in rows if (host := own_domain(url))} - seen
        seen |= hosts
        print("", *lines(group, hosts), sep="\n")


def lines(group: Mapping[str, Any], hosts: Iterable[str]) -> Iterator[str]:
    """A group of the file."""
    yield "[[lists]]"
    for key in ("name", "address", "commit", "licence", "tier", "category"):
        yield f"{key} = {json.dumps(group[key])}"
    yield f"base = {group['base']:.2f}"
    by_suffix = defaultdict(list)
    for host in sorted(hosts):
        name, _, suffix = host.partition(".")
        by_suffix[suffix].append(name)
    yield "hosts = '''"
    for suffix, names in sorted(by_suffix.items()):
        for line in textwrap.wrap(" ".join(names), WIDTH - len(suffix), break_on_hyphens=False):
            yield f"{suffix} {line}"
    yield "'''"


def own_domain(url: str) -> str:
    """The registered domain that an address is the front page of, when no other rule knows it; ""
    otherwise."""
    host = host_of(url).removeprefix("www.")
    if not host.isascii() or host != registrable_domain(host) or "." not in host or _is_path(url):
        return ""
    lists = tables()
    others = (lists.hosts, lists.suffixes, lists.platforms, lists.predatory_hosts)
    return "" if hosts_many_authors(host) or any(longest(host, table) for table in others) else host


def _is_path(url: str) -> bool:
    parts = urlsplit(url if "://" in url else f"//{url}")
    return bool(parts.path.strip("/") or parts.query)


class _Repository:
    """Files of one commit."""

    def __init__(self, folder: Path, group: Mapping[str, Any]) -> None:
        place = folder / "+".join(urlsplit(group["address"]).path.strip("/").split("/"))
        self._git = (
            "git",
            "--git-dir",
            str(place / ".git" if (place / ".git").exists() else place),
        )
        self._commit = group["commit"]

    def read(self, path: str) -> str:
        return self._run("show", f"{self._commit}:{path}").decode("utf-8")

    def newest(self, ending: str) -> Iterator[str]:
        """Of files of one name in folders of versions ("v1.9/a.json", "v1.10/v2/a.json"), the one
        of the last."""
        best: dict[str, tuple[tuple[object, ...], str]] = {}
        for row in self._run("ls-tree", "-r", self._commit).decode("utf-8").splitlines():
            blob, path = row.split("\t")
            if path.endswith(ending):
                version = tuple(
                    int(part) for part in path.split("/")[0].strip("v").split(".") if part.isdigit()
                )
                name, rank = path.rpartition("/")[2], (version, path)
                best[name] = max(best.get(name, ((), "")), (rank, blob.split()[2]))
        blobs = "\n".join(blob for _, blob in best.values())
        rest = self._run("cat-file", "--batch", stdin=blobs.encode())
        start = 0
        while start < len(rest):  # "HASH blob BYTES", the bytes, a line feed
            end = rest.index(b"\n", start)
            size = int(rest[start:end].split()[2])
            yield rest[end + 1 : end + 1 + size].decode("utf-8")
            start = end + size + 2

    def _run(self, *words: str, stdin: bytes = b"") -> bytes:
        return subprocess.run(
            [*self._git, *words], input=stdin, capture_output=True, check=True
        ).stdout


def _universities(repository: _Repository, group: Mapping[str, Any]) -> Iterator[str]:
    for university in json.loads(repository.read("world_universities_and_domains.json")):
        yield from university["domains"]


def _registry(repository: _Repository, group: Mapping[str, Any]) -> Iterator[str]:
    """Websites of active organisations of the kinds that the group asks for, which another registry
    has as well."""
    for text in repository.newest(".json"):
        record = json.loads(text)
        if (
            not isinstance(record, dict)
            or record.get("status") != "active"
            or not record.get("external_ids")
        ):
            continue
        kinds = {kind.lower() for kind in record["types"]}
        if next((kind for kind in _ROR_TYPES if kind in kinds), "") in group["types"]:
            links = record.get("links") or ()
            plain = [
                link if isinstance(link, str) else link["value"]
                for link in links
                if _is_website(link)
            ]
            yield from plain[:1]


def _is_website(link: Any) -> bool:
    return isinstance(link, str) or link["type"] == "website"


def _local_news(repository: _Repository, group: Mapping[str, Any]) -> Iterator[str]:
    """Websites of the media of the kinds that the group asks for."""
    for row in csv.DictReader(repository.read("data/local_news_dataset_2018.csv").splitlines()):
        if row["medium"] in group["types"]:
            yield row["website"]


READERS = {"ror": _registry, "universities": _universities, "local news": _local_news}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
