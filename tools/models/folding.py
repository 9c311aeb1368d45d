"""Context folding: long histories are folded into summaries instead of being cut.

A memory has the last interactions in full, summaries at three levels (0 the finest) and notes on
the tools that were used. It is folded when it takes three quarters of its budget: granular folding
puts what leaves the working memory into level 0, deep folding puts the levels 0..n into n+1.
Nothing leaves the working memory without having been folded, and a summary keeps every name, number
and source tag of what it stands for, whoever writes it.

Memories are values: each function returns a new one.
"""

import logging
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tools.errors import Cancelled, ZororaError
from tools.models import prompts
from tools.models.model import Message, Reply, Request, estimate
from tools.text.sentences import spans

log = logging.getLogger("zorora.models")

WORKING = 5  # interactions kept in full
LEVELS = 3
RESULT = 500  # characters of a tool's last result
BUDGET = 40_000  # tokens
THRESHOLD = 0.75  # share of the budget at which is folded
_SHARE = 4  # a summary has a quarter of the tokens it stands for
_SHORTEST, _LONGEST = 60, 1200  # tokens
_PROMPT = Path(__file__).with_suffix(".txt")

_TAG = re.compile(r"\[[A-Za-z]{1,3}\d{1,4}(?:\s?[,;]\s?[A-Za-z]{0,3}\d{1,4})*\]")
_UNIT = (
    r"%|‰|°\s?[CF]?|(?:[kKMGTµnmc]?(?:[gmlsLWVAJNK]|Wh|Hz|Pa|B|bp|eV|mol|bit)|million|billion|trillion|thousand|percent"
    r"|years?|months?|weeks?|days?|hours?|minutes?)(?:[/·²³]\w{0,3})?(?!\w)"
)
_NUMBER = re.compile(rf"(?<![\w.])[-+±~≈<>≤≥$€£]{{0,2}}\d+(?:[.,:/–×^-]\d+)*(?:\s?(?:{_UNIT}))?")
_NAME = re.compile(
    r"\b[^\W\d_a-z][\w’'-]{0,60}+(?:\s(?:(?:of|the|de|van|von|der|la|for|and)\s)?[^\W\d_a-z][\w’'-]{0,60}+){1,12}|\b[A-Z]{2,}[\w-]{0,60}\b"
    r"|(?<=[a-z,;:] )[A-Z][\w’'-]+"
)

# (text, tokens) -> a shorter text; "" or the text itself when it cannot
Summarise = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class Interaction:
    """One exchange. number: counted from 1 over the whole memory."""

    number: int
    question: str
    answer: str

    @property
    def text(self) -> str:
        return f"Asked: {self.question}\nAnswered: {self.answer}"


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for the interactions first..last. level: 0 finest, 2 coarsest."""

    level: int
    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ToolNotes:
    """What a tool was used for: how often, the beginning of its last result."""

    tool: str
    calls: int = 0
    last_result: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """A history."""

    system: str = ""
    working: tuple[Interaction, ...] = ()
    summaries: tuple[Summary, ...] = ()
    tools: tuple[ToolNotes, ...] = ()
    budget: int = BUDGET

    @property
    def last(self) -> int:
        """The number of the newest interaction, 0 when there is none."""
        ends = [item.number for item in self.working] + [summary.last for summary in self.summaries]
        return max(ends, default=0)

    @property
    def tokens(self) -> int:
        """Tokens of all that is kept."""
        return sum(estimate(m.text) for m in messages(self, ""))


def remember(
    memory: Memory, question: str, answer: str, summarise: Summarise | None = None
) -> Memory:
    """The memory with one more interaction, folded where it became too large or the working memory
    too long.

    summarise: writes a summary (a model); without it, or where it fails, sentences are picked.
    """
    new = Interaction(memory.last + 1, question, answer)
    memory = replace(memory, working=(*memory.working, new))
    leaving = memory.working[:-WORKING]
    if leaving:
        memory = _fold(memory, leaving, summarise)
    return settle(memory, summarise)


def settle(memory: Memory, summarise: Summarise | None = None) -> Memory:
    """Fold until the memory is below three quarters of its budget, or nothing is left to fold."""
    if _full(memory) and len(memory.working) > 1:
        # The newest is what the next question is about
        memory = _fold(memory, memory.working[:-1], summarise)
    for level in range(LEVELS - 1):
        if _full(memory):
            memory = deepen(memory, level, summarise)
    if _full(memory) and memory.working:
        memory = deepen(_fold(memory, memory.working, summarise), LEVELS - 2, summarise)
    return memory


def deepen(memory: Memory, level: int = 0, summarise: Summarise | None = None) -> Memory:
    """Deep folding, when a sub-task ends: the levels up to `level` become one summary of the level
    above."""
    above = min(level + 1, LEVELS - 1)
    folded = [s for s in memory.summaries if s.level <= level]
    if not folded:
        return memory
    if above == LEVELS - 1:
        # There is nothing coarser, so the coarsest is folded anew with what comes
        folded = list(memory.summaries)
    folded.sort(key=lambda s: s.first)
    text = shorten("\n".join(s.text for s in folded), summarise)
    summary = Summary(above, text, folded[0].first, max(s.last for s in folded))
    summaries = [s for s in memory.summaries if s not in folded]
    log.info("folded exchanges %d to %d to level %d", summary.first, summary.last, above)
    return replace(memory, summaries=_sorted([*summaries, summary]))


def note_tool(memory: Memory, tool: str, result: str) -> Memory:
    """The memory with one more use of a tool."""
    earlier = next((notes for notes in memory.tools if notes.tool == tool), ToolNotes(tool))
    notes = ToolNotes(tool, earlier.calls + 1, result[:RESULT])
    others = [other for other in memory.tools if other.tool != tool]
    return replace(memory, tools=tuple(sorted((*others, notes), key=lambda n: n.tool)))


def messages(memory: Memory, question: str) -> tuple[Message, ...]:
    """What is sent: system (with the notes on tools), summaries coarse to fine, working memory, the
    new question."""
    out: list[Message] = []
    system = "\n\n".join(part for part in (memory.system, _tools(memory)) if part)
    if system:
        out.append(Message("system", system))
    out += [
        Message("user", f"Summary of what came before ({_range(summary)}):\n{summary.text}")
        for summary in memory.summaries
    ]
    for item in memory.working:
        out += [Message("user", item.question), Message("assistant", item.answer)]
    return (*out, Message("user", question)) if question else tuple(out)


def by_model(ask: Callable[[Request], Reply]) -> Summarise:
    """A summariser that asks a model. What it raises passes; `shorten` takes it for a failure to
    summarise."""

    def summarise(text: str, tokens: int) -> str:
        prompt = prompts.load(_PROMPT)
        words = str(max(tokens * 3 // 4, 20))
        messages = prompt.messages(
            rule=prompts.RULE, words=words, notes=prompts.fence(text, "notes")
        )
        return ask(Request(messages, max_tokens=tokens * 2, prompt=prompt.label)).text

    return summarise


def shorten(text: str, summarise: Summarise | None = None) -> str:
    """A text of about a quarter of the length, with every name, number and source tag of the
    whole."""
    tokens = min(max(estimate(text) // _SHARE, _SHORTEST), _LONGEST)
    shortened = ""
    if summarise:
        try:
            shortened = summarise(text, tokens).strip()
        except Cancelled:
            raise
        except ZororaError:
            shortened = ""  # the model has failed; picking sentences needs none
    if not shortened or estimate(shortened) > min(2 * tokens, max(estimate(text) - 1, 1)):
        shortened = best_sentences(text, tokens)
    return with_kept(shortened, text)


def best_sentences(text: str, tokens: int) -> str:
    """The sentences that say most (tags, numbers and names in them count), in their order, within
    the tokens."""
    parts = [text[start:end].strip() for start, end in spans(text)]
    parts = [part for part in dict.fromkeys(parts) if part]
    order = sorted(range(len(parts)), key=lambda i: (-round(_worth(parts[i]), 6), i))
    places, room = set(), tokens
    for index in order:
        if (size := estimate(parts[index]) + 1) <= room:
            places.add(index)
            room -= size
    return " ".join(parts[index] for index in sorted(places))


def with_kept(summary: str, text: str) -> str:
    """The summary, with the names, numbers and tags of the text that it lacks listed at its end."""
    missing = [item for item in kept_in(text) if not _stands_in(item, summary)]
    if not missing:
        return summary
    tail = "Also mentioned: " + "; ".join(missing)
    return f"{summary}\n{tail}" if summary else tail


def kept_in(text: str) -> list[str]:
    """Names, numbers and source tags of a text, each once, in order of appearance."""
    text = text.replace("Also mentioned: ", "")
    spans = [
        (m.start(), m[0].strip(" ,.;:-"))
        for pattern in (_TAG, _NUMBER, _NAME)
        for m in pattern.finditer(text)
    ]
    return list(dict.fromkeys(item for _, item in sorted(spans) if item))


def _stands_in(item: str, text: str) -> bool:
    """Whether an item stands in a text by itself: 5 does not stand in 15 or 5.2."""
    return re.search(rf"(?<![\w.]){re.escape(item)}(?!\w|[.,]\d)", text) is not None


def _worth(sentence: str) -> float:
    return len(kept_in(sentence)) / math.sqrt(8 + len(sentence.split()))


def _fold(memory: Memory, leaving: Sequence[Interaction], summarise: Summarise | None) -> Memory:
    """Granular folding: interactions into one summary of level 0."""
    text = shorten("\n".join(item.text for item in leaving), summarise)
    summary = Summary(0, text, leaving[0].number, leaving[-1].number)
    rest = tuple(item for item in memory.working if item not in leaving)
    log.info("folded exchanges %d to %d", summary.first, summary.last)
    return replace(memory, working=rest, summaries=_sorted([*memory.summaries, summary]))


def _full(memory: Memory) -> bool:
    return memory.tokens >= THRESHOLD * memory.budget


def _sorted(summaries: Sequence[Summary]) -> tuple[Summary, ...]:
    return tuple(sorted(summaries, key=lambda s: (-s.level, s.first)))


def _range(summary: Summary) -> str:
    whole = summary.first == summary.last
    return f"exchange {summary.first}" if whole else f"exchanges {summary.first} to {summary.last}"


def _tools(memory: Memory) -> str:
    lines = [
        f"{notes.tool}: used {notes.calls} times. Last result: {notes.last_result}"
        for notes in memory.tools
    ]
    return "Tools used so far:\n" + "\n".join(lines) if lines else ""
