"""Bring in the record of a research that another Zorora (or the older format) wrote.

The file is foreign: it is read whole, checked against what a record is (records/checking.py), its
texts against their names and its quotations against the texts, before anything is stored. Nothing
that is here is overwritten: the same research is left as it is, another one of the same name gets a
name of its own.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from engine import ids
from engine.answers import Imported
from engine.clock import present
from engine.records import marking
from engine.records.checking import check, check_types
from engine.resources import Opened
from tools.documents.model import Completeness, snapshot_id_of
from tools.errors import Refused
from workflows.research.kinds import RunStatus
from workflows.research.state import FORMAT, ResearchState, UserMarks

MOST_BYTES = 100_000_000
STAMP = "imported"  # in `versions`: when the record was brought in
_LIKE = FORMAT.partition("/")[0]


def take(opened: Opened, data: bytes) -> Imported:
    """Store a record. Raises Refused with a sentence for what is no sound record."""
    state, new_texts = read_record(data)
    texts = new_texts | _known_texts(opened, state, new_texts)
    check(state, texts)
    here = (
        opened.storage.load_research(state.research_id)
        if ids.is_research_id(state.research_id)
        else None
    )
    if here is not None and _core(here) == _core(state):
        return Imported(
            state.research_id,
            False,
            ("This report is already here; nothing was changed.",),
            len(texts),
        )
    notes = []
    if here is not None or not _free(opened, state.research_id):
        at = ids.time_of(state.research_id) or present()
        new = ids.new_research_id(
            state.original_query, at, lambda candidate: not _free(opened, candidate)
        )
        if here is not None:
            notes.append(
                f"A different report named {state.research_id} is already here; this one was "
                f"imported as {new}."
            )
        state = replace(state, research_id=new)
    missing = len({snapshot.snapshot_id for snapshot in state.snapshots} - set(texts))
    if missing:
        notes.append(_missing_note(missing))
    for text in new_texts.values():
        opened.tools.snapshots.put(text)
    stamped = replace(state, versions={**state.versions, STAMP: opened.now()})
    opened.storage.save_research(stamped)
    _index(opened, stamped, new_texts)
    return Imported(state.research_id, True, tuple(notes), len(texts), missing)


def read_record(data: bytes) -> tuple[ResearchState, dict[str, str]]:
    """The research of a file and the texts it brings, by their ids. Raises Refused."""
    record = _parsed(data)
    form = record.get("format")
    if form is not None and form != FORMAT:
        newer = isinstance(form, str) and form.startswith(f"{_LIKE}/")
        raise Refused(
            f"The record has the format {form}, which is newer than this Zorora understands. "
            "Update Zorora first."
            if newer
            else "The file is JSON, but not the record of a report."
        )
    if not isinstance(record.get("original_query") or record.get("query"), str):
        raise Refused("The file is JSON, but not the record of a report: it contains no question.")
    try:
        state = ResearchState.from_dict(record)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
        raise Refused(
            f"The record is damaged or has another format ({str(error)[:200]})."
        ) from error
    check_types(state)
    texts = _texts(record)
    if form is None and state.status == RunStatus.RUNNING:
        state = replace(state, status=RunStatus.COMPLETE)
    return replace(state, user=_marks(state)), texts


def _parsed(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise Refused(
            f"The file has {len(data) // 1_000_000} MB; a record of up to "
            f"{MOST_BYTES // 1_000_000} is read."
        )
    try:
        record = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Refused(
            "The file is not JSON. Export a report as “Record (JSON)” and import that file."
        ) from error
    if not isinstance(record, dict):
        raise Refused("The file is JSON, but not the record of a report.")
    return record


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _texts(record: Mapping[str, Any]) -> dict[str, str]:
    """The texts that the snapshots of a record hold, each checked against its name."""
    texts: dict[str, str] = {}
    for snapshot in record.get("snapshots") or ():
        text, name = snapshot.get("text"), snapshot.get("snapshot_id")
        if text is None:
            continue
        try:
            sound = isinstance(text, str) and snapshot_id_of(text) == name
        except UnicodeEncodeError:
            sound = False
        if not sound:
            raise Refused(
                f"The text {str(name)[:12]} in the record does "
                "not match its checksum; it was changed."
            )
        texts[name] = text
    return texts


def _marks(state: ResearchState) -> UserMarks:
    """Star, tags and note as if they had been typed here; the bin is left behind."""
    user = state.user
    return UserMarks(
        user.starred,
        marking.tags(user.tags),
        marking.note(user.note),
        None,
        marking.checks(user.checks),
    )


def _known_texts(
    opened: Opened, state: ResearchState, new_texts: Mapping[str, str]
) -> dict[str, str]:
    """Texts that are stored here already, from researches of this computer."""
    snapshot_ids = {snapshot.snapshot_id for snapshot in state.snapshots}
    stored = ((key, opened.text_or_none(key)) for key in sorted(snapshot_ids - set(new_texts)))
    return {snapshot_id: text for snapshot_id, text in stored if text is not None}


def _free(opened: Opened, research_id: str) -> bool:
    is_taken = opened.storage.has(research_id) or opened.jobs.find(research_id) is not None
    return ids.is_research_id(research_id) and not is_taken


def _core(state: ResearchState) -> ResearchState:
    versions = {name: value for name, value in state.versions.items() if name != STAMP}
    return replace(state, user=UserMarks(), versions=versions)


def _missing_note(missing: int) -> str:
    texts = "1 stored text is" if missing == 1 else f"{missing} stored texts are"
    return (
        f"{texts} not in the file, so the passages in them cannot be opened or checked here. "
        "Export the record with its texts to bring them along."
    )


def _index(opened: Opened, state: ResearchState, texts: Mapping[str, str]) -> None:
    titles = {source.source_id: source.title for source in state.sources}
    for snapshot in state.snapshots:
        if snapshot.snapshot_id in texts:
            kind = "abstract" if snapshot.completeness == Completeness.ABSTRACT else "page"
            title, text = titles.get(snapshot.source_id, ""), texts[snapshot.snapshot_id]
            opened.tools.corpus.add(
                snapshot.snapshot_id, text, snapshot.sections, title=title, kind=kind
            )
    if texts:
        opened.tools.vectors.start()
