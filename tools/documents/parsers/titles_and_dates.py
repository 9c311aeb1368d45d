"""The title and the date of a document, and how each was found. Pure functions on what a parser
made and the file name.

title_from: metadata, front_matter, layout (largest type), heading, first_line, file_name.
published_from: metadata, front_matter, file_name, heading, text (a dated line near the top),
created (when the file was made: the weakest).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter
from pathlib import PurePosixPath
from urllib.parse import unquote

from tools.documents.detect import ASCIIDOC, MARKDOWN, MBOX, ORG, RST, TEX, TEXT, ZIP
from tools.documents.model import Block, BlockKind, Extracted
from tools.documents.parsers.authors_and_dates import A_YEAR, FoundDate, dates_in
from tools.documents.parsers.lines import LEADING_LINE
from tools.documents.sections import is_usual_name

MAX_TITLE = 300
_TOP_BLOCKS, _TOP_CHARACTERS = 16, 3000
_FIRST_HEADINGS = 4  # blocks before the first heading, where it still is the title
_LONG_LINE, _DATED_LINE = 120, 160
_NO_END_OF_TITLES = (*".,;:!", *"。，、；：！")
_SEVERAL = (ZIP, MBOX)  # documents in one file, none of which names or dates the others
_STATED_AT_TOP = (MARKDOWN, RST, ORG, ASCIIDOC, TEX)  # whose metadata stand in their text
_MEANINGLESS = re.compile(
    r"\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|txt|rtf|odt|ps|eps|html?)\b|^(?:untitled|"
    r"microsoft word|document\d*|"
    r"slide \d+|presentation\d*|no title|title|new document|unknown|dokument\d*"
    r"|(?:power)?point presentation|\W+|"
    r"(?:sheet|tabelle|feuil|hoja|foglio|chapter|part|section|appendix) ?[\dIVX]*)$|"
    r"^(?:untitled|microsoft (?:word|powerpoint) - |\{[{%])",
    re.I,
)
_NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,5}\.|[A-Z]\.)\s+(?=\S)")
_YEAR_IN_NAME = re.compile(r"(?:^|[\s_.,()-])(1[5-9]\d\d|20\d\d)(?=$|[\s_,()-])")
_STANDARD = re.compile(
    r"\b(?:rfc|iso|iec|ieee|din|en|nist|ansi|sp|page|vol|no|nr|jose|bug|issue|pr)[\s_.-]?\d", re.I
)
# "Data: 3 marzo", "data di stampa"; in English it is no date
_DATA = r"data(?!\s+(?!d[aeio])\w)"
_FIRST_CHOICE = re.compile(
    rf"publi|issued|released|posted|dated|\b(?:date|datum|{_DATA}|fecha)\b|veröffentlicht|pubblicato",
    re.I,
)
_NAMES_ITS_DATE = re.compile(
    rf"(?:publi\w*|issued|released|posted|dated|date|datum|{_DATA}|fecha|veröffentlicht|pubblicato|written|created|updated|"
    r"modified|changed|revised|effective|version|rev(?:ision)?|edition|submitted|accepted|received|stand|aktualisiert|日期|날짜)\b"
    r"[^\d\n]{0,25}$",
    re.I,
)
_OF_SOMETHING_ELSE = re.compile(
    r"\b(?:born|birth|died|accessed|retrieved|incident|expires?|due|deadline|copyright|since)\b",
    re.I,
)
_ID = re.compile(r"^(?:[0-9a-f]{12,}|[0-9a-f]{8}-[0-9a-f-]{13,})$", re.I)
_SMALL_WORDS = frozenset(
    "an and as at by de der des die du for from im in la le of on or the to und von".split()
)


def with_title_and_date(extracted: Extracted, name: str) -> Extracted:
    """The extraction with `title`, `title_from`, `published` and `published_from` in its metadata
    where they are known.

    name: of the file.
    """
    title, title_from = title_of(extracted, name)
    published, published_from = date_of(extracted, name)
    metadata = dict(extracted.metadata)
    if title:
        metadata |= {"title": title, "title_from": title_from}
    if published:
        metadata |= {"published": published, "published_from": published_from}
    return extracted._replace(title=title, metadata=metadata)


def with_heading_as_title(extracted: Extracted) -> Extracted:
    """A page of the web that states no title has that of its first heading or line."""
    return extracted if extracted.title else extracted._replace(title=title_of(extracted)[0])


def title_of(extracted: Extracted, name: str = "") -> tuple[str, str]:
    """What the document is called, and how that was found: as it says itself, else by its first
    heading or line, else by its file name; ("", "") where nothing names it."""
    return next(filter(itemgetter(0), _titles(extracted, name)), ("", ""))


def date_of(extracted: Extracted, name: str = "") -> tuple[str, str]:
    """When the document was published, or the closest thing to that which it says, and how that
    was found; ("", "") where nothing dates it."""
    return next(filter(itemgetter(0), _dates(extracted, name)), ("", ""))


def _titles(extracted: Extracted, name: str) -> Iterator[tuple[str, str]]:
    """(title, how it was found), the best first; "" where there is none of the kind."""
    title = " ".join(str(extracted.metadata.get("title") or extracted.title).split())
    if not _MEANINGLESS.search(title):
        yield title[:MAX_TITLE], _place_of(extracted, "title")
    if extracted.media_type not in _SEVERAL:
        yield _first_heading(extracted), "heading"
    if extracted.media_type == TEXT:
        yield _first_line(extracted), "first_line"
    yield readable_name(name), "file_name"


def _dates(extracted: Extracted, name: str) -> Iterator[tuple[str, str]]:
    """(ISO date, how it was found), the best first; "" where there is none of the kind."""
    metadata, in_name = extracted.metadata, _date_in_name(name)
    yield str(metadata.get("published") or ""), _place_of(extracted, "published")
    if "-" in in_name:
        yield in_name, "file_name"
    if extracted.media_type not in _SEVERAL:
        yield _date_in_headings(extracted), "heading"
        yield _date_near_top(extracted), "text"
    yield in_name, "file_name"
    if extracted.media_type not in _SEVERAL:
        yield str(metadata.get("created") or ""), "created"


def _place_of(extracted: Extracted, key: str) -> str:
    """Where a parser found what it states: as it says, else where files of its format have it."""
    if place := extracted.metadata.get(f"{key}_from"):
        return str(place)
    if not extracted.metadata.get(key):
        return "heading"
    return "front_matter" if extracted.media_type in _STATED_AT_TOP else "metadata"


def readable_name(name: str) -> str:
    """A file name as a title: without its ending, words instead of signs between them; "" for a
    hash.

    A name that a person wrote with spaces stays as it is.
    """
    stem = PurePosixPath(unquote(name.replace("\\", "/"))).name
    ending = re.search(r"\.[A-Za-z][A-Za-z0-9]{0,7}$", stem)
    stem = stem[: ending.start()] if ending and ending.start() else stem
    if _ID.match(stem):
        return ""
    signed = bool(re.search(r"[A-Za-z]{3}", stem)) and not re.search(r"\s", stem)
    words = re.sub(r"(?<!\d)-|-(?!\d)|[_+]+", " ", stem) if signed else stem
    words = " ".join(words.split()).strip(" .-")[:MAX_TITLE]
    if words == " ".join(stem.split()):
        return words
    if words != words.lower():
        return words[:1].upper() + words[1:]
    parts = words.split(" ")
    return " ".join(
        part if number and part in _SMALL_WORDS else part[:1].upper() + part[1:]
        for number, part in enumerate(parts)
    )


def _texts(extracted: Extracted, kinds: Sequence[BlockKind]) -> Iterator[tuple[int, Block, str]]:
    """(number, block, text) of the blocks of some kinds near the top."""
    for number, block in enumerate(islice(extracted.blocks, _TOP_BLOCKS)):
        if block.kind in kinds and block.start < _TOP_CHARACTERS:
            yield number, block, extracted.text[block.start : block.end]


def _first_heading(extracted: Extracted) -> str:
    """The highest of the headings at the top, when it is none of the usual names of a section."""
    headings = list(_top_headings(extracted))
    if (
        extracted.media_type == TEXT
    ):  # a line above prose is the title where nothing stands before it
        headings = [heading for heading in headings if heading[0] < LEADING_LINE or heading[1] == 0]
    usable = [
        heading
        for heading in headings
        if _may_be_title(heading[2]) and not _NUMBERED.match(heading[2])
    ]
    return min(usable)[2] if usable else _chapter(extracted)


def _top_headings(extracted: Extracted) -> Iterator[tuple[int, int, str]]:
    """(level, number, text) of the headings at the top that may head the whole: those below a
    higher one head a part, and so do those after text, but for the highest level."""
    highest = 0
    for order, (number, block, text) in enumerate(_texts(extracted, (BlockKind.HEADING,))):
        if number >= _FIRST_HEADINGS:
            return
        follows_text = number > order  # more blocks than headings stand before it
        heads_part = highest and block.level > highest
        if not heads_part and (block.level == 1 or not follows_text):
            yield block.level, number, " ".join(text.split())
        highest = min(highest or block.level, block.level)


def _may_be_title(heading: str) -> bool:
    return not (len(heading) > MAX_TITLE or is_usual_name(heading) or _MEANINGLESS.search(heading))


def _chapter(extracted: Extracted) -> str:
    """The numbered heading over a whole text, as that of a chapter; "" where there is none."""
    headings = [block for block in extracted.blocks if block.kind == BlockKind.HEADING]
    highest = [block for block in headings if block.level == min(other.level for other in headings)]
    if (
        extracted.media_type not in _STATED_AT_TOP
        or len(highest) != 1
        or highest[0] != extracted.blocks[0]
    ):
        return ""
    text = " ".join(extracted.text[highest[0].start : highest[0].end].split())
    return text if _may_be_title(text) else ""


def _first_line(extracted: Extracted) -> str:
    """The first paragraph when it is a short line that ends as titles do, and more text follows."""
    if len(extracted.blocks) < 2 or extracted.blocks[0].kind != BlockKind.PARAGRAPH:
        return ""
    block = extracted.blocks[0]
    line = extracted.text[block.start : block.end].split("\n")[0].strip()
    if not 4 <= len(line) <= _LONG_LINE or line[0] in "[(" or line.endswith(_NO_END_OF_TITLES):
        return ""
    return line if any(map(str.isalpha, line)) else ""


def _date_in_name(name: str) -> str:
    """The date in a file name; a year by itself only where it stands alone and names no
    standard."""
    stem = unquote(PurePosixPath(name.replace("\\", "/")).name).rsplit(".", 1)[0]
    if not A_YEAR.search(stem):
        return ""
    full = list(dates_in(stem)) or list(dates_in(re.sub(r"[_-]", " ", stem)))
    if full:
        return max(full, key=lambda date: date.precision).iso
    if _STANDARD.search(stem) or re.search(r"\d{2}\.\d{4,}", stem):
        return ""
    years = set(_YEAR_IN_NAME.findall(stem))
    return years.pop() if len(years) == 1 else ""


def _date_in_headings(extracted: Extracted) -> str:
    """The date in the title or in one of the first headings."""
    titles = [str(extracted.metadata.get("title") or extracted.title)]
    titles += [
        text
        for number, _, text in _texts(extracted, (BlockKind.HEADING,))
        if number < _FIRST_HEADINGS
    ]
    for text in titles:
        dates = [
            date for date in dates_in(text) if not _OF_SOMETHING_ELSE.search(text[: date.start])
        ]
        if len({date.iso for date in dates}) == 1:
            return dates[0].iso
    return ""


def _date_near_top(extracted: Extracted) -> str:
    """The date of a line near the top that is a date or says that it is one: "Published: 12
    November 2018"."""
    weak = ""
    for text in _lines_near_top(extracted):
        for date in dates_in(text):
            before = text[: date.start]
            if _OF_SOMETHING_ELSE.search(before[-60:]):
                continue
            if _FIRST_CHOICE.search(before[-40:]) and _NAMES_ITS_DATE.search(before[-60:]):
                return date.iso
            if not weak and _is_dated(text, before, date):
                weak = date.iso
    return weak


def _lines_near_top(extracted: Extracted) -> Iterator[str]:
    kinds = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE_ROW)
    for _, _, text in _texts(extracted, kinds):
        yield from (line for line in text[:_TOP_CHARACTERS].split("\n") if line.strip())


def _is_dated(text: str, before: str, date: FoundDate) -> bool:
    """Whether a line is hardly more than its date, or names it as its date."""
    if len(text) > _DATED_LINE:
        return False
    around = re.sub(r"[\W\d_]+", "", before + text[date.end :])
    return (
        bool(_NAMES_ITS_DATE.search(before))
        or (date.precision == 3 and len(around) <= 40)
        or len(around) <= 12
    )
