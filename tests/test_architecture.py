"""The four floors, and files that stay readable."""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from radon.visitors import ComplexityVisitor

from tools.documents.model import BlockKind, Completeness
from tools.errors import FailureReason
from tools.sources.source import SourceKind
from workflows.research.events import EventKind
from workflows.research.kinds import AnswerStatus, RecordKind, RunStatus
from workflows.research.report.sentences import SentenceKind

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("tools", "workflows", "engine", "ui")  # each may import those before it; ui only engine
LIBRARY = "zorora"  # public names of the floors below ui
FILES = [path for layer in (*LAYERS, LIBRARY) for path in sorted((ROOT / layer).rglob("*.py"))]
BROAD = {
    "engine/runs/worker.py": "the job runner",
    "engine/jobs/journal.py": "what watches a run",
    "ui/terminal/main.py": "the outermost handler of the terminal",
    "ui/web/errors.py": "the outermost handler of the web page",
    "tools/sources/boundary.py": "the source boundary",
    "tools/documents/parse_worker.py": "the parse worker",
    "workflows/research/gather/parallel.py": "threads whose errors are raised where they end",
}


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement inside a node, however deep; a walk through all expressions would take three
    times as long."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, ()):
            yield child
            yield from statements(child)


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Imports, handlers and blocks for types alone; the syntax tree itself would slow down every
    search for cycles."""
    return tuple(
        node
        for node in statements(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom | ast.ExceptHandler)
        or (isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING")
    )


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported_layers(path: Path) -> set[str]:
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.split(".")[0] for name in names} & {*LAYERS, LIBRARY}


def test_imports_point_down() -> None:
    allowed = {layer: set(LAYERS[: number + 1]) for number, layer in enumerate(LAYERS)} | {
        "ui": {"engine", "ui"},
        LIBRARY: {"tools", "workflows", "engine"},
    }
    upward = {
        name_of(path): imported_layers(path) - allowed[path.relative_to(ROOT).parts[0]]
        for path in FILES
    }
    assert len(FILES) > 400
    assert {name: layers for name, layers in upward.items() if layers} == {}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_names(path: Path) -> set[str]:
    """What a file imports, with the modules it stands in; also for types alone."""
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def imported_modules(path: Path, modules: set[str]) -> set[str]:
    """The modules of ours that a file imports, wherever the import stands; not those imported for
    types alone."""
    left_out = {
        id(inner)
        for node in nodes_of(path)
        if isinstance(node, ast.If)
        for inner in statements(node)
    }
    names: set[str] = set()
    for node in nodes_of(path):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= (inside & modules) or {node.module}
    return (names & modules) - {module_of(path)}


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = {module_of(path): path for path in FILES}
    graph = {name: imported_modules(path, set(modules)) for name, path in modules.items()}
    before = -1
    while before != len(
        graph
    ):  # what imports nothing that is left, or is imported by nothing left, is in no circle
        before = len(graph)
        within = graph.keys() & set().union(*graph.values())
        graph = {
            name: names & within
            for name, names in graph.items()
            if name in within and names & within
        }
    assert graph == {}


# Parts that most never use, each with the only modules that may import them: the core works without
# any of them
DOORS = {
    "workflows.code": ("engine.code.",),
    "engine.code": ("engine.optional_parts", "engine.research_engine", "ui.terminal.commands.code"),
    "tools.host": ("engine.code.", "engine.wiring.toolset", "tools.toolset.", "workflows.code."),
    "tools.index.postgres": ("engine.postgres.",),
    "engine.postgres": ("engine.optional_parts", "engine.wiring.chunk_index"),
    "engine.cluster": ("engine.optional_parts", "ui.terminal.commands.elsewhere"),
}
# Words of these parts, which stand nowhere else. "Cluster" by itself also means texts that belong
# together
WORDS = re.compile(r"postgres|pg8000|dask|--cluster|engine\.cluster", re.IGNORECASE)


def test_optional_parts_are_imported_through_their_doors() -> None:
    imports = {module_of(path): {f"{name}." for name in imported_names(path)} for path in FILES}
    for part, doors in DOORS.items():
        users = {
            module
            for module, names in imports.items()
            if any(name.startswith(f"{part}.") for name in names)
        }
        strangers = {user for user in users if not f"{user}.".startswith((f"{part}.", *doors))}
        assert strangers == set(), f"{part} is imported beside its door"


def test_the_core_does_not_mention_its_optional_parts() -> None:
    places = ("tools/index/postgres/", "engine/postgres/", "engine/cluster/")
    doors = {
        f"{door.replace('.', '/')}.py"
        for part in ("engine.postgres", "engine.cluster")
        for door in DOORS[part]
    }
    speakers = {name_of(path) for path in FILES if WORDS.search(path.read_text())}
    assert {name for name in speakers - doors if not name.startswith(places)} == set()


def test_files_stay_readable() -> None:
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_no_folder_holds_more_than_twenty_files() -> None:
    folders = Counter(name_of(path.parent) for path in FILES)
    assert {name: count for name, count in folders.items() if count > 20} == {}


def test_broad_handlers_stand_only_where_they_are_allowed() -> None:
    paths = set()
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.ExceptHandler) and not isinstance(node.body[-1], ast.Raise):
                kinds = [node.type] if not isinstance(node.type, ast.Tuple) else node.type.elts
                names = {
                    getattr(kind, "id", None) or getattr(kind, "attr", "everything")
                    for kind in kinds
                }
                if names & {"Exception", "BaseException", "everything"}:
                    paths.add(name_of(path))
    assert paths <= set(BROAD)


def test_only_the_configuration_reads_the_environment() -> None:
    readers = {name_of(path) for path in FILES if "os.environ" in path.read_text()}
    assert readers <= {"engine/settings/config.py"}


# Where something is claimed of texts: support, contradiction, a verdict, a confidence. All of it
# comes from a judge
CLAIMING = (
    "engine/reports/comparison.py", "engine/extensions.py", "engine/llm/model_kinds.py",
    "engine/wiring/toolbox.py",
    "engine/settings/settings_table.py",  # the default of a number that a judge takes
    "tools/judging/",
    "workflows/research/verify/credibility.py", "workflows/research/deps.py",
    "workflows/research/modelled/work.py",
    "workflows/research/verify/", "workflows/research/writing/", "zorora/judging.py",
)  # fmt: skip
CLAIMS = {
    "AnswerVerdict": ("workflows/research/verify/verdict.py", "workflows/research/answer/model.py"),
    "Judgement": ("tools/judging/",),
    "assess_claim": (
        "workflows/research/verify/credibility.py",
        "workflows/research/verify/confidence.py",
    ),
}


def test_only_who_asks_a_judge_claims_anything() -> None:
    for path in FILES:
        text = path.read_text()
        if "tools.judging" in text:
            assert name_of(path).startswith(CLAIMING), f"{name_of(path)} judges for itself"
        for claim, places in CLAIMS.items():
            if f"{claim}(" in text:
                assert name_of(path).startswith(places), (
                    f"{name_of(path)} makes a {claim} of its own"
                )


# A binding is named by a noun or a verb with its object, so that a search finds it
BAREST = frozenset("said told found one known given made own asked kept wanted held named".split())
BARE = BAREST.union(
    "shown seen taken gone left done sent brought put set cited chosen picked called meant read "
    "used met".split()
)
OTHER_FILES = [
    path
    for folder in ("tests", "benchmarks", "docs")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
# Of all bindings; names from outside, as the given name of a person, stay, and so do fields of
# records
BARE_SHARE, OTHER_BARE_SHARE, OTHER_BAREST_SHARE = 0.002, 0.015, 0.001


def bound_names(tree: ast.Module) -> Iterator[str]:
    """The names that a module binds: variables, arguments, attributes, functions, classes and
    imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]


def check_names(paths: Sequence[Path], words: Collection[str], most: float) -> None:
    names = [
        (name_of(path), name) for path in paths for name in bound_names(ast.parse(path.read_text()))
    ]
    bare = [f"{file}: {name}" for file, name in names if name.strip("_") in words]
    assert len(bare) <= most * len(names), "\n".join(bare)


@pytest.mark.lab
def test_names_say_what_they_stand_for() -> None:
    check_names(FILES, BARE, BARE_SHARE)
    check_names(OTHER_FILES, BARE, OTHER_BARE_SHARE)
    check_names(OTHER_FILES, BAREST, OTHER_BAREST_SHARE)


# Branches of a function, with those of comprehensions and boolean chains (McCabe 1976, as radon
# counts)
MANY_BRANCHES, MOST_BRANCHES = 10, 20
SHARE_WITH_MANY = 0.03


def branches_of(path: Path) -> dict[str, int]:
    """By function, with its line."""
    visitor = ComplexityVisitor.from_code(path.read_text())
    functions = [
        *visitor.functions,
        *(method for kind in visitor.classes for method in kind.methods),
    ]
    return {
        f"{name_of(path)}:{function.lineno} {function.name}": function.complexity
        for function in functions
    }


@pytest.mark.lab
def test_few_functions_branch_often() -> None:
    functions = {name: branches for path in FILES for name, branches in branches_of(path).items()}
    many = {name: branches for name, branches in functions.items() if branches > MANY_BRANCHES}
    assert [name for name, branches in many.items() if branches > MOST_BRANCHES] == []
    assert len(many) <= SHARE_WITH_MANY * len(functions), many


# What an enumeration has a name for is compared by that name, so that a slip of the pen is an error
ENUMERATED: dict[str, set[str]] = {
    "source_type": {*SourceKind},
    "kind": {*SourceKind, *RecordKind, *EventKind, *SentenceKind, *BlockKind},
    "reason": {*FailureReason},
    "completeness": {*Completeness},
    # Documents and tasks have states of these two names as well
    "status": {*RunStatus, *AnswerStatus} - {RunStatus.COMPLETE, RunStatus.FAILED},
}
COMPARISON = re.compile(r'\.(\w+) [!=]= "(\w+)"')


def test_kinds_and_states_are_compared_by_name() -> None:
    matches = [
        (name_of(path), match) for path in FILES for match in COMPARISON.finditer(path.read_text())
    ]
    bare = [
        f"{file}: {match[0]}" for file, match in matches if match[2] in ENUMERATED.get(match[1], ())
    ]
    assert bare == []


# Sentences for people, which no code may read; what depends on them has a field of its own
SENTENCE = r"\b(?:problem|message|outcome|category|reasons|explanation|breakdown)\b"
READING = re.compile(
    rf'"[^"]+" (?:not )?in (?:[\w.]+\.|\()?{SENTENCE}|{SENTENCE}(?: or '
    r'"")?\)?\.(?:starts|ends)with\('
)
READERS = {
    "workflows/research/older_records.py": "what older records say in words alone",
    "tools/sources/biomedical/eutils.py": "the words of the service",
    "tools/sources/scholarly/semantic_scholar.py": "the words of the service",
    "ui/terminal/command.py": "the words of argparse",
}


def test_nothing_depends_on_the_words_of_a_sentence() -> None:
    assert {name_of(path) for path in FILES if READING.search(path.read_text())} == set(READERS)


# Of the 115 MB that an installation may take, models and lists of words are the largest part
DATA_MEGABYTES = 47.5


def test_the_data_of_the_program_stays_light() -> None:
    data = sum(
        path.stat().st_size for path in (ROOT / "tools" / "data").rglob("*") if path.is_file()
    )
    assert data <= DATA_MEGABYTES * 1e6
