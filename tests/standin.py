"""The stand-in for the network; the server proper lives with the benchmarks, which use it too."""

from benchmarks.standin import Asked, Reply, Standin, serve

__all__ = ["Asked", "Reply", "Standin", "serve"]
