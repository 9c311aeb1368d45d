"""Orders to a machine that reads, and marks of a talk with one: neither is ever something that a source found."""

import re

_AROUND = 1500  # characters before and after a sentence in which its paragraph is looked at
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|neglect) (?:(?:all|any|of|the|your|these|those|every|everything|my)"
    r" ){0,4}(?:previous|prior|above|earlier|preceding|instructions?|rules|guidelines)\b"
    r"|\b(?:system|developer) (?:prompt|message|notice|override)\b|\bprompt injection\b"
    r"|\b(?:action input|new task|new instructions?)\s?:"
    r"|\b(?:every|your) (?:answer|output|response|reply) (?:must|should|shall|has to) \w"
    r"|^[ \t]?(?:system|assistant|human|developer)[ \t]?:"
    # "Ignore all previous instructions" elsewhere
    r"|\b(?:ignorier\w{0,3}|vergiss) [^.\n]{0,30}anweisungen|\bignore[rz]? [^.\n]{0,30}instructions pr[ée]c[ée]dentes"
    r"|\bignor[ae] [^.\n]{0,30}(?:instrucciones|instru[cç][õo]es|istruzioni)\b|\bzignoruj [^.\n]{0,30}instrukcje"
    r"|игнорируй\w{0,3} [^.\n]{0,30}инструкци|忽略[^。\n]{0,12}指令|指示[^。\n]{0,8}無視|تجاهل [^.\n]{0,20}التعليمات"
    r"|निर्देशों को अनदेखा",
    re.I | re.M,
)
# One of these stands in every text that either pattern finds; looking for them takes a tenth of the time
_HINTS = (
    "ignor", "disregard", "forget", "overrid", "bypass", "neglect", "system", "developer", "prompt", "action input",
    "new task", "new instruction", "every ", "your ", "assistant", "human", "vergiss", "zignoruj", "игнорируй", "忽略",
    "無視", "تجاهل", "अनदेखा", "<", "[",
)  # fmt: skip
# How models are told whose turn it is
_TURNS = re.compile(
    r"<\|[\w-]{2,30}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|assistant|tool_call|function_calls|invoke)\b[^<>]{0,80}>"
    r"|^[ \t]?#{1,4}[ \t]?(?:system|assistant|human|developer)[ \t]?:",
    re.I | re.M,
)


def orders(text: str) -> bool:
    """Whether a text gives an order to a machine, or carries the marks of a talk with one."""
    small = text.lower()
    return any(hint in small for hint in _HINTS) and bool(_ORDERS.search(text) or _TURNS.search(text))


def in_a_talk(text: str, start: int, end: int) -> bool:
    """Whether the paragraph that holds text[start:end] is written as a talk with a model."""
    first = max(start - _AROUND, text.rfind("\n\n", max(0, start - _AROUND), start), 0)
    after = text.find("\n\n", end, end + _AROUND)
    return bool(_TURNS.search(text[first : after if after >= 0 else end + _AROUND]))
