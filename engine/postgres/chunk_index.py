"""The chunk index that is not in corpus.db: the PostgreSQL database of corpus.index, with its
password."""

from contextlib import closing

from engine.postgres import PASSWORD
from engine.settings import keys
from engine.settings.config import Config
from tools.database import Database
from tools.index.index import ChunkIndex
from tools.index.postgres.connection import Address, Postgres, address


def opened(config: Config, documents: Database) -> ChunkIndex:
    """The index, brought up to date. documents: the database of what is indexed there.

    Raises ConfigError for an address that is none, StorageError when the server cannot be used.
    """
    from tools.index.postgres.store import PostgresIndex

    return PostgresIndex(Postgres(_address(config)), documents)


def is_at(index: ChunkIndex, config: Config) -> bool:
    """Whether an open index is the one that the configuration names, with the password that is
    stored now."""
    server = getattr(index, "server", None)
    return (
        bool(config.get("corpus.index")) and server is not None and server.where == _address(config)
    )


def described(config: Config) -> str:
    """What is in the index, as a sentence; nothing is created. Raises like `opened`."""
    from tools.index.postgres.store import extent

    where = _address(config)
    with closing(Postgres(where)) as server:
        return f"PostgreSQL at {where}, {extent(server)}."


def _address(config: Config) -> Address:
    where, secret = config.get("corpus.index"), keys.resolve(config, PASSWORD)
    # A stored password is for the server it was entered for; a socket has no origin
    if secret is None or (keys.origin_of(where) and not secret.usable_for(where, where)):
        return address(where)
    return address(where, secret.value)
