"""How large a fresh installation is: bytes and packages in site-packages, alone and with
embeddings.

pip, and setuptools where Python still brings it, are not counted; neither is zorora itself in the
number of packages it needs. Compiled modules (.pyc), which pip writes, are. Needs a package index.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.options import ROOT, Options, Row, at_most, shown

BASE_MB, BASE_PACKAGES, EMBEDDINGS_MB = 115.0, 40, 290.0
AIM_MB, AIM_PACKAGES = 80, 30
BROUGHT = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence", "wheel")


def run(options: Options) -> list[Row]:
    """Builds the wheel and installs it into new environments."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        wheel = build(work / "dist")
        base = install(work / "base", str(wheel))
        rows = [
            shown("wheel", round(wheel.stat().st_size / 1e6, 2), "MB"),
            at_most(f"base install (aim {AIM_MB})", size(base), "MB", BASE_MB, 1),
            at_most(
                f"packages it brings (aim {AIM_PACKAGES})",
                len(packages(base)),
                "",
                BASE_PACKAGES,
                0,
            ),
        ]
        if not options.quick:
            more = install(work / "more", f"{wheel}[embeddings]")
            rows.append(at_most("install with [embeddings]", size(more), "MB", EMBEDDINGS_MB, 1))
            rows.append(shown("packages with [embeddings]", len(packages(more))))
        rows += [
            shown(f"largest: {name}", round(megabytes, 1), "MB")
            for name, megabytes in largest(base)
        ]
    return rows


def build(target: Path) -> Path:
    """The wheel of this checkout."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=ROOT,
        check=True,
    )
    return next(target.glob("*.whl"))


def install(folder: Path, what: str) -> Path:
    """site-packages of a new environment that holds `what`."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", what], check=True, stderr=subprocess.DEVNULL
    )
    return next(folder.glob("lib/python*/site-packages"))


def size(site: Path) -> float:
    """Megabytes of files."""
    return sum(sizes(site).values())


def sizes(site: Path) -> dict[str, float]:
    """Megabytes by top-level name."""
    sizes: dict[str, float] = {}
    for path in site.rglob("*"):
        top = path.relative_to(site).parts[0]
        if not top.startswith(BROUGHT) and path.is_file() and not path.is_symlink():
            sizes[top] = sizes.get(top, 0.0) + path.stat().st_size / 1e6
    return sizes


def largest(site: Path, count: int = 3) -> list[tuple[str, float]]:
    """The largest top-level names."""
    return sorted(sizes(site).items(), key=lambda item: -item[1])[:count]


def packages(site: Path) -> list[str]:
    """Distributions that zorora brought along."""
    names = [path.name.partition("-")[0].lower() for path in site.glob("*.dist-info")]
    return sorted(name for name in names if name not in ("pip", "setuptools", "wheel", "zorora"))
