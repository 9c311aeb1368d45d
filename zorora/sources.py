"""What a source client is made of."""

from tools.research.client import Access, Client, Filters
from tools.research.source import Source, make_source

__all__ = ["Access", "Client", "Filters", "Source", "make_source"]
