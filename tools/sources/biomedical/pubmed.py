"""PubMed: citations and abstracts of biomedicine, by NCBI's E-utilities (search, then the records
as XML).

https://dtd.nlm.nih.gov/ncbi/pubmed/doc/out/ describes the records. Months are numbers or names,
dates may be partial, a season or words; titles and abstracts hold markup.
"""

import re
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import (
    Element,
    author_ids,
    clean,
    distinct,
    items,
    objects,
    string,
    texts,
)
from tools.sources.biomedical import eutils
from tools.sources.biomedical.common import (
    date_of,
    is_number,
    language,
    marks,
    title_of,
    written_date,
)
from tools.sources.biomedical.eutils import text_of
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters
from tools.sources.source import Source, find_doi, make_source, work_address

_LINKED = 50
# The names of the old XML form of esummary -> those of its JSON form
_SUMMARY_TEXTS = {
    "PubDate": "pubdate", "EPubDate": "epubdate", "Source": "source", "Title": "title",
    "Volume": "volume", "Issue": "issue", "Pages": "pages", "ISSN": "issn", "ESSN": "essn",
    "FullJournalName": "fulljournalname", "DOI": "doi",
}  # fmt: skip
_SUMMARY_LISTS = {"LangList": "lang", "PubTypeList": "pubtype"}


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Works that match, most relevant first."""
    condition = eutils.term(query, filters)
    return _fetched(eutils.find("pubmed", condition, limit, access), access) if condition else []


def lookup(key: str, access: Access) -> Source | None:
    """One work by PubMed id, PMC id or DOI."""
    plain = key.strip().upper().removeprefix("PMID:")
    if is_number(plain):
        ids = [plain]
    else:
        doi = find_doi(key)
        condition = f'"{doi}"[doi]' if doi else f"{plain}[pmcid]" if plain.startswith("PMC") else ""
        ids = eutils.find("pubmed", condition, 2, access) if condition else []
    return next(iter(_fetched(ids[:1], access)), None)


def references(source: Source, limit: int, access: Access) -> list[Source]:
    """The works a source cites that PubMed knows."""
    pmids = [ref.removeprefix("pmid:") for ref in source.references if ref.startswith("pmid:")]
    if not pmids:
        pmid = _pmid(source, access)
        pmids = eutils.linked("pubmed_pubmed_refs", pmid, access) if pmid else []
    return _fetched(pmids[: min(limit, _LINKED)], access)


def citing(source: Source, limit: int, access: Access) -> list[Source]:
    """The works in PMC that cite a source."""
    pmid = _pmid(source, access)
    pmids = eutils.linked("pubmed_pubmed_citedin", pmid, access) if pmid else []
    return _fetched(pmids[: min(limit, _LINKED)], access)


def parse(data: bytes) -> list[Source]:
    """Works of an answer of efetch (XML) or esummary (JSON or XML). SourceError for a failure or
    anything else."""
    if data.lstrip()[:1] != b"<":
        return list(filter(None, map(_of_summary, eutils.summaries(data))))
    root = eutils.tree(data)
    if root.tag == "eSummaryResult":
        return list(filter(None, map(_of_summary, map(_summary_values, root.iterfind("DocSum")))))
    if root.tag not in ("PubmedArticleSet", "PubmedBookArticleSet"):
        raise SourceError(UNKNOWN_FORM)
    return list(filter(None, map(_source, root)))


def _fetched(pmids: list[str], access: Access) -> list[Source]:
    return parse(eutils.fetch("pubmed", pmids, access)) if pmids else []


def _pmid(source: Source, access: Access) -> str:
    if source.pmid or not source.doi:
        return source.pmid or ""
    pmids = eutils.find("pubmed", f'"{source.doi}"[doi]', 1, access)
    return pmids[0] if pmids else ""


def _source(record: Element) -> Source | None:
    """One PubmedArticle or PubmedBookArticle."""
    citation = article = record.find("BookDocument")
    if citation is None:
        citation, article = record.find("MedlineCitation"), record.find("MedlineCitation/Article")
    pmid = clean(citation.findtext("PMID")) if citation is not None else ""
    if citation is None or article is None or not is_number(pmid):
        return None
    identifiers = _identifiers(record, article)
    doi = find_doi(identifiers.get("doi"))
    title = article.find("ArticleTitle")
    return make_source(
        work_address(doi, f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"),
        _title(text_of(title)) or _title(text_of(record.find(".//BookTitle"))),
        doi=doi,
        pmid=pmid,
        pmcid=identifiers.get("pmc", "").upper(),
        authors=tuple(map(_name, article.iterfind("AuthorList/Author"))),
        # Online it appears before its issue, mostly
        published=_date(article.find("ArticleDate")) or _date(article.find(".//PubDate")),
        source_type="academic",
        providers=("pubmed",),
        venue=text_of(article.find("Journal/Title")) or text_of(article.find("Book/BookTitle")),
        issn=clean(article.findtext("Journal/ISSN")) or clean(citation.findtext(".//ISSNLinking")),
        publisher=text_of(article.find("Book/Publisher/PublisherName")),
        language=language(article.findtext("Language")),
        references=_references(record),
        abstract=_abstract(citation, article),
        marks=marks(_types(article), _notices(citation), "PubMed"),
        fields=_fields(citation, article),
    )


def _title(text: str) -> str:
    """Translated titles stand in square brackets."""
    whole = re.fullmatch(r"\[([^\[\]]+)\]\.?", text)
    return title_of(whole.group(1) if whole else text)


def _identifiers(record: Element, article: Element) -> dict[str, str]:
    """Identifiers of the work itself; those of its references stand deeper."""
    ids = {
        (element.get("EIdType") or "").lower(): clean(element.text)
        for element in article.iterfind("ELocationID")
        if element.get("ValidYN") != "N"
    }
    for path in (
        "PubmedData/ArticleIdList/ArticleId",
        "PubmedBookData/ArticleIdList/ArticleId",
        "BookDocument/ArticleIdList/ArticleId",
    ):
        for element in record.iterfind(path):
            if clean(element.text):
                ids[(element.get("IdType") or "").lower()] = clean(element.text)
    return ids


def _name(author: Element) -> str:
    parts = (
        author.findtext("ForeName") or author.findtext("Initials"),
        author.findtext("LastName"),
        author.findtext("Suffix"),
    )
    if author.findtext("LastName"):
        return " ".join(filter(None, map(clean, parts)))
    return text_of(author.find("CollectiveName"))


def _date(date: Element | None) -> str | None:
    if date is None:
        return None
    exact = date_of(date.findtext("Year"), date.findtext("Month"), date.findtext("Day"))
    return exact or written_date(date.findtext("MedlineDate"))


def _abstract(citation: Element, article: Element) -> str:
    """The abstract; each labelled part begins with its label on a line of its own."""
    parts = article.findall("Abstract/AbstractText")
    if not parts:
        others = [
            other
            for other in citation.iterfind("OtherAbstract")
            if other.get("Language", "eng") == "eng"
        ]
        parts = others[0].findall("AbstractText") if others else []
    lines = []
    for part in parts:
        label = clean(part.get("Label"))
        if label and label.upper() != "UNLABELLED" and text_of(part):
            lines.append(label)
        lines.append(text_of(part))
    return "\n".join(filter(None, lines))


def _references(record: Element) -> tuple[str, ...]:
    """Keys of the works it cites: DOI before PubMed id before PMC id."""
    keys = []
    for reference in record.iterfind("PubmedData/ReferenceList//Reference"):
        ids = {
            e.get("IdType"): clean(e.text) for e in reference.iterfind("ArticleIdList/ArticleId")
        }
        doi, pmid, pmcid = (
            find_doi(ids.get("doi")),
            ids.get("pubmed", ""),
            ids.get("pmc", "").lower(),
        )
        keys.append(
            f"doi:{doi}"
            if doi
            else f"pmid:{pmid}"
            if is_number(pmid)
            else f"pmcid:{pmcid}"
            if pmcid
            else ""
        )
    for notice in record.iterfind("MedlineCitation/CommentsCorrectionsList/CommentsCorrections"):
        pmid = clean(notice.findtext("PMID"))
        keys.append(f"pmid:{pmid}" if notice.get("RefType") == "Cites" and is_number(pmid) else "")
    return tuple(distinct(keys))


def _types(article: Element) -> list[str]:
    paths = ("PublicationTypeList/PublicationType", "PublicationType")
    return [
        clean(element.text) for path in paths for element in article.iterfind(path) if element.text
    ]


def _notices(citation: Element) -> list[tuple[str, str, str]]:
    return [
        (
            notice.get("RefType") or "",
            text_of(notice.find("RefSource")),
            clean(notice.findtext("PMID")),
        )
        for notice in citation.iterfind("CommentsCorrectionsList/CommentsCorrections")
    ]


def _fields(citation: Element, article: Element) -> dict[str, Any]:
    people = article.findall("AuthorList/Author")
    orcids = [person.findtext("Identifier[@Source='ORCID']") for person in people]
    places = (
        text_of(place)
        for person in people
        for place in person.iterfind("AffiliationInfo/Affiliation")
    )
    electronic = _date(article.find("ArticleDate"))
    types = _types(article)
    return {
        "type": next(iter(types), ""),
        "publication_types": types,
        "volume": clean(article.findtext("Journal/JournalIssue/Volume")),
        "issue": clean(article.findtext("Journal/JournalIssue/Issue")),
        "pages": clean(article.findtext("Pagination/MedlinePgn")),
        "season": clean(article.findtext(".//PubDate/Season")),
        "issue_date": _date(article.find(".//PubDate")) if electronic else "",
        "author_ids": author_ids("orcid", orcids),
        "affiliations": distinct(places),
        "keywords": texts([text_of(word) for word in citation.iterfind("KeywordList/Keyword")]),
        "mesh": [
            clean(word.text)
            for word in citation.iterfind("MeshHeadingList/MeshHeading/DescriptorName")
        ],
        "original_title": text_of(article.find("VernacularTitle")),
        "short_venue": clean(article.findtext("Journal/ISOAbbreviation")),
        "notice_on": [
            {"type": kind, "pmid": pmid}
            for kind, _, pmid in _notices(citation)
            if kind.endswith(("Of", "For"))
        ],
    }


def _summary_values(record: Element) -> dict[str, Any]:
    """A DocSum of the old XML form, with the names of the JSON form."""
    values: dict[str, Any] = {"uid": clean(record.findtext("Id"))}
    for item in record.iterfind("Item"):
        name, parts = item.get("Name", ""), [clean(part.text) for part in item.iterfind("Item")]
        if name in _SUMMARY_TEXTS:
            values[_SUMMARY_TEXTS[name]] = text_of(item)
        elif name == "AuthorList":
            values["authors"] = [{"name": part} for part in parts]
        elif name in _SUMMARY_LISTS:
            values[_SUMMARY_LISTS[name]] = parts
        elif name == "ArticleIds":
            kinds = [part.get("Name") for part in item.iterfind("Item")]
            values["articleids"] = [
                {"idtype": kind, "value": part} for kind, part in zip(kinds, parts, strict=True)
            ]
    return values


def _of_summary(work: dict[str, Any]) -> Source | None:
    """A record of esummary: no abstract, authors with initials."""
    ids = eutils.summary_ids(work)
    pmid = ids.get("pubmed") or string(work.get("uid"))
    if not is_number(pmid) or work.get("error"):
        return None
    doi = find_doi(ids.get("doi") or string(work.get("doi")))
    types = [string(name) for name in items(work.get("pubtype"))]
    fields = {
        "type": next(iter(types), ""),
        "publication_types": types,
        "volume": string(work.get("volume")),
        "issue": string(work.get("issue")),
        "pages": string(work.get("pages")),
        "short_venue": clean(work.get("source")),
    }
    return make_source(
        work_address(doi, f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"),
        _title(clean(work.get("title"))),
        doi=doi,
        pmid=pmid,
        pmcid=ids.get("pmc"),
        authors=eutils.summary_authors(work),
        published=written_date(work.get("epubdate")) or written_date(work.get("pubdate")),
        source_type="academic",
        providers=("pubmed",),
        venue=clean(work.get("fulljournalname")) or clean(work.get("source")),
        issn=string(work.get("issn")) or string(work.get("essn")),
        language=next(map(language, items(work.get("lang"))), None),
        marks=marks(
            types,
            [
                (
                    string(notice.get("reftype")),
                    clean(notice.get("refsource")),
                    string(notice.get("pmid")),
                )
                for notice in objects(work.get("references"))
            ],
            "PubMed",
        ),
        fields=fields,
    )


def _cost(source: Source, what: str) -> int:
    """The list of ids and the works themselves; another request to find the work by its DOI."""
    if what == "references" and any(ref.startswith("pmid:") for ref in source.references):
        return 1
    return 2 if source.pmid else 3 if source.doi else 0


CLIENT = Client(
    "pubmed",
    "PubMed",
    "academic",
    eutils.BASE,
    search,
    min_interval=eutils.INTERVAL,
    max_results=50,
    key="param:api_key",
    lookup=lookup,
    references=references,
    citing=citing,
    per_search=2,
    per_work=_cost,
)
