"""What some writers of Markdown add to it: template tags, boxes, attributes, components. None of it
is text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, dropwhile, takewhile

from tools.documents.parsers.text.markdown_tags import with_titles

TEMPLATE_TAG = re.compile(
    r"\{%[^{}%]{0,500}%\}|\{#[ ][^{}#]{0,500}#\}"
    r"|\{\{[^{}]{0,300}(?:\{[^{}]{0,300}\}[^{}]{0,300})?\}\}|<%[^%'\"\n]{0,300}%>"
)
# Of kramdown: "{: .class}" behind words or under a block, and "^" for the end of one
_ATTRIBUTE_LIST = r"\{:{1,2}[^{}\n]{0,500}\}|^[ \t]*+\^[ \t]*$"
# Where a table of contents is put in: the item above "{:toc}" (kramdown), "[TOC]"
# (Python-Markdown), "[[_TOC_]]" (GitLab)
_CONTENTS = re.compile(
    r"^[ \t]{0,3}(?:(?:[-*+]|\d{1,9}\.)[ \t][^\n]{0,200}\n[ \t]{0,9}\{:[ \t]{0,9}toc\b"
    r"[^{}\n]{0,100}\}|\[{1,2}_?(?:toc|TOC)_?\]{1,2})[ \t]*$",
    re.M,
)
# Of MyST: "{ref}`text <target>`", "(target)=" before a heading, and directives in fences
_ROLE = (
    r"(?:[ \t](?=\{cite))?\{[\w:+-]{1,40}\}(?P<ticks>`{1,3}+)(?P<words>[^`\n]{1,300}?)"
    r"(?P<target>[ \t]*<[^<>`\n]{1,300}>)?(?P=ticks)"
)
_TARGET = r"^\([^()\n]{1,200}\)=[ \t]*$"
# Of MyST, between two cells: "+++", with data of the next one behind it
_BREAK = re.compile(r"^\+\+\+[ \t]{0,9}(?:\{[^\n]{0,500}\})?[ \t]*$", re.M)
_CODE_OR_TAG = re.compile(
    # What each begins with comes first: most characters are none of these
    rf"(?=[`{{<^(\t ])(?:(?<!`)(`{{1,5}}+)[^`\n]{{1,500}}\1|{_ROLE}|{TEMPLATE_TAG.pattern}"
    rf"|{_ATTRIBUTE_LIST}|{_TARGET})",
    re.M,
)
# Those of knitr and Quarto, "{r plot, echo=FALSE}", have options behind their name
_DIRECTIVE = re.compile(
    r"([ \t>]{0,40}+)(`{3,30}+|~{3,30}+|:{3,30}+)[ \t]{0,9}+"
    r"\{([\w:-]{1,40})((?:[ ,][^{}\n]{0,300})?)\}[ \t]{0,9}+(.*)"
)
_ANY_DIRECTIVE = re.compile(rf"^{_DIRECTIVE.pattern}", re.M)
_OPTION = re.compile(r"[ \t>]*+:[\w-]{1,40}:(?:[ \t].*)?")
_WITH_TITLE = frozenset(
    "admonition attention card caution danger dropdown error grid-item-card hint important note "
    "seealso tab-item tip "
    "topic versionadded versionchanged warning".split()
)
# What stands behind the name of these is the beginning of the text
_BEGINS_WITH_TEXT = frozenset(
    "attention caution danger error hint important note seealso tip versionadded versionchanged "
    "warning".split()
)
_WITH_PROSE = _WITH_TITLE | frozenset(
    "asis block block2 epigraph figure glossary grid list-table margin sidebar tab-set".split()
)
# A chunk that is run and not shown, by an option in its fence or in one of its first lines
_UNSEEN = re.compile(r"\b(?:echo|include)[ ]{0,9}=[ ]{0,9}F(?:ALSE)?\b")
_CHUNK_OPTION = re.compile(
    r"[ \t>]*+(?:#|//|--|%%)\|(?P<unseen>[ \t]*(?:echo|include):[ \t]*false\b)?", re.I
)
_QUOTED = re.compile(r"\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'")
_DEEPEST = 20  # directives within each other
# What these hold are names of files
_OF_FILES = frozenset("image include literalinclude toctree".split())
# Of Pandoc, Quarto, MyST and Docusaurus: "::: note", "[text]{#id .class}"; a title after the kind
# of box stays
_BOX = re.compile(
    r"^[ \t]*+:{3,}+[ \t]*+(?:\{[^{}\n]{0,200}\}|[\w-]{1,40})?+[ \t]*+"
    r"\[?([^:\n]{0,200}?)\]?[ \t]{0,40}+:*$",
    re.M,
)
_BOX_END = re.compile(r"\s*:{3,}[ \t]*(?:\n|$)")
_ATTRIBUTES = re.compile(r"(?<=[\])`])\{[ \t]{0,9}(?:[#.][^{}]{1,600}|[\w-]{1,40}=[^{}]{1,600})\}")
_HEADING_ATTRIBUTES = re.compile(
    r"^(#{1,6}[ \t][^{\n]{1,300}?)[ \t]*\{[ \t]{0,9}[#.][^{}\n]{1,200}\}[ \t]*$", re.M
)
_SPAN = re.compile(r"(?<![\\!\w])\[([^\[\]\n]{1,200})\]\{[#.][^{}\n]{1,200}\}")
# Of kramdown, PHP Markdown Extra and Python-Markdown: what such an element holds is Markdown
_AROUND_MARKDOWN = re.compile(
    r"^[ \t]*+<[a-z]{1,20}(?=(?:[ \t][^<>\n]{0,500})?[ \t]"
    r"markdown(?:[ \t>]|=[\"']?(?:1|block|span)\b))[^<>\n]{0,500}>",
    re.M,
)
# Of MDX (Docusaurus, Astro, Nextra): components around Markdown, what is imported for them, and
# comments
_COMPONENT = re.compile(
    r"^[ \t]*+</?[A-Z]\w{0,40}[a-z][\w.]{0,60}(?:\s[^<>]{0,1000})?>[ \t]*$", re.M
)
# In MDX a heading may stand in the line below the start of an element
_ELEMENT = re.compile(
    r"^[ \t]*+<(?:article|aside|center|details|div|figure|main|section)"
    r"(?:\s[^<>]{0,1000})?>[ \t]*\n(?=[ \t]{0,3}#{1,6} )",
    re.M,
)
_SCRIPT = re.compile(
    r"^import\b[^\n]{1,300}[\"'];?[ \t]*$|^export const \w[^\n]{1,300}$|\{/\*[^{}]{0,1000}\*/\}",
    re.M,
)
_FENCE = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)(.*)")
# Of Python-Markdown and MkDocs: "!!! note", '??? note "Title"' and, of a tab, '=== "Title"'; what
# they hold is indented
_INDENTED_BOX = re.compile(
    r"[ \t]{0,40}+(?:!!!|\?\?\?\+?+|===[+!]?+(?=[ \t]++\"))[ \t]*+"
    r"[\w -]{0,60}+(?:\"([^\"]{0,200})\")?+[ \t]*+"
)
# Of Python-Markdown: a definition, whose term is the heading above it
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_DEFINITION = re.compile(r":[ \t]{1,40}+(?=\S)")
_BOX_SIGNS, _FENCE_SIGNS = ("!!!", "???", "==="), ("```", "~~~")
_BOX_INDENT = 4
# Of Material for MkDocs: a drawing by its name, as ":material-account:"
_ICON = re.compile(
    r"(?<![\w:`]):(?:fontawesome|material|octicons|simple)-[a-z0-9-]{1,80}:"
    r"(?:\{[ \t]{0,9}[#.][^{}\n]{1,200}\})?[ \t]?"
)
# Of PHP Markdown Extra and Python-Markdown
_ABBREVIATION = re.compile(r"^\*\[([^\[\]\n]{1,60})\]:[ \t]*+(?=\S)", re.M)
# Of GitHub and Obsidian: "> [!WARNING]"; of Obsidian with a title in place of the word
_ALERT = re.compile(
    r"^(?P<before>[ \t]{0,3}>[ \t>]*+)\[!(?P<kind>[A-Za-z]{3,20})\][+-]?[ \t]*+"
    r"(?P<title>[^\n]*+)(?P<more>(?=\n[ \t]{0,3}>[ \t>]*+\S))?",
    re.M,
)
# Of Obsidian, wikis and Foam: "[[Page#Section|words]]", of which the words are shown, and
# "![[Page]]", which shows another document; no "[[1]](address)". Code is kept.
_WIKI_LINK = re.compile(
    r"(?<![`\\])(`{1,5}+)[^`\n]{1,500}\1"
    r"|(!?)\[\[(?![ \t])(?=[^\[\]\n]{0,200}[^\W\d_])#?([^\[\]|\n]{1,200})"
    r"(?:\|([^\[\]|\n]{1,200}))*+\]\](?![(\[])"
)
# Of Obsidian: "==marked==", "%% hidden %%" and the name of a block, " ^a1b2c3"
_NOTE_MARK = re.compile(
    r"(`{1,5}+)[^`\n]{1,500}\1|(?<![\w%])%%[^%\n]{1,500}%%(?![\w%])"
    r"|(?:^|[ \t])\^[A-Za-z0-9-]{5,40}$"
    r"|(?<![=\w])==(?=[^\s=])([^=\n]{1,300})(?<=[^\s=])==(?![=\w])",
    re.M,
)
# Behind no header: the first row of the table stands below it, or in the same line
_RULE_WITHOUT_HEADER = re.compile(
    r"(?<=\n\n)[ \t]{0,3}\|(?:[ \t]{0,40}:?-{3,100}:?[ \t]{0,40}\|){1,50}[ \t]{0,40}"
    r"(?:\n(?=[ \t]{0,40}\|)|(?=\|))"
)
_TASK_BOX = re.compile(r"^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[ xX]\] ", re.M)


def without_markers(text: str, is_mdx: bool = False) -> str:
    """The text without comments and tags of template languages; code keeps both."""
    parts: list[str] = []
    prose: list[str] = []
    lines = text.split("\n")
    if "{" in text and _ANY_DIRECTIVE.search(text):
        lines = list(_without_directives(lines))
    if "{%" in text:
        lines = list(with_titles(list(_with_code(lines))))
    if "\n: " in text:
        lines = list(_without_definitions(lines))
    if any(map(text.__contains__, _BOX_SIGNS)):
        lines = list(_without_boxes(lines))
    if not any(map(text.__contains__, _FENCE_SIGNS)):
        return "\n".join(_cleaned(lines, is_mdx))
    for line, is_code in _with_code(lines):
        if is_code:
            parts += [*_cleaned(prose, is_mdx), line]
            prose = []
        else:
            prose.append(line)
    return "\n".join([*parts, *_cleaned(prose, is_mdx)])


def _with_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line, with whether it belongs to fenced code."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            yield line, True
            if mark and mark.group(1).startswith(fence) and not mark.group(2).strip():
                fence = ""
        elif mark and "`" not in mark.group(2):
            yield line, True
            fence = mark.group(1)
        else:
            yield line, False


def _without_directives(lines: Iterable[str], depth: int = 0) -> Iterator[str]:
    """What directives of MyST hold, without their options: prose under its title, code in a plain
    fence."""
    rest = iter(lines)
    for line in rest:
        directive = _DIRECTIVE.fullmatch(line) if depth < _DEEPEST else None
        mark = None if directive else _FENCE.match(line)
        if directive:
            yield from _contents_of(directive, _without_options(_until(directive[2], rest)), depth)
        elif mark and "`" not in mark[2]:
            yield from (line, *_until(mark[1], rest), line[: mark.end(1)])
        else:
            yield line


def _contents_of(directive: re.Match[str], lines: Iterable[str], depth: int) -> Iterator[str]:
    indent, fence, name, options, argument = directive.groups()
    lines = list(lines)
    if _UNSEEN.search(_QUOTED.sub("", options)):
        return
    if name in _WITH_PROSE or fence.startswith(":"):
        inner = list(_entries(lines) if name == "glossary" else lines)
        holds_more = name not in _BEGINS_WITH_TEXT and any(map(str.strip, inner))
        title = _leading_in(argument.rstrip()) if holds_more else argument
        yield from ("", indent + title if name in _WITH_TITLE else "", "")
        yield from (*_without_directives(inner, depth + 1), "")
    else:
        code = [line for line in lines if name not in _OF_FILES]
        if not name.startswith("code"):
            stated = list(takewhile(bool, map(_CHUNK_OPTION.match, code)))
            is_unseen = any(option and option["unseen"] for option in stated)
            code = [] if is_unseen else code[len(stated) :]
        yield from (
            indent + fence + (argument if name.startswith("code") else ""),
            *code,
            indent + fence,
        )


def _until(fence: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines before the one that ends a fence."""
    for line in lines:
        mark = line.strip(" \t>")
        if len(mark) >= len(fence) and not mark.strip(fence[0]):
            return
        yield line


def _without_options(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a directive behind its options, which are lines of ":name: value" or YAML
    between two "---"."""
    rest = dropwhile(_OPTION.fullmatch, lines)
    first = next(rest, "")
    if first.strip(" \t>") != "---":
        return chain([first], rest)
    next((line for line in rest if line.strip(" \t>") == "---"), None)
    return rest


def _entries(lines: Iterable[str]) -> Iterator[str]:
    """A glossary as a list: its terms begin lines, what they mean is indented or follows a
    colon."""
    terms: list[str] = []
    for line in lines:
        if line[:1].strip(" \t:"):
            terms.append(line.strip())
            continue
        if terms and line.strip():
            yield f"- {', '.join(terms)}:"
            terms = []
        yield f"  {line[1:]}" if line.startswith(":") else line
    yield from terms


def _without_definitions(lines: Iterable[str]) -> Iterator[str]:
    """What definitions right below a heading hold, as text under it."""
    follows, inner, before = False, False, ""
    for line, is_code in _with_code(lines):
        definition = None if is_code or not (follows or inner) else _DEFINITION.match(line)
        if definition:
            inner = True
            yield from ("", line[definition.end() :])
        elif inner and (
            not line.strip()
            or _indent(line) >= _BOX_INDENT
            or (before.strip() and not is_code)  # its paragraph goes on
        ):
            yield line[min(_indent(line), _BOX_INDENT) :]
        else:
            inner = False
            yield line
        follows = not is_code and bool(_HEADING.match(line) or (follows and not line.strip()))
        before = line


def _without_boxes(lines: Sequence[str]) -> Iterator[str]:
    """What indented boxes and tabs hold, as text under their titles."""
    inner: list[int] = []  # the indents of what the open boxes hold
    for number, (line, is_code) in enumerate(_with_code(lines)):
        indent = _indent(line)
        while inner and line.strip() and indent < inner[-1]:
            inner.pop()
        outer = line[min(indent, _BOX_INDENT * len(inner)) :]
        box = None if is_code else _INDENTED_BOX.fullmatch(line)
        following = next(filter(str.strip, lines[number + 1 : number + 3]), "") if box else ""
        if box and _indent(following) >= indent + _BOX_INDENT:
            yield from ("", outer[: _indent(outer)] + _leading_in(box.group(1) or ""), "")
            inner.append(indent + _BOX_INDENT)
        else:
            yield outer


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _cleaned(lines: Sequence[str], is_mdx: bool) -> list[str]:
    text = _without_comments("\n".join(lines))
    if is_mdx:
        text = _ELEMENT.sub(r"\g<0>\n", text)
    for signs, pattern, replacement in _CLEANINGS:
        if any(map(text.__contains__, signs)):  # a third of the time of a generator
            text = pattern.sub(replacement, text)
    return [text] if lines else []


def _keep_code(match: re.Match[str]) -> str:
    """Code as it is, the words of a role, nothing of the rest; keys of a bibliography are no
    words."""
    if match.group().lstrip().startswith("{cite"):
        return ""
    if match["words"]:
        if match["target"]:
            return match["words"]
        return f"{match['ticks']}{match['words']}{match['ticks']}"
    return match.group() if match.group(1) else ""


def _shown_of_link(link: re.Match[str]) -> str:
    """What a page shows of a link between notes; of another document within this one nothing."""
    ticks, embeds, page, label = link.groups()
    if ticks:
        return link.group()
    return "" if embeds else label or page.rstrip("\\").replace("#", " > ")


def _callout(alert: re.Match[str]) -> str:
    """The first line of a callout: its title, or what it is, with a colon where more follows."""
    title = alert["title"].rstrip() or alert["kind"].capitalize()
    leads_in = alert["more"] is not None or not alert["title"].strip()
    return f"{alert['before']}{_leading_in(title) if leads_in else title}"


def _box_title(box: re.Match[str]) -> str:
    """The title of a box, with a colon where the box holds more."""
    is_all = _BOX_END.match(box.string, box.end())
    return f"\n{box[1] if is_all else _leading_in(box[1])}\n"


def _leading_in(title: str) -> str:
    """The title of a box with a colon: it leads in to what the box holds."""
    is_ended = not title.strip() or title.rstrip("*_`").endswith(tuple(".:!?…。：！？"))
    return title if is_ended else f"{title}:"


def _without_mark(mark: re.Match[str]) -> str:
    return mark.group() if mark[1] else mark[2] or ""


def _with_header(rule: re.Match[str]) -> str:
    """A rule of a table below a header without words."""
    if not rule.group().endswith("\n"):
        return ""
    return f"{'| ' * rule.group().count('|')}\n{rule.group()}"


# In this order. A pattern is looked for only where one of the signs is that it cannot match without
_CLEANINGS: tuple[tuple[Sequence[str], re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]
_CLEANINGS = (
    (("toc", "TOC"), _CONTENTS, ""),
    (("\n\n|", "\n\n "), _RULE_WITHOUT_HEADER, _with_header),
    (("*[",), _ABBREVIATION, r"- \1: "),
    (("+++",), _BREAK, "\n"),
    ((":::",), _BOX, _box_title),
    (("] ",), _TASK_BOX, r"\1"),
    (("markdown",), _AROUND_MARKDOWN, r"\g<0>\n"),
    (("<",), _COMPONENT, "\n"),
    (("import", "export", "{/*"), _SCRIPT, ""),
    ((":fontawesome", ":material", ":octicons", ":simple"), _ICON, ""),
    (("[[",), _WIKI_LINK, _shown_of_link),
    (("==", "%%", " ^", "\n^"), _NOTE_MARK, _without_mark),
    (("[!",), _ALERT, _callout),
    (("{",), _HEADING_ATTRIBUTES, r"\1"),
    (("{",), _SPAN, r"\1"),
    (("{",), _ATTRIBUTES, ""),
    (("{", "<%", "^", ")="), _CODE_OR_TAG, _keep_code),
)


def _without_comments(text: str) -> str:
    """The text without <!-- comments -->; one that never ends is text."""
    parts = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join([*parts, text[at:]])
