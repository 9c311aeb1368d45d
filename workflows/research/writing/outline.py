"""The outline of a report: sections as a model plans them, each with a heading and its passages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tools.text.instructions import speaks_to_machines
from tools.text.tokens import stems
from workflows.research.writing.packets import PacketPassage

_COPIED = 16  # characters by which a passage is known
_LONGEST_HEADING = 9  # words

PlannedSection = tuple[str, list[PacketPassage]]


def planned_sections(
    rows: Iterable[Mapping[str, Any]], packet: Sequence[PacketPassage], question: str
) -> list[PlannedSection]:
    """The rows of an outline as sections; each passage stands in the first that names it."""
    unused = {entry.ref: entry for entry in packet}
    planned: dict[str, list[PacketPassage]] = {}
    for row in rows:
        heading = " ".join(row["heading"].split()).strip(" .:#*")
        refs = dict.fromkeys(
            ref for entry in row["passages"] if (ref := _ref(entry, packet)) in unused
        )
        if refs and heading not in planned and _fits(heading, packet, question):
            planned[heading] = [unused.pop(ref) for ref in refs]
    return list(planned.items())


def _ref(entry: str, packet: Sequence[PacketPassage]) -> str:
    """The reference that an entry of an outline means: small models copy the words of a passage
    instead."""
    entry = " ".join(entry.strip("[] .,").split())
    copied = (
        item.ref
        for item in packet
        if len(entry) >= _COPIED and entry in " ".join(item.prompt_text().split())
    )
    return next(copied, entry)


def _fits(heading: str, packet: Sequence[PacketPassage], question: str) -> bool:
    """Whether a heading states nothing: mostly words of the question or the passages, no number, no
    order."""
    heading_stems = stems(heading)
    if (
        not heading_stems
        or not heading.isprintable()
        or speaks_to_machines(heading)
        or len(heading.split()) > _LONGEST_HEADING
    ):
        return False
    texts = [question, *(f"{entry.about} {entry.passage.text}" for entry in packet)]
    terms = set(stems(" ".join(texts)))
    strange = [word for word in heading_stems if word not in terms]
    has_number = any(map(str.isdigit, "".join(strange)))
    return not has_number and 2 * len(strange) <= len(heading_stems)
