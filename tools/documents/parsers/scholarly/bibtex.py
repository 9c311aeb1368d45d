"""BibTeX: a tolerant reader. Grammar as in "BibTeXing" (O. Patashnik, 1988): @type{key, name =
value # value, ...}.

A broken entry costs itself: reading goes on at the next line that begins with @. LaTeX becomes
plain characters: accents, letters, dashes.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from tools.documents.model import Extracted, Request
from tools.documents.parsers.authors_and_dates import iso_date
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.scholarly.entries import Record, extracted
from tools.documents.parsers.text.literals import Literals
from tools.documents.parsers.versions import with_version

MAX_VALUE = 200_000
_START = re.compile(r"^[ \t]*@\s*([A-Za-z]{1,40})\s*[{(]", re.M)
_NAME = re.compile(r"\s*+(?:,\s*+)?([A-Za-z][\w:.+/-]{0,80})\s*+=\s*+")
_BARE = re.compile(r"\s*([^\s,{}()\"#]{1,200})")
_JOINT = re.compile(r"\s*#\s*")
_MARKS = re.compile(r"[{}\\]")
_QUOTE_MARKS = re.compile(r"[{}\\\"]")
_AND = re.compile(r"(?<!\s)\s+and\s+", re.I)
_MONTHS = {month: month for month in "jan feb mar apr may jun jul aug sep oct nov dec".split()}

# LaTeX as bibliographies use it
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "aa": "å", "AA": "Å", "i": "i", "j": "j", "dh": "ð", "th": "þ", "alpha": "α", "beta": "β",
    "gamma": "γ", "delta": "δ", "mu": "μ", "pi": "π", "sigma": "σ", "lambda": "λ",
    "textendash": "–", "textemdash": "—", "ldots": "…", "dots": "…", "textquoteright": "’",
    "textquoteleft": "‘", "copyright": "©", "times": "×", "pm": "±", "textdegree": "°",
    "LaTeX": "LaTeX", "TeX": "TeX",
}  # fmt: skip
_ACCENT_SIGN = re.compile(
    r"""\\([`'^~"=.])\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(\\[ij](?![A-Za-z])|[A-Za-z]))"""
)
_ACCENT_WORD = re.compile(
    r"\\([uvHckrdb])(?:\s*\{\s*(\\?[A-Za-z])\s*\}|\s+(\\[ij](?![A-Za-z])|[A-Za-z]))"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?\s*")
_ESCAPED = re.compile(r"\\([&%$#_{}])")


def parse(request: Request) -> Extracted:
    """All entries with a title; macros (@string) are put in, comments and preambles are left
    out."""
    text = text_of(request)
    return extracted(
        [_record(kind, fields) for kind, fields in _entries(text)], with_version("zorora-bibtex")
    )


def _entries(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    macros: dict[str, str] = dict(_MONTHS)
    at = 0
    while match := _START.search(text, at):
        kind = match.group(1).lower()
        following = _START.search(text, match.end())
        limit = following.start() if following else len(text)
        at = match.end()
        if kind in ("comment", "preamble"):
            continue
        fields = _fields(text, match.end(), limit, macros)
        if kind == "string":
            macros.update(fields)
        elif "title" in fields or "booktitle" in fields:
            yield kind, fields


def _fields(text: str, at: int, limit: int, macros: Mapping[str, str]) -> dict[str, str]:
    """name -> value as written, between two places; what cannot be read ends the entry."""
    fields: dict[str, str] = {}
    comma = text.find(",", at, limit)
    if comma >= 0 and "=" not in text[at:comma]:
        at = comma  # the key of the entry
    while match := _NAME.match(text, at, limit):
        value, at = _value(text, match.end(), limit, macros)
        fields.setdefault(match.group(1).lower(), value)
    return fields


def _value(text: str, at: int, limit: int, macros: Mapping[str, str]) -> tuple[str, int]:
    """One value: braces, quotes, numbers and macros, joined by #. Returns it with the place behind
    it."""
    parts: list[str] = []
    while at < limit:
        while at < limit and text[at].isspace():
            at += 1
        opening = text[at : at + 1]
        if opening in ("{", '"'):
            end = _closing(text, at, limit)
            parts.append(text[at + 1 : end])
            at = end + 1
        elif bare := _BARE.match(text, at, limit):
            parts.append(macros.get(bare.group(1).lower(), bare.group(1)))
            at = bare.end()
        else:
            break
        joint = _JOINT.match(text, at, limit)
        if not joint:
            break
        at = joint.end()
    return "".join(parts)[:MAX_VALUE], at


def _closing(text: str, at: int, limit: int) -> int:
    """The place of the mark that ends a value in braces or quotes; `limit` when there is none."""
    quoted = text[at] == '"'
    marks, depth, place = (_QUOTE_MARKS if quoted else _MARKS), 0, at + 1
    while match := marks.search(text, place, limit):
        sign, place = match.group(0), match.end()
        if sign == "\\":
            place += 1
        elif sign == "{":
            depth += 1
        elif sign == '"':
            if depth == 0:
                return match.start()
        elif depth == 0 and not quoted:
            return match.start()
        else:
            depth = max(0, depth - 1)
    return limit


def _record(kind: str, fields: Mapping[str, str]) -> Record:
    def get(*names: str) -> str:
        return next((text for name in names if (text := plain(fields.get(name, "")))), "")

    eprint = fields.get("eprint", "").strip()
    is_arxiv = (
        "arxiv"
        in (fields.get("archiveprefix", "") + fields.get("eprinttype", "") + get("journal")).lower()
    )
    return Record(
        kind=kind,
        title=get("title", "booktitle") if kind in ("proceedings", "book") else get("title"),
        authors=_people(fields.get("author") or fields.get("editor") or ""),
        published=_published(fields),
        venue=get("journal", "journaltitle", "booktitle", "school", "institution", "series"),
        publisher=get("publisher", "organization"),
        doi=fields.get("doi", "").replace("\\_", "_").strip(),
        url=_address(fields),
        arxiv=eprint if is_arxiv else "",
        issn=fields.get("issn", ""),
        pmid=fields.get("pmid", "").strip(),
        language=get("langid", "language")[:20],
        abstract=get("abstract"),
        pages=get("pages"),
    )


def _people(value: str) -> tuple[str, ...]:
    """ "Knuth, Donald E. and others" -> ("Donald E. Knuth",). Names wholly in braces stay as they
    are."""
    names = []
    for part in _AND.split(value.strip()):
        name = plain(part)
        pieces = [piece.strip() for piece in name.split(",")]
        if len(pieces) > 1 and not part.strip().startswith("{"):
            name = " ".join(piece for piece in (pieces[-1], *pieces[:-1]) if piece)
        if name and name.lower() != "others":
            names.append(name)
    return tuple(names[:500])


def _published(fields: Mapping[str, str]) -> str | None:
    if fields.get("date"):
        return iso_date(plain(fields["date"]))
    year = iso_date(plain(fields.get("year", "")))
    month = plain(fields.get("month", ""))
    if year and month:
        return iso_date(f"{month} {year}" if month.isalpha() else f"{year}-{month}") or year
    return year


def _address(fields: Mapping[str, str]) -> str:
    value = fields.get("url") or fields.get("howpublished") or fields.get("link") or ""
    match = re.search(
        r"https?://[^\s{}]{1,2000}",
        value.replace("\\_", "_").replace("\\%", "%").replace("\\&", "&"),
    )
    return match.group(0).rstrip(".,;") if match else ""


def plain(text: str) -> str:
    """Plain text in NFC: "{\\"O}zg\\"ur" is "Özgür". What is not known is left out as markup, its
    argument stays."""
    literals = Literals()  # escaped signs, while braces and dollars are removed
    text = text.replace("\ue000", "")
    if "\\" in text:
        text = _ACCENT_SIGN.sub(_accented, text)
        text = _ACCENT_WORD.sub(_accented, text)
        text = _ESCAPED.sub(lambda match: literals.keep(match[1]), text)
        text = _COMMAND.sub(lambda match: _LETTERS.get(match.group(1), ""), text)
        text = text.replace("\\\\", " ").replace("\\", "")
    text = (
        text.replace("---", "—")
        .replace("--", "–")
        .replace("``", "“")
        .replace("''", "”")
        .replace("~", " ")
    )
    text = literals.restored(text.replace("{", "").replace("}", "").replace("$", ""))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _accented(match: re.Match[str]) -> str:
    letter = (match.group(2) or match.group(3)).lstrip("\\")
    return letter + _ACCENTS[match.group(1)]
