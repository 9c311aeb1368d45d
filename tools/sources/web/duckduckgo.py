"""DuckDuckGo: web results from its page without scripts, the lite page as fallback. No key.

Links lead through `/l/?uddg=ADDRESS`; advertisements stand first and are left out. A page that asks
for proof of being human holds no results and is reported as a block, never worked around.
"""

from collections.abc import Iterator
from urllib.parse import parse_qs, urljoin, urlsplit

from tools.errors import SourceError
from tools.sources.answer_fields import HtmlElement, check_empty, clean, html_root, iso_date, link
from tools.sources.client import Access, Client, Filters, accepted
from tools.sources.queries import spoken, web_query
from tools.sources.source import Source, titled_source

_LONGEST_QUERY = 400
_ALIKE = frozenset("bg de es fi fr hr hu id it lt lv nl no pl pt ro ru sk th tr".split())
_COUNTRY_OF = {
    "en": "us", "cs": "cz", "da": "dk", "el": "gr", "et": "ee", "he": "il", "ja": "jp", "ko": "kr",
    "sl": "sl", "sv": "se", "uk": "ua", "vi": "vn", "zh": "cn",
}  # fmt: skip
_BLOCKED = (b"anomaly-modal", b"anomaly.js", b"bots use DuckDuckGo")
_NOTHING = (b"No results.", b"no-results", b"No more results")


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Web pages, best first."""
    params: dict[str, str | int] = {
        "q": web_query(query, filters.sites, filters.exclude_sites, _LONGEST_QUERY)
    }
    language, country = spoken(filters.lang)
    # Of a language alone the country that has most of its pages
    country = country or _COUNTRY_OF.get(language, language if language in _ALIKE else "")
    if country:
        params["kl"] = f"{country}-{language}"
    try:
        return _page(access, access.settings.base_url, params)[:limit]
    except SourceError as first_problem:
        try:
            return _page(access, lite_address(access.settings.base_url), params)[:limit]
        except SourceError:
            raise first_problem from None


def lite_address(base_url: str) -> str:
    """Where the lite page of an instance is."""
    parts = urlsplit(base_url)
    if (parts.hostname or "").startswith("html."):
        return f"{parts.scheme}://lite.{parts.netloc.removeprefix('html.')}/lite/"
    return urljoin(base_url, "/lite/")


def parse(data: bytes) -> list[Source]:
    """Results of either page. Raises SourceError for a block page and for a page without results or
    a word of that."""
    root = html_root(data)
    hits = (*_results(root), *_lite_results(root)) if root is not None else ()
    results = list(filter(None, hits))
    if not results:
        check_empty(data, _BLOCKED, _NOTHING)
    return results


def _page(access: Access, address: str, params: dict[str, str | int]) -> list[Source]:
    return parse(accepted(access.get(address, params)))


def _results(root: HtmlElement) -> Iterator[Source | None]:
    for block in root.xpath("//div[contains(concat(' ', @class, ' '), ' result ')]"):
        if "result--ad" in block.get("class", ""):
            continue
        anchors = block.xpath(".//a[contains(concat(' ', @class, ' '), ' result__a ')]")
        snippets = block.xpath(".//*[contains(concat(' ', @class, ' '), ' result__snippet ')]")
        dates = block.xpath(".//*[contains(@class, 'result__extras')]//span[not(*)]")
        if anchors:
            yield _source(anchors[0], snippets[0] if snippets else None, dates)


def _lite_results(root: HtmlElement) -> Iterator[Source | None]:
    for anchor in root.xpath("//a[contains(concat(' ', @class, ' '), ' result-link ')]"):
        row = next(anchor.iterancestors("tr"), None)
        if row is None or "result-sponsored" in row.get("class", ""):
            continue
        snippet, dates = None, []
        for sibling in row.itersiblings("tr"):
            if sibling.xpath(".//a[contains(@class, 'result-link')]"):
                break
            if "result-sponsored" in sibling.get("class", ""):
                continue
            cells = sibling.xpath(".//td[contains(@class, 'result-snippet')]")
            snippet = cells[0] if cells and snippet is None else snippet
            dates += sibling.xpath(".//span[contains(@class, 'timestamp')]")
        yield _source(anchor, snippet, dates)


def _source(
    anchor: HtmlElement, snippet: HtmlElement | None, dates: list[HtmlElement]
) -> Source | None:
    url, title = target(anchor.get("href") or ""), clean(anchor.text_content())
    published = next(filter(None, (iso_date(item.text_content()) for item in dates)), None)
    text = clean(snippet.text_content()) if snippet is not None else ""
    return titled_source(url, title, providers=("duckduckgo",), snippet=text, published=published)


def target(href: str) -> str:
    """Where a result leads: the address inside a redirect link; empty for advertisements and other
    schemes."""
    address = "https:" + href if href.startswith("//") else href
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if (parts.hostname or "duckduckgo.com").endswith("duckduckgo.com"):
        inner = parse_qs(parts.query).get("uddg", [""])[0] if parts.path.startswith("/l/") else ""
        # An advertisement is a redirect to another redirect
        return link(inner) if "duckduckgo.com/y.js" not in inner else ""
    return link(address)


CLIENT = Client(
    "duckduckgo",
    "DuckDuckGo",
    "web",
    "https://html.duckduckgo.com/html/",
    search,
    min_interval=1.0,
    deadline=15.0,
    max_results=10,
    keep="web",
)
