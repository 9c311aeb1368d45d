"""The source clients. A new one is a file in scholarly/, biomedical/ or web/ and a line in
SOURCES."""

from tools.research import newsroom
from tools.sources.biomedical import biorxiv, europepmc, medrxiv, pmc, pubmed
from tools.sources.client import Client
from tools.sources.scholarly import (
    arxiv,
    core,
    crossref,
    doaj,
    google_scholar,
    openalex,
    opencitations,
    semantic_scholar,
    unpaywall,
)
from tools.sources.web import brave, duckduckgo, feeds, searxng, serper, tavily, wikipedia

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
