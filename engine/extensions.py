"""What a program that uses Zorora as a library adds to its engine: source clients and a judge of
its own."""

from typing import TYPE_CHECKING

from tools.errors import ConfigError, Refused

if TYPE_CHECKING:
    from engine.runs.worker_context import Pipeline
    from tools.judging.judge import Judge
    from tools.sources.client import Client

_KINDS = ("academic", "web", "newsroom")


class Extensions:
    """Objects of the calling program, used by the researches that run in this process.

    sources: source clients asked beside the built-in ones; the settings do not know them, their own
    defaults hold. judge: decides support and contradiction instead of the configured one. pipeline:
    replaces the phases (for tests). Raises ConfigError for a client whose name is taken or whose
    kind does not exist.
    """

    def __init__(
        self,
        sources: "tuple[Client, ...]" = (),
        judge: "Judge | None" = None,
        pipeline: "Pipeline | None" = None,
    ) -> None:
        self.sources, self.judge, self.pipeline = sources, judge, pipeline
        source_names = (
            {"local", *(client.name for client in self._built_in)} if self.sources else set()
        )
        for client in self.sources:
            if client.name in source_names:
                raise ConfigError(
                    f"There is a source called {client.name!r} already; give yours another name."
                )
            if client.kind not in _KINDS:
                kinds = ", ".join(_KINDS)
                raise ConfigError(
                    f"The source {client.name!r} has the kind "
                    f"{client.kind!r}; choose one of {kinds}."
                )
            source_names.add(client.name)

    @property
    def clients(self) -> "tuple[Client, ...]":
        """All source clients of the engine, the built-in ones first."""
        return (*self._built_in, *self.sources)

    @property
    def _built_in(self) -> "tuple[Client, ...]":
        from tools.sources.registry import SOURCES  # two dozen modules, needed by runs alone

        return SOURCES

    def check_background(self) -> None:
        """Raises Refused where another process would have to know objects of this one."""
        if self.sources or self.judge:
            raise Refused(
                "A report in the background runs in another process, which does not have the "
                "sources and the judge "
                "of this program. Use `run` or `deep_research`, which stay in this process."
            )


NO_EXTENSIONS = Extensions()
