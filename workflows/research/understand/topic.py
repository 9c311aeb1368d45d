"""The topic of a question: the terms it is about, without the words by which it asks."""

from dataclasses import dataclass

from tools.text.asking import document_words, gist_words, task_words, without_document_names
from tools.text.language import asking_words as small_words
from tools.text.tokens import STOP, is_word, stem, words

MAX_TERMS = 24
_DETERMINERS = frozenset(
    "these this those the my our your all which what each any some diese les ces los estos".split()
)
_HOW_LONG = frozenset("long quickly soon".split())  # behind "how"; these ask for a time
# "What do studies say about sleep?"
_DO, _SAY = frozenset(("do", "did")), frozenset("say tell report".split())


@dataclass(frozen=True, slots=True)
class Topic:
    """terms: folded content words in order, each once."""

    terms: tuple[str, ...] = ()

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of the terms, each once."""
        return tuple(dict.fromkeys(stem(term) for term in self.terms))

    def text(self) -> str:
        """The terms in one line: a query in key words."""
        return " ".join(self.terms)


def topic_of(question: str) -> Topic:
    """The topic of a question; without terms where it holds nothing but words of asking."""
    question = without_document_names(question)
    folded = words(question)
    small = small_words(question)
    content = [
        word
        for word in folded
        if word not in STOP and word not in small and is_word(word, question)
    ]
    asking = task_words(question) | gist_words(folded)
    asking |= _asked_how_long(folded)
    terms = _without_asking(folded, content, asking)
    return Topic(tuple(dict.fromkeys(terms))[:MAX_TERMS])


def _asked_how_long(folded: list[str]) -> set[str]:
    """ "long" of "how long does it take", not of "how long grain rice is cooked"."""
    triples = zip(folded, folded[1:], [*folded[2:], "it"], strict=False)
    return {
        word
        for before, word, after in triples
        if before == "how" and word in _HOW_LONG and after in STOP
    }


def _without_asking(folded: list[str], content: list[str], asking: frozenset[str]) -> list[str]:
    """The content words without those that speak about the documents or the task."""
    triples = zip(["", *folded], folded, [*folded[1:], ""], strict=False)
    documents = {
        word for before, word, after in triples if _is_document(before, word, after, asking)
    }
    return [word for word in content if word not in asking and word not in documents]


def _is_document(before: str, word: str, after: str, asking: frozenset[str]) -> bool:
    """Whether a word speaks about the documents, by the words around it."""
    says = before in _DO and word.endswith("s") and after in _SAY
    return word in document_words() and (before in _DETERMINERS or before in asking or says)
