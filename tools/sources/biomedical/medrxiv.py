"""medRxiv: preprints of the health sciences, by the interface it shares with bioRxiv. https://api.medrxiv.org"""

from tools.sources.biomedical.biorxiv import make_client, parse

__all__ = ["CLIENT", "parse"]

CLIENT = make_client("medRxiv")
