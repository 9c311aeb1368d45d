"""What a source client is made of."""

from tools.sources.client import Access, Client, Filters
from tools.sources.source import Source, make_source

__all__ = ["Access", "Client", "Filters", "Source", "make_source"]
