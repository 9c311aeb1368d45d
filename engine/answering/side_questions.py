"""What is asked beside researches: follow-up questions, conversations, quick searches, documents,
pictures."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from engine.resources import Opened

if TYPE_CHECKING:
    from engine.answering.conversations import Conversations
    from engine.answering.follow_up import FollowUps
    from engine.answering.pictures import Pictures
    from engine.answering.quick_search import QuickSearch
    from engine.library.document_questions import DocumentRow
    from engine.runs.revisions import Steering


class Asking:
    """ResearchEngine.asking. Each part loads when it is first used."""

    def __init__(self, opened: Opened, steering: Callable[[], "Steering"]) -> None:
        self._opened, self._steering = opened, steering

    @cached_property
    def follow_ups(self) -> "FollowUps":
        """Questions about a finished research."""
        from engine.answering.follow_up import FollowUps

        return FollowUps(self._opened, self._steering, self.conversations)

    @cached_property
    def conversations(self) -> "Conversations":
        """The reasoning model, without a search."""
        from engine.answering.conversations import Conversations

        return Conversations(self._opened)

    @cached_property
    def quick(self) -> "QuickSearch":
        """Searches that are over in seconds."""
        from engine.answering.quick_search import QuickSearch

        return QuickSearch(self._opened)

    def document_table(
        self, questions: Sequence[str], document_ids: Collection[str] | None = None
    ) -> tuple["DocumentRow", ...]:
        """The best passage of every document for each question. document_ids: only of these."""
        from engine.library.document_questions import table

        return table(self._opened, questions, document_ids)

    @cached_property
    def pictures(self) -> "Pictures":
        """Pictures, made and described."""
        from engine.answering.pictures import Pictures

        return Pictures(self._opened)
