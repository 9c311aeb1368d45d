"""What clients share that are asked about one work by its id, above all by its DOI."""

from urllib.parse import quote

from tools.sources.client import Access, Filters
from tools.sources.source import Source


def search_by_id(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """The search of a client that is asked about works, not with queries: only an id finds
    something."""
    work = access.client.lookup(query, access) if access.client.lookup else None
    return [work] if work else []


def quoted_doi(doi: str) -> str:
    """A DOI as part of a path: its slashes stay, anything else that has a meaning there does
    not."""
    return quote(doi, safe="/:()")
