"""What the memory holds, as text. Loads nothing else, so that the table of commands may know it."""

from typing import TYPE_CHECKING

from tools.text.phrases import counted

if TYPE_CHECKING:
    from engine.memory.memory import Recalled


def recalled_text(recalled: "Recalled") -> str:
    """What the memory holds, numbered; an empty answer says what to try."""
    entries = [
        "\n".join(
            [
                note.text,
                *([f"   Source: {note.source}"] if note.source else []),
                *([f"   Tags: {', '.join(note.tags)}"] if note.tags else []),
                f"   Note {note.note_id}, "
                f"{note.created_at[:10]}{'' if note.own else ', another session'}",
            ]
        )
        for note in recalled.notes
    ]
    entries += [
        f"{claim.text}\n   {_judged(claim.level)}{counted(claim.voices, 'independent source')}"
        f"\n   Research: {claim.query} ({claim.research_id})"
        for claim in recalled.claims
    ]
    fits = "fits" if recalled.elsewhere == 1 else "fit"
    elsewhere = f" {counted(recalled.elsewhere, 'note')} of other sessions {fits} too."
    more = elsewhere if recalled.elsewhere else ""
    if not entries:
        return f"Nothing in the memory fits.{more} Try fewer words, or all sessions."
    numbered = [f"{number}. {entry}" for number, entry in enumerate(entries, 1)]
    count = (
        f"{counted(len(recalled.notes), 'note')} and "
        f"{counted(len(recalled.claims), 'verified claim')}.{more}"
    )
    return "\n\n".join([*numbered, count])


def _judged(level: str | None) -> str:
    """How sure a claim is, where somebody judged that."""
    return f"Verified, confidence {level}, " if level else ""
