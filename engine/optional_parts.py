"""The parts that most never use. The rest of the program knows of them from this list, and works
without any."""

from engine.cluster import CLUSTER
from engine.code import CODE
from engine.postgres import POSTGRES
from engine.settings.setting import Setting

PARTS = (POSTGRES, CLUSTER, CODE)


def settings(section: str) -> tuple[Setting, ...]:
    """The rows that the parts have in one section of the table of settings."""
    return tuple(
        setting for part in PARTS for setting in part.settings if setting.section == section
    )
