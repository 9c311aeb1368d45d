"""The kinds of model work that writing takes, with the forms of their answers."""

import re
from pathlib import Path
from typing import Any

from tools.models.model import Schema
from tools.models.structured import salvaged
from workflows.research.modelled.work import Step

_PROMPTS = Path(__file__).parent / "prompts"
LONGEST = 600  # characters of a sentence
_LONGEST_ANSWER = 40_000  # characters
MOST_SENTENCES = 8  # of the answer, and of a section
SECTIONS = (2, 4, 6)  # by depth
_CITES = {"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 12}
_SENTENCE = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 8, "maxLength": 2 * LONGEST},
        "cites": _CITES,
    },
    "required": ["text"],
}
_SENTENCES = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": _SENTENCE,
            "minItems": 1,
            "maxItems": MOST_SENTENCES,
        }
    },
    "required": ["sentences"],
}
_REF = re.compile(r"[A-Z]\d{1,4}:\d{1,4}")
_TAGS = re.compile(r"(?:\[[A-Z]\d{1,4}:\d{1,4}[^\[\]]{0,40}\][ ,]{0,3}){1,6}")
_MARK = re.compile(r"[\s.,;]*(?:(?:[-*•]|\d{1,2}[.)])\s+)?")


def sentences_in(data: Any, text: str, schema: Schema) -> Any | None:
    """The right items of an answer; of one that is no data but prose, its sentences that cite a
    passage."""
    salvaged_drafts = salvaged(data, text, schema)
    if salvaged_drafts is not None or data is not None:
        return salvaged_drafts
    rows, at = [], 0
    for tags in _TAGS.finditer(text[:_LONGEST_ANSWER]):
        line = text[at : tags.start()].rpartition("\n")[2]
        at = tags.end()
        if line.strip(" .,;"):
            rows.append({"text": _MARK.sub("", line, count=1), "cites": _REF.findall(tags[0])})
    return {"sentences": rows} if rows else None


_WITHOUT = "the passages stand as they are"

ANSWER = Step(
    "answer",
    "synthesis",
    "reasoning",
    "Answer",
    _WITHOUT,
    _SENTENCES,
    calls=2,
    max_tokens=1500,
    salvage=sentences_in,
    folder=_PROMPTS,
)  # fmt: skip
SECTION = Step(
    "section",
    "synthesis",
    "reasoning",
    "Section",
    _WITHOUT,
    _SENTENCES,
    calls=12,
    max_tokens=1800,
    salvage=sentences_in,
    folder=_PROMPTS,
)  # fmt: skip
OUTLINE = Step(
    "outline", "synthesis", "reasoning", "Sections", "passages are grouped by their sources",
    {
        "type": "object",
        "properties": {
            "sections": {
                "type": "array", "maxItems": SECTIONS[-1],
                "items": {
                    "type": "object",
                    "properties": {
                        "heading": {"type": "string", "minLength": 2, "maxLength": 100},
                        "passages": _CITES,
                    },
                    "required": ["heading", "passages"],
                },
            }
        },
        "required": ["sections"],
    },
    calls=2, max_tokens=700, salvage=salvaged, folder=_PROMPTS,
)  # fmt: skip
REVISE = Step(
    "revise", "synthesis", "reasoning", "Revision", "the sentences are left out",
    {
        "type": "object",
        "properties": {
            "sentences": {
                "type": "array", "minItems": 1, "maxItems": 3 * MOST_SENTENCES,
                "items": {
                    "type": "object",
                    "properties": {**_SENTENCE["properties"], "number": {"type": "integer"}},  # type: ignore[dict-item]
                    "required": ["number", "text"],
                },
            }
        },
        "required": ["sentences"],
    },
    calls=2, max_tokens=1800, salvage=salvaged, folder=_PROMPTS,
)  # fmt: skip
# The prompt and the form are those of tools/judging/model_judge.py
JUDGE = Step(
    "judge",
    "synthesis",
    "judge",
    "Checking sentences",
    "what nobody judged is left out",
    {},
    calls=14,
)
