"""Writes the generated parts of the documentation: `python docs/build.py` from a checkout; a test
compares them.

Generated blocks stand between `<!-- begin NAME -->` and `<!-- end NAME -->`.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import interface_strings  # noqa: E402
import manual_page  # noqa: E402
import settings_pages  # noqa: E402
import site_pages  # noqa: E402

from engine import exports  # noqa: E402
from tools import registry  # noqa: E402
from tools.credibility import base_rules  # noqa: E402
from tools.credibility.credibility_tables import read_table  # noqa: E402
from tools.research.credibility_scorer import factors_in_words  # noqa: E402
from tools.sources.registry import SOURCES  # noqa: E402
from ui.terminal import manual  # noqa: E402
from workflows.research.events import PHASES, EventKind  # noqa: E402

# What each kind of event tells; a kind without a line here fails the test
EVENTS = {
    "research_started": "the run begins",
    "query_analyzed": "what kind of question it is, and about what",
    "plan_created": "the research tree stands",
    "phase_started": "a phase begins (`number` 1 to 6, `round`, `rounds`)",
    "phase_finished": "a phase is over",
    "phase_skipped": "a phase is left out, and why",
    "task_started": "one question is worked on",
    "task_finished": "it is answered as far as possible",
    "task_failed": "it could not be worked on, and why",
    "source_answered": "a client answered one query (`client`, `found`, `seconds`, `problem`)",
    "page_asked": "a page is asked for: `url`, `title`, `source_id`; has no message, and a record "
    "does not keep it",
    "page_fetched": "a page or paper was read, or not (`url`, `ok`, `problem`)",
    "claim_found": "a claim has evidence (`claim`, `sources`, `voices`)",
    "context_folded": "a long context was shortened for a model",
    "model_asked": "a model was asked, or its answer was not usable (`step`, `outcome`, `role`, "
    "`model`, `problem`)",
    "waiting_for_input": "the run asks its user something",
    "synthesis_started": "the report is being written",
    "sentence_passed": "a written sentence passed: `text`, `tags`, `section` (0: the answer), "
    "`heading`; has no "
    "message, and a record does not keep it",
    "synthesis_finished": "the report is written",
    "research_finished": "the run is over (`status`)",
    "note": "anything else worth knowing",
}


def clients() -> str:
    """The table of source clients."""
    rows = [
        "| client | name in settings | kind | key | seconds between requests | deadline | requests "
        "at depth 1 / 2 / 3 |"
    ]
    rows.append("|---|---|---|---|---|---|---|")
    for client in SOURCES:
        key = "needed" if client.key_required else "optional" if client.key else "no"
        budget = " / ".join(
            str(client.requests_allowed(depth, client.settings())) for depth in (1, 2, 3)
        )
        rows.append(
            f"| {client.label} | `{client.name}` | {client.kind} | {key} | {client.min_interval:g}"
            f" | {client.deadline:g} s | {budget} |"
        )
    return "\n".join(rows)


def events() -> str:
    """The table of event kinds."""
    rows = ["| kind | what it tells |", "|---|---|"]
    return "\n".join([*rows, *(f"| `{kind}` | {EVENTS[kind]} |" for kind in EventKind)])


def phases() -> str:
    """The list of public phases."""
    return "\n".join(
        f"{number}. {label} (`{name}`)" for number, (name, label) in enumerate(PHASES, 1)
    )


def formats() -> str:
    """The table of export formats."""
    rows = ["| format | what | suffix |", "|---|---|---|"]
    return "\n".join(
        [
            *rows,
            *(f"| `{form.name}` | {form.label} | `{form.suffix}` |" for form in exports.FORMATS),
        ]
    )


def tools() -> str:
    """The table of tools."""
    rows = ["| tool | class | what | arguments | aliases |", "|---|---|---|---|---|"]
    for tool in registry.TOOLS:
        arguments = ", ".join(f"`{name}`" for name in tool.schema["properties"])
        aliases = ", ".join(f"`{alias}`" for alias in tool.aliases)
        rows.append(
            f"| `{tool.name}` | {tool.safety} | {tool.description} | {arguments} | {aliases} |"
        )
    return "\n".join(rows)


def bases() -> str:
    """The table of base scores: the rules of the program, and each group of hosts with its first
    names."""
    rules = [
        base_rules.PUBMED,
        base_rules.REGISTERED,
        base_rules.NEWSROOM,
        base_rules.LOCAL,
        base_rules.UNKNOWN,
    ]
    rows = [(rule.base, rule.category, "") for rule in rules]
    places = read_table("credibility.toml")
    for group in (*places["hosts"], *places["suffixes"], *places["platforms"]):
        is_suffix = isinstance(group["names"], list)
        names = (
            [f".{name}" for name in group["names"]]
            if is_suffix
            else dict.fromkeys(group["names"].values())
        )
        category = re.sub(
            r"^\{name\} \(?(.*?(?:\(.*\))?)\)?$| \(\{name\}\)$", r"\1", group["category"]
        )
        rows.append((group["base"], category, ", ".join(list(names)[:4])))
    rows.sort(key=lambda row: (-row[0], row[1].lower()))
    return "\n".join(
        [
            "| base | published by | for example |",
            "|---|---|---|",
            *(f"| {b:.2f} | {c} | {n} |" for b, c, n in rows),
        ]
    )


def factors() -> str:
    """The factors of a score with their steps."""
    rows = (f"| {factor} | {steps} |" for factor, steps in factors_in_words())
    return "\n".join(["| factor | steps |", "|---|---|", *rows])


BLOCKS: dict[str, Callable[[], str]] = {
    "bases": bases,
    "factors": factors,
    "commands": manual.reference,
    "clients": clients,
    "events": events,
    "phases": phases,
    "formats": formats,
    "tools": tools,
}


def rendered(text: str) -> str:
    """A document with every generated block made new."""

    def block(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"<!-- begin {name} -->\n{BLOCKS[name]()}\n<!-- end {name} -->"

    return re.sub(r"<!-- begin (\w+) -->.*?<!-- end \1 -->", block, text, flags=re.S)


def main() -> None:
    """Write every document of this folder, and what is made from the table of settings."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        before = path.read_text("utf-8")
        after = rendered(before)
        if after != before:
            path.write_text(after, "utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    (ROOT / "docs" / "strings.md").write_text(interface_strings.listed(ROOT), "utf-8")
    (ROOT / "docs" / "zorora.1").write_text(manual_page.page(), "utf-8")
    for name, text in settings_pages.render().items():
        (ROOT / name).write_text(text, "utf-8")
    pages = site_pages.build(ROOT, ROOT / "build" / "site")
    sys.stdout.write(f"{len(pages)} pages in build/site; open build/site/index.html\n")


if __name__ == "__main__":
    main()
