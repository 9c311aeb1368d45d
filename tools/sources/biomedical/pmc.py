"""PubMed Central: open full texts of biomedicine, as JATS, by NCBI's E-utilities; ids by its
converter.

https://www.ncbi.nlm.nih.gov/pmc/tools/developers. The external DTD is never loaded. Only the front
matter and the reference list are read here; the text is read as a page is
(tools.documents.parsers.scholarly.jats).
"""

from typing import Any

from tools.documents.parsers.scholarly import jats_front
from tools.errors import SourceError
from tools.sources.answer_fields import Element, clean, first, objects, string
from tools.sources.biomedical import eutils
from tools.sources.biomedical.common import is_number, title_of, written_date
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters
from tools.sources.source import Mark, Source, find_doi, make_source, work_address

_CONVERTER = "https://www.ncbi.nlm.nih.gov/pmc/utils/idconv/v1.0/"
_ABOUT = (
    "type", "volume", "issue", "pages", "author_ids", "affiliations", "keywords", "license",
    "notice_on",
)  # fmt: skip


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Open-access articles that match, most relevant first."""
    condition = eutils.term(query, filters, '"open access"[filter]')
    ids = eutils.find("pmc", condition, limit, access) if condition else []
    return parse(eutils.fetch("pmc", ids, access)) if ids else []


def lookup(key: str, access: Access) -> Source | None:
    """One article by PMC id, PubMed id or DOI, open or not."""
    plain = key.strip().upper().removeprefix("PMCID:")
    number = plain[3:] if plain.startswith("PMC") else convert(key, access).get("pmcid", "")[3:]
    return first(parse(eutils.fetch("pmc", [number], access))) if is_number(number) else None


def convert(key: str, access: Access) -> dict[str, str]:
    """The ids of a work (doi, pmid, pmcid) by one of them; empty when it is not in PMC."""
    plain = key.strip().upper().removeprefix("PMID:")
    identifier = find_doi(key) or (plain if is_number(plain) else "")
    if not identifier:
        return {}
    # A base_url of the user's serves both
    address = _CONVERTER if access.settings.base_url == eutils.BASE else "idconv/"
    rows = parse_ids(eutils.ask(access, address, {"ids": identifier, "format": "json"}))
    return rows[0] if rows else {}


def parse_ids(data: bytes) -> list[dict[str, str]]:
    """Works of an answer of the id converter, without those that it does not know."""
    answer = eutils.values(data)
    if "records" not in answer:
        raise SourceError(UNKNOWN_FORM)
    records = [
        record for record in objects(answer["records"]) if string(record.get("status")) != "error"
    ]
    return [
        {name: string(record[name]) for name in ("doi", "pmid", "pmcid") if record.get(name)}
        for record in records
    ]


def parse(data: bytes) -> list[Source]:
    """Articles of an answer of efetch (JATS) or esummary (JSON). Raises SourceError for a failure
    or anything else."""
    if data.lstrip()[:1] != b"<":
        return list(filter(None, map(_of_summary, eutils.summaries(data))))
    root = eutils.tree(data)
    if root.tag not in ("article", "pmc-articleset"):
        raise SourceError(UNKNOWN_FORM)
    return list(filter(None, map(_source, jats_front.articles(root))))


def _source(article: Element) -> Source | None:
    about: dict[str, Any] = jats_front.front(article)
    doi, pmcid = about.get("doi"), about.get("pmcid")
    if not pmcid and not doi:
        return None
    keys = [key for entry in jats_front.references(article) if (key := jats_front.key_of(entry))]
    retracted = "retract" in about.get("type", "") and about.get("type") != "retraction"
    return make_source(
        work_address(doi, f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"),
        title_of(about.get("title")),
        doi=doi,
        pmid=about.get("pmid"),
        pmcid=pmcid,
        authors=tuple(about.get("authors", ())),
        published=about.get("published"),
        source_type="academic",
        providers=("pmc",),
        venue=about.get("venue"),
        issn=about.get("issn"),
        publisher=about.get("publisher"),
        language=about.get("language"),
        references=tuple(dict.fromkeys(keys)),
        abstract="\n".join(jats_front.abstract_lines(article)),
        marks=(Mark("retracted", "PMC"),) if retracted else (),
        fields={name: about[name] for name in _ABOUT if name in about},
    )


def _of_summary(work: dict[str, Any]) -> Source | None:
    ids = eutils.summary_ids(work)
    number = ids.get("pmcid") or (f"PMC{work['uid']}" if is_number(string(work.get("uid"))) else "")
    if not number or work.get("error"):
        return None
    doi, pmid = find_doi(ids.get("doi")), ids.get("pmid", "")
    fields = {name: string(work.get(name)) for name in ("volume", "issue", "pages")}
    dates = (work.get("epubdate"), work.get("pubdate"), work.get("printpubdate"))
    return make_source(
        work_address(doi, f"https://pmc.ncbi.nlm.nih.gov/articles/{number}/"),
        title_of(work.get("title")),
        doi=doi,
        pmid=pmid if is_number(pmid) else None,
        pmcid=number.upper(),
        authors=eutils.summary_authors(work),
        published=next((date for text in dates if (date := written_date(text))), None),
        source_type="academic",
        providers=("pmc",),
        venue=clean(work.get("fulljournalname")) or clean(work.get("source")),
        fields={**fields, "short_venue": clean(work.get("source"))},
    )


CLIENT = Client(
    "pmc",
    "PMC",
    "academic",
    eutils.BASE,
    search,
    min_interval=eutils.INTERVAL,
    max_results=10,  # whole articles: about 100 KB each
    key="param:api_key",
    lookup=lookup,
    per_search=2,
)
