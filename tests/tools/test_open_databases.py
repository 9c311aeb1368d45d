"""Databases are opened by SQLite alone, or the locks of this process are gone."""

import ast
import gc
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from engine.maintenance import store
from tools.documents.snapshots import SnapshotFiles
from tools.errors import Refused
from tools.host.place import Workplace
from tools.library.file_reading import Reader
from tools.library.folder_walk import FoundFile
from tools.open_databases import connect, is_open, read_file, refuse_open, sync_file

ROOT = Path(__file__).resolve().parents[2]
# How a file is opened as a plain file: functions, and methods of a path
FUNCTIONS = {
    "open",
    "copy",
    "copy2",
    "copyfile",
    "copytree",
    "move",
    "mmap",
    "file_digest",
    "truncate",
    "sendfile",
}
METHODS = {"open", "read_bytes", "read_text", "write_bytes", "write_text"}
# Names that stand for a database wherever they stand in this code base
DATABASES = {"db", "db_path", "corpus_db", "database"}
ANOTHER_PROGRAM = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1])
other.execute("SELECT count(*) FROM t").fetchone()
other.close()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "some.db"
    with closing(connect(path, "rwc")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE t (x)")
    return path


def names_in(node: ast.AST) -> set[str]:
    """The names and attributes of an expression."""
    names = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    return names | {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}


def plain_opens(source: str) -> list[int]:
    """Lines in which something called like a database is opened as a file."""
    lines = []
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        function = call.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        paths: list[ast.AST] = [*call.args[:2]] if name in FUNCTIONS else []
        if isinstance(function, ast.Attribute) and name in METHODS:
            paths.append(function.value)
        if any(names_in(path) & DATABASES for path in paths):
            lines.append(call.lineno)
    return lines


def sqlite_connects(source: str) -> list[int]:
    """Lines that connect to a file without the register; databases in memory have no file."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        call.lineno
        for call in calls
        if ast.unparse(call.func) == "sqlite3.connect" and ast.unparse(call.args[0]) != "':memory:'"
    ]


def test_the_scan_finds_what_it_is_for() -> None:
    assert plain_opens('with database.open("rb") as file:\n    pass') == [1]
    assert plain_opens("shutil.copy2(paths.db, target)\nos.open(config.paths.corpus_db, 0)") == [
        1,
        2,
    ]
    assert plain_opens("self.database.path.read_bytes()") == [1]
    assert plain_opens('path.read_bytes()\nimages.open(name)\ndb.execute("open")') == []
    assert sqlite_connects('sqlite3.connect(path)\nsqlite3.connect(":memory:")') == [1]


@pytest.mark.lab
def test_nothing_but_sqlite_opens_a_database() -> None:
    files = [
        path
        for folder in ("tools", "workflows", "engine", "ui")
        for path in (ROOT / folder).rglob("*.py")
    ]
    assert len(files) > 400
    sources = {
        str(path.relative_to(ROOT)): path.read_text() for path in [*files, ROOT / "web_main.py"]
    }
    naming = {
        name: source
        for name, source in sources.items()
        if any(word in source for word in DATABASES)
    }
    assert {name: lines for name, source in naming.items() if (lines := plain_opens(source))} == {}
    connecting = {name: source for name, source in sources.items() if "sqlite3" in source}
    connected = {name for name, source in connecting.items() if sqlite_connects(source)}
    assert connected == {"tools/open_databases.py"}


def test_looking_at_a_database_leaves_its_locks_alone(database: Path) -> None:
    """The fault that lost what users wrote: a look at the file's header ended the locks of the
    process, and the next program to close the database deleted its log."""
    with closing(connect(database, "rw")) as connection:
        connection.execute("INSERT INTO t VALUES (1)")
        assert not store.is_blank(database)
        assert store.findings(database) == [] and store.version(database) == 0
        subprocess.run([sys.executable, "-c", ANOTHER_PROGRAM, str(database)], check=True)
        connection.execute("INSERT INTO t VALUES (2)")
        with closing(sqlite3.connect(database)) as other:
            assert other.execute("SELECT count(*) FROM t").fetchone()[0] == 2
        assert not any("(deleted)" in target for target in targets_of_descriptors(database))


def targets_of_descriptors(database: Path) -> list[str]:
    """What the descriptors of this process that belong to a database lead to."""
    targets = []
    for descriptor in list(Path("/proc/self/fd").iterdir()):
        with suppress(FileNotFoundError):  # the one of the listing
            targets.append(str(descriptor.readlink()))
    return [target for target in targets if target.startswith(str(database))]


def test_an_open_database_is_not_read_as_a_file(database: Path, tmp_path: Path) -> None:
    link, hard_link = tmp_path / "notes.txt", tmp_path / "paper.txt"
    link.symlink_to(database)
    hard_link.hardlink_to(database)
    with closing(connect(database, "rw")) as connection:
        connection.execute("INSERT INTO t VALUES (1)")
        wal = database.with_name("some.db-wal")
        for path in (database, link, hard_link, wal, database.with_name("some.db-shm")):
            with pytest.raises(Refused, match="is a database that Zorora is using"):
                read_file(path)
        with pytest.raises(Refused):
            sync_file(database)
        reader = Reader(None, SnapshotFiles(tmp_path / "texts"), lambda *_: [], lambda _: False)  # type: ignore[arg-type]
        [[(_, reading)]] = reader.groups(
            [FoundFile(link, "notes.txt", "", 10, "")], lambda file: False, 1e9
        )
        assert reading and reading.problem and "is a database" in reading.problem
        with pytest.raises(Refused):
            Workplace(tmp_path).read("paper.txt")
        with pytest.raises(Refused):
            refuse_open(link)
    assert not is_open(database) and read_file(link).startswith(b"SQLite format 3")


def test_a_connection_that_was_dropped_is_open_no_more(database: Path) -> None:
    connection = connect(database, "rw")
    assert is_open(database)
    del connection
    gc.collect()
    assert not is_open(database)


def test_messages_of_sqlite_that_are_not_text_are_damage(database: Path) -> None:
    """sqlite3 raises UnicodeDecodeError in place of an error that quotes a damaged schema."""
    with closing(connect(database, "rw")) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_master SET name = CAST(x'ff74' AS TEXT), sql = CAST(x'ff' AS TEXT)"
        )
    with closing(connect(database, "ro")) as connection, pytest.raises(sqlite3.DatabaseError):
        connection.execute("SELECT * FROM t")
