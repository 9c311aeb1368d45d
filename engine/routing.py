"""The router, handed on to the interfaces: they may import nothing below the engine."""

from workflows.router import Route, route

__all__ = ["Route", "route"]
