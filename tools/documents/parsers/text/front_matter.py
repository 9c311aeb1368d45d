"""What a text says about itself at its top: front matter between lines of "---" or, in TOML, of
"+++", or a header of "Name: value" lines."""

import re
import tomllib
from html import unescape
from typing import Any

from tools.documents.parsers.authors_and_dates import clean_authors, iso_date
from tools.text.plain import line

_OPENING = re.compile(r"---[ \t]*\n")
_TOML = re.compile(r"\s{0,9}\+\+\+[ \t]*\n(.{0,20000}?)^\+\+\+[ \t]*$", re.M | re.S)
_FIELD = re.compile(r"^([A-Za-z_-]{1,40}):[ \t]*+(.*)$")
# A value goes on in lines that stand in; what stands in below a name without one has its own names
_FOLDED = re.compile(r"(?<=[^\s:])[ \t]*+\n[ \t]+")
# Fields that say what else a text is called, and what it is put under
LABELS = ("aliases", "tags", "keywords", "categories")
# Such a field with an item a line
_LISTED = re.compile(rf"(?mi)^((?:{'|'.join(LABELS)}):)[ \t]*+((?:\n[ \t]*+- [^\n]{{1,200}})+)")
_ITEM = re.compile(r"\n[ \t]*+- ")
_COMMENT = re.compile(r"\s#\s.*$")
_NOTHING = ("", "~", "null")
_FOLD_MARK = re.compile(r"^[>|][+-]?\s+")
_CONTINUED = re.compile(r"\n[ \t]+")
# In a title other angle brackets are words: "List<String>", "The <title> element"
_TAG = re.compile(
    r"</?(?:abbr|b|cite|code|em|i|mark|small|span|strong|sub|sup|u)(?:\s[^<>]{0,300})?>"
)
_ADDRESS = re.compile(r" ?<[^<>\s]{1,200}(?:@| at )[^<>\s]{1,200}>")
_DATES = (  # names of fields, the best first
    re.compile(r"^(?:pub)?date$"), re.compile("publi"), re.compile("updat|modif|change"),
    re.compile("review"),
    re.compile("creat"),
)  # fmt: skip
_NO_DATES = ("next", "due", "expire", "until", "review_in", "review_by")
_LONGEST = 20_000  # characters
Fields = dict[str, str]


def front_matter(raw: str) -> tuple[Fields, str]:
    """The fields at the top, their names in lower case, and the text without front matter, or with
    a header as a list.

    The list leaves out the title.
    """
    if (toml := _TOML.match(raw)) and (fields := _fields_of_toml(toml[1])):
        return fields, raw[toml.end() :]
    if not (opening := _OPENING.match(raw)):
        return header(raw)
    end = raw.find("\n---", 3)
    block = raw[opening.end() : end] if 0 < end < _LONGEST else ""
    block = _LISTED.sub(lambda field: f"{field[1]}{_ITEM.sub(', ', field[2])[1:]}", block)
    fields = {
        match.group(1).lower(): _FOLD_MARK.sub("", match.group(2)).strip().strip("\"'")
        for line in _FOLDED.sub(" ", block).split("\n")
        if (match := _FIELD.match(line))
    }
    return (fields, raw[end + 4 :].lstrip("-")) if fields or end == opening.end() - 1 else ({}, raw)


def _fields_of_toml(block: str) -> Fields:
    """The fields of a block of TOML, those within its tables too; none where it is damaged."""
    try:
        table = tomllib.loads(block)
    except (ValueError, RecursionError):  # numbers of thousands of digits among them
        return {}
    tables = [table, *(value for value in table.values() if isinstance(value, dict))]
    return {
        name.lower(): _toml_value(value)
        for inner in reversed(tables)
        for name, value in inner.items()
        if not isinstance(value, dict)
    }


def _toml_value(value: Any) -> str:
    items = value if isinstance(value, list) else [value]
    return ", ".join(line(str(item)) for item in items if not isinstance(item, list | dict))


def labels_of(fields: Fields) -> dict[str, list[str]]:
    """The labels of a text by the name of their field, without quotes and "#"."""
    labels = {}
    for name in LABELS:
        value = _COMMENT.sub("", fields.get(name, "")).strip().removeprefix("[").removesuffix("]")
        items = [item.strip().strip("\"'").lstrip("#") for item in value.split(",")]
        labels[name] = [item for item in items if item not in _NOTHING and "{{" not in item]
    return labels


def header(raw: str) -> tuple[Fields, str]:
    """The fields of a header, as mail, MultiMarkdown and Python's PEPs have one, and the text with
    them as a list.

    Each line of the first paragraph is "Name: value" or goes on with the line before, and one of
    them is the title; else there is none, and the text is as it was.
    """
    block, _, body = raw.partition("\n\n")
    if len(block) > _LONGEST:
        return {}, raw
    lines = [" ".join(line.split()) for line in _CONTINUED.sub(" ", block).split("\n")]
    matches = [_FIELD.match(line) for line in lines]
    fields = {match.group(1).lower(): match.group(2) for match in matches if match}
    if not all(matches) or not fields.get("title") or len(fields) < 2:
        return {}, raw
    items = (f"- {line}\n" for line in lines if not line.lower().startswith("title:"))
    return fields, f"{''.join(items)}\n{body}"


def metadata_of(fields: Fields) -> dict[str, object]:
    """The metadata of a document from such fields."""
    if not fields:
        return {}
    fields = {name: unescape(value) for name, value in fields.items()}
    names = _ADDRESS.sub("", fields.get("authors") or fields.get("author") or "").strip("[]")
    return {
        "title": _TAG.sub("", fields.get("title", ""))[:500],
        "authors": clean_authors([names.replace(",", ";").replace('"', "")]),
        "published": _stated_date(fields),
        "language": (fields.get("lang") or fields.get("language") or "")[:2].lower(),
        "description": (fields.get("description") or fields.get("summary") or "")[:1000],
    }


def _stated_date(fields: Fields) -> str | None:
    """The date of publication that the fields give, else of the last change, review or creation."""
    past = {
        name: value for name, value in fields.items() if not any(part in name for part in _NO_DATES)
    }
    dates = (
        iso_date(value)
        for pattern in _DATES
        for name, value in past.items()
        if pattern.search(name)
    )
    return next(filter(None, dates), None)
