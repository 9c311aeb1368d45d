"""`make data`: what is fetched is what the manifest names, and what was not fetched is said."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import fetch_data
from benchmarks.fetch_data import Fetching, PublicFile, public_files
from benchmarks.options import FETCH_DATA, Options, public_data
from benchmarks.standin import Standin, serve
from tests.file_server import file_route

COMMIT = "0" * 40


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


def published(server: Standin, place: str, content: bytes, path: str = "") -> PublicFile:
    """A file that the server has."""
    file = PublicFile(
        place,
        "somebody/things",
        COMMIT,
        path or place,
        hashlib.sha256(content).hexdigest(),
        "CC0-1.0",
    )
    server.on(file.url(""), file_route(content))
    return file


def fetch(server: Standin, folder: Path, *files: PublicFile) -> tuple[Fetching, str]:
    fetching = Fetching(folder, server.url)
    fetching.run(files)
    return fetching, " ".join(fetching.sentences(len(files)))


def test_files_are_fetched_once_to_their_places(server: Standin, tmp_path: Path) -> None:
    files = [
        published(server, "bench/documents/pdf/one.pdf", b"one", "samples/one.pdf"),
        published(server, "recorded/two.xml", b"two"),
    ]
    _, text = fetch(server, tmp_path, *files)
    assert text == f"2 of 2 files are in {tmp_path}: 0 were there, 2 were fetched."
    assert (tmp_path / "bench/documents/pdf/one.pdf").read_bytes() == b"one"
    (row,) = map(
        json.loads, (tmp_path / "bench/documents/MANIFEST.jsonl").read_text("utf-8").splitlines()
    )
    assert (
        row["file"] == "pdf/one.pdf"
        and row["origin"] == f"somebody/things:samples/one.pdf@{COMMIT}"
    )
    (tmp_path / "recorded/two.xml").write_bytes(b"changed")
    server.requests.clear()
    _, text = fetch(server, tmp_path, *files)
    assert "1 were there, 1 were fetched" in text and len(server.requests) == 1
    assert (tmp_path / "recorded/two.xml").read_bytes() == b"two"


def test_what_is_not_the_file_of_the_manifest_is_not_kept(server: Standin, tmp_path: Path) -> None:
    right = published(server, "a.txt", b"as published")
    fetching, text = fetch(
        server, tmp_path, replace(right, sha256="0" * 64), replace(right, place="b", path="gone")
    )
    assert "Not fetched: a.txt: what arrived is not the file of the manifest" in text
    assert "Not fetched: b: the server answered with status 404." in text
    assert fetching.fetched == 0 and not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_where_nothing_can_be_reached_that_is_said_once(tmp_path: Path) -> None:
    files = [
        PublicFile(f"{n}.txt", "somebody/things", COMMIT, f"{n}.txt", "0" * 64, "MIT")
        for n in range(40)
    ]
    fetching = Fetching(tmp_path, "http://127.0.0.1:9")
    fetching.run(files)
    first, second = fetching.sentences(len(files))
    assert first.startswith("0 of 40 files are in")
    assert "cannot be reached" in second and second.endswith(
        "Run `make data` again where there is a network."
    )


def test_the_command_ends_with_1_and_names_what_nobody_can_fetch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch_data.main([str(tmp_path), "--host", "http://127.0.0.1:9"]) == 1
    printed = capsys.readouterr().out
    assert "0 of 703 files" in printed and "bench/answers/questions.jsonl: " in printed


def test_the_manifest_names_each_file_with_address_commit_licence_and_hash() -> None:
    files = list(public_files())
    assert len({file.place for file in files}) == len(files) > 700
    for file in files:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", file.repository) and re.fullmatch(
            "[0-9a-f]{40}", file.commit
        )
        assert re.fullmatch("[0-9a-f]{64}", file.sha256) and file.licence
        assert not file.place.startswith("/") and ".." not in Path(file.place).parts


def test_the_manifest_is_right_about_the_data_that_is_here(shared: Path) -> None:
    for file in public_files():
        assert hashlib.sha256((shared / file.place).read_bytes()).hexdigest() == file.sha256, (
            file.place
        )


@pytest.mark.lab
def test_measurements_without_data_name_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from benchmarks import answers, beside, judges, queries, retrieval, sources, spans, written

    monkeypatch.setattr(judges, "_fm2", lambda _: iter(()))
    nothing = Options()
    lines = [
        *answers.run(nothing),
        *beside.run(nothing),
        *queries.run(nothing),
        *retrieval.run(nothing),
    ]
    lines += [
        *sources.run(nothing),
        *spans.rows(nothing),
        *written.run(nothing),
        *judges._vetoes(nothing),
    ]
    assert sum(FETCH_DATA in line["what"] for line in lines) >= 8
    monkeypatch.setenv("ZORORA_DATA", str(tmp_path))
    assert public_data() == tmp_path
