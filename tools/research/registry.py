"""The source clients. A new one is a file in this folder and a line in SOURCES."""

from tools.research import arxiv, crossref, duckduckgo, europepmc, newsroom, openalex, wikipedia
from tools.research.client import Client

SOURCES: tuple[Client, ...] = (
    openalex.CLIENT,
    crossref.CLIENT,
    arxiv.CLIENT,
    europepmc.CLIENT,
    wikipedia.CLIENT,
    duckduckgo.CLIENT,
    newsroom.CLIENT,
)
