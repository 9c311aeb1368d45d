"""Plain fakes for the pipeline: texts in a dict, a tiny word-overlap retrieval, a scripted index.
No patching."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

from tools.documents.blocks import blocks_of_text
from tools.documents.model import Block, Passage, Snapshot, snapshot_id_of
from tools.index.spelling import nearest_spellings
from tools.reading.features import FeatureReader
from tools.reading.reader import Reader
from tools.sources.source import ClientInfo, Credibility, FetchedPage, Outcome, Source, make_source
from tools.text.inflection import stem_in
from tools.text.sentences import spans
from tools.text.tokens import stem, stems, words
from workflows.research.answer.collection import TextInfo, quotable_blocks
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.run_settings import Settings
from workflows.research.state import ResearchState

CLIENTS = (
    ClientInfo("openalex", "OpenAlex", "academic", 6, 5.0, 20),
    ClientInfo("wikipedia", "Wikipedia", "web", 6, 5.0, 10),
    ClientInfo("local", "Your documents", "local", 6, 5.0, 20),
)

BLANK = ResearchState("?")  # of a run that has read nothing yet


class World:
    """Texts by title, spread over clients, and everything a run asked of them."""

    def __init__(
        self, texts: Mapping[str, tuple[str, str]], score: Callable[[Source], float] | None = None
    ) -> None:
        """texts: title -> (client, text). score: credibility of a source."""
        self.texts: dict[str, str] = {}
        self.sources: dict[str, list[Source]] = {client.name: [] for client in CLIENTS}
        self.by_id: dict[str, str] = {}
        self.events: list[Event] = []
        self.searches: list[tuple[str, str]] = []
        self.fetches: list[str] = []
        self.fails: dict[str, str] = {}
        self.cancel_at: int | None = None
        self.references: dict[str, list[Source]] = {}
        self._score = score or (lambda source: 0.7)
        for number, (title, (client, text)) in enumerate(texts.items()):
            self._add(number, title, client, text)

    def _add(self, number: int, title: str, client: str, text: str) -> None:
        kind = next(c.kind for c in CLIENTS if c.name == client)
        snapshot_id = snapshot_id_of(text)
        self.texts[snapshot_id] = text
        if kind == "local":
            source = make_source(
                f"local://{number}",
                title,
                source_type="local",
                document_id=f"d{number}",
                snapshot_id=snapshot_id,
            )
        else:
            source = make_source(
                f"https://site{number}.example/{number}", title, source_type=kind, snippet=text[:80]
            )
        source = replace(source, providers=(client,))
        self.sources[client].append(source)
        self.by_id[source.source_id] = snapshot_id

    def deps(self, **settings: object) -> Deps:
        ticks = count()
        return Deps(
            settings=Settings(**settings),  # type: ignore[arg-type]
            clients=CLIENTS,
            search=self.search,
            fetch=self.fetch,
            store_text=self.store_text,
            references=lambda source, limit: Outcome(
                "openalex", "", tuple(self.references.get(source.source_id, ()))[:limit]
            ),
            citing=lambda source, limit: Outcome("openalex", "", ()),
            text=self.texts.__getitem__,
            retrieve=self.retrieve,
            score=lambda source, voices, text: Credibility(
                self._score(source), "test", self._score(source)
            ),
            emit=self.events.append,
            check_cancelled=lambda: None,
            clock=lambda: float(next(ticks)) / 1000,
            now=lambda: "2026-01-01T00:00:00Z",
            collection=lambda state: FakeCollection(self, state),
            source_of=self.source_of,
        )

    def source_of(self, snapshot_id: str) -> tuple[Source, Snapshot] | None:
        """The document that a text belongs to."""
        for source in self.sources["local"]:
            if source.snapshot_id == snapshot_id:
                return source, self._snapshot(source, snapshot_id, "full")
        return None

    def search(self, client: str, query: str, limit: int) -> Outcome:
        self.searches.append((client, query))
        if client in self.fails:
            return Outcome(client, query, problem=self.fails[client], reason="error")
        query_stems = set(stems(query))
        hits = [
            s
            for s in self.sources[client]
            if query_stems & set(stems(self.texts[self.by_id[s.source_id]]))
        ]
        return Outcome(client, query, tuple(hits[:limit]))

    def fetch(self, source: Source) -> FetchedPage:
        self.fetches.append(source.source_id)
        snapshot_id = source.snapshot_id or self.by_id.get(source.source_id)
        if snapshot_id is None:
            return FetchedPage(
                source.source_id, source.url, problem="The page is gone (404).", reason="error"
            )
        return FetchedPage(
            source.source_id, source.url, self._snapshot(source, snapshot_id, "full"), source.title
        )

    def store_text(self, source: Source, text: str, completeness: str) -> Snapshot:
        self.texts[snapshot_id_of(text)] = text
        return self._snapshot(source, snapshot_id_of(text), completeness)

    def _snapshot(self, source: Source, snapshot_id: str, completeness: str) -> Snapshot:
        size = len(self.texts[snapshot_id])
        return Snapshot(
            snapshot_id,
            source.source_id,
            source.url,
            "text/plain",
            "2026-01-01T00:00:00Z",
            "t/1",
            completeness,
            size,
        )

    def retrieve(self, query: str, snapshot_ids: Collection[str], k: int) -> Sequence[Passage]:
        query_stems = set(stems(query))
        hits = []
        for snapshot_id in snapshot_ids:
            text = self.texts[snapshot_id]
            for start, end in spans(text):
                shared = len(query_stems & _stems(text[start:end])) / max(1, len(query_stems))
                if shared:
                    hits.append(Passage(snapshot_id, start, end, text[start:end], round(shared, 6)))
        return sorted(hits, key=lambda p: (-p.score, p.snapshot_id, p.start))[:k]


def documents_of(texts: Mapping[str, str], **more: Any) -> "FakeCollection":
    """The user's documents by title."""
    world = World({title: ("local", text) for title, text in texts.items()})
    return FakeCollection(world, **more)


@cache
def _blocks(text: str) -> Sequence[Block]:
    return quotable_blocks(text, blocks_of_text(text))


@cache
def _in_stems(text: str) -> str:
    """A text as the stems of its words in a row, all between spaces."""
    return f" {' '.join(map(stem, words(text)))} "


@cache
def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(text))


class FakeCollection:
    """The documents of a world, and what a state has read, searched by shared words. described:
    what is known of a text beside its title."""

    def __init__(
        self,
        world: World,
        state: ResearchState = BLANK,
        described: Callable[[TextInfo], TextInfo] = lambda info: info,
    ) -> None:
        local_sources = world.sources["local"] if "local" in state.config.sources else []
        read = [source for source in state.sources if source.snapshot_id and not source.rejected]
        self._world = world
        self._infos = {
            source.snapshot_id: described(
                TextInfo(
                    source.snapshot_id, source.source_id, source.title, kind=source.source_type
                )
            )
            for source in [*local_sources, *read]
            if source.snapshot_id
        }
        self.reader: Reader = FeatureReader(self.rarity)

    def texts(self) -> list[TextInfo]:
        return list(self._infos.values())

    def search(
        self, query: str, limit: int, among: Collection[str] | None = None, meaning: bool = True
    ) -> Sequence[Passage]:
        allowed = (
            self._infos if among is None else [info for info in self._infos if info in set(among)]
        )
        return self._world.retrieve(query, allowed, limit)

    def text(self, snapshot_id: str) -> str:
        return self._world.texts[snapshot_id]

    def info(self, snapshot_id: str) -> TextInfo:
        return self._infos[snapshot_id]

    def blocks(self, snapshot_id: str) -> Sequence[Block]:
        return _blocks(self.text(snapshot_id))

    def occurring(self, terms: Collection[str]) -> frozenset[str]:
        texts = [_in_stems(self.text(info)) for info in self._infos]
        return frozenset(term for term in terms if any(_in_stems(term) in text for text in texts))

    def spelled_like(self, word: str, cognates: bool = False) -> list[str]:
        vocabulary = {w for info in self._infos for w in words(self.text(info))}
        return nearest_spellings(
            word, [(w, 1) for w in vocabulary if w.startswith(word[:1])], cognates
        )

    def forms(self, word: str, language: str) -> list[str]:
        vocabulary = {w for info in self._infos for w in words(self.text(info))}
        form = stem_in(word, language)
        return sorted(w for w in vocabulary - {word} if stem_in(w, language) == form)

    def rarity(self, word: str) -> float:
        return 3.0 if stem(word) in self._stems() else 5.0

    def _stems(self) -> set[str]:
        return set().union(*(_stems(self.text(info)) for info in self._infos))
