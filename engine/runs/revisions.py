"""Steering a finished research: again over the same texts, without or with a source, deeper,
checked against today.

Every change is a new revision of the record; the records before it are kept beside, one file each.
"""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path

from engine.clock import now
from engine.files import locked, write_whole
from engine.maintenance import leftovers
from engine.records import marking
from engine.reports import reader_page
from engine.reports.about_reports import PassageAgain, Rechecked, Withdrawn
from engine.resources import Opened
from engine.runs.worker_context import Order, never
from tools.errors import Conflict, NotFound, Refused, ZororaError
from tools.research.credibility_scorer import assess
from tools.sources.source import Credibility, Source
from workflows.conversation.turns import carry
from workflows.research import revise
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.kinds import RecordKind
from workflows.research.model import Check, Evidence, RunConfig
from workflows.research.state import ResearchState

OnEvent = Callable[[Event], None]
_OF_THE_WORK = frozenset(("trajectory", "versions"))  # what every piece of work changes
UNCHANGED, CHANGED, GONE = "unchanged", "changed", "unreadable"


class Steering:
    """What can be done with a finished research. on_event is told what happens, as in a run."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened

    def check(self, research_id: str, source_id: str, use: str, mark: str) -> None:
        """Say whether a source says what a sentence or passage cites it for: yes, part, no; ""
        takes it back.

        use: name of the sentence or passage on the page of the report. Raises NotFound.
        """
        uses = reader_page.uses_of(self._open.require(research_id), source_id)
        text = next((text for name, text in uses if name == use), None)
        if text is None:
            raise NotFound(
                "The report cites this source for no such "
                "sentence. It may belong to another revision."
            )
        new = Check(source_id, text, mark)
        self._open.storage.mark(
            research_id, lambda user: replace(user, checks=marking.checked(user.checks, new))
        )

    def replay(
        self, research_id: str, on_event: OnEvent | None = None
    ) -> tuple[ResearchState, tuple[str, ...]]:
        """Cross-reference to synthesis over the stored texts, and the fields that differ. Nothing
        is saved."""
        state = self._open.require(research_id)
        with self._deps(state, on_event) as deps:
            replayed = revise.again(revise.gathered(state), deps)
        return replayed, revise.differences(state, replayed)

    def exclude(
        self, research_id: str, source: str, on_event: OnEvent | None = None
    ) -> ResearchState:
        """A new revision without a source (its tag, id or address)."""
        state = self._open.require(research_id)
        match = find_source(state, source)
        if match.rejected == revise.EXCLUDED:
            raise Refused(f"{_source_name(match)} is already excluded from this report.")
        return self._revise(
            state,
            on_event,
            lambda deps: revise.changed(state, deps, exclude={match.source_id}),
        )

    def include(
        self, research_id: str, source: str, on_event: OnEvent | None = None
    ) -> ResearchState:
        """A new revision with a source that was set aside or left out, or with a document of the
        library.

        source: tag, id or address of a source of the record, or id, name or title of a document.
        Nothing is fetched: Refused for a source whose text was never read.
        """
        state = self._open.require(research_id)
        added = self._addition(state, source)
        if not added.snapshot_id:
            raise Refused(f"{_source_name(added)} was never read, so there is no text to use.")
        if any(
            source.source_id == added.source_id and not source.rejected for source in state.sources
        ):
            raise Refused(f"{_source_name(added)} is already among the sources of this report.")
        return self._revise(state, on_event, lambda deps: revise.changed(state, deps, add=(added,)))

    def deepen(self, research_id: str, on_event: OnEvent | None = None) -> ResearchState:
        """A new revision after at least one more round of searching and reading."""
        state = self._open.require(research_id)
        config = replace(state.config, depth=min(3, state.config.depth + 1))
        return self._revise(
            state,
            on_event,
            lambda deps: revise.deeper(replace(state, config=config), deps),
            config=config,
            closed=False,
        )

    def rescore(self, research_id: str, on_event: OnEvent | None = None) -> ResearchState:
        """A new revision with the sources scored by the tables of today; what they set aside
        answers no more."""
        state = self._open.require(research_id)

        def scored(deps: Deps) -> ResearchState:
            revised = revise.again(revise.gathered(state), deps)
            data = self._open.versions()["data"]
            return replace(revised, versions={**revised.versions, "data": data})

        return self._revise(state, on_event, scored)

    def withdrawn(self, state: ResearchState) -> tuple[Withdrawn, ...]:
        """Sources that today's tables call retracted and the record does not. No network."""
        tools, retracted = self._open.tools, []
        for source in state.sources:
            if not (source.doi or source.pmid) or _retracted(source.credibility):
                continue
            today = assess(source, as_of=state.as_of, journals=tools.journals, rules=tools.rules)
            if _retracted(today):
                retracted.append(
                    Withdrawn(source.source_id, source.tag or "", source.title, today.breakdown)
                )
        return tuple(retracted)

    def recheck(self, research_id: str, on_event: OnEvent | None = None) -> tuple[Rechecked, ...]:
        """Every cited page read again, past the cache; what of its cited passages is not there any
        more."""
        state = self._open.require(research_id)
        evidence_lists = _evidence_by_source(state)
        run_id = f"{research_id}~recheck-{time.time_ns()}"
        notices = []
        with self._deps(state, on_event, closed=False, fresh=True, run_id=run_id) as deps:
            for source in state.sources:
                if source.source_id in evidence_lists and source.url.startswith("http"):
                    notices.append(_compared(source, evidence_lists[source.source_id], deps))
        self._open.tools.net.fetches.remove_run(run_id)
        return tuple(notices)

    # --- revisions --------------------------------------------------------------------------------

    def revisions(self, research_id: str) -> list[int]:
        """The numbers of all revisions, the current one last."""
        state = self._open.require(research_id)
        numbers = sorted(
            int(path.stem)
            for path in self._folder(research_id).glob("*.json")
            if path.stem.isdecimal()
        )
        return [*(number for number in numbers if number != state.revision), state.revision]

    def revision(self, research_id: str, number: int) -> ResearchState:
        """The record of a revision. NotFound when there is none of this number."""
        state = self._open.require(research_id)
        if number == state.revision:
            return state
        path = self._folder(research_id) / f"{number}.json"
        try:
            return ResearchState.from_dict(json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise NotFound(f"There is no revision {number} of {research_id!r}.") from error

    def keep(self, state: ResearchState) -> None:
        """Put a record aside as a revision, before another takes its place."""
        folder = self._folder(state.research_id)
        folder.mkdir(parents=True, exist_ok=True)
        body = json.dumps(state.to_dict(), ensure_ascii=False).encode()
        write_whole(folder / f"{state.revision}.json", body)

    def _folder(self, research_id: str) -> Path:
        return leftovers.folder_of_revisions(self._open.config.paths, research_id)

    def _revise(
        self,
        before: ResearchState,
        on_event: OnEvent | None,
        work: Callable[[Deps], ResearchState],
        *,
        config: RunConfig | None = None,
        closed: bool = True,
    ) -> ResearchState:
        """What the work makes of a record, in place of the one it was made from, which is kept.
        Refused where nothing came of it."""
        with self._deps(before, on_event, config=config, closed=closed) as deps:
            revised = work(deps)
        folder = self._folder(before.research_id)
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / "lock"):
            current = self._open.require(before.research_id)
            if current.revision != before.revision:
                raise Conflict("This report was changed in the meantime; look at it and try again.")
            if not set(revise.differences(before, revised)) - _OF_THE_WORK:
                raise Refused("The same report came out, so there is no new revision.")
            self.keep(current)
            revised = replace(
                revised,
                research_id=before.research_id,
                started_at=before.started_at,
                revision=current.revision + 1,
                user=current.user,
                completed_at=now(),
            )
            revised = carry(current, revised)
            self._open.storage.save_research(revised)
        return revised

    # --- inside -----------------------------------------------------------------------------------

    def _deps(
        self,
        state: ResearchState,
        on_event: OnEvent | None,
        *,
        config: RunConfig | None = None,
        closed: bool = True,
        fresh: bool = False,
        run_id: str = "",
    ) -> AbstractContextManager[Deps]:
        if state.is_conversation:
            raise Refused("This is a conversation with a model; it has no sources to change.")
        if state.kind == RecordKind.SEARCH and not fresh:
            raise Refused("A quick search cannot be changed. Ask its question as a report instead.")

        name, run_config = run_id or state.research_id, config or state.config
        order = Order(name, run_config, (), state.as_of, on_event or never, never, closed, fresh)
        return self._open.tools.deps(order)

    def _addition(self, state: ResearchState, reference: str) -> Source:
        with suppress(NotFound):
            return find_source(state, reference)
        for document in self._open.tools.library.documents():
            if reference in (document.document_id, document.name, document.title):
                matching = (
                    source for source in state.sources if source.document_id == document.document_id
                )
                return next(matching, None) or self._open.tools.library.source(document.document_id)
        raise NotFound(
            "Neither a source of this report nor a document of the library is called "
            f"{reference!r}."
        )


def _retracted(credibility: Credibility | None) -> bool:
    return credibility is not None and "retracted" in credibility.overrides


def _source_name(source: Source) -> str:
    return f"“{source.title or source.url}”"


def find_source(state: ResearchState, reference: str) -> Source:
    """The source with this tag, id or address. NotFound when the record has none."""
    for source in state.sources:
        if reference in (source.source_id, source.url) or reference.upper() == (source.tag or ""):
            return source
    raise NotFound(
        f"This report has no source {reference!r}. Name one by its tag (S1), id or address."
    )


def _evidence_by_source(state: ResearchState) -> dict[str, list[Evidence]]:
    """Source id -> the evidence that the report cites from it."""
    evidence = {piece.evidence_id: piece for piece in state.evidence}
    by_source: dict[str, dict[str, Evidence]] = {}
    for sentence in state.report.sentences() if state.report else ():
        for citation in sentence.citations:
            if citation.evidence_id in evidence:
                by_source.setdefault(citation.source_id, {})[citation.evidence_id] = evidence[
                    citation.evidence_id
                ]
    return {source_id: list(pieces.values()) for source_id, pieces in by_source.items()}


def _compared(source: Source, evidence: Sequence[Evidence], deps: Deps) -> Rechecked:
    """One page read again, against what was cited from it."""
    facts = (source.source_id, source.tag or "", source.title, source.url)
    page = deps.fetch(replace(source, snapshot_id=None))
    if page.snapshot is None:
        return Rechecked(*facts, GONE, page.problem or "It could not be read.", ())
    try:
        text = " ".join(deps.text(page.snapshot.snapshot_id).split())
    except ZororaError as error:
        return Rechecked(*facts, GONE, str(error), ())
    passages = tuple(
        PassageAgain(piece.evidence_id, piece.quote, " ".join(piece.quote.split()) in text)
        for piece in evidence
    )
    outcome = UNCHANGED if all(passage.still_there for passage in passages) else CHANGED
    return Rechecked(*facts, outcome, "", passages)
