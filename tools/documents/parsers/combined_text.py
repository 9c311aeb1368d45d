"""Several documents in one file (an archive, a message with attachments) as one text, each under
its name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.documents.blocks import with_heading_paths
from tools.documents.model import Block, BlockKind, Extracted, Section


@dataclass(frozen=True, slots=True)
class Part:
    """A document inside another file."""

    name: str
    extracted: Extracted


def joined(first: Extracted | None, parts: Sequence[Part]) -> Extracted:
    """One extraction of all parts. first: what stands before them; its title and metadata are those
    of the whole."""
    pieces: list[str] = []
    blocks: list[Block] = []
    sections: list[Section] = []
    at = 0
    if first is not None:
        pieces.append(first.text)
        blocks += first.blocks
        sections += first.sections
        at = len(first.text)
    for number, part in enumerate(parts, 1):
        joint = "\n\n" if at else ""
        name = part.name
        start = at + len(joint)
        body = start + len(name) + 2
        pieces += [joint, name, "\n\n", part.extracted.text]
        at = body + len(part.extracted.text)
        blocks.append(Block(BlockKind.HEADING, start, start + len(name), 1))
        blocks += [_moved(block, body) for block in part.extracted.blocks]
        sections.append(Section(f"part-{number}", name, 1, body, at))
        sections += [_placed(section, number, body) for section in part.extracted.sections]
    text = "".join(pieces)
    extractors = sorted(
        {part.extracted.extractor for part in parts} | ({first.extractor} if first else set())
    )
    return Extracted(
        text,
        "",
        ", ".join(extractors)[:200],
        first.title if first else "",
        tuple(sections),
        metadata=dict(first.metadata) if first else {},
        blocks=with_heading_paths(text, blocks),
    )


def _moved(block: Block, by: int) -> Block:
    """A block of a part at its place in the whole; its headings stand below the part's name."""
    level = block.level + 1 if block.kind == BlockKind.HEADING else block.level
    context = tuple((start + by, end + by) for start, end in block.context)
    return block._replace(start=block.start + by, end=block.end + by, level=level, context=context)


def _placed(section: Section, number: int, by: int) -> Section:
    return replace(
        section,
        section_id=f"part-{number}-{section.section_id}",
        level=section.level + 1,
        start=section.start + by,
        end=section.end + by,
    )
