"""The documentation as pages: every link leads somewhere, nothing is loaded from elsewhere."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from tests import doc_modules

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def site() -> ModuleType:
    """docs/site_pages.py."""
    return doc_modules.load("site_pages")


@pytest.fixture(scope="module")
def out(site: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    folder: Path = tmp_path_factory.mktemp("site") / "pages"
    site.build(ROOT, folder)
    return folder


@pytest.mark.lab
def test_every_document_has_a_page_and_a_place_in_the_list(site: ModuleType, out: Path) -> None:
    names = {name for _, group in site.ORDER for name in group}
    assert names == set(site.sources(ROOT))
    assert {site.file_name(name) for name in names} == {path.name for path in out.glob("*.html")}


def test_every_link_and_picture_leads_somewhere(out: Path) -> None:
    pages = {path.name: path.read_text("utf-8") for path in out.glob("*.html")}
    for name, text in pages.items():
        for address in re.findall(r'(?:href|src)="([^"]+)"', text):
            if address.startswith(("http://", "https://", "mailto:")):
                continue
            file, _, anchor = address.partition("#")
            assert not file or (out / file).exists(), f"{name}: {address}"
            assert not anchor or f'id="{anchor}"' in pages[file or name], f"{name}: {address}"
        assert "<script" not in text and not re.search(r'(?:src|<link[^>]*href)="https?:', text)
