"""An ingest that is killed at any moment leaves whole documents only, and the next one finishes the
work."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.unsound_indexes import unsound_indexes
from tools.database import Database
from tools.documents.model import Extracted
from tools.documents.snapshots import SnapshotFiles
from tools.library.file_reading import Parser
from tools.library.library import Library
from tools.schema import CORPUS
from tools.search.search import Corpus

ROOT = Path(__file__).parents[3]
CHILD = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    sys.path.insert(0, sys.argv[3])
    from tests_killed import open_library
    library = open_library(Path(sys.argv[1]))
    print("ready", flush=True)
    library.ingest([Path(sys.argv[2])])
    """
)


class Plain(Parser):
    """A parser of plain text."""

    def parse(
        self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
    ) -> Extracted:
        return Extracted(data.decode(), "text/plain", "plain/1", name)


def open_library(home: Path) -> Library:
    snapshots = SnapshotFiles(home / "research" / "snapshots")
    corpus = Corpus(Database(home / "corpus.db", CORPUS, synchronous="NORMAL"), snapshots)
    return Library(corpus, Plain, snapshots, lambda: "2026-01-01T00:00:00Z")


@pytest.mark.lab
def test_killing_an_ingest_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "texts"
    folder.mkdir()
    for number in range(250):
        (folder / f"{number:03d}.txt").write_text(f"Note {number} is about thing {number}. " * 200)
    (tmp_path / "tests_killed.py").write_text(Path(__file__).read_text())
    chance = random.Random(5)
    seen = 0
    for _ in range(8):
        command = [sys.executable, "-c", CHILD, str(home), str(folder), str(tmp_path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as child:
            assert child.stdout and child.stdout.readline() == b"ready\n"
            time.sleep(chance.uniform(0.0, 0.4))
            os.kill(child.pid, signal.SIGKILL)
        library = open_library(home)
        documents = library.documents()
        assert len(documents) >= seen, "a stored document was lost"
        seen = len(documents)
        for document in documents:
            text = library._snapshots.get(document.snapshot_id or "")
            assert (
                library._corpus.store.has(document.snapshot_id or "")
                and len(text) == document.characters
            )
        assert unsound_indexes(library._corpus.store) == []
        library._corpus.store.db.close()
    report = open_library(home).ingest([folder])
    assert report.unchanged >= seen and report.added + report.unchanged == 250
