"""Other machines, as reading documents sees them."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tools.index.index import ChunkIndex
from tools.library.file_reading import Parser


class Machines(Parser, Protocol):
    """Other machines that read documents and make vectors. width: how many files at once."""

    width: int

    def embed(
        self, index: ChunkIndex, path: Path | None, report: Callable[[int], object], name: str = ""
    ) -> int:
        """Make the vectors of chunks that have none; how many. path, name: of a model of the user's
        own."""
        ...
