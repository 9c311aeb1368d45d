"""Where the text of a source may be read, and how each page is visited once in a run."""

import re
import threading
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError
from dataclasses import dataclass

from tools.errors import SourceError
from tools.net.request import Request
from tools.sources.domains import host_of, longest
from tools.sources.source import FetchedPage, Source, canonical_url

_PMC_HOSTS = {"europepmc.org": 1, "ncbi.nlm.nih.gov": 1, "ebi.ac.uk": 1}
_PMCID = re.compile(r"PMC(\d{1,9})", re.I)
_TICK = 0.1  # seconds between looks at the cancel flag


@dataclass(frozen=True, slots=True)
class FullTexts:
    """The services that give whole texts, each an address below which they lie.

    private_bases: those of them that the user's settings name; they may be private, and redirect
    nowhere.
    """

    arxiv: str = "https://arxiv.org/pdf/"
    europepmc: str = "https://www.ebi.ac.uk/europepmc/webservices/rest/"
    pmc: str = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
    private_bases: tuple[str, ...] = ()

    def addresses(self, source: Source) -> list[str]:
        """Where a source may be read, best first: open full text, the paper itself for arXiv, then
        its own address.

        A work in PMC without another open copy is read as JATS, from Europe PMC and then from PMC:
        a text with sections and references instead of a page that needs a browser.
        """
        open_copy = self._open_copy(source)
        paper = self.arxiv + source.arxiv_id if source.arxiv_id and not open_copy else ""
        elsewhere = source.fulltext_url and not longest(host_of(source.fulltext_url), _PMC_HOSTS)
        articles = self._articles(source.pmcid or "") if not elsewhere and not paper else ()
        return list(dict.fromkeys(filter(None, (*articles, open_copy, paper, source.url))))

    def request(self, url: str, ttl: float, deadline: float) -> Request:
        """How an address is asked: interfaces for programs are no pages, and an address of the
        user's is trusted."""
        if self.private_bases and url.startswith(self.private_bases):
            return Request(url, ttl=ttl, deadline=deadline, guard=False, redirects=0)
        is_page = not url.startswith((self.europepmc, self.pmc))
        return Request(url, ttl=ttl, deadline=deadline, robots=is_page)

    def _open_copy(self, source: Source) -> str | None:
        """The open copy that is known; a paper at arXiv lies where the settings say that arXiv
        is."""
        url = source.fulltext_url
        at_arxiv = url and longest(host_of(url), {"arxiv.org": 1})
        return None if at_arxiv and source.arxiv_id and self.arxiv in self.private_bases else url

    def _articles(self, pmcid: str) -> tuple[str, ...]:
        match = _PMCID.fullmatch(pmcid)
        if not match:
            return ()
        jats = f"{self.pmc}efetch.fcgi?db=pmc&retmode=xml&id={match[1]}"
        return (f"{self.europepmc}PMC{match[1]}/fullTextXML", jats)


class Visits:
    """The pages read in one run, by canonical address: works that share an address share the
    reading of it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._visits: dict[str, Future[FetchedPage]] = {}

    def once(
        self, url: str, fetch: Callable[[], FetchedPage], check: Callable[[], None], seconds: float
    ) -> FetchedPage:
        """What reading the address gave, here or in another thread. Raises SourceError when that
        takes too long."""
        with self._lock:
            visit, mine = self._visits.get(canonical_url(url)), False
            if visit is None:
                visit, mine = Future(), True
                self._visits[canonical_url(url)] = visit
        if mine:
            return self._read(visit, url, fetch)
        while seconds > 0:
            check()
            seconds -= _TICK
            try:
                return visit.result(_TICK)
            except TimeoutError:
                continue
        raise SourceError("it is being read already, and that takes too long")

    def _read(
        self, visit: Future[FetchedPage], url: str, fetch: Callable[[], FetchedPage]
    ) -> FetchedPage:
        try:
            page = fetch()
        except BaseException as error:
            with self._lock:
                del self._visits[canonical_url(url)]
            visit.set_exception(error)
            raise
        visit.set_result(page)
        return page
