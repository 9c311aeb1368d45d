"""What the biomedical indexes (PubMed, PMC, Europe PMC) write alike: languages, dates, notices,
titles, safe XML."""

import re
from collections.abc import Iterable
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import Element, clean, number, partial_date, string, xml_root
from tools.sources.source import Mark, find_doi
from tools.text.dates import MONTH

# ISO 639-2 (both forms) and MEDLINE's own codes -> ISO 639-1
_LANGUAGES = dict(
    pair.split(":")
    for pair in """afr:af alb:sq sqi:sq ara:ar arm:hy hye:hy aze:az baq:eu eus:eu bos:bs bul:bg
    cat:ca ces:cs cze:cs chi:zh zho:zh cym:cy wel:cy dan:da deu:de ger:de dut:nl nld:nl ell:el
    gre:el eng:en epo:eo est:et fas:fa per:fa fin:fi fra:fr fre:fr geo:ka kat:ka glg:gl heb:he
    hin:hi hrv:hr scr:hr hun:hu ice:is isl:is ind:id ita:it jpn:ja kor:ko lat:la lav:lv lit:lt
    mac:mk mkd:mk may:ms msa:ms nno:nn nob:nb nor:no pol:pl por:pt ron:ro rum:ro rus:ru slk:sk
    slo:sk slv:sl spa:es srp:sr scc:sr swe:sv tha:th tur:tr ukr:uk vie:vi""".split()
)
_DATE = re.compile(
    r"\b([12]\d{3})\b(?:[ /-]+([A-Za-z]{3})[a-z]*\.?(?:[ -]+(\d{1,2})\b(?![-/]))?"
    r"|-(\d{2})(?:-(\d{2}))?)?"
)
# How the indexes call a notice that stands elsewhere, letters only -> how it marks the work itself
_NOTICES = {
    "retractionin": "retracted",
    "partialretractionin": "retracted",
    "expressionofconcernin": "concern",
    "erratumin": "correction",
    "correctionin": "correction",
    "correctedandrepublishedin": "correction",
}
_ENTITY = re.compile(rb"<!ENTITY", re.I)


def language(code: Any) -> str | None:
    """The two-letter code of a language written in two or three letters or in English; None for
    unknown ones."""
    text = string(code).lower()
    return _LANGUAGES.get(text[:3]) or (text if re.fullmatch(r"[a-z]{2}", text) else None)


def language_code(code: str) -> str:
    """The three-letter code that MEDLINE uses for a two-letter one; as it is when unknown."""
    language = code[:2].lower()
    medline = {"de": "ger", "fr": "fre", "nl": "dut", "zh": "chi", "cs": "cze", "el": "gre"}
    return medline.get(language) or next(
        (long for long, short in _LANGUAGES.items() if short == language), code
    )


def written_date(text: Any) -> str | None:
    """The first date in words like "1998 Feb 28", "2000 Nov-Dec", "2014 Spring", "2018-05", as
    exact as it is."""
    match = _DATE.search(string(text))
    if not match:
        return None
    year, name, day, month, second = match.groups()
    return partial_date(year, MONTH.get((name or "").lower()) or month, day or second)


def date_of(year: Any, month: Any, day: Any) -> str | None:
    """An ISO date of parts; the month may be a number or a name ("Sep", "September")."""
    name = string(month).lower()[:3]
    return partial_date(string(year), MONTH.get(name) or number(month), string(day))


def title_of(text: Any) -> str:
    """A title without the full stop that these indexes put behind each."""
    title = clean(text)
    if re.search(r"[^.\s]{2}\.$", title) and not re.search(
        r"\b(?:etc|vs|al|[A-Z]\.[A-Z])\.$", title
    ):
        return title[:-1]
    return title


def marks(
    types: Iterable[str], notices: Iterable[tuple[str, str, str]], by: str
) -> tuple[Mark, ...]:
    """Marks by the types of a publication and by notices: (relation, where it appeared, PMID of the
    notice)."""
    marks = []
    for relation, where, pmid in notices:
        kind = _NOTICES.get(re.sub(r"[^a-z]", "", relation.lower()))
        if kind:
            marks.append(
                Mark(
                    kind,
                    by,
                    written_date(where),
                    notice=find_doi(where) or (f"pmid:{pmid}" if pmid else None),
                )
            )
    kinds = {mark.kind for mark in marks}
    lowered = {name.lower() for name in types}
    if "retracted publication" in lowered and "retracted" not in kinds:
        marks.append(Mark("retracted", by))
    if {"withdrawn publication", "preprint-withdrawal", "preprint withdrawal"} & lowered:
        marks.append(Mark("withdrawn", by))
    return tuple(dict.fromkeys(marks))


def is_number(text: str) -> bool:
    """Whether this can be a PubMed id: digits, and not 0, which old lists use for "none"."""
    return text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0


def read_xml(data: bytes) -> Element:
    """The root of an answer. A document type may be named and is never loaded; declared entities
    are refused."""
    if _ENTITY.search(data.replace(b"\x00", b"")):
        raise SourceError("answered with declared entities, which are not read")
    return xml_root(data)


# Headings of abstracts as preprint servers glue them to the text after them: "BackgroundSleep is",
# "RESULTSWe found"
_PARTS = r"""(?:
    (?:study\s)?background(?:\s(?:and|&)\s(?:aims?|objectives?|purpose))? | objectives? | aims? | purpose
    | introduction | importance(?:\sof\sstudy)? | rationale | context | hypothesis | motivation
    | research\sin\scontext | evidence\sbefore\sthis\sstudy | added\svalue\sof\sthis\sstudy
    | implications(?:\sof\sall\sthe\savailable\sevidence)? | what\sthis\sstudy\sadds
    | (?:(?:materials?|patients|subjects)\s(?:and|&)\s)?methods?
      (?:\s(?:and|&)\s(?:findings|results|analysis|materials?|design))?
    | (?:study\s)?design | setting | participants | patients | interventions? | exposures?
    | (?:main\s)?outcomes?(?:\sand\s|\s)measures? | results?(?:\s(?:and|&)\s(?:discussion|conclusions?))?
    | findings | conclusions?(?:\s(?:and|&)\s(?:relevance|significance))? | interpretation | discussion
    | limitations | summary | abstract | (?:author|lay|plain\slanguage|one\ssentence|editor'?s)\ssummary
    | (?:statement\sof\s)?significance(?:\sstatement)? | new\s(?:and|&)\snoteworthy | novelty\sand\srelevance
    | funding | ethics\sand\sdissemination | (?:trial|study)\sregistration(?:\snumber)?
    | patient\sor\spublic\scontribution | (?:competing|conflict\sof)\sinterests?\sstatement
    | withdrawal\sstatement | data\ssources | availability(?:\sand\simplementation)?
)"""  # noqa: E501
# What is left in them of the servers' layout, each "O_" with its "C_": figures, headings, lists,
# small capitals
_FIGURE = re.compile(r"O_LINKSMALLFIG.{0,600}?M_FIG|O_LINKSMALLFIG[^\n]*", re.S)
_HEADING = re.compile(r"O_ST_ABS(.{0,200}?)C_ST_ABS", re.S)
_LAYOUT = re.compile(r"[OC]_(?:LI(?!NK)|UL|OL|ST_ABS|FIG|TBL|TEXTBOX|QD)")
_CAPITALS = re.compile(r"[OC]_(?:SCPLOW|SCPCAP)")
_AT_START = r"(?:\A|(?<=\n)|(?<=[.!?)\]])\s?|(?<=[.!?)\]]\s))"
_GLUED = re.compile(
    # "Methods" before a capital or a digit; "METHODS" before a capitalised word, whose own capital
    # is not the label's
    rf"{_AT_START}("
    rf"(?=[A-Z][a-z&])(?i:{_PARTS})(?<=[a-z])(?=[A-Z][a-z-]|[A-Z][A-Z0-9]|A\s|[0-9(])"
    rf"|(?=[A-Z]{{2}})(?i:{_PARTS})(?<=[A-Z])(?=[A-Z][a-z]|A\s|[0-9]))",
    re.X,
)


def unglued(text: str) -> str:
    """An abstract whose headings are glued to its text, with each heading on a line of its own."""
    plain = _CAPITALS.sub("", _HEADING.sub(r"\n\1\n", _FIGURE.sub("", text)))
    return re.sub(
        r"(?:(?<!\s)\s+)?\n\s*", "\n", _GLUED.sub(r"\n\1\n", _LAYOUT.sub("\n", plain))
    ).strip()
