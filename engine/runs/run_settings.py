"""The numbers of a run, out of the configuration."""

from typing import Any

from engine.settings.config import Config
from workflows.research.run_settings import Settings

# Where a number does not stand in the section [research]
_SECTIONS = {
    "min_source": "credibility", "high": "verification", "medium": "verification",
    "cross_validation": "verification", "local_terms_in_queries": "privacy",
}  # fmt: skip


def run_settings(config: Config) -> Settings:
    """The numbers of a run from the configuration table."""
    values: dict[str, Any] = {
        name: config.get(f"{_SECTIONS.get(name, 'research')}.{name}") for name in Settings._fields
    }
    for name in ("rounds", "hops"):
        values[name] = tuple(map(int, values[name]))
    return Settings(**values)
