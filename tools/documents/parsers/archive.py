"""ZIP archives: every document in one, under its name. What cannot be read is listed with its
reason."""

from collections.abc import Callable
from pathlib import PurePosixPath

from tools.documents.model import Extracted, Request
from tools.documents.parsers.combined_text import Part, joined
from tools.documents.parsers.office.zip_package import Package
from tools.errors import ParseError

_WHAT = "ZIP archive"
MAX_DOCUMENTS = 1000
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
            parts.append(
                Part(plain_name, parse_part(Request(package.read(name), PurePosixPath(name).name)))
            )
        except ParseError as problem:
            refused.append(f"{plain_name}: {problem}")
    if not parts:
        why = f"; {refused[0]}" if refused else ""
        raise ParseError(f"This ZIP archive contains no document that can be read{why}")
    return joined(None, parts)._replace(metadata={"parts": len(parts), "unread": refused})


def _is_document(name: str) -> bool:
    parts = PurePosixPath(name).parts
    hidden = any(part.startswith(".") or part in _SILENT for part in parts)
    return bool(parts) and not name.endswith("/") and not hidden
