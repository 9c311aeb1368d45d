"""json: the record itself, as docs/record.md describes it; on request with the texts its evidence
points into."""

import json
from collections.abc import Callable

from tools.errors import NotFound, StorageError
from workflows.research.state import ResearchState


def write(state: ResearchState, texts: Callable[[str], str] | None = None) -> str:
    """texts: gives the text of a snapshot. Every snapshot has its `text` then, null where it is no
    longer stored."""
    record = state.to_dict()
    if texts is not None:
        for snapshot in record["snapshots"]:
            try:
                snapshot["text"] = texts(snapshot["snapshot_id"])
            except (NotFound, StorageError):
                snapshot["text"] = None
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
