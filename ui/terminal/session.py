"""What a command works with: the engine, opened when it is first needed, and the screen."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from engine.models import Conflict, NotFound
from ui.terminal.render.plain import plain
from ui.terminal.screen import Screen

if TYPE_CHECKING:
    from engine.answers import HistoryEntry
    from engine.models import ResearchState
    from engine.research_engine import ResearchEngine

NEWEST = ("last", "newest", "latest")
WHOLE = r"_\d{8}_\d{6}\w{0,40}$"  # how the id of a research ends
PROBLEMS = 3  # that are said at once
PREFIX_REACH = 200  # how many of the newest researches a shortened id is looked for in


@dataclass(eq=False, repr=False)
class Session:
    """One command, or one sitting at the REPL.

    last: the research that was shown or made most recently. conversation: the one with a model that
    goes on. pager: whether long reports may go through one.
    """

    screen: Screen
    home: Path | None = None
    verbose: int = 0
    repl: bool = False
    pager: bool = True
    last: str | None = None
    conversation: str | None = None
    open_engine: "Callable[[Path | None], ResearchEngine] | None" = None
    _engine: "ResearchEngine | None" = None
    _problems: tuple[str, ...] = ()  # as they were said last

    @property
    def engine(self) -> "ResearchEngine":
        """The one engine of this session."""
        if self._engine is None:
            self._engine = (
                self.open_engine(self.home)
                if self.open_engine
                else engine.ResearchEngine(home=self.home)
            )
            self.say_problems()
        return self._engine

    @cached_property
    def workplace(self) -> Any:
        """The working directory, with what was read of it so far."""
        return self.engine.tools.workplace_at(Path.cwd(), self.screen.agrees)

    @property
    def data_home(self) -> Path:
        """The home directory, found without opening the engine."""
        if self._engine is not None or self.open_engine is not None:
            return Path(self.engine.config.home)
        from engine.settings import config

        return config.load(self.home).home

    def say_problems(self) -> None:
        """Say what is wrong with the configuration and the index, unless just that was said
        before."""
        if self._engine is None:
            return
        # `zorora version` and the like open no engine
        from engine.maintenance import lost_index

        config = self._engine.config
        lost = (
            (f"{lost_index.SENTENCE} {lost_index.REMEDY}",)
            if lost_index.is_lost(config.paths)
            else ()
        )
        problems = (*lost, *config.problems)
        if problems != self._problems:
            for problem in problems[:PROBLEMS]:
                self.screen.note(plain(problem))
            if len(problems) > PROBLEMS:
                self.screen.note(
                    f"{len(problems) - PROBLEMS} more; `zorora doctor` names them all."
                )
        self._problems = problems

    def damage(self) -> str:
        """What is wrong with the databases that this session has open, in sentences; empty when
        they are sound."""
        if self._engine is None:
            return ""
        from engine.maintenance import doctor

        return doctor.damage(self._engine.config)

    def close(self) -> None:
        """Close the engine if it was opened."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def find(self, text: str | None) -> str:
        """A research id from what the user typed: an id, the beginning of one, `last`, or nothing
        (the last one).

        Raises NotFound with the way to look ids up, also for an empty id.
        """
        typed = (text or "").strip()
        # A shell variable that is not set must not mean the last one
        if text is not None and not typed:
            raise NotFound("The id is empty. `zorora history` lists the ones there are.")
        if not typed and self.last:
            return self.last
        if re.search(WHOLE, typed):
            return typed
        return self._by_name(typed) or self._newest_or_beginning(typed)

    def _newest_or_beginning(self, typed: str) -> str:
        ids = self._newest()
        if not typed or typed.lower() in NEWEST:
            if not ids:
                raise NotFound('There are no reports yet. Make one: zorora research "..."')
            return ids[0]
        starting = [research_id for research_id in ids if research_id.startswith(typed)]
        if len(starting) > 1 and typed not in starting:
            first_ids = ", ".join(starting[:5])
            raise NotFound(
                f'"{plain(typed)}" begins {len(starting)} reports ({first_ids}). Type more of the '
                "id."
            )
        return starting[0] if len(starting) == 1 else typed

    def find_report(self, text: str) -> str:
        """Like `find`, but `last` is the last finished report, whatever runs or was talked about
        since."""
        if text.strip().lower() not in NEWEST:
            return self.find(text)
        from engine.models import RecordKind

        kinds = (RecordKind.RESEARCH, RecordKind.SEARCH)  # those that have a report
        over = [report for kind in kinds for report in self.listed(kind=kind, limit=1)]
        if not over:
            raise NotFound('There are no reports yet. Make one: zorora research "..."')
        return max(over, key=lambda job: job.created_at).research_id

    def knows(self, text: str) -> bool:
        """Whether a text names a research that is there: its id, a name given to it, or how its id
        alone begins."""
        if re.search(WHOLE, text) or self._by_name(text):
            return True
        # An id holds underscores; a word of a question may well be how one begins
        return "_" in text and sum(name.startswith(text) for name in self._newest()) == 1

    def record(self, text: str | None) -> "ResearchState":
        """The finished research that `find` means. Raises NotFound, Conflict for one that is not
        over."""
        research_id = self.find(text)
        state = self.engine.load_research(research_id)
        if state is None:
            status = self.engine.status(research_id)  # NotFound for an id nobody knows
            raise Conflict(
                f"{plain(research_id)} has no report ({status.status.replace('_', ' ')})."
            )
        return state

    def listed(self, **filters: Any) -> "tuple[HistoryEntry, ...]":
        """Entries of the history, newest first; filters: fields of HistoryQuery."""
        from engine.answers import HistoryQuery  # loaded with the first look at the history

        return self.engine.history(HistoryQuery(**filters)).entries

    def called(self, start: str) -> list[tuple[str, str]]:
        """(name, question) of the newest whose name, given by `save`, begins so: for completion."""
        return [
            (tag[1:], entry.query)
            for entry in self.listed(limit=PREFIX_REACH)
            for tag in entry.tags
            if tag.startswith(alias(start))
        ]

    def _by_name(self, name: str) -> str | None:
        """The research or conversation that `save` gave this name, with or without the @ it is
        marked by."""
        # The newest is a place in the list, whatever somebody called a research
        if not name or name.lower() in NEWEST:
            return None
        entries = self.listed(tag=alias(name), limit=1)
        return next((entry.research_id for entry in entries if alias(name) in entry.tags), None)

    def _newest(self) -> list[str]:
        """Ids of what runs or waits and of what is saved, newest first."""
        started = {entry.research_id: entry.created_at for entry in self.listed(limit=PREFIX_REACH)}
        started |= {job.research_id: job.created_at for job in self.engine.jobs()}
        return sorted(
            started, key=lambda research_id: (started[research_id], research_id), reverse=True
        )


def alias(name: str) -> str:
    """The tag that marks a research by a name of the user's."""
    return f"@{' '.join(name.split()).removeprefix('@')}"
