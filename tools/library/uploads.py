"""Files that came from a browser: kept under their hash, each with the name it was given beside it.

`<sha256>.<ext>` holds the bytes, `.<sha256>.name` the name, so that a library whose index is lost
still knows what its documents are called. Both are whole on the disk or not there.
"""

import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tools.documents.snapshots import replace_durably
from tools.errors import StorageError
from tools.library.folder_walk import FoundFile, display_name

FOLDER = "uploads"


class Uploads(NamedTuple):
    """The folder of uploads."""

    root: Path

    def path(self, digest: str, name: str) -> Path:
        """Where a file of this content and name lies."""
        return self.root / f"{digest}{_suffix(name)}"

    def keep(self, digest: str, name: str, data: bytes) -> None:
        """Store a file durably. Raises StorageError."""
        try:
            # The name first: a file without one would be shown by its hash
            replace_durably({str(self._note(digest)): name.encode("utf-8", "replace")})
            replace_durably({str(self.path(digest, name)): data})
        except OSError as error:
            raise StorageError(f"The file could not be kept: {error.strerror or error}.") from error

    def with_upload_name(self, file: FoundFile) -> FoundFile:
        """A found file under the name it was given; what is no upload stays as it is."""
        if file.path.parent.name != self.root.name or file.path.parent != self.root.resolve():
            return file
        try:
            name = self._note(file.path.name.partition(".")[0]).read_text("utf-8", "replace")
        except OSError:
            name = ""
        return file._replace(name=display_name(name) or file.name, folder=FOLDER)

    def remove(self, name: str) -> None:
        """Delete the file of this name in the folder, and what it was called."""
        (self.root / name).unlink(missing_ok=True)
        with suppress(OSError):
            self._note(name.partition(".")[0]).unlink()

    def _note(self, digest: str) -> Path:
        return self.root / f".{digest}.name"


def _suffix(name: str) -> str:
    suffix = re.search(r"\.[A-Za-z0-9]{1,8}\Z", name)
    return suffix.group().lower() if suffix else ""
