"""A scripted model: what a willing small model would answer to each step, read off what it was shown. No thinking.

`answer(step, text)` gives the data for a step by its name; `text` is all that was asked. `liar` answers the same, but
everything it words itself is false in the way it is told to be.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

_FENCED = re.compile(r"<<<(?P<label>[^\n>]*)\n(?P<body>.*?)\n>>>", re.S)
_LINE = re.compile(r"^\s*(?P<id>[A-Z]\d+):? +(?P<text>.*)$", re.M)
_PACKET = re.compile(r"^(?P<id>C\d+) [✓⚠ ]*(?P<text>.*)$", re.M)


def answer(step: str, text: str) -> Any:
    """What is answered to a step; a string where it is no JSON."""
    return STEPS[step](parts(text), text)


def parts(text: str) -> dict[str, str]:
    """The fenced parts of a prompt by their labels."""
    return {match["label"]: match["body"] for match in _FENCED.finditer(text)}


def lines(body: str) -> list[tuple[str, str]]:
    """(id, text) of numbered lines."""
    return [(match["id"], match["text"]) for match in _LINE.finditer(body)]


def packets(body: str) -> list[tuple[str, str]]:
    """(claim id, its first quotation) of claim packets."""
    found = []
    for block in re.split(r"\n(?=C\d+ )", body):
        head, *quotes = block.split("\n")
        if match := _PACKET.match(head):
            quote = quotes[0].partition(": ")[2] if quotes else match["text"]
            found.append((match["id"], quote.strip()))
    return found


def shortened(quote: str) -> str:
    """A quotation without what follows its first comma, or its last "in", where a sentence of some length is left."""
    for head in (quote.split(", ")[0], quote.rpartition(" in ")[0]):
        if len(head.split()) >= 6 and len(head) < len(quote) - 8:
            return head.rstrip(".") + "."
    return quote


def _anchor(said: dict[str, str]) -> str:
    return said.get("subject") or said.get("question", "it")


def _classify(said: dict[str, str], _: str) -> Any:
    question = next(iter(said.values())).split()
    return {"query_type": "general", "anchor": max(question, key=len).split("-")[0].strip("?.,")}


def _perspectives(said: dict[str, str], _: str) -> Any:
    subject = _anchor(said)
    names = ("Operator", "Customer", "Regulator")
    asks = ("What does {} change for them?", "What does {} cost them?", "What do they want of {}?")
    return {
        "perspectives": [
            {"name": name, "focus": f"what {subject} means", "questions": [ask.format(subject) for ask in asks]}
            for name in names
        ]
    }


def _tree(said: dict[str, str], _: str) -> Any:
    subject = _anchor(said)
    rows = (
        ("primary", "What changed", "What did {} change?"),
        ("primary", "Prices and costs", "What do prices do with {}?"),
        ("primary", "How it works", "How do {} work?"),
        ("secondary", "Background", "What came before {}?"),
        ("secondary", "Limits", "Where do {} reach limits?"),
        ("tertiary", "Outlook", "What comes after {}?"),
    )
    return {
        "questions": [
            {"tier": tier, "heading": head, "text": ask.format(subject), "queries": [f"{subject} {head.lower()}", head]}
            for tier, head, ask in rows
        ]
    }


def _select(said: dict[str, str], _: str) -> Any:
    ids = [one for one, _ in lines(said["sentences"])]
    return {"useful": ids[: max(1, len(ids) // 2)][:12], "answer": ids[:3]}


def _page(said: dict[str, str], _: str) -> Any:
    return {"sentences": [one for one, _ in lines(said["sentences"])][:2]}


def _claims(said: dict[str, str], _: str) -> Any:
    rows = lines(said["sentences"])[:20]
    return {"claims": [{"text": shortened(text)[:400], "evidence": [one]} for one, text in rows]}


def _check(said: dict[str, str], _: str) -> Any:
    pairs = {name: body.partition("\nPassage: ")[2] for name, body in said.items() if name.startswith("pair")}
    return {"pairs": [{"id": name, "label": "support", "words": _words(passage)} for name, passage in pairs.items()]}


def _contradiction(said: dict[str, str], _: str) -> Any:
    return {"pairs": [{"id": name, "nature": "none", "a": "", "b": ""} for name in said if name.startswith("pair")]}


def _gaps(said: dict[str, str], _: str) -> Any:
    rows = lines(said["questions"])[:6]
    subject = _anchor(said)
    return {"gaps": [{"id": one, "missing": text[:200], "queries": [f"{subject} {text}"[:120]]} for one, text in rows]}


def _alternative(said: dict[str, str], _: str) -> Any:
    return {"query": f"{_anchor(said)} report"[:120]}


def _outline(said: dict[str, str], _: str) -> Any:
    found = re.findall(r"^\s+(C\d+): (.*)$", said["claims"], re.M)
    groups = [found[start : start + 4] for start in range(0, len(found), 4)][:6]
    heads = [" and ".join(sorted(set(re.findall(r"[a-z]{4,}", group[0][1])), key=len)[-2:]) for group in groups]
    rows = zip(heads, groups, strict=True)
    return {"sections": [{"heading": head, "claims": [one for one, _ in group]} for head, group in rows]}


def _section(said: dict[str, str], _: str) -> Any:
    return {"sentences": [{"text": shortened(quote), "claims": [one]} for one, quote in packets(said["claims"])][:7]}


def _judge(said: dict[str, str], _: str) -> Any:
    return {"label": "support", "words": _words(said["passage"])}


def _rewrite(said: dict[str, str], _: str) -> Any:
    return {"sentences": []}


def _words(passage: str) -> str:
    return " ".join(passage.split()[:5])


STEPS: dict[str, Callable[[dict[str, str], str], Any]] = {
    "classify": _classify, "perspectives": _perspectives, "tree": _tree, "select": _select, "page": _page,
    "claims": _claims, "check": _check, "contradiction": _contradiction, "gaps": _gaps, "alternative": _alternative,
    "outline": _outline, "section": _section, "judge": _judge, "rewrite": _rewrite,
    "answer": lambda said, text: "Shortened notes.",
}  # fmt: skip


def liar(lies: Sequence[str]) -> Callable[[str, str], Any]:
    """A model that words nothing but these sentences, claim after claim, and finds that every passage supports them."""

    def said(step: str, text: str) -> Any:
        if step in ("section", "rewrite"):
            body = parts(text).get("claims", "")
            ids = [one for one, _ in packets(body)] or re.findall(r"\bC\d+\b", text)
            return {"sentences": [{"text": lie, "claims": ids[i % len(ids) :][:1]} for i, lie in enumerate(lies)][:7]}
        if step == "claims":
            ids = [one for one, _ in lines(parts(text)["sentences"])]
            return {"claims": [{"text": lie, "evidence": [ids[i % len(ids)]]} for i, lie in enumerate(lies)][:24]}
        return answer(step, text)

    return said
