"""Which reader made a text: today's, or an older one."""

from pathlib import Path

from tools.documents import parsers
from tools.documents.parsers.versions import VERSIONS, is_current, with_version


def test_what_several_readers_made_is_current_while_each_of_them_is() -> None:
    extractors = ", ".join(map(with_version, VERSIONS))
    assert (
        is_current(extractors) and is_current(f"pypdfium2 5.15.2, {extractors}") and is_current("")
    )
    for name in VERSIONS:
        assert not is_current(extractors.replace(f"{name} ", f"{name} 0"))


def test_every_version_is_that_of_a_reader() -> None:
    folder = Path(parsers.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in folder.rglob("*.py")).replace("'", '"')
    assert [name for name in VERSIONS if f'with_version("{name}")' not in sources] == []
