# ruff: noqa: E501 -- payloads read better side by side
"""Names that lead out of where they belong: at pages, interface, tools of models, records, archives, model answers."""

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import ResearchEngine
from engine.exports import export
from engine.models import ZororaError
from tests.scripted_models import Script
from tests.tools.parsing import making
from tests.ui import fake_research
from tools.documents.parse_pool import ParsePool
from tools.host.place import Workplace
from ui.web.access_token import Token
from ui.web.app import create_app
from workflows.code.asking import Coder
from workflows.code.edit import propose
from workflows.code.planning import make_plan
from workflows.code.project import explore

pytestmark = pytest.mark.lab
Tell = Callable[[str, int, int], None]
SECRET = "canary-of-the-file-outside"

# {up}: the way to the file outside, {file}: its whole path
NAMES = (
    "{up}", "./{up}", "{file}", "file://{file}", "file:{file}", "file://localhost{file}", "~/../{up}", "~root/x", "{up}/", "{up}/.", "{up}\x00.md", "{up}%00.md",
    "..//..//{up}", "....//....//{up}", "..././{up}", "..\\..\\outside\\secret.txt", "..%2f{up}", "%2e%2e/{up}", "%2e%2e%2f{up}", "%252e%252e%252f{up}",
    "..%c0%af{up}", "..%ef%bc%8f{up}", "..\u2215{up}", "．．/{up}", "/./{file}", "//{file}", "///{file}", "/proc/self/environ", "/proc/self/root{file}", "/dev/stdin",
    "/proc/self/cwd/{up}", "src/../{up}", "src/../../outside/secret.txt", "link", "way-out/secret.txt", "way-out/../outside/secret.txt", "src/./.././{up}",
    "C:\\Windows\\win.ini", "\\\\host\\share", "con", "nul", "{file}\n", " {file}", "{file} ", "$HOME/x", "${HOME}/x", "`id`", "$(id)", "|id", ";id", "-rf", "--help",
    "", ".", "..", "/", "~", "\x00", "a" * 5000, "../" * 200 + "etc/passwd", ".git/hooks/pre-commit", ".git/config", ".GIT/hooks/x", "src/.git/config", "\u202etxt.terces",
)  # fmt: skip


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    file = tmp_path / "outside" / "secret.txt"
    file.write_text(f"{SECRET}\n")
    return file


@pytest.fixture
def names(outside: Path) -> tuple[str, ...]:
    return tuple(
        name.replace("{up}", "../outside/secret.txt").replace("{file}", str(outside))
        for name in NAMES
    )


@pytest.fixture
def place(tmp_path: Path, outside: Path) -> Workplace:
    """A folder with links out of it, and a person who says yes to everything."""
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / ".git" / "config").write_text("[core]\n")
    (root / "a.py").write_text("one = 1\n")
    (root / "link").symlink_to(outside)
    (root / "way-out").symlink_to(outside.parent)
    return Workplace(root, lambda _: True)


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    with ResearchEngine(
        home=home, environ={}, overrides={"embeddings.enabled": False, "storage.keyring": False}
    ) as engine:
        engine.upload("notes.md", b"# Notes\n\nBatteries lowered evening prices by 9% in 2024.\n")
        yield engine


def around(folder: Path, *but: Path) -> dict[str, bytes]:
    """Every file of a folder outside of some others, with its bytes."""
    inside = [str(folder) + os.sep for folder in but]
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {
        str(file): file.read_bytes()
        for file in files
        if not any(str(file).startswith(start) for start in inside)
    }


def test_no_tool_of_a_model_leaves_its_folder(
    place: Workplace,
    names: tuple[str, ...],
    tmp_path: Path,
    engine: ResearchEngine,
    home: Path,
    tell: Tell,
) -> None:
    before = around(tmp_path, place.root, home)
    hooks = around(place.root / ".git")
    tried, through = 0, []
    for name in names:
        diff = f"--- a/{name}\n+++ b/{name}\n@@ -1,1 +1,1 @@\n-{SECRET}\n+changed\n"
        fresh = f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,1 @@\n+made\n"
        calls: tuple[tuple[str, dict[str, Any]], ...] = (
            ("read_file", {"path": name}), ("list_files", {"path": name, "recursive": True}), ("list_files", {"path": ".", "pattern": name}),
            ("write_file", {"path": name, "content": "made"}), ("make_directory", {"path": name}),
            ("edit_file", {"path": name, "old": SECRET, "new": "changed"}), ("apply_patch", {"patch": diff}), ("apply_patch", {"patch": fresh}),
            ("run_shell", {"command": f"cat {name}"}), ("run_shell", {"command": f"ls -la {name}"}), ("run_shell", {"command": f"grep -r canary {name}"}),
            ("run_shell", {"command": f"git -C {name} log"}), ("run_shell", {"command": f"git diff --no-index a.py {name}"}),
        )  # fmt: skip
        for tool, arguments in calls:
            tried += 1
            try:
                output = engine.tools.call(
                    tool, arguments, classes=("read", "host"), workplace=place
                )
            except ZororaError:
                continue
            if SECRET in output or "root:" in output:
                through.append((tool, name, output[:80]))
    changed = {
        name
        for name, data in around(tmp_path, place.root, home).items()
        if before.get(name) != data
    }
    changed |= {
        name for name, data in around(place.root / ".git").items() if hooks.get(name) != data
    }
    tell(
        "names that lead out of a folder: files and programs for models",
        tried,
        len(through) + len(changed),
    )
    assert through == [] and changed == set()


def test_no_answer_of_a_model_about_code_names_a_file_outside(
    place: Workplace, names: tuple[str, ...], tmp_path: Path, tell: Tell
) -> None:
    before, through = around(tmp_path, place.root), []
    for name in names:
        block = f"FILE: `{name}`\n<<<<<<< OLD\none = 1\n=======\none = 2\n>>>>>>> NEW"
        plan = {"tasks": [{"title": "Mend", "what": "Do it.", "files": [name]}]}
        coder = Coder(
            Script(lambda step, _, block=block, plan=plan: plan if "plan" in step else block).models
        )  # type: ignore[misc]
        try:
            proposed = propose(place, "a.py", "Change it.", coder)
            through += [("edit", name)] if proposed.change.path != "a.py" else []
        except ZororaError:
            pass
        try:
            propose(place, name, "Change it.", coder)
            through += (
                [("file", name)]
                if not str(place.root.joinpath(*place.parts(name))).startswith(str(place.root))
                else []
            )
        except ZororaError:
            pass
        try:
            planned = make_plan(place, explore(place), "Mend it.", coder)
            through += [
                ("plan", file)
                for task in planned.tasks
                for file in task.files
                if place.parts(file) == ()
            ]
        except ZororaError:
            continue
    changed = {
        name for name, data in around(tmp_path, place.root).items() if before.get(name) != data
    }
    tell("the same in what a model answers about code", 3 * len(names), len(through) + len(changed))
    assert through == [] and changed == set()


def test_no_page_no_interface_and_no_program_reads_outside(
    engine: ResearchEngine, home: Path, names: tuple[str, ...], tell: Tell
) -> None:
    from urllib.parse import quote

    state = replace(fake_research.finished(), user=replace(fake_research.finished().user))
    engine._opened.storage.save_research(state)
    token = Token(home / "web_token").renew()
    client = create_app({"ENGINE": engine, "PORT": 80}).test_client()
    headers = {"Authorization": f"Bearer {token}"}
    research = f"/research/{state.research_id}"
    tried, through = 0, []
    for name in (
        *names,
        "keys.json",
        "config.toml",
        "zorora.db",
        "../zorora.db",
        "web_token",
        "secret_key",
    ):
        sent = name if "%" in name else quote(name, safe="/:@")
        for path in (
            f"/static/{sent}", f"/research/{sent}", f"{research}/export/{sent}", f"{research}/source/{sent}", f"{research}/claim/{sent}",
            f"/library/{sent}", f"/api/v1/research/{sent}", f"{'/api/v1' + research}/export/{sent}", f"/api/v1/library/documents/{sent}",
            f"/api/v1/keys/{sent}", f"/library?folder={sent}", f"/compare?a={sent}&b={sent}", f"/{sent}",
        ):  # fmt: skip
            try:
                answer = client.get(path, headers=headers)
            except ValueError:
                continue
            tried += 1
            data = answer.get_data()
            if (
                SECRET.encode() in data
                or b"root:x" in data
                or b"SQLite format" in data
                or answer.status_code >= 500
            ):
                through.append((path[:80], answer.status_code))
        for tool, argument in (
            ("get_full_content", "source"), ("list_sections", "source"), ("summarize_section", "source"), ("get_research", "research_id"),
            ("research_status", "research_id"), ("export_research", "research_id"), ("extract_links", "url"),
        ):  # fmt: skip
            tried += 1
            for target in (name, f"corpus://cache/{name}", f"zorora://research/{name}"):
                try:
                    output = engine.tools.call(tool, {argument: target})
                except ZororaError:
                    continue
                if SECRET in output or "root:" in output:
                    through.append((tool, target[:80]))
    tell("the same at pages, interface and MCP", tried, len(through))
    assert through == []


def test_no_record_and_no_upload_writes_outside(
    engine: ResearchEngine, home: Path, names: tuple[str, ...], tmp_path: Path, tell: Tell
) -> None:
    before, payload = (
        around(tmp_path, home),
        json.loads(export(fake_research.finished(), "json").data),
    )
    tried, through = 0, []
    for name in names:
        for field in ("research_id", "source", "snapshot", "format"):
            record = json.loads(json.dumps(payload))
            if field == "source":
                record["sources"][0]["source_id"] = name
            elif field == "snapshot":
                record["snapshots"][0]["snapshot_id"] = name
            else:
                record[field] = name
            tried += 1
            try:
                research_id = engine.import_record(json.dumps(record).encode("utf-8", "replace"))
            except ZororaError:
                continue
            path = engine.record_path(research_id.research_id).resolve()
            if not path.is_relative_to(home.resolve()):
                through.append((field, name, str(path)))
        tried += 1
        document = engine.upload(name, b"Some words of a text, " + name.encode("utf-8", "replace"))
        if SECRET in (document.title + str(document.problem)):
            through.append(("upload", name, document.title))
        state = replace(fake_research.finished(), original_query=name)
        titled = export(state, "md").file_name
        if (
            "/" in titled
            or "\\" in titled
            or titled.startswith((".", "-"))
            or not titled.isprintable()
            or len(titled) > 255
        ):
            through.append(("file name of an export", name, titled))
    changed = {name for name, data in around(tmp_path, home).items() if before.get(name) != data}
    tell("the same in records, uploads and names of exports", tried, len(through) + len(changed))
    assert through == [] and changed == set()


def test_no_archive_and_no_document_reads_or_writes_outside(
    names: tuple[str, ...], tmp_path: Path, tell: Tell
) -> None:
    before, through, tried = around(tmp_path), [], 0
    with ParsePool() as pool:
        for name in names:
            container = making.CONTAINER.replace(
                "OPS/book.opf", name.replace("\x00", "").replace("<", "").replace("&", "")[:200]
            )
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                for entry, text in (
                    ("META-INF/container.xml", container),
                    (name.replace("\x00", "")[:200] or "x", SECRET[:6]),
                ):
                    archive.writestr(entry, text)
                link = zipfile.ZipInfo("OPS/link.xhtml")
                link.external_attr = 0o120777 << 16
                archive.writestr(link, name[:200])
            relations = f"<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r' Type='x' TargetMode='External' Target='{name[:200].replace(chr(0), '')}'/></Relationships>"
            for suffix, data in (
                ("epub", out.getvalue()),
                ("docx", making.packed({"[Content_Types].xml": making.TYPES, "_rels/.rels": making.RELATIONS, "word/document.xml": making.paragraph("Words."), "word/_rels/document.xml.rels": relations})),
                ("xml", f"<!DOCTYPE a SYSTEM '{name[:200]}'><article><body><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='{name[:200]}' parse='text'/><p>Words.</p></body></article>".encode("utf-8", "replace")),
                ("html", f"<base href='{name[:200]}'><p>Words.</p><object data='{name[:200]}'></object><img src='{name[:200]}'>".encode("utf-8", "replace")),
                ("tex", f"\\input{{{name[:200]}}}\\include{{{name[:200]}}}\\verbatiminput{{{name[:200]}}} Words of a text.".encode("utf-8", "replace")),
                ("md", f"![x]({name[:200]})\n\n[[include {name[:200]}]]\n\nWords of a text.".encode("utf-8", "replace")),
            ):  # fmt: skip
                tried += 1
                try:
                    text = pool.parse(data, name=f"a.{suffix}").text
                except ZororaError:
                    continue
                if SECRET in text or "root:x" in text:
                    through.append((suffix, name))
    changed = {name for name, data in around(tmp_path).items() if before.get(name) != data}
    tell("the same in archives and documents", tried, len(through) + len(changed))
    assert through == [] and changed == set()
