"""What some writers of Markdown add to it: template tags, boxes, attributes, components. None of it is text."""

import re
from collections.abc import Iterable, Iterator, Sequence

_TEMPLATE_TAG = re.compile(
    r"\{%[^{}%\n]{0,500}%\}|\{\{[^{}\n]{0,300}(?:\{[^{}\n]{0,300}\}[^{}\n]{0,300})?\}\}|<%[^%'\"\n]{0,300}%>"
)
# Of kramdown: "{: .class}" behind words or under a block, and "^" for the end of one
_ATTRIBUTE_LIST = r"\{:{1,2}[^{}\n]{0,500}\}|^[ \t]*+\^[ \t]*$"
_CODE_OR_TAG = re.compile(rf"(?<!`)(`{{1,5}}+)[^`\n]{{1,500}}\1|{_TEMPLATE_TAG.pattern}|{_ATTRIBUTE_LIST}", re.M)
# Of Pandoc, Quarto, MyST and Docusaurus: "::: note", "[text]{#id .class}"; a title after the kind of box stays
_BOX = re.compile(
    r"^[ \t]*+:{3,}+[ \t]*+(?:\{[^{}\n]{0,200}\}|[\w-]{1,40})?+[ \t]*+\[?([^:\n]{0,200}?)\]?[ \t]*:*$", re.M
)
_ATTRIBUTES = re.compile(r"(?<=[\])`])\{(?:[#.][^{}]{1,600}|[\w-]{1,40}=[^{}]{1,600})\}")
_HEADING_ATTRIBUTES = re.compile(r"^(#{1,6}[ \t][^{\n]{1,300}?)[ \t]*\{[#.][^{}\n]{1,200}\}[ \t]*$", re.M)
_SPAN = re.compile(r"(?<![\\!\w])\[([^\[\]\n]{1,200})\]\{[#.][^{}\n]{1,200}\}")
# Of kramdown, PHP Markdown Extra and Python-Markdown: what such an element holds is Markdown
_AROUND_MARKDOWN = re.compile(
    r"^[ \t]*+<[a-z]{1,20}[ \t][^<>\n]{0,500}\bmarkdown=[\"']?(?:1|block|span)\b[^<>\n]{0,500}>", re.M
)
# Of MDX (Docusaurus, Astro, Nextra): components around Markdown, what is imported for them, and comments
_COMPONENT = re.compile(r"^[ \t]*+</?[A-Z]\w{0,40}[a-z][\w.]{0,60}(?:\s[^<>]{0,1000})?>[ \t]*$", re.M)
_SCRIPT = re.compile(r"^import\b[^\n]{1,300}[\"'];?[ \t]*$|^export const \w[^\n]{1,300}$|\{/\*[^{}]{0,1000}\*/\}", re.M)
_FENCE = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)(.*)")
# Of Python-Markdown and MkDocs: "!!! note", '??? note "Title"' and, of a tab, '=== "Title"'; what they hold is indented
_INDENTED_BOX = re.compile(
    r"[ \t]{0,40}+(?:!!!|\?\?\?\+?+|===[+!]?+(?=[ \t]++\"))[ \t]*+[\w -]{0,60}+(?:\"([^\"]{0,200})\")?+[ \t]*+"
)
_BOX_INDENT = 4
_ABBREVIATION = re.compile(r"^\*\[([^\[\]\n]{1,60})\]:[ \t]*+(?=\S)", re.M)  # Of PHP Markdown Extra and Python-Markdown
_TASK_BOX = re.compile(r"^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[ xX]\] ", re.M)


def without_markers(text: str) -> str:
    """The text without comments and tags of template languages; code keeps both."""
    parts: list[str] = []
    prose: list[str] = []
    for line, is_code in _with_code(_without_boxes(text.split("\n"))):
        if is_code:
            parts += [*_cleaned(prose), line]
            prose = []
        else:
            prose.append(line)
    return "\n".join([*parts, *_cleaned(prose)])


def _with_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line, with whether it belongs to fenced code."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            yield line, True
            fence = "" if mark and mark.group(1).startswith(fence) and not mark.group(2).strip() else fence
        elif mark and "`" not in mark.group(2):
            yield line, True
            fence = mark.group(1)
        else:
            yield line, False


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
            yield from ("", outer[: _indent(outer)] + (box.group(1) or ""), "")
            inner.append(indent + _BOX_INDENT)
        else:
            yield outer


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _cleaned(lines: Sequence[str]) -> list[str]:
    text = _ABBREVIATION.sub(r"- \1: ", _without_comments("\n".join(lines)))
    text = _TASK_BOX.sub(r"\1", _BOX.sub(r"\n\1\n", text))
    text = _SCRIPT.sub("", _COMPONENT.sub("\n", _AROUND_MARKDOWN.sub(r"\g<0>\n", text)))
    if "{" in text:
        text = _ATTRIBUTES.sub("", _SPAN.sub(r"\1", _HEADING_ATTRIBUTES.sub(r"\1", text)))
    return [_CODE_OR_TAG.sub(lambda match: match.group() if match.group(1) else "", text)] if lines else []


def _without_comments(text: str) -> str:
    """The text without <!-- comments -->; one that never ends is text."""
    parts = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join([*parts, text[at:]])
