"""Identifiers of a work hidden in its address: DOIs, publisher item identifiers (PII), PubMed and
arXiv ids."""

import re
from urllib.parse import unquote

from tools.sources.domains import host_of, longest
from tools.sources.source import ARXIV_DOI, find_arxiv_id, find_doi

# PII: S, ISSN with check digit, two digits of the year, five of the item, check digit; hyphens and
# brackets optional. Elsevier's DOIs of that time are 10.1016/ and the PII in its long form.
_PII = re.compile(
    r"\b(?:PII:?)?S?(\d{4})-?(\d{3}[\dX])[(]?(\d{2})[)]?(\d{5})-?([\dX])(?![\dX])", re.I
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_PUBMED = re.compile(r"(?:^|/)(?:pubmed/)?(\d{1,9})(?:[/?#]|$)")
_NATURE = re.compile(r"/articles/([a-z0-9][a-z0-9._-]{3,60})", re.I)
# What publishers append to a DOI in their addresses
_TAIL = re.compile(
    r"(?:/(?:full|fulltext|abstract|pdf|epdf|pdfft|html|meta|summary|references|citations?|figures?|tables)(?:\.html?)?"
    r"|v\d{1,2}(?:\.(?:full|abstract)(?:-text)?)?(?:\.pdf)?|\.(?:full|abstract|pdf|html?))$",
    re.I,
)
_PII_HOSTS = {
    "thelancet.com": 1,
    "cell.com": 1,
    "sciencedirect.com": 1,
    "elsevier.com": 1,
    "jaccjournals.org": 1,
}
_TAILS = 3


def dois(url: str, doi: str | None = None, arxiv_id: str | None = None) -> tuple[str, ...]:
    """Every DOI the work may have by its address and ids, lower case, the likeliest first, without
    duplicates."""
    doi_list: list[str] = []
    for text in (doi, url):
        if found_doi := find_doi(text):
            doi_list.extend((found_doi, *_without_tail(found_doi)))
    host = host_of(url)
    if longest(host, _PII_HOSTS):
        doi_list.extend(
            f"10.1016/s{a}-{b}({year}){item}-{check}".lower()
            for a, b, year, item, check in _PII.findall(unquote(url))
        )
    if longest(host, {"nature.com": 1}) and (match := _NATURE.search(url)):
        doi_list.append(f"10.1038/{_TAIL.sub('', match.group(1).lower())}")
    arxiv = find_arxiv_id(arxiv_id) or (
        find_arxiv_id(url) if longest(host, {"arxiv.org": 1}) else None
    )
    if arxiv:
        doi_list.append(f"{ARXIV_DOI}{arxiv}")
    return tuple(dict.fromkeys(doi_list))


def pubmed_id(url: str, pmid: str | None = None) -> str | None:
    """The PubMed id given, or the one in a PubMed address."""
    number = _NUMBER.fullmatch((pmid or "").strip())
    if number and int(number[0]):
        return str(int(number[0]))
    host = host_of(url)
    path = url.split(host, 1)[-1] if host else ""
    if host.endswith("pubmed.ncbi.nlm.nih.gov") or (
        host.endswith("ncbi.nlm.nih.gov") and "/pubmed/" in path
    ):
        match = _PUBMED.search(path)
        return str(int(match.group(1))) if match else None
    return None


def _without_tail(doi: str) -> list[str]:
    parts = []
    for _ in range(_TAILS):
        shorter = _TAIL.sub("", doi)
        if shorter == doi or not shorter.split("/", 1)[-1]:
            break
        parts.append(doi := shorter)
    return parts
