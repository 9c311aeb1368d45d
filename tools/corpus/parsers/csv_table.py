"""Placeholder until the real one is written."""

from tools.corpus.model import Extracted
from tools.corpus.parsers import plain
from tools.corpus.parsers.request import Request


def parse(request: Request) -> Extracted:
    """For now as plain text."""
    return plain.parse(request)
