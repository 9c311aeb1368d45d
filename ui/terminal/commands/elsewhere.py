"""Work on other machines: the flag of commands that can do it, and what they do with it."""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from ui.terminal.command import Arguments, flag
from ui.terminal.session import Session

if TYPE_CHECKING:
    from engine.library.machines import Machines
    from engine.runs.batch import Batch, Journal

NAME = "--cluster"
FLAG = flag(NAME, help="run on the workers of this Dask scheduler", metavar="ADDRESS")
EXAMPLE = f"ingest papers {NAME} tcp://10.0.0.5:8786"


def machines(session: Session, args: Arguments) -> "AbstractContextManager[Machines | None]":
    """The machines that the command names, until it is over; None without."""
    if not args.cluster:
        return nullcontext()
    from engine.cluster.cluster import connected

    return connected(session.engine.config, args.cluster)


def batch(session: Session, args: Arguments, journal: "Journal") -> "Batch":
    """Questions answered one after the other, or on the machines that the command names."""
    if not args.cluster:
        from engine.runs.batch import Batch

        return Batch(session.engine, journal)
    from engine.cluster.batch import ClusterBatch

    return ClusterBatch(session.engine, args.cluster, journal)
