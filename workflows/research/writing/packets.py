"""Evidence packets: the passages that a model writes from, as many as its window takes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.models.model import estimate
from tools.models.prompts import fence
from tools.sources.source import Source
from tools.text.instructions import holds_orders
from workflows.research.answer.model import AnswerPassage

MOST = 40  # passages of a packet
SHARE = 0.6  # of the window may be passages, and what was answered before
_LONGEST = 4000  # characters of a passage that are shown
_LINE = 300  # characters of a title, a heading


@dataclass(frozen=True, slots=True)
class PacketPassage:
    """A passage under the reference by which a model cites it: the tag of its source and a
    number."""

    ref: str
    passage: AnswerPassage
    source: Source

    @property
    def about(self) -> str:
        """Title, authors, date and headings, as one line."""
        facts = [", ".join(self.source.authors[:3]), self.passage.date or self.source.published]
        facts_text = "; ".join(filter(None, facts))
        title = self.source.title[:_LINE] + (f" ({facts_text})" if facts_text else "")
        path = self.passage.heading_path
        if (
            self.source.title and path[:1] and path[0].endswith(self.source.title)
        ):  # "7 Sessions" of "Sessions"
            path = path[1:]
        return " › ".join(part for part in (title, *path) if part)[: 2 * _LINE]

    @property
    def is_local(self) -> bool:
        """Whether it is of the user's own documents."""
        return self.source.is_local

    def prompt_text(self, longest: int = _LONGEST) -> str:
        """The passage as a model sees it. longest: characters of its text."""
        return f"[{self.ref}] {' '.join(self.about.split())}\n{self.passage.text[:longest]}"


def packet_of(
    passages: Iterable[AnswerPassage],
    sources: Sequence[Source],
    room: int,
    most_sources: int,
    with_local: bool = True,
) -> tuple[PacketPassage, ...]:
    """The first passages that fit into so many tokens, of so many sources at most.

    with_local: whether the user's documents may be shown.
    """
    by_id = {source.source_id: source for source in sources if _may_be_shown(source, with_local)}
    numbers: Counter[str] = Counter()
    word_sequences: set[tuple[str, ...]] = set()
    packet: list[PacketPassage] = []
    for passage in passages:
        source = by_id.get(passage.source_id)
        if source is None or passage.evidence_ids in word_sequences or holds_orders(passage.text):
            continue
        if source.source_id not in numbers and len(numbers) >= most_sources:
            continue
        packet_passage = PacketPassage(
            f"{source.tag}:{numbers[source.source_id] + 1}", passage, source
        )
        size = estimate(packet_passage.prompt_text()) + 8
        if size > room:
            continue
        numbers[source.source_id] += 1
        word_sequences.add(passage.evidence_ids)
        room -= size
        packet.append(packet_passage)
    return tuple(packet[:MOST])


def _may_be_shown(source: Source, with_local: bool) -> bool:
    return bool(source.tag) and not source.rejected and (with_local or not source.is_local)


def packet_text(packet: Sequence[PacketPassage], longest: int = _LONGEST) -> str:
    """A packet as it stands in a prompt; what its texts say stays material. longest: characters of
    each."""
    return "\n".join(fence(entry.prompt_text(longest), "passage") for entry in packet)
