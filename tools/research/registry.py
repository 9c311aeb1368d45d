"""The source clients. A new one is a file in this folder and a line in SOURCES."""

from tools.research import (
    arxiv,
    biorxiv,
    brave,
    core,
    crossref,
    doaj,
    duckduckgo,
    europepmc,
    feeds,
    google_scholar,
    medrxiv,
    newsroom,
    openalex,
    opencitations,
    pmc,
    pubmed,
    searxng,
    semantic_scholar,
    serper,
    tavily,
    unpaywall,
    wikipedia,
)
from tools.research.client import Client

SOURCES: tuple[Client, ...] = (
    openalex.CLIENT,
    crossref.CLIENT,
    arxiv.CLIENT,
    europepmc.CLIENT,
    pubmed.CLIENT,
    pmc.CLIENT,
    biorxiv.CLIENT,
    medrxiv.CLIENT,
    semantic_scholar.CLIENT,
    core.CLIENT,
    google_scholar.CLIENT,
    wikipedia.CLIENT,
    brave.CLIENT,
    duckduckgo.CLIENT,
    searxng.CLIENT,
    tavily.CLIENT,
    serper.CLIENT,
    newsroom.CLIENT,
    feeds.CLIENT,
    unpaywall.CLIENT,
    opencitations.CLIENT,
    doaj.CLIENT,
)

# Those that find images too, in the order of asking
IMAGES: tuple[Client, ...] = (brave.IMAGES, serper.IMAGES, searxng.IMAGES)
