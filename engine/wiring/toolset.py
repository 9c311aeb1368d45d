"""The tools as an open engine offers them: what each works with, made when it is needed and given
back afterwards."""

import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.clock import now
from engine.memory.memory import ResearchMemory
from engine.resources import Opened
from engine.wiring import tool_results
from engine.wiring.tool_texts import Listener, MemoryText, ResearchText
from tools.errors import Check, NotFound
from tools.sources.combined import Desk, FoundSources
from tools.toolset.tool import READ as READ, RESEARCH as RESEARCH, Tool
from workflows.research.model import RunConfig

if TYPE_CHECKING:
    from engine.research_engine import ResearchEngine
    from engine.wiring import sources
    from tools.host.programs import ShellRules
    from tools.shelf.shelf import Shelf
    from tools.toolset.context import Context


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool for interfaces and other programs. schema: JSON schema of its arguments; output: of
    its structured result, None where it answers with text alone."""

    name: str
    description: str
    schema: Mapping[str, Any]
    safety: str
    guideline: str = ""
    output: Mapping[str, Any] | None = None


class Toolset:
    """The tools of one engine. place: the working directory of a person at the terminal; host tools
    need one.

    of: the kinds of sources of the one research they are for (`over`).
    """

    def __init__(
        self,
        engine: "ResearchEngine",
        opened: Opened,
        memory: ResearchMemory,
        of: Sequence[str] | None = None,
    ) -> None:
        self._engine, self._opened, self._memory, self._of = engine, opened, memory, of

    def over(self, research_id: str) -> "Toolset":
        """The tools for work on a finished research: its texts are there, so nothing is fetched,
        and one that read no documents of the user has none. NotFound when there is no such
        research."""
        state = self._engine.load_research(research_id)
        if state is None:
            raise NotFound(f"There is no finished report called {research_id!r}.")
        return Toolset(self._engine, self._opened, self._memory, state.config.sources)

    def offered(
        self, classes: Collection[str] = (READ, RESEARCH), place: Path | None = None
    ) -> list[OfferedTool]:
        """What `call` takes with the same arguments."""
        from tools import tool_calls

        with self._context(place, None) as context:
            return [_offered_tool(tool) for tool in tool_calls.offered(context, classes)]

    def find(self, name: str) -> OfferedTool:
        """A tool by its name or an alias, offered or not. NotFound names the nearest."""
        from tools import registry

        return _offered_tool(registry.find_tool(name))

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        classes: Collection[str] = (READ, RESEARCH),
        workplace: Any = None,
        check: Check | None = None,
        listener: Listener | None = None,
    ) -> str:
        """What a tool answers, as text. Raises ZororaError: Refused for one not offered or wrong
        arguments.

        workplace: a `tools.host.place.Workplace` (or `workplace_at`), kept by the caller for a
        whole session, because it knows which files were read. check: called while the tool works;
        raises Cancelled to stop it. listener: hears the phases of a whole research, and the
        structured result of a tool that has one.
        """
        from tools import tool_calls

        with self._context(workplace, check, listener) as context:
            return tool_calls.call(name, arguments, context, classes)

    def workplace_at(self, folder: Path, confirm: Callable[[str], bool] | None = None) -> Any:
        """A working directory for host tools; confirm asks the person at the terminal."""
        from tools.host.place import Workplace

        return Workplace(folder, confirm)

    def shell_rules(self) -> "ShellRules":
        """What the settings say of programs."""
        from tools.host.programs import ShellRules

        get = self._opened.config.get
        return ShellRules(get("shell.allowed"), get("shell.timeout"), get("shell.output_kb") * 1000)

    @contextmanager
    def _context(
        self, place: Any, check: Check | None, listener: Listener | None = None
    ) -> Iterator["Context"]:
        """A context for one call; the network door that it opened is closed again."""
        from tools.toolset.context import Context

        listener = listener or Listener()
        workplace = self.workplace_at(place) if isinstance(place, Path) else place
        with closing(_Hands(self._opened, check, listener)) as hands:
            yield Context(
                desk=hands.desk,
                shelf=hands.shelf,
                memory=lambda: MemoryText(self._memory),
                researches=lambda: ResearchText(self._engine, check, listener),
                models=lambda: self._opened.tools.models_of_run(),
                place=workplace,
                policy=lambda query: ResearchText(self._engine, check).documents(query, 8),
                picture=hands.picture(workplace) if workplace is not None else None,
                check=check,
                shell=self.shell_rules(),
                web_only=self._of is not None and "local" not in self._of,
                loaded=self._of is not None,
            )


class _Hands:
    """The parts of a context that open something."""

    def __init__(self, opened: Opened, check: Check | None, listener: Listener) -> None:
        self._opened, self._check, self._listener = opened, check, listener
        self._run: sources.Run | None = None

    def run(self) -> "sources.Run":
        """Source clients and fetching, with an own name, so that what failed before is tried
        again."""
        from engine.runs.worker_context import Order, never
        from engine.wiring import sources

        if self._run is None:
            config = RunConfig(depth=3)
            order = Order(
                f"tool-{uuid.uuid4().hex}", config, (), now(), never, self._check or never
            )
            self._run = sources.Run(self._opened.tools, order, counted=False)
        return self._run

    def desk(self) -> Desk:
        run = self.run()
        academic, web, newsroom = (
            tuple(client.name for client in run.clients if client.kind == kind)
            for kind in ("academic", "web", "newsroom")
        )

        def read_page(source: Any) -> Any:
            page = run.fetch(source)
            return page, self._opened.tools.text(page.snapshot.snapshot_id) if page.snapshot else ""

        def on_found(combined: FoundSources) -> None:
            self._listener.on_result(tool_results.found_sources(combined))

        today = datetime.now(UTC).date().isoformat()
        return Desk(run.search, academic, web, newsroom, read_page, run.images, today, on_found)

    def shelf(self) -> "Shelf":
        from tools.shelf.shelf import Shelf

        tools = self._opened.tools
        return Shelf(
            tools.corpus,
            tools.snapshots,
            tools.library,
            tools.net.fetches,
            lambda source: self.run().fetch(source),
        )

    def picture(self, place: Any) -> Callable[[str, str], str]:
        """Makes a picture and keeps it in the working directory."""

        def draw(prompt: str, size: str) -> str:
            from engine.answering.pictures import Pictures, file_name
            from tools.host.writing import Change, write_all

            picture = Pictures(self._opened).make(prompt, size, self._check)
            name = file_name(picture)
            write_all(place, [Change(name, picture.data)])
            return f"The picture is in {name}."

        return draw

    def close(self) -> None:
        if self._run is not None:
            self._run.http.close()


def _offered_tool(tool: Tool) -> OfferedTool:
    return OfferedTool(
        tool.name,
        tool.description,
        tool.schema,
        tool.safety,
        tool.guideline,
        tool_results.OUTPUTS.get(tool.name),
    )
