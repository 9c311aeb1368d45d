"""What the reader page shows of each cited source, for a file that is read far from the library:
every paragraph that the report uses with its neighbours, the passages marked.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from engine.answers import Segment
from engine.reports import reader_page
from engine.reports.figures import listed
from tools.errors import NotFound
from tools.sources.source import Source
from workflows.research.report.quality import used_sources
from workflows.research.state import ResearchState

AROUND = 1  # paragraphs before and after one with a passage
LONGEST = 1_200  # characters of a paragraph without a passage
MOST = 40  # paragraphs of one source


@dataclass(frozen=True, slots=True)
class ReadParagraph:
    """segments in order; a gap was left out before it. level: of a heading, else 0."""

    segments: tuple[Segment, ...]
    level: int = 0
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The paragraphs of a source that the report uses. left: how many further paragraphs with
    passages there are."""

    source: Source
    paragraphs: tuple[ReadParagraph, ...]
    more: int = 0

    def evidence_ids(self) -> set[str]:
        return {
            name
            for paragraph in self.paragraphs
            for segment in paragraph.segments
            for name in segment.evidence_ids
        }


def excerpts(state: ResearchState, texts: Callable[[str], str]) -> Iterator[Excerpt]:
    """One for each cited source whose text is stored, by tag. texts: the text of a snapshot, or
    NotFound."""
    used_ids = used_sources(state)
    for source in listed(state):
        if source.source_id not in used_ids:
            continue
        _, snapshot = reader_page.source_of(state, source.source_id)
        try:
            text = texts(snapshot.snapshot_id) if snapshot else None
        except (NotFound, KeyError):
            continue
        excerpt = _excerpt(source, reader_page.page(state, source, snapshot, text).segments)
        if excerpt.paragraphs:
            yield excerpt


def _excerpt(source: Source, segments: tuple[Segment, ...]) -> Excerpt:
    blocks = [tuple(group) for _, group in groupby(segments, key=lambda segment: segment.paragraph)]
    marked_blocks = [
        n for n, block in enumerate(blocks) if any(segment.number for segment in block)
    ]
    numbers = sorted(
        {
            m
            for n in marked_blocks
            for m in range(n - AROUND, n + AROUND + 1)
            if 0 <= m < len(blocks)
        }
    )
    first_numbers = numbers[:MOST]
    paragraphs = tuple(
        ReadParagraph(
            _short(blocks[n]),
            max(segment.level for segment in blocks[n]),
            n > 0 and n - 1 not in numbers,
        )
        for n in first_numbers
    )
    return Excerpt(source, paragraphs, sum(n not in first_numbers for n in marked_blocks))


def _short(block: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """A paragraph with a passage stays whole; another one is cut at a word."""
    if len(block) > 1 or block[0].number or len(block[0].text) <= LONGEST:
        return block
    text = block[0].text
    return (
        Segment(
            block[0].kind,
            text[: text.rfind(" ", LONGEST // 2, LONGEST)] + " […]",
            block[0].paragraph,
        ),
    )
