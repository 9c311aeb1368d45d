"""Words by which a question asks, and by which it calls the documents: no part of what it asks
about.

The lists: tools/data/intents.toml, [words].
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import Any

from tools.text.language import question_languages
from tools.text.tokens import words

# Words with a mark inside: "cache_size", "node.js", ".deny"
_COMPOUND = re.compile(r"(?<![^\s(\"'])[.\w]+(?:[._/\-]\w+)+|(?<!\w)[.\-]{1,2}[A-Za-z][\w-]+")
DOCUMENT_SUFFIXES = (
    "txt|mdx?|markdown|rst|adoc|asciidoc|html?|json|csv|pdf|epub|docx|odt|rtf|pptx|eml|bib|ris"
)
_MARKED = re.compile(rf"“[^“”\n]{{1,200}}\.(?:{DOCUMENT_SUFFIXES})”", re.I)


def marked_document(name: str) -> str:
    """The name of a document as it stands in a question that is put to it: “notes.md”."""
    return f"“{' '.join(re.sub('[“”]', ' ', name)[-200:].split())}”"


def without_document_names(question: str) -> str:
    """A question with "this document" for each marked name: which document is asked is no part of
    the topic."""
    return _MARKED.sub("this document", question)


@lru_cache(maxsize=1)
def document_words() -> frozenset[str]:
    """Folded words that a question may call the documents by."""
    return frozenset(intents_table()["words"]["documents"].split())


def task_words(question: str) -> frozenset[str]:
    """Folded words by which something is asked of documents, but for those that are part of a name:
    "type_name"."""
    of_english, others = intents_table()["words"]["asking"], intents_table()["words"]["asking_in"]
    listed = map(str.split, (others[code] for code in question_languages(question)))
    asking = frozenset(chain(of_english.split(), *listed))
    return asking.difference(*map(words, _COMPOUND.findall(question)))


def gist_words(folded: Sequence[str]) -> frozenset[str]:
    """Those of some words in a row that ask for what matters in documents: "the key findings"."""
    weighty, gist = (intents_table()["words"][name].split() for name in ("weighty", "gist"))
    pairs = [pair for pair in pairwise(folded) if pair[0] in weighty and pair[1] in gist]
    return frozenset(chain.from_iterable(pairs))


@lru_cache(maxsize=1)
def intents_table() -> Mapping[str, Any]:
    """The whole file."""
    return tomllib.loads(files("tools.data").joinpath("intents.toml").read_text(encoding="utf-8"))
