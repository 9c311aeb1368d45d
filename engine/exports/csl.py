"""csl: the sources as CSL JSON."""

import json

from engine.exports.names import Name
from engine.exports.reference import references
from workflows.research.state import ResearchState


def write(state: ResearchState, everything: bool = False) -> str:
    """everything: also the sources that are not cited."""
    items = references(state, everything)
    return json.dumps(items, ensure_ascii=False, indent=1, default=_person) + "\n"


def _person(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": name.family}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {key: value for key, value in parts.items() if value}
