"""The texts that one research puts its question to: the documents it may use, and what it has
read."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from tools.documents.model import Block, Completeness, Passage
from tools.reading.features import FeatureReader
from tools.reading.onnx_reader import OnnxReader
from tools.reading.reader import Reader
from tools.reading.reading_model import ReadingModel
from tools.sources.boundary import in_dates
from tools.sources.source import SourceKind
from workflows.research.answer.collection import TextInfo, quotable_blocks
from workflows.research.state import ResearchState

if TYPE_CHECKING:
    from engine.wiring.toolbox import Toolbox


class RunCollection:
    """A TextCollection over one state of a research.

    dense: whether vectors may be used. model: ranks passages where there is one, else the features
    of their words do. report: is handed the sentence when the model fails.
    """

    def __init__(
        self,
        tools: "Toolbox",
        dense: bool,
        model: ReadingModel | None,
        report: Callable[[str], object],
        state: ResearchState,
    ) -> None:
        self._tools = tools
        self._dense = dense
        self._texts = {info.snapshot_id: info for info in _documents(tools, state)}
        for info in _text_infos(state):
            self._texts.setdefault(info.snapshot_id, info)
        set_aside = {source.snapshot_id for source in state.sources if source.rejected}
        for snapshot_id in set_aside:
            self._texts.pop(snapshot_id or "", None)
        self._blocks: dict[str, tuple[Block, ...]] = {}
        features = FeatureReader(self.rarity)
        self.reader: Reader = OnnxReader(model, features, report) if model else features

    def texts(self) -> Sequence[TextInfo]:
        """Every text that may be quoted: documents in the order of the library, then what was
        read."""
        return list(self._texts.values())

    def search(
        self, query: str, limit: int, among: Collection[str] | None = None, meaning: bool = True
    ) -> Sequence[Passage]:
        """The best chunks for a query, best first."""
        allowed = self._texts.keys() if among is None else self._texts.keys() & set(among)
        return self._tools.corpus.search(
            query, limit, snapshot_ids=allowed, dense=self._dense and meaning
        )

    def text(self, snapshot_id: str) -> str:
        """The text of a snapshot."""
        return self._tools.text(snapshot_id)

    def info(self, snapshot_id: str) -> TextInfo:
        """What is known of a text; nothing of one that may not be quoted."""
        return self._texts.get(snapshot_id) or TextInfo(snapshot_id, "", "")

    def blocks(self, snapshot_id: str) -> Sequence[Block]:
        """The blocks of a text that may be quoted."""
        if snapshot_id not in self._blocks:
            text = self.text(snapshot_id)
            self._blocks[snapshot_id] = quotable_blocks(
                text, self._tools.corpus.blocks(snapshot_id, text)
            )
        return self._blocks[snapshot_id]

    def occurring(self, words: Collection[str]) -> frozenset[str]:
        """Those of some folded words that stand in the texts, in any form of the same stem."""
        return self._tools.corpus.occurring(words, self._texts.keys())

    def spelled_like(self, word: str, cognates: bool = False) -> Sequence[str]:
        """Words of these texts that are written nearly like a word, likeliest first."""
        near = self._tools.corpus.spelled_like(word, cognates)
        present = self.occurring(near)
        return [other for other in near if other in present]

    def forms(self, word: str, language: str) -> Sequence[str]:
        """Words of these texts that are forms of a folded word in a language, frequent ones
        first."""
        forms = self._tools.corpus.forms(word, language)
        present = self.occurring(forms)
        return [form for form in forms if form in present]

    def rarity(self, word: str) -> float:
        """Inverse document frequency of a folded word, above 0."""
        return self._tools.corpus.rarity(word)


def _documents(tools: "Toolbox", state: ResearchState) -> list[TextInfo]:
    if SourceKind.LOCAL not in state.config.sources:
        return []
    filters = state.config.filters
    return [
        TextInfo(
            text.snapshot_id,
            f"local:{text.document_id}",
            text.title,
            text.name,
            text.published,
            authors=text.authors,
            folder=text.folder,
        )
        for text in tools.library.named_texts(state.config.documents)
        if in_dates(text.published, filters.since, filters.until)
    ]


def _text_infos(state: ResearchState) -> list[TextInfo]:
    abstracts = {
        snapshot.snapshot_id
        for snapshot in state.snapshots
        if snapshot.completeness == Completeness.ABSTRACT
    }
    return [
        TextInfo(
            source.snapshot_id,
            source.source_id,
            source.title,
            source.url,
            source.published,
            source.source_type,
            source.authors,
            source.snapshot_id in abstracts,
        )
        for source in state.sources
        if source.snapshot_id and not source.rejected
    ]
