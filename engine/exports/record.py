"""json: the record itself, as docs/record.md describes it; on request with the texts its evidence
points into."""

import json
from collections.abc import Callable
from typing import Any

from tools.errors import NotFound, StorageError
from workflows.research.state import ResearchState


def write(state: ResearchState) -> str:
    return _dump(state.to_dict())


def write_with_texts(state: ResearchState, texts: Callable[[str], str]) -> str:
    """The record with `text` in every snapshot; null where the text is no longer stored."""
    record = state.to_dict()
    for snapshot in record["snapshots"]:
        try:
            snapshot["text"] = texts(snapshot["snapshot_id"])
        except (NotFound, StorageError):
            snapshot["text"] = None
    return _dump(record)


def _dump(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
