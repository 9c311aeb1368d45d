"""What is asked beside researches: follow-up questions, conversations, quick searches, documents, pictures."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from engine.opened import Opened

if TYPE_CHECKING:
    from engine.follow_up import FollowUps
    from engine.steering import Steering


class Asking:
    """ResearchEngine.asking. Each part loads when it is first used."""

    def __init__(self, opened: Opened, steering: Callable[[], "Steering"]) -> None:
        self._opened, self._steering = opened, steering

    @cached_property
    def follow_ups(self) -> "FollowUps":
        """Questions about a finished research."""
        from engine.follow_up import FollowUps

        return FollowUps(self._opened, self._steering)
