"""What a model is shown of a project: files, symbols, imports, the parts of long files; and what
decides its tests."""

from pathlib import Path

import pytest

from tests.tables import each
from tools.host.place import Workplace
from workflows.code.context import around, overview
from workflows.code.project import explore
from workflows.code.protected import is_protected, is_test, weakens
from workflows.code.repository_map import RepositoryMap, repository_map
from workflows.code.symbols import outline
from workflows.code.windows import file_excerpt

SHOP = {
    "README.md": "# Shop\n\nRun it with `python -m shop`.\n",
    "shop/__init__.py": "",
    "shop/prices.py": "from shop.money import rounded\n\n\ndef total(items):\n    return "
    "rounded(sum(items))\n",
    "shop/money.py": "def rounded(amount):\n    return int(amount * 100) / 100\n",
    "shop/report.py": "from . import prices\n\n\nclass Report:\n    def text(self):\n        "
    "prices.total([1])\n",
    "shop/mail.py": "def send(address):\n    return address\n",
    "tests/test_prices.py": "from shop.prices import total\n\n\ndef test_total():\n    assert "
    "total([1.005]) == 1.01\n",
}


def mapped(folder: Path, files: dict[str, str]) -> tuple[Workplace, RepositoryMap]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    place = Workplace(folder)
    return place, repository_map(place, explore(place).files)


@each(("name", "text", "symbols", "imports"), [
    ("a.py", "import os.path\nfrom .b import c\n\n@d\nclass A:\n    def m(self): ...\n\nasync def "
             "f(): ...\n",
     ["A", "A.m", "f"], ["os.path", ".b", ".b.c"]),
    ("a.js", "const b = require('./b');\nimport c from '../c.js';\nexport default class A {\n  "
             "run(x) {\n    if (x) {\n"
     "    }\n  }\n}\nexports.go = 1;\nconst f = async (x) => x;\nfunction g() {}\n",
     ["A", "run", "go", "f", "g"], ["./b", "../c.js"]),
    ("a.go", 'package a\n\nimport (\n\t"fmt"\n)\n\nfunc (s *S) Run() {}\n\ntype S struct{}\n',
        ["Run", "S"], ["fmt"]),
    ("a.rs", "use crate::b::C;\nmod d;\npub struct S;\nimpl S {\n    pub fn run(&self) {}\n}\n",
        ["d", "S", "run"],
     ["crate::b::C", "d"]),
    ("tests/a.rs", "#[test]\nfn t() {\n    assert!(shop::price::of(1) > 0);\n}\n", ["t"],
        ["shop::price::of"]),
    ("a.py", "def broken(:\n", [], []), ("a.md", "# x\n", [], []),
])  # fmt: skip
def test_a_file_says_what_it_defines_and_imports(
    name: str, text: str, symbols: list[str], imports: list[str]
) -> None:
    file_outline = outline(name, text)
    assert [symbol.name for symbol in file_outline.symbols] == symbols and list(
        file_outline.imports
    ) == imports
    assert all(symbol.line <= symbol.end for symbol in file_outline.symbols)


def test_the_map_knows_who_imports_whom(tmp_path: Path) -> None:
    _, repository_map = mapped(tmp_path, SHOP)
    assert repository_map.imports["shop/prices.py"] == ("shop/money.py",)
    assert set(repository_map.importers("shop/prices.py")) == {
        "shop/report.py",
        "tests/test_prices.py",
    }
    assert repository_map.around("shop/prices.py") == [
        "tests/test_prices.py",
        "shop/money.py",
        "shop/report.py",
    ]
    assert repository_map.around("tests/test_prices.py") == ["shop/prices.py"]
    assert mapped(tmp_path, {"tests/test_mail.py": "x = 1\n"})[1].around("shop/mail.py") == [
        "tests/test_mail.py"
    ]
    assert (
        "shop/money.py (3 lines, imported by shop/prices.py)\n  1: def rounded(amount)"
        in repository_map.described(10_000)
    )
    assert "more files)" in repository_map.described(120)


@pytest.mark.parametrize(("files", "imports"), [
    ({"lib/a.js": "const {b} = require('./b');\n", "lib/b.js": "",
        "test/a.test.mjs": "import a from '../lib/a.js';\n"},
     {"lib/a.js": ("lib/b.js",), "test/a.test.mjs": ("lib/a.js",)}),
    ({"src/lib.rs": "mod text;\n", "src/text.rs": "", "tests/all.rs": "use words::text::Line;\n"},
     {"src/lib.rs": ("src/text.rs",), "tests/all.rs": ("src/text.rs",)}),
    ({"a.go": "package a\n", "a_test.go": "package a\n"}, {"a_test.go": ("a.go",)}),
])  # fmt: skip
def test_imports_of_other_languages_are_found(
    tmp_path: Path, files: dict[str, str], imports: dict[str, tuple[str, ...]]
) -> None:
    _, repository_map = mapped(tmp_path, files)
    assert {name: repository_map.imports[name] for name in imports} == imports


@pytest.mark.parametrize(("request_text", "first"), [
    ("prices are rounded down", "shop/money.py"), ("fix report.py", "shop/report.py"),
    ("send mail to the customer", "shop/mail.py"), ("Report.text is wrong", "shop/report.py"),
])  # fmt: skip
def test_the_files_that_a_request_concerns_come_first(
    tmp_path: Path, request_text: str, first: str
) -> None:
    _, repository_map = mapped(tmp_path, SHOP)
    assert first in repository_map.relevant(request_text)[:2]


def test_the_plan_sees_map_readme_and_contents_and_a_task_its_tests(tmp_path: Path) -> None:
    place, repository_map = mapped(tmp_path, SHOP)
    seen = overview(place, repository_map, "the total is rounded down", 10_000)
    assert (
        "Run it with" in seen
        and "return int(amount * 100) / 100" in seen
        and "assert total([1.005])" in seen
    )
    assert len(overview(place, repository_map, "the total is rounded down", 900)) < 1200
    unknown = around(place, repository_map, "shop/new.py", (), "send mail", 10_000)
    assert "def send(address)" in unknown
    beside = around(place, repository_map, "shop/money.py", (), "round", 10_000)
    assert "shop/prices.py, 5 lines" in beside and "shop/money.py, " not in beside


def test_a_file_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "deep.py").write_text("(" * 5000)
    _, repository_map = mapped(
        tmp_path, {"good.py": "x = '\\d'\nx is 1\n", "app.min.js": "a" * 9000}
    )
    assert (
        set(repository_map.files) == {"good.py", "deep.py"}
        and repository_map.files["deep.py"].outline.symbols == ()
    )


def test_a_folder_without_end_is_read_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workflows.code.repository_map._MOST_TOTAL", 50)
    _, repository_map = mapped(tmp_path, {f"part_{n}.py": "value = 12345\n" for n in range(9)})
    assert len(repository_map.files) == 3


def test_a_long_file_is_shown_around_what_is_wanted() -> None:
    functions = [f"def f{n}(x):\n    return x + {n}\n" for n in range(1500)]
    functions[1200] = "def discount(price, rate):\n    # the bug\n    return price * rate\n"
    text = "import math\n\n" + "\n".join(functions)
    seen = file_excerpt("big.py", text, "discount gives the rate instead of the price")
    assert (
        "import math" in seen
        and "# the bug" in seen
        and "return x + 1201" in seen
        and "return x + 700" not in seen
    )
    assert len(seen) < len(text) and "  2-" not in seen.split("\n")[0] and "f3" in seen
    assert "return x + 700" in file_excerpt("big.py", text, "big.py:2103: TypeError in f700")
    assert file_excerpt("small.py", "x = 1\n", "y") == "small.py, 1 lines\n     1\tx = 1"


def test_what_decides_tests_is_known() -> None:
    tests = ["tests/a.py", "test_a.py", "a_test.go", "a.test.js", "spec/a.rb", "src/__tests__/a.ts"]
    assert all(map(is_test, tests)) and not any(
        map(is_test, ["contest.py", "latest.py", "src/testing.py"])
    )
    assert all(map(is_protected, ["conftest.py", "a/pytest.ini", "tox.ini", "jest.config.js"]))
    assert not is_protected("package.json") and not is_protected("tests/test_new.py", is_new=True)
    assert is_protected("tests/conftest.py", is_new=True)
    before = '{"scripts": {"test": "node --test", "build": "b"}}'
    assert weakens("package.json", before, before.replace("node --test", "true"))
    assert not weakens("package.json", before, before.replace('"b"', '"c"'))
    assert weakens("pyproject.toml", "", '[tool.pytest.ini_options]\naddopts = "-k nothing"\n')
    assert not weakens("pyproject.toml", "", "[project]\nname = 'x'\n")
    rust = (
        "pub fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {\n        "
        "assert!(true);\n    }\n}\n"
    )
    assert weakens("src/lib.rs", rust, rust.replace("assert!(true);", ""))
    assert not weakens(
        "src/lib.rs", rust, rust.replace("pub fn a() {}", "pub fn a() {}\npub fn c() {}")
    )
