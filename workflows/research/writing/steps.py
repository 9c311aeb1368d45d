"""The kinds of model work that writing takes, with the forms of their answers."""

from pathlib import Path

from workflows.research.modelled.work import Step

_PROMPTS = Path(__file__).parent / "prompts"
LONGEST = 600  # characters of a sentence
_CITES = {"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 12}
_SENTENCE = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 8, "maxLength": 2 * LONGEST}, "cites": _CITES},
    "required": ["text"],
}
_SENTENCES = {
    "type": "object",
    "properties": {"sentences": {"type": "array", "items": _SENTENCE, "minItems": 1}},
    "required": ["sentences"],
}
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
    partial=True,
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
    partial=True,
    folder=_PROMPTS,
)  # fmt: skip
OUTLINE = Step(
    "outline", "synthesis", "reasoning", "Sections", "passages are grouped by their sources",
    {
        "type": "object",
        "properties": {
            "sections": {
                "type": "array", "minItems": 1,
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
    calls=2, max_tokens=700, partial=True, folder=_PROMPTS,
)  # fmt: skip
REVISE = Step(
    "revise", "synthesis", "reasoning", "Revision", "the sentences are left out",
    {
        "type": "object",
        "properties": {
            "sentences": {
                "type": "array", "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {**_SENTENCE["properties"], "number": {"type": "integer"}},  # type: ignore[dict-item]
                    "required": ["number", "text"],
                },
            }
        },
        "required": ["sentences"],
    },
    calls=2, max_tokens=1800, partial=True, folder=_PROMPTS,
)  # fmt: skip
# The prompt and the form are those of tools/judging/model_judge.py
JUDGE = Step("judge", "synthesis", "judge", "Checking sentences", "what nobody judged is left out", {}, calls=14)
