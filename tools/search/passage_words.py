"""Passages read once for all steps of a search: their words and stems."""

from collections.abc import Callable
from functools import cached_property

from tools.index.index import ChunkRow
from tools.text.tokens import content_stems, fold, words


class Reading:
    """One chunk: the folded words of its heading and of its body, made when asked for."""

    def __init__(self, row: ChunkRow) -> None:
        self.row = row

    @cached_property
    def heading(self) -> tuple[str, ...]:
        return tuple(words(self.row.title))

    @cached_property
    def body(self) -> tuple[str, ...]:
        return tuple(words(self.row.body))

    @cached_property
    def _folded(self) -> str:
        return fold(f"{self.row.title} {self.row.body}")

    def has_name(self, name: str) -> bool:
        """Whether its words hold those of a folded name, in a row."""
        # Most passages lack a word of it, which shows before they are cut into words
        folded = self._folded
        return all(word in folded for word in name.split()) and f" {name} " in self.framed

    @cached_property
    def framed(self) -> str:
        """All words with one space around each, so that a name can be looked for as it stands."""
        return f" {' '.join(self.heading)}  {' '.join(self.body)} "

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """Stems of the words that count, in order, an empty one between heading and body."""
        return (*content_stems(self.heading), "", *content_stems(self.body))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(self.ordered)


Read = Callable[[ChunkRow], Reading]  # reads each chunk once in a search: functools.cache(Reading)
