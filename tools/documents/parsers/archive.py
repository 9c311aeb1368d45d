"""ZIP archives: every document in one, under its name. What cannot be read is listed with its
reason."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from tools.documents.blocks import with_heading_paths
from tools.documents.model import Block, BlockKind, Extracted, Request, Section
from tools.documents.parsers.office.zip_package import Package
from tools.errors import ParseError

_WHAT = "ZIP archive"
MAX_DOCUMENTS = 1000
Part = tuple[str, Extracted]  # a document inside another file, by its name
_SILENT = frozenset(["__MACOSX", ".git", ".svn", "node_modules", "__pycache__"])


def parse(request: Request, parse_part: Callable[[Request], Extracted]) -> Extracted:
    """The documents of an archive in its order.

    metadata: parts, how many were read; unread, "name: reason" of the others.
    """
    package = Package(request.data, _WHAT)
    names = [name for name in package.names if _is_document(name)]
    if len(names) > MAX_DOCUMENTS:
        raise ParseError(
            f"This ZIP archive contains {len(names):,} files; the "
            f"limit is {MAX_DOCUMENTS:,}; unpack it."
        )
    parts: list[Part] = []
    refused: list[str] = []
    for name in names:
        plain_name = " ".join(name.encode("utf-8", "replace").decode().split())[:200]
        try:
            part = Request(package.read(name), PurePosixPath(name).name)
            parts.append((plain_name, parse_part(part)))
        except ParseError as problem:
            refused.append(f"{plain_name}: {problem}")
    if not parts:
        why = f"; {refused[0]}" if refused else ""
        raise ParseError(f"This ZIP archive contains no document that can be read{why}")
    return joined(Extracted("", "", ""), parts)._replace(
        metadata={"parts": len(parts), "unread": refused}
    )


def _is_document(name: str) -> bool:
    parts = PurePosixPath(name).parts
    hidden = any(part.startswith(".") or part in _SILENT for part in parts)
    return bool(parts) and not name.endswith("/") and not hidden


def joined(first: Extracted, parts: Sequence[Part]) -> Extracted:
    """One extraction of all parts. first: what stands before them; its title and metadata are those
    of the whole."""
    pieces, at = [first.text], len(first.text)
    blocks, sections = [*first.blocks], [*first.sections]
    for number, (name, part) in enumerate(parts, 1):
        joint = "\n\n" if at else ""
        start = at + len(joint)
        body = start + len(name) + 2
        pieces += [joint, name, "\n\n", part.text]
        at = body + len(part.text)
        blocks.append(Block(BlockKind.HEADING, start, start + len(name), 1))
        blocks += [_moved(block, body) for block in part.blocks]
        sections.append(Section(f"part-{number}", name, 1, body, at))
        sections += [
            replace(
                section,
                section_id=f"part-{number}-{section.section_id}",
                level=section.level + 1,
                start=section.start + body,
                end=section.end + body,
            )
            for section in part.sections
        ]
    text = "".join(pieces)
    extractors = {first.extractor, *(part.extractor for _, part in parts)} - {""}
    return Extracted(
        text,
        "",
        ", ".join(sorted(extractors)),
        first.title,
        tuple(sections),
        metadata=dict(first.metadata),
        blocks=with_heading_paths(text, blocks),
    )


def _moved(block: Block, by: int) -> Block:
    """A block of a part at its place in the whole; its headings stand below the part's name."""
    level = block.level + 1 if block.kind == BlockKind.HEADING else block.level
    context = tuple((start + by, end + by) for start, end in block.context)
    return block._replace(start=block.start + by, end=block.end + by, level=level, context=context)
