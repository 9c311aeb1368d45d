"""The documentation as web pages that need no server: `make docs` writes them to build/site.

Every Markdown file of the project's root and of docs/ becomes a page; links between them are
turned, links to other files of the project become plain text.
"""

import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt

ORDER = (
    (
        "Use",
        (
            "README",
            "asking",
            "examples",
            "models",
            "configuration",
            "terminal",
            "trust",
            "credibility",
        ),
    ),
    ("Build on it", ("library", "tools", "record", "adding-a-source", "scaling")),
    ("Inside", ("ARCHITECTURE", "pipeline", "design", "benchmarks", "strings")),
    ("Project", ("CONTRIBUTING", "SECURITY", "CHANGELOG")),
)
STYLE = """
:root{color-scheme:light dark;--ink:light-dark(#1b2123,#dde3e3);--quiet:light-dark(#515c60,#a3aeb2)}
:root{--paper:light-dark(#fcfcfb,#13181a);--accent:light-dark(#0d5466,#8bc6d6);--rule:light-dark(#d3dadb,#2f393d)}
body{font:1.0625rem/1.6 Charter,"Iowan Old Style",Cambria,"Noto Serif",serif;color:var(--ink);background:var(--paper)}
body{margin:0;padding:2rem 1.25rem;overflow-wrap:break-word}a{color:var(--accent)}img{max-width:100%;height:auto}
nav{font:.875rem/1.6 system-ui,"Noto Sans",sans-serif}nav ul{list-style:none;margin:0 0 1rem;padding:0}
nav a{color:var(--quiet);text-decoration:none}nav a[aria-current]{color:var(--ink);font-weight:600}
nav p{margin:0;font-weight:600;color:var(--quiet)}h1,h2,h3,h4{line-height:1.25;text-wrap:balance}
h2{margin-top:2.2em}code,pre{font:.85em/1.5 ui-monospace,Menlo,Consolas,monospace}
pre{overflow-x:auto;border-left:1px solid var(--quiet);padding-left:.9rem}
.table{overflow-x:auto}table{border-collapse:collapse;font:.875rem/1.45 system-ui,"Noto Sans",sans-serif}
th,td{text-align:start;vertical-align:top;padding:.4rem 1.2rem .4rem 0;border-bottom:1px solid var(--rule)}
th{white-space:nowrap}:is(a,pre,.table):focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(min-width:60em){body{display:grid;grid-template-columns:13rem minmax(0,44rem);gap:3rem;justify-content:center}}
@media(min-width:60em){nav{position:sticky;top:2rem;align-self:start}}
@media print{nav{display:none}}
"""  # noqa: E501


def sources(root: Path) -> dict[str, Path]:
    """The Markdown files by the names of their pages."""
    pages = [*root.glob("*.md"), *(root / "docs").glob("*.md")]
    return {path.stem: path for path in sorted(pages)}


def build(root: Path, out: Path) -> list[Path]:
    """Write all pages and pictures anew; the pages."""
    pages = sources(root)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "style.css").write_text(STYLE, "utf-8")
    for picture in (root / "docs").glob("*.png"):
        shutil.copy(picture, out / picture.name)
    written = []
    for name, path in pages.items():
        target = out / file_name(name)
        target.write_text(page(name, path, pages), "utf-8")
        written.append(target)
    return written


def file_name(name: str) -> str:
    """The README is the first page."""
    return "index.html" if name == "README" else f"{name.lower()}.html"


def page(name: str, path: Path, pages: dict[str, Path]) -> str:
    """One page with the list of all others."""
    text = path.read_text("utf-8")
    body = (
        MarkdownIt("commonmark", {"html": False})
        .enable("table")
        .render(re.sub(r"<!--.*?-->\n?", "", text, flags=re.S))
    )
    body = re.sub(r"<h([1-4])>(.*?)</h\1>", _anchored, body)
    body = re.sub(
        r'<a href="([^"]*)">(.*?)</a>', lambda match: _link(match, path, pages), body, flags=re.S
    )
    body = re.sub(r'<img src="(?:docs/)?([^"/]+)"', r'<img src="\1"', body)
    body = body.replace(
        "<table>", '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
    )
    body = re.sub(r"<thead>\s*<tr>\s*(<th></th>\s*)+</tr>\s*</thead>", "", body).replace(
        "<th></th>", "<td></td>"
    )
    body = body.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    title = title_of(path)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)} · Zorora</title>\n<link rel="stylesheet" href="style.css">\n'
        "</head>\n<body>\n"
        f'<nav aria-label="Documentation">\n{"".join(_menu(name, pages))}</nav>\n'
        f"<main>\n{body}</main>\n</body>\n</html>\n"
    )


def title_of(path: Path) -> str:
    """The first heading."""
    return next(
        (
            line[2:].strip()
            for line in path.read_text("utf-8").splitlines()
            if line.startswith("# ")
        ),
        path.stem,
    )


def _menu(current: str, pages: dict[str, Path]) -> Iterator[str]:
    for heading, names in ORDER:
        items = ""
        for name in names:
            here = ' aria-current="page"' if name == current else ""
            items += (
                f'<li><a href="{file_name(name)}"{here}>{escape(title_of(pages[name]))}</a></li>\n'
            )
        yield f"<p>{heading}</p>\n<ul>\n{items}</ul>\n"


def _anchored(match: re.Match[str]) -> str:
    """A heading with the name that links of the documents use."""
    words = re.sub(r"<[^>]+>", "", match[2]).lower()
    name = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
    return f'<h{match[1]} id="{escape(name)}">{match[2]}</h{match[1]}>'


def _link(match: re.Match[str], path: Path, pages: dict[str, Path]) -> str:
    address, words = match[1], match[2]
    if address.startswith(("http://", "https://", "mailto:", "#")):
        return match[0]
    place, _, anchor = address.partition("#")
    target = (path.parent / unquote(place)).resolve()
    name = next((name for name, page in pages.items() if page.resolve() == target), None)
    if name is None:
        return words
    return f'<a href="{file_name(name)}{"#" + anchor if anchor else ""}">{words}</a>'
