"""Models that work inside the process, as files in the home: checked before they are used, whole or not there."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from engine import sources
from engine.config import Config
from engine.data_update import Wanted, fetch
from engine.files import publish, stage
from engine.home import make_folder
from tools.errors import ModelError, NotFound, SourceError
from tools.net.store import NetStore
from tools.reading.onnx_reader import MODEL_FILE, missing_packages
from tools.reading.reading_model import ReadingModel

FILES = {"reader": MODEL_FILE}
_TRIAL = ("What is the capital of France?", [("France", "Paris is its capital.")])


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file. title, licence: what it says of itself. size: bytes."""

    name: str
    title: str
    licence: str
    size: int
    sha256: str
    path: str


def described(config: Config, name: str) -> ModelFile:
    """The model of that name that is in place. Raises NotFound, ModelError."""
    return _checked(name, config.paths.models / _file(name))


def place(config: Config, net: NetStore, name: str, source: str, sha256: str = "") -> ModelFile:
    """Fetch or read a model, try it, and only then put it in place of the one that was there."""
    target = config.paths.models / _file(name)
    data = _data(config, net, source)
    digest = hashlib.sha256(data).hexdigest()
    if sha256 and digest != sha256.strip().lower():
        raise ModelError(f"{source} was not taken: its sha256 is {digest}, not the one that you named.")
    make_folder(target.parent)
    temporary = stage(target, data)
    try:
        _checked(name, temporary)
    except ModelError as error:
        temporary.unlink(missing_ok=True)
        raise ModelError(f"{source} was not taken. {error}") from error
    publish(temporary, target)
    return described(config, name)


def _file(name: str) -> str:
    if name not in FILES:
        raise NotFound(f"There is no model called {name!r} to place; there is {', '.join(FILES)}.")
    return FILES[name]


def _data(config: Config, net: NetStore, source: str) -> bytes:
    http = sources.door(config, net)
    try:
        return fetch(Wanted("The model", "model", source, own=True), http).data
    except SourceError as error:
        raise ModelError(f"The model was not taken: {str(error).rstrip('.')}.") from error
    finally:
        http.close()


def _checked(name: str, path: Path) -> ModelFile:
    """What a file says of itself, after it has read a passage. Raises ModelError."""
    if missing := missing_packages():
        raise ModelError(f"A reading model needs pip install 'zorora[embeddings]' ({', '.join(missing)} missing).")
    model = ReadingModel(path)
    model.read(*_TRIAL)
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return ModelFile(name, model.figures.name, model.figures.licence, len(data), digest, str(path))
