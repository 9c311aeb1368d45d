"""Reading fields out of answers of any shape: a value of the wrong kind is as good as none, and
never a fault.

Titles and abstracts come with markup (HTML, JATS, MathML), entities and line breaks; `clean` gives
plain text.
"""

import html
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urljoin, urlsplit

from tools.errors import SourceError
from tools.text.dates import iso

if TYPE_CHECKING:
    from lxml.etree import _Element
    from lxml.html import HtmlElement as HtmlElement

    Element = _Element
else:  # lxml takes 60 ms to import
    Element = HtmlElement = Any

_TAGS = """a abbr b big bdi blockquote body br center cite code dd del dfn div dl dt em fn
    font h1 h2 h3 h4 h5 h6 hr i img inf ins italic bold kbd label li list list-item mark
    math monospace named-content ol overline p pre q roman s samp sans-serif sc scp sec
    section small span strike strong styled-content sub sup table tbody td th title tr tt
    u ul underline uri var wbr xref ext-link inline-formula disp-formula alternatives
    tex-math abstract break caption mrow mi mo mn msub msup msubsup mfrac msqrt mover
    munder mtext mstyle mspace semantics annotation mml""".split()
_NAME = (
    "(?:(?:jats|mml|m|xhtml):[a-z][a-z0-9-]*|"
    + "|".join(sorted(map(re.escape, _TAGS), key=len, reverse=True))
    + ")"
)
# An attribute needs its "=": "a <b and c> d" is a comparison, not a tag
_ATTRIBUTE = (
    r"""\s+[a-z_:][\w:.-]{0,40}\s*=\s*(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,200})"""
)
_TAG = re.compile(rf"<(/?)({_NAME})(?:{_ATTRIBUTE}){{0,12}}\s*/?>", re.I)
_BLOCKS = frozenset(
    "br break div p sec section title li list-item tr td th h1 h2 h3 h4 h5 h6 abstract".split()
)
# The same formula again as TeX; the MathML beside it is read
_TEX = re.compile(
    r"<(jats:tex-math|tex-math|mml:annotation|annotation)\b[^<>]{0,200}>.{0,2000}?</\1>",
    re.I | re.S,
)
_COMMENT = re.compile(r"<!--.{0,1000}?-->|<!\[CDATA\[|\]\]>", re.S)
_SPACE = re.compile(r"[ \t\r\f\v\u00a0\u2000-\u200b\u202f\u205f\u3000]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_TWICE = re.compile(r"[\xc2\xc3\xce-\xd1][\x80-\xbf]|[\xc2-\xf4][\x80-\x9f]")
_DATE = re.compile(r"^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


T = TypeVar("T")
R = TypeVar("R")


def readable(listed: Iterable[T], reader: Callable[[T], R | None]) -> list[R]:
    """What can be read of a list. Raises SourceError when it holds something and none of it can be
    read: a service that changed its form must not look like one that found nothing."""
    item_list = list(listed)
    records = [record for item in item_list if (record := reader(item)) is not None]
    if item_list and not records:
        raise SourceError("answered with records in an unknown form")
    return records


def mapping(value: Any) -> dict[str, Any]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list."""
    return [item for item in items(value) if isinstance(item, dict)]


def many(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; one object alone is a list of one."""
    return objects(value if isinstance(value, list) else [value])


def string(value: Any) -> str:
    """A string without control characters and outer white space; numbers as written; anything else
    empty."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return _CONTROL.sub("", value).strip() if isinstance(value, str) else ""


def number(value: Any) -> int | None:
    """A whole number not below zero, also written as a string; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().isdecimal() and len(value.strip()) < 16:
        return int(value)
    return value if isinstance(value, int) and 0 <= value < 10**15 else None


def texts(value: Any) -> list[str]:
    """The plain texts of a list, without empty ones; a text alone is a list of one."""
    return [text for text in map(clean, value if isinstance(value, list) else [value]) if text]


def distinct(values: Iterable[str]) -> list[str]:
    """Each text once, in order, without empty ones."""
    return list(dict.fromkeys(filter(None, values)))


def author_ids(kind: str, values: Iterable[Any]) -> list[str]:
    """An id per author ("orcid:0000-0001-..."), empty where none is known; no list when none is
    known at all. values: numbers, or addresses that end with them."""
    numbers = [string(value).rpartition("/")[2] for value in values]
    return [f"{kind}:{number}" if number else "" for number in numbers] if any(numbers) else []


def first(value: Any) -> Any:
    """The first of a list, or the value itself."""
    return (value[0] if value else None) if isinstance(value, list) else value


def link(value: Any) -> str:
    """A well-formed http(s) address, else empty: no other scheme ever becomes a link.

    Line breaks and tabs inside are dropped and spaces written as %20, as browsers do.
    """
    text = re.sub(r"[\t\r\n]", "", string(value)).replace(" ", "%20")
    if text.startswith("//"):
        text = "https:" + text
    if not re.match(r"^https?://[^\s/]", text, re.I) or not text.isprintable():
        return ""
    scheme, _, rest = text.partition(":")
    text = f"{scheme.lower()}:{rest}"
    try:
        return text if urlsplit(text).hostname else ""
    except ValueError:
        return ""


def joined(base: str, address: Any) -> str:
    """`link` of an address that may be relative."""
    try:
        return link(urljoin(base, string(address)))
    except ValueError:
        return ""


def clean(value: Any) -> str:
    """One line of plain text: tags and comments gone, entities decoded, white space single."""
    return " ".join(clean_paragraphs(value).split())


def clean_paragraphs(value: Any) -> str:
    """Plain text with a line per block (paragraph, section title)."""
    text = _repaired(value) if isinstance(value, str) else string(value)
    if "&" in text:
        text = html.unescape(text)
        if "&" in text and re.search(r"&(?:lt|gt|amp|quot|#\d{2,5});", text):
            text = html.unescape(text)  # some publishers escape twice
    if "<" in text:
        text = _COMMENT.sub(" ", _TEX.sub(" ", text))
        # Where there is markup, line breaks are layout; only blocks make lines
        text = _tidy(_SPACE.sub(" ", _TAG.sub(_blank, text.replace("\n", " "))))
    lines = (_SPACE.sub(" ", line).strip() for line in _CONTROL.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def spoken_name(value: Any) -> str:
    """A person's name, "Byun, Seokhyun" as it is spoken; a name with more commas stays as it is."""
    family, comma, first_names = clean(value).partition(",")
    if comma and "," not in first_names:
        return f"{first_names.strip()} {family.strip()}".strip()
    return clean(value)


def iso_date(value: Any) -> str | None:
    """The ISO date at the head of a text ("2024", "2024-05", "2024-05-17"), without what is
    impossible."""
    match = _DATE.match(string(value))
    return partial_date(*match.groups()) if match else None


def partial_date(year: Any, month: Any = None, day: Any = None) -> str | None:
    """An ISO date as exact as the numbers allow; None without a year."""
    whole = number(year) or 0
    return iso(whole, number(month), number(day)) if 1000 <= whole <= 2999 else None


def html_root(data: bytes) -> HtmlElement | None:
    """The root of a result page; None where it cannot be read as HTML. The parser opens no
    address."""
    from lxml import etree, html as lxml_html

    parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    try:
        return lxml_html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def check_empty(page: bytes, blocked: Iterable[bytes], nothing: Iterable[bytes]) -> None:
    """Raises SourceError for a result page without results, unless it says that there are none.

    blocked, nothing: what stands in a page that asks for proof of being human, and in an empty one.
    """
    if any(mark in page for mark in blocked):
        raise SourceError("blocked: it asks for proof of being human")
    if not any(mark in page for mark in nothing):
        raise SourceError("gave a page without results")


def _repaired(text: str) -> str:
    """Text that was UTF-8, read as Latin-1 and written as UTF-8 again ("WÃ¼bben"), as arXiv gives
    some; else as it is.

    Only when all of it is such, and it shows the usual signs: a C1 control character, or "Ã", "Â",
    "Î" before a sign.
    """
    if _TWICE.search(text):
        with suppress(UnicodeError):  # most texts with such letters are what they seem
            return text.encode("latin-1").decode("utf-8")
    return text


def _blank(match: re.Match[str]) -> str:
    return "\n" if match.group(2).lower().rpartition(":")[2] in _BLOCKS else ""


def _tidy(text: str) -> str:
    """No space inside brackets and before commas, where a removed tag left one."""
    return re.sub(r"([(\[]) +|(?<! ) +(?=[)\],;])", lambda m: m.group(1) or "", text)


def xml_root(
    data: bytes, *, repaired: bool = False, problem: str = "answered with broken XML"
) -> Element:
    """The root of XML, of which nothing is expanded or loaded. Raises SourceError with the problem
    where it is broken beyond repair.

    repaired: what is wrong is made right where that can be.
    """
    from lxml import etree

    parser = etree.XMLParser(
        recover=repaired,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    with suppress(etree.XMLSyntaxError, ValueError):
        root = etree.fromstring(data, parser)
        if root is not None:
            return root
    raise SourceError(problem)
