"""What a sentence denies: negations with their clause."""

from collections.abc import Mapping

from tools.judging.antonyms import opposites
from tools.judging.sentence import Sentence, coverage
from tools.text.tokens import stem
from tools.text.units import NUMBER_WORDS

# The closed classes of English grammar (negative words, coordinators and subordinators, quantifying
# determiners and adverbs: Quirk et al. 1985, sections 10.54-10.66, 13, 14, 5.10-5.25), and verbs
# that deny their complement.
NEGATIONS = frozenset(
    "not no non never none nor neither nobody nothing nowhere "
    "without cannot hardly barely scarcely".split()
)
_DENYING = frozenset(
    stem(word)
    for word in """few little less least lack fail refuse deny stop cease avoid prevent unable
    unlikely rather instead except only but yet""".split()
)
_NOT_DENIED = frozenset(
    "only just merely later fewer less more doubt necessarily "
    "longer all always every quite so".split()
)
_CLAUSES = frozenset(
    """and but or because although though while whereas since if when which who that whether unless
    until as than""".split()
)
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non")
_FOR_A_TIME = frozenset("since yet until till anymore still".split())
_REACH = 5  # words behind a negation in which what it denies begins


def _is_negation(sentence: Sentence, at: int) -> bool:
    word = sentence.words[at].folded
    if word.endswith("n't"):
        return True
    following = sentence.words[at + 1].folded if at + 1 < len(sentence.words) else ""
    if word in ("not", "no") and following in (*_NOT_DENIED, "one"):
        return False
    before = sentence.words[at - 1].folded if at else ""
    if word == "without" and (at == 0 or at in sentence.breaks):
        return False  # a condition
    return word in NEGATIONS and before not in ("or", "if", "why")  # "whether or not"


def is_plain(sentence: Sentence) -> bool:
    """Whether nothing in a sentence denies: no negation, no denying word, no word that is another
    one's denial."""
    for word in sentence.words:
        if word.folded in NEGATIONS or word.folded.endswith("n't") or word.stem in _DENYING:
            return False
        if word.content and _is_denial(word.folded, word.stem):
            return False
    return True


def _is_denial(folded: str, term: str) -> bool:
    """ "unmarried": a prefix that denies, before a word that is its opposite."""
    return any(
        folded.startswith(prefix) and stem(folded.removeprefix(prefix)) in opposites(term)
        for prefix in _PREFIXES
    )


def negated_terms(sentence: Sentence) -> Mapping[str, range]:
    """Stem -> the clause in which it is denied: of each negation the first word of content behind
    it.

    What is denied for a time only ("not since then") is left out.
    """
    places: dict[str, range] = {}
    if any(word.folded in _FOR_A_TIME for word in sentence.words):
        return places
    for at in range(len(sentence.words)):
        if _is_negation(sentence, at):
            for i in range(at + 1, min(len(sentence.words), at + 1 + _REACH)):
                if i in sentence.breaks:
                    break
                if sentence.words[i].content:
                    numbered = sentence.words[i].folded in NUMBER_WORDS
                    if (
                        not sentence.words[i].capital and not numbered
                    ):  # "Agra, not Delhi", "none of the three"
                        places.setdefault(sentence.words[i].stem, _clause(sentence, at))
                    break
    return places


def _clause(sentence: Sentence, at: int) -> range:
    """The words around a place up to the next mark of punctuation or conjunction on each side."""
    start = at
    while (
        start > 0
        and start not in sentence.breaks
        and sentence.words[start - 1].folded not in _CLAUSES
    ):
        start -= 1
    end = at + 1
    while (
        end < len(sentence.words)
        and end not in sentence.breaks
        and sentence.words[end].folded not in _CLAUSES
    ):
        end += 1
    return range(start, end)


def denies(denying: Sentence, clause: range, affirming: Sentence, claim: Sentence) -> float:
    """How much of the claim the two sentences share, 0-1, where one denies what the other
    affirms."""
    inside = frozenset(
        word.stem for word in denying.words[clause.start : clause.stop] if word.content
    )
    if denying is claim:
        return min(coverage(claim.terms, affirming.terms), coverage(inside, affirming.terms))
    return coverage(claim.terms, inside)
