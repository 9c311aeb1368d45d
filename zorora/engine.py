"""`from zorora.engine import ResearchEngine`."""

from engine.extensions import Extensions
from engine.research_engine import ResearchEngine

__all__ = ["Extensions", "ResearchEngine"]
