"""The list of interface texts is complete and up to date, and the glossary holds in it."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from tests import doc_modules
from tests.tables import each

ROOT = Path(__file__).resolve().parent.parent
# Words that readers stumbled over, and what stands for them
GLOSSARY = {
    r"\b[Rr]esearches\b": "reports", r"\bvoices?\b": "independent sources",
    r"stayed open": "open questions",
    r"What should be researched": "What do you want to find out?", r"^Take in$": "Add",
    r"^Leave out$": "Exclude",
    r"This is not here": "Page not found", r"\bNext to start\b": "Waiting to start",
    r"leave the flags away": "drop the flags", r"\bTwo many\b": "Two reports", r"\banew\b": "again",
    r"\bholds no (?:\w+ )?text\b": "contains no text",
    r"\bthis is no\b|\bThis is no\b": "this is not",
    r"\bthere already\b": "already exists", r"\blies? in the bin\b": "is in the bin",
}  # fmt: skip


@pytest.fixture(scope="module")
def strings() -> ModuleType:
    """docs/interface_strings.py."""
    return doc_modules.load("interface_strings")


@pytest.fixture(scope="module")
def texts(strings: ModuleType) -> list[tuple[str, str]]:
    """(file, text) of the whole list."""
    return [(name, text) for _, name, texts in strings.find_strings(ROOT) for text in texts]


@pytest.mark.lab
def test_no_text_of_the_interface_stands_outside_the_list(strings: ModuleType) -> None:
    listed = (ROOT / "docs" / "strings.md").read_text("utf-8")
    assert listed == strings.listed(ROOT), (
        "`make docs` writes docs/strings.md anew; read what changed"
    )


def test_texts_of_templates_modules_and_scripts_are_found(strings: ModuleType) -> None:
    page = '<p title="Hover me">Read <b>{{ name }}</b> now{% if x %} or later{% endif %}.</p>'
    page += '{{ "Star" if y else "Starred" }}'
    texts = {" ".join(text.split()) for text in strings.of_template(page)}
    assert {"Hover me", "Read … now or later.", "Star", "Starred"} <= texts
    module = (
        '"""Not me."""\nraise NotFound(f"There is no file {name}.")\nlog.info("Nor me, '
        'surely.")\nX = "A label here"\n'
    )
    module += (
        'ROW = Command("tidy", "sweep the \'floor\'", sql="SELECT a FROM b WHERE c = ?", '
        'kind="a_name")\n'
    )
    module += '__all__ = ["Name"]\ndef f(a: "Type") -> "Type": return "Label"\n'
    assert list(strings.of_module(module)) == ["There is no file ….", "A label here", "Label"]
    assert list(strings.of_module(module, has_phrases=True))[2:] == ["sweep the 'floor'", "Label"]
    assert list(
        strings.of_script('// "A comment here."\nsay(`Send ${n} files now.`); q("a b");')
    ) == ["Send … files now."]


@each(("word", "better"), GLOSSARY.items())
def test_the_glossary_is_kept(texts: list[tuple[str, str]], word: str, better: str) -> None:
    wrong = [f"{name}: {text}" for name, text in texts if re.search(word, text)]
    assert not wrong, f"Write {better!r}: {wrong}"


def documents() -> list[Path]:
    """The documentation that is written by hand, without what is generated or quotes the texts of
    others."""
    return [
        *ROOT.glob("*.md"),
        *(path for path in (ROOT / "docs").glob("*.md") if path.name != "strings.md"),
    ]


@each(("word", "better"), GLOSSARY.items())
def test_the_glossary_is_kept_in_the_documentation(word: str, better: str) -> None:
    for path in documents():
        if path.name != "CHANGELOG.md":
            text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text("utf-8"), flags=re.S)
            wrong = [line for line in text.splitlines() if re.search(word, line)]
            assert not wrong, f"{path.name}: write {better!r}: {wrong}"


def test_headings_of_pages_are_in_sentence_case() -> None:
    names = {"BibTeX", "GraphML", "JSON", "Zorora"}
    for path in (ROOT / "templates").rglob("*.html"):
        for heading in re.findall(r"<h[1-3][^>]*>([^<{]+)</h", path.read_text("utf-8")):
            later = [
                word for word in heading.split()[1:] if word[:1].isupper() and word not in names
            ]
            assert not later, f"{path.name}: {heading}"
