"""The documentation as pages, in a browser: they fit, and everybody can read them."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks import screenshots
from tests import doc_modules

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
@pytest.mark.parametrize("width", [320, 1440])
def test_the_pages_fit_and_are_accessible(chrome: Any, tmp_path: Path, width: int) -> None:
    doc_modules.load("site_pages").build(ROOT, tmp_path / "pages")
    for name in ("index", "terminal", "benchmarks"):
        with screenshots.opened(chrome, width, "dark") as (page, messages):
            page.goto((tmp_path / "pages" / f"{name}.html").as_uri())
            assert screenshots.audit(page, messages) == [], name
