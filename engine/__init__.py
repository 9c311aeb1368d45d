"""The engine: state that lasts, jobs, configuration, and the one front door `ResearchEngine`.

`from engine import ResearchEngine` works; the module behind it is loaded only then, so that `import
engine` is cheap.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.research_engine import ResearchEngine

__all__ = ["ResearchEngine"]


def __getattr__(name: str) -> Any:
    if name == "ResearchEngine":
        from engine.research_engine import ResearchEngine

        return ResearchEngine
    raise AttributeError(f"module 'engine' has no attribute {name!r}")
