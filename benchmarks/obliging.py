"""A scripted model: what a willing small model would answer to each step, read off what it was
shown. No thinking.

`answer(step, text)` gives the data for a step by its name; `text` is all that was asked. `liar`
answers the same, but everything it words itself is false in the way it is told to be.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

_FENCED = re.compile(r"<<<(?P<label>[^\n>]*)\n(?P<body>.*?)\n>>>", re.S)
_LINE = re.compile(r"^\s*(?P<id>[A-Z]\d+):? +(?P<text>.*)$", re.M)
_PASSAGE = re.compile(r"<<<passage\n\[(?P<ref>[A-Z]\d+:\d+)\] [^\n]*\n(?P<text>.*?)\n>>>", re.S)
_STATEMENT = re.compile(r"<<<statement (?P<number>\d+)\n(?P<text>.*?)\n>>>", re.S)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def answer(step: str, text: str) -> Any:
    """What is answered to a step; a string where it is not JSON."""
    return STEPS[step](parts(text), text)


def parts(text: str) -> dict[str, str]:
    """The fenced parts of a prompt by their labels."""
    return {match["label"]: match["body"] for match in _FENCED.finditer(text)}


def lines(body: str) -> list[tuple[str, str]]:
    """(id, text) of numbered lines."""
    return [(match["id"], match["text"]) for match in _LINE.finditer(body)]


def packet(text: str) -> list[tuple[str, str]]:
    """(reference, text) of the passages of a prompt."""
    return [(match["ref"], match["text"]) for match in _PASSAGE.finditer(text)]


def first_sentence(text: str) -> str:
    """The first sentence of a passage that is long enough to say something."""
    sentences = [
        sentence.strip() for line in text.splitlines() for sentence in _SENTENCE.split(line)
    ]
    return next(
        (sentence for sentence in sentences if len(sentence.split()) >= 6),
        " ".join(text.split())[:300],
    )


def reworded(sentence: str) -> str:
    """A faithful paraphrase in other words: who says it first, without what stands in brackets."""
    plain = re.sub(r"\s*[\[(][^\])]*[\])]", "", sentence).rstrip(".!? ")
    head = plain[:1].lower() + plain[1:] if plain[1:2].islower() or plain[1:2] == " " else plain
    return f"It is reported that {head}."


def _anchor(shown: dict[str, str]) -> str:
    return shown.get("subject") or shown.get("question", "it")


def _perspectives(shown: dict[str, str], _: str) -> Any:
    subject = _anchor(shown)
    names = ("Operator", "Customer", "Regulator")
    asks = ("What does {} change for them?", "What does {} cost them?", "What do they want of {}?")
    return {
        "perspectives": [
            {
                "name": name,
                "focus": f"what {subject} means",
                "questions": [ask.format(subject) for ask in asks],
            }
            for name in names
        ]
    }


def _tree(shown: dict[str, str], _: str) -> Any:
    subject = _anchor(shown)
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
            {
                "tier": tier,
                "heading": head,
                "text": ask.format(subject),
                "queries": [f"{subject} {head.lower()}", head],
            }
            for tier, head, ask in rows
        ]
    }


def _gaps(shown: dict[str, str], _: str) -> Any:
    rows = lines(shown["questions"])[:6]
    subject = _anchor(shown)
    return {
        "gaps": [
            {"id": question_id, "missing": text[:200], "queries": [f"{subject} {text}"[:120]]}
            for question_id, text in rows
        ]
    }


def _alternative(shown: dict[str, str], _: str) -> Any:
    return {"query": f"{_anchor(shown)} report"[:120]}


def _outline(shown: dict[str, str], text: str) -> Any:
    rows = packet(text)
    groups = [rows[start : start + 3] for start in range(0, len(rows), 3)][:4]
    heads = [" ".join(re.findall(r"[A-Za-z]{5,}", group[0][1])[:2]) for group in groups]
    return {
        "sections": [
            {"heading": head, "passages": [ref for ref, _ in group]}
            for head, group in zip(heads, groups, strict=True)
        ]
    }


def _write(shown: dict[str, str], text: str) -> Any:
    rows = packet(text)[:6]
    return {
        "sentences": [
            {"text": reworded(first_sentence(body)), "cites": [ref]} for ref, body in rows
        ]
    }


def _judge(shown: dict[str, str], text: str) -> Any:
    """Finds every statement supported, by the first words of its first passage."""
    rows = []
    for match in _STATEMENT.finditer(text):
        number = int(match["number"])
        body = shown.get(f"passage 1 of statement {number}", "")
        rows.append({"statement": number, "label": "support", "passage": 1, "words": _words(body)})
    return {"judgements": rows}


def _revise(shown: dict[str, str], text: str) -> Any:
    rows = packet(text)
    return {
        "sentences": [
            {"number": 1, "text": reworded(first_sentence(body)), "cites": [ref]}
            for ref, body in rows
        ][:1]
    }


def _words(passage: str) -> str:
    """The last words of a passage: its first lines say what it is about."""
    last = [line for line in passage.splitlines() if len(line.split()) > 2] or [passage]
    return " ".join(last[-1].split()[:5])


STEPS: dict[str, Callable[[dict[str, str], str], Any]] = {
    "perspectives": _perspectives, "tree": _tree, "gaps": _gaps, "alternative": _alternative,
    "outline": _outline, "section": _write, "answer": _write, "revise": _revise,
    "judgements": _judge,
}  # fmt: skip


def liar(lies: Sequence[str]) -> Callable[[str, str], Any]:
    """A model that writes nothing but these sentences, each citing a passage, and finds all of them
    supported."""

    def respond(step: str, text: str) -> Any:
        refs = [ref for ref, _ in packet(text)]
        if step in ("answer", "section", "revise") and refs:
            rows = [
                {"number": i + 1, "text": lie, "cites": [refs[i % len(refs)], *refs[:3]][:4]}
                for i, lie in enumerate(lies)
            ]
            return {"sentences": rows[:8]}
        return answer(step, text)

    return respond
