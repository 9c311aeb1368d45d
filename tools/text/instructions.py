"""Text that speaks to a machine that reads it ("ignore all previous instructions"): never something
a source found."""

import re

from tools.text.sentences import spans

_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|of|the|your|these|those"
    r"|every) ){0,4}"
    r"(?:previous|prior|above|earlier|preceding"
    r"|other) (?:\w+ )?(?:instructions?|rules|guidelines|text|prompts?)\b"
    r"|\b(?:print|reveal|output|show|repeat|return) (?:me )?(?:the"
    r"|your) (?:system prompt|instructions)\b"
    r"|\b(?:language models?"
    r"|ai (?:assistant|model|system|agent)s?|chatbots?|crawlers?|summari[sz]ers?)\b"
    r".{0,40}\b(?:must|should|shall|are to"
    r"|is to|please|will)\b.{0,40}\b(?:ignore|output|reply|respond|answer|say|state"
    r"|report|write|conclude|recommend|mention|praise|cite|rate)\b"
    r"|\byou (?:are|must|should|will|shall) (?:now |always |never |only )?(?:act as"
    r"|an? (?:helpful|ai)|answer|reply"
    r"|respond|ignore|output|conclude)\b"
    r"|^(?:system|assistant|user|instructions?)\s?:|^[CES]\d{1,3}(?::\s| [✓⚠])"
    r"|^(?:label|rate|treat|score) (?:every|each|all|this|the source)\b",
    re.I,
)
# The marks of chats with models, and the best-known order in other languages
_CHAT = re.compile(
    r"<\|\w+|\[/?INST\]|<</?SYS|</?(?:system|assistant|tool_call|function_calls|invoke)>"
    r"|(?<!#)#{2,6} ?(?:system|assistant):"
    r"|\"(?:tool_calls|judgements)\"\s*:|^(?:human|assistant|thought|observation|action input)\s?:"
    r"|^dear (?:ai )?assistant"
    r"|(?:ignor|disregard|zignoruj|игнорир|忽略|無視|تجاهل|अनदेखा).{0,50}"
    r"(?:anweisung|instru[ckç]|指令|指示|инструкц|التعليمات|निर्देश)|(?:指示|निर्देश).{0,20}(?:無視|अनदेखा)",
    re.I | re.M,
)
_LONGEST = 2000  # characters that are looked at


def speaks_to_machines(text: str) -> bool:
    """Whether a sentence or block gives orders to a program that reads it."""
    return _INSTRUCTION.search(" ".join(text[:_LONGEST].split())) is not None


def holds_orders(text: str) -> bool:
    """Whether a passage holds anything that is meant for a model: then none is shown it."""
    return any(speaks_to_machines(text[start:end]) for start, end in spans(text)) or bool(
        _CHAT.search(text)
    )
