"""The schema of zorora.db: numbered SQL files, run in order, each once, never edited once
released."""

from pathlib import Path


def load(name: str) -> str:
    """The text of one SQL file of this folder."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


ZORORA = (
    load("zorora_001.sql"),
    load("zorora_002_jobs.sql"),
    load("zorora_003_kinds.sql"),
    load("zorora_004_bin.sql"),
    load("zorora_005_unjudged.sql"),
    load("zorora_006_checks.sql"),
)
