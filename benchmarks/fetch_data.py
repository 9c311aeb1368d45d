"""`make data [DATA=FOLDER]`: fetch the public data that tests and benchmarks use from where it was
published.

public_data.json names each file with its repository, commit, licence and SHA-256. What is there
already is left alone; a file that arrives with another content is not kept. Needs nothing but
Python.
"""

import argparse
import hashlib
import json
import os
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = Path(__file__).with_name("public_data.json")
HOST = "https://raw.githubusercontent.com"
DEFAULT = ROOT / "build" / "data"
_WORKERS = 8
_SECONDS = 60
_NAMED = 5  # problems that are listed one by one
_DOCUMENTS = "bench/documents/"


@dataclass(frozen=True)
class PublicFile:
    """place: where it goes below the folder. path: where it stands in the repository."""

    place: str
    repository: str
    commit: str
    path: str
    sha256: str
    licence: str

    def url(self, host: str) -> str:
        return f"{host}/{self.repository}/{self.commit}/{urllib.parse.quote(self.path)}"


def public_files(manifest: Path = MANIFEST) -> Iterator[PublicFile]:
    """Every file that can be fetched as it is."""
    for origin in json.loads(manifest.read_text("utf-8"))["origins"]:
        for place, path, sha256 in origin["files"]:
            yield PublicFile(
                place, origin["repository"], origin["commit"], path, sha256, origin["licence"]
            )


class Fetching:
    """Fetches files into a folder. Once a host cannot be reached at all, no further file is asked
    for."""

    def __init__(self, folder: Path, host: str = HOST) -> None:
        self.folder = folder
        self.host = host
        self.present = 0
        self.fetched = 0
        self.problems: list[str] = []
        self.unreachable = ""
        self._lock = threading.Lock()

    def run(self, files: Sequence[PublicFile]) -> None:
        """Fetch what is missing or has another content."""
        with ThreadPoolExecutor(_WORKERS) as pool:
            list(pool.map(self._fetch, files))
        _list_documents(self.folder, files)

    def _fetch(self, file: PublicFile) -> None:
        target = self.folder / file.place
        if target.is_file() and _sha256(target.read_bytes()) == file.sha256:
            with self._lock:
                self.present += 1
            return
        if self.unreachable:
            return
        problem = self._download(file, target)
        with self._lock:
            if problem:
                self.problems.append(f"{file.place}: {problem}")
            elif not self.unreachable:
                self.fetched += 1

    def _download(self, file: PublicFile, target: Path) -> str:
        """Why the file did not come; empty where it did, or where nothing can be reached."""
        try:
            with urllib.request.urlopen(file.url(self.host), timeout=_SECONDS) as answer:
                content = answer.read()
        except urllib.error.HTTPError as error:
            return f"the server answered with status {error.code}"
        except urllib.error.URLError as error:
            self.unreachable = str(error.reason)
            return ""
        except OSError as error:
            return f"the connection broke ({error})"
        if _sha256(content) != file.sha256:
            return "what arrived is not the file of the manifest (another SHA-256); it was not kept"
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f"{target.name}.part")
        beside.write_bytes(content)
        beside.replace(target)
        return ""

    def sentences(self, total: int) -> Iterator[str]:
        """What was done, and what could not be done."""
        there = self.present + self.fetched
        yield (
            f"{there} of {total} files are in {self.folder}: {self.present} were there, "
            f"{self.fetched} were fetched."
        )
        if self.unreachable:
            yield (
                f"{self.host} cannot be reached ({self.unreachable}). Run `make data` again "
                "where there is a network."
            )
        yield from (f"Not fetched: {problem}." for problem in sorted(self.problems)[:_NAMED])
        if len(self.problems) > _NAMED:
            yield f"{len(self.problems) - _NAMED} more files could not be fetched."


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _list_documents(folder: Path, files: Sequence[PublicFile]) -> None:
    """The list that the benchmark `documents` reads, of the documents that are there; a list of
    others is kept."""
    listing = folder / _DOCUMENTS / "MANIFEST.jsonl"
    rows = [
        {
            "file": file.place.removeprefix(_DOCUMENTS),
            "origin": f"{file.repository}:{file.path}@{file.commit}",
            "license": file.licence,
        }
        for file in files
        if file.place.startswith(_DOCUMENTS) and (folder / file.place).is_file()
    ]
    if rows and not listing.exists():
        listing.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status 0 when every file of the manifest is there."""
    parser = argparse.ArgumentParser(prog="make data", description=__doc__)
    chosen = os.environ.get("ZORORA_DATA", "")  # noqa: TID251 - no setting of the program
    parser.add_argument(
        "folder", nargs="?", type=Path, help="where to put it; else ZORORA_DATA, else build/data"
    )
    parser.add_argument(
        "--host", default=HOST, help="a mirror with the paths of raw.githubusercontent.com"
    )
    args = parser.parse_args(argv)
    files = list(public_files())
    fetching = Fetching(args.folder or (Path(chosen) if chosen else DEFAULT), args.host.rstrip("/"))
    fetching.run(files)
    print("\n".join(fetching.sentences(len(files))))
    unavailable = json.loads(MANIFEST.read_text("utf-8"))["unavailable"]
    print("Not to be had as files, because they were selected, rewritten or packed:")
    print("\n".join(f"  {place}: {reason}" for place, reason in unavailable.items()))
    return 0 if fetching.present + fetching.fetched == len(files) else 1


if __name__ == "__main__":
    sys.exit(main())
