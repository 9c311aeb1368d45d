"""Google Scholar: its result page. Off until the user switches it on; no key.

A page that asks for proof of being human is reported as a block, never worked around: one request,
no retry, no other address. Authors and venues are shortened by the page ("…"); a venue that is cut
is left out.
"""

import re
from typing import Any
from urllib.parse import parse_qs

from tools.errors import SourceError
from tools.sources.answer_fields import (
    HtmlElement,
    check_empty,
    clean,
    html_root,
    joined,
    link,
    number,
    partial_date,
)
from tools.sources.client import Access, Client, Filters, accepted
from tools.sources.queries import web_query
from tools.sources.source import Source, find_arxiv_id, find_doi, make_source
from tools.sources.work_ids import dois

_LONGEST_QUERY = 250
_BLOCKED = (b"gs_captcha", b"g-recaptcha", b"unusual traffic", b"not a robot", b"/sorry/")
_NOTHING = (b"did not match any articles", b"gs_med", b'id="gs_res_ccl_mid"')
_RESULTS = "//div[contains(concat(' ', @class, ' '), ' gs_ri ')]"
_KIND = re.compile(r"^(?:\[[A-Z]{1,8}\]\s*)+")
_YEAR = re.compile(r"(?:^|[,\s])((?:1[5-9]|20)\d{2})$")
_PMC = re.compile(r"(?<=/articles/)PMC\d{3,9}", re.I)
_CITED = re.compile(r"\d+")
_MORE = " …."


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Works, best first; one page of results."""
    words = web_query(query, filters.sites, filters.exclude_sites, _LONGEST_QUERY)
    params: dict[str, str | int] = {"q": words, "hl": "en", "num": min(max(limit, 1), 20)}
    params |= {"as_ylo": (filters.since or "")[:4], "as_yhi": (filters.until or "")[:4]}
    response = access.get(access.settings.base_url, params)
    if "/sorry/" in response.url or response.status in (429, 503):
        raise SourceError("blocked: it asks for proof of being human")
    return parse(accepted(response))[:limit]


def parse(data: bytes) -> list[Source]:
    """Results of a page. Raises SourceError for a block page, and for a page without results or a
    word of that."""
    root = html_root(data)
    blocks = root.xpath(_RESULTS) if root is not None else []
    if not blocks:
        check_empty(data, _BLOCKED, _NOTHING)
    return list(filter(None, map(_source, blocks)))


def _source(block: HtmlElement) -> Source | None:
    title = _KIND.sub("", _text(block, ".//h3"))
    cluster, cited_by = _cluster(block)
    url = _address(block, cluster)
    if not title or not url:
        return None
    people, venue, year, origin = _about(_text(block, ".//div[starts-with(@class, 'gs_a')]"))
    site, publisher = (origin, "") if "." in origin else ("", origin)
    return make_source(
        url,
        title,
        doi=min(dois(url), key=len)
        if find_doi(url)
        else None,  # without what publishers put behind it
        pmcid=pmc.group(0).upper() if (pmc := _PMC.search(url)) else None,
        arxiv_id=find_arxiv_id(f"{venue} {url}") if "arxiv" in f"{venue} {url}".lower() else None,
        authors=people,
        published=year,
        source_type="academic",
        providers=("google_scholar",),
        venue="" if "…" in venue else venue,
        cited_by_count=cited_by,
        snippet=_text(block, ".//div[starts-with(@class, 'gs_rs')]"),
        fulltext_url=_copy(block, url),
        ids={"google_scholar": cluster},
        publisher=publisher,
        fields={"site": site},
    )


def _address(block: HtmlElement, cluster: str) -> str:
    """The page of a result; an entry that is only cited somewhere has none of its own."""
    anchor = _first(block, "(.//h3)[1]//a[@href]")
    url = link(anchor.get("href")) if anchor is not None else ""
    return url or (f"https://scholar.google.com/scholar?cluster={cluster}" if cluster else "")


def _about(line: str) -> tuple[tuple[str, ...], str, str | None, str]:
    """(authors, venue, year, publisher or site) of the line under a title: "A One, B Two… - Venue,
    2021 - Elsevier"."""
    parts = line.split(" - ")
    people = tuple(name for part in parts[0].split(",") if (name := part.strip(_MORE)))
    middle = " - ".join(parts[1:-1]) if len(parts) > 2 else ""
    year = _YEAR.search(middle)
    venue = middle[: year.start()].strip(", ") if year else middle
    return (
        people,
        venue,
        partial_date(year.group(1)) if year else None,
        parts[-1].strip() if len(parts) > 1 else "",
    )


def _cluster(block: HtmlElement) -> tuple[str, int | None]:
    """The service's id of the work, and how often it was cited; no such link means that the page
    does not say."""
    cited_by_link = _first(block, ".//a[contains(@href, 'cites=')]")
    if cited_by_link is not None:
        counted = _CITED.search(cited_by_link.text_content())
        return _value(cited_by_link, "cites"), number(counted.group(0)) if counted else None
    versions = _first(block, ".//a[contains(@href, 'cluster=')]")
    return (_value(versions, "cluster") if versions is not None else ""), None


def _copy(block: HtmlElement, url: str) -> str | None:
    """The copy beside the result, or the result itself where it is a file."""
    beside = _first(block, "preceding-sibling::div[contains(@class, 'gs_ggs')]//a[@href]")
    address = joined(url, beside.get("href")) if beside is not None else ""
    if address and "scholar.google." not in address and "output=instlink" not in address:
        return address
    return None


def _value(anchor: HtmlElement, name: str) -> str:
    query = anchor.get("href").partition("?")[2].partition("#")[0]
    value = parse_qs(query).get(name, [""])[0]
    return value if value.isdigit() and value.isascii() else ""


def _text(node: HtmlElement, path: str) -> str:
    """The text of the first element of a path; empty where there is none."""
    element = _first(node, path)
    return clean(element.text_content()) if element is not None else ""


def _first(node: HtmlElement, path: str) -> Any:
    nodes = node.xpath(path)
    return nodes[0] if nodes else None


CLIENT = Client(
    "google_scholar",
    "Google Scholar",
    "academic",
    "https://scholar.google.com/scholar",
    search,
    min_interval=10.0,
    deadline=30.0,
    max_results=10,
    budget=(1, 2, 3),
    enabled=False,
)
