"""The network fixtures."""

from tests.standin import http, open_http, server, store

__all__ = ["http", "open_http", "server", "store"]
