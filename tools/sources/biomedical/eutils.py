"""NCBI's E-utilities, which PubMed and PMC share. https://www.ncbi.nlm.nih.gov/books/NBK25499

Three requests a second, ten with a key. Counts are strings; errors come inside status 200, as JSON,
XML or plain text.
"""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from tools.errors import SourceError
from tools.sources.answer_fields import Element, clean, distinct, items, mapping, objects, string
from tools.sources.biomedical.common import language_code, read_xml
from tools.sources.client import UNKNOWN_FORM, Access, Filters, accepted, refusal
from tools.sources.queries import boolean_query, first_day, last_day

BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
INTERVAL = 0.35
_LONGEST_QUERY = 400
_ID_PATHS = {"eSearchResult": "IdList/Id", "eLinkResult": "LinkSet/LinkSetDb/Link/Id"}
_TITLE = re.compile(rb"<(?:title|h1)>([^<]{1,200})</", re.I)


def term(query: str, filters: Filters, *more: str) -> str:
    """A query in the grammar of Entrez; empty when it holds no word."""
    words = boolean_query(query, _LONGEST_QUERY)
    if not words:
        return ""
    parts = [f"({words})", *more]
    if filters.since or filters.until:
        start, end = first_day(filters.since or "1000"), last_day(filters.until or "3000")
        parts.append(f"{start.replace('-', '/')}:{end.replace('-', '/')}[pdat]")
    if filters.lang:
        parts.append(f"{language_code(filters.lang)}[la]")
    return " AND ".join(parts)


def find(database: str, condition: str, limit: int, access: Access) -> list[str]:
    """Ids of the records that match, most relevant first."""
    size = min(max(limit, 1), 100)
    params: dict[str, str | int] = {
        "db": database,
        "term": condition,
        "retmode": "json",
        "retmax": size,
        "sort": "relevance",
    }
    return ids(ask(access, "esearch.fcgi", params))


def linked(name: str, pmid: str, access: Access) -> list[str]:
    """PubMed ids that stand in a relation to a work: "pubmed_pubmed_refs",
    "pubmed_pubmed_citedin"."""
    params = {"dbfrom": "pubmed", "db": "pubmed", "linkname": name, "id": pmid, "retmode": "json"}
    return ids(ask(access, "elink.fcgi", params))


def fetch(database: str, ids: list[str], access: Access) -> bytes:
    """The records of some ids, as XML."""
    return ask(access, "efetch.fcgi", {"db": database, "id": ",".join(ids), "retmode": "xml"})


def ask(access: Access, path: str, params: Mapping[str, str | int]) -> bytes:
    """One request; who asks is said, as NCBI wants it."""
    return accepted(
        access.get(path, {**params, "tool": "zorora", "email": access.contact}), explained=b"{<"
    )


def ids(data: bytes) -> list[str]:
    """The ids of an answer of esearch or elink, in JSON or XML."""
    if data.lstrip()[:1] == b"<":
        root = tree(data)
        if root.tag not in _ID_PATHS:
            raise SourceError(UNKNOWN_FORM)
        return distinct(clean(element.text) for element in root.iterfind(_ID_PATHS[root.tag]))
    answer = values(data)
    if "linksets" in answer:
        groups = [
            group
            for linkset in objects(answer["linksets"])
            for group in objects(linkset.get("linksetdbs"))
        ]
        return distinct(string(number) for group in groups for number in items(group.get("links")))
    if "idlist" not in mapping(answer.get("esearchresult")):
        raise SourceError(UNKNOWN_FORM)
    return distinct(map(string, items(answer["esearchresult"]["idlist"])))


def summaries(data: bytes) -> list[dict[str, Any]]:
    """The records of an answer of esummary in JSON, in its order. Raises SourceError for a failure
    or anything else."""
    result = values(data).get("result")
    if not isinstance(result, dict):
        raise SourceError(UNKNOWN_FORM)
    return [mapping(result.get(string(uid))) for uid in items(result.get("uids"))]


def summary_ids(work: Mapping[str, Any]) -> dict[str, str]:
    """The identifiers of a record of esummary, by their kinds."""
    return {
        string(entry.get("idtype")): string(entry.get("value"))
        for entry in objects(work.get("articleids"))
    }


def summary_authors(work: Mapping[str, Any]) -> tuple[str, ...]:
    """The authors of a record of esummary, with initials."""
    return tuple(clean(person.get("name")) for person in objects(work.get("authors")))


def values(data: bytes) -> dict[str, Any]:
    """A JSON answer; SourceError for what NCBI reports as a failure."""
    try:
        # Messages of the search engine hold raw line breaks
        answer = json.loads(data, strict=False)
    except (ValueError, RecursionError):
        raise SourceError("answered with something other than JSON or XML") from None
    if not isinstance(answer, dict):
        raise SourceError(UNKNOWN_FORM)
    message = (
        answer.get("error")
        or answer.get("ERROR")
        or mapping(answer.get("esearchresult")).get("ERROR")
    )
    if string(answer.get("status")) == "error":
        message = unquote(string(answer.get("message"))) or "it gives no reason"
    _complain(clean(message))
    return answer


def tree(data: bytes) -> Element:
    """The root of an XML answer; SourceError for what NCBI reports as a failure."""
    if not data.lstrip().startswith(b"<"):
        values(data)  # says what is wrong, for JSON
        raise SourceError("answered with something other than XML")
    page = _TITLE.search(data[:3000]) if b"<html" in data[:1000].lower() else None
    if page:
        raise SourceError(
            f"answered with a page ({clean(page.group(1).decode('utf-8', 'replace'))[:120]})"
        )
    root = read_xml(data)
    if root.tag == "ERROR" or root.find("ERROR") is not None:
        _complain(clean(root.text if root.tag == "ERROR" else root.findtext("ERROR")))
    return root


def text_of(element: Element | None) -> str:
    """All text in an element as one line, without its markup."""
    return " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""


def _complain(message: str) -> None:
    if "rate limit" in message.lower():
        raise SourceError("rate limited; a key of your own raises the limit")
    if message:
        raise refusal(message)
