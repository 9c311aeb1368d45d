"""Pictures: made from words, and described, by the models that are configured for it."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from engine.llm.model_roles import role_of, wire
from engine.resources import Opened
from tools.errors import Check, ModelError, NotFound, Refused, SourceError
from tools.models import images
from tools.models.images import SIZES, Picture
from tools.models.model import Reply
from tools.net.request import Request
from tools.open_databases import read_file

NO_PAINTER = (
    "No model is configured for making images. Choose one with `zorora models set "
    "image_generation …`."
)
NO_EYES = (
    "No model is configured for describing images. Choose one with `zorora models set vision …`."
)


def file_name(picture: Picture) -> str:
    """The name of a file for a picture that was made now."""
    suffix = picture.media_type.rpartition("/")[2].replace("jpeg", "jpg")
    return f"picture_{datetime.now(UTC):%Y%m%d_%H%M%S}.{suffix}"


class Pictures:
    """Making and describing pictures."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened

    def make(
        self, prompt: str, size: str = SIZES[2], check_cancelled: Check | None = None
    ) -> Picture:
        """A picture of what the prompt says. ModelError when no model can; Refused for a size there
        is not."""
        if size not in SIZES:
            raise Refused(
                f"{size[:40]!r} is not a supported size. Supported sizes: {', '.join(SIZES)}."
            )
        role = role_of(self._open.config, "image_generation")
        if role is None:
            raise ModelError(NO_PAINTER, "unset")
        return images.generate_image(
            wire(self._open.config),
            role,
            prompt,
            size,
            fetch=self._fetch,
            check_cancelled=check_cancelled,
        )

    def _fetch(self, url: str) -> bytes:
        """A picture that a service keeps at an address, through the guarded door."""
        from engine.wiring.network_door import door

        with closing(door(self._open.config, self._open.tools.net, fresh=True)) as http:
            answer = http.get(Request(url, max_bytes=images.LARGEST_INPUT))
        if answer.status != 200:
            raise SourceError(
                f"The picture could not be read from its address (status {answer.status})."
            )
        return answer.content

    def describe(
        self,
        path: Path,
        task: str = "",
        on_text: Callable[[str], object] | None = None,
    ) -> Reply:
        """What a picture file shows, or what the task asks of it. NotFound, ParseError for no
        picture, ModelError."""
        try:
            if path.stat().st_size > images.LARGEST_INPUT:
                raise Refused(f"{path.name} is larger than {images.LARGEST_INPUT // 1_000_000} MB.")
            data = read_file(path)
        except IsADirectoryError as error:
            raise NotFound(f"{path} is a folder. Name the picture in it.") from error
        except OSError as error:
            raise NotFound(f"{path} cannot be read: {error.strerror}.") from error
        models = self._open.tools.models_of_run()
        if models is None or not models.has("vision"):
            raise ModelError(NO_EYES, "unset")
        return images.analyze_image(models, data, task, on_text=on_text)
