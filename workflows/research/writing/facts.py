"""Hard checks of a written sentence: its numbers, dates and names must stand in the passages that
it cites."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from tools.judging.judge import Passage
from tools.text.countries import countries_in
from tools.text.dates import MONTH, dates
from tools.text.quantities import Quantity, quantities
from tools.text.tokens import fold, stem, words

_SMALL = 3  # counted in words up to this: "both studies", "one of them"
_NEAR = 0.006  # of a recomputed value
_MOST_OPERANDS = 12  # numbers of the passages that a value may be computed from
_COMPUTED = re.compile(
    r"\b(?:total|together|combined|sum|altogether|difference|gap|points?|more|less|fewer|higher|lower|times|twice"
    r"|thrice|half|double[ds]?|tripled?|ratio|apart|between|rose|fell|grew|increased?|decreased?|within)\b",
    re.I,
)
_NAME = re.compile(r"(?<![\w.])(?:[A-Z][\w’'&-]*[A-Za-z\d]|[A-Z]{2,}s?)")
_NOT = re.compile(r"\b(?:not|never|no longer|cannot|\w+n[’']t)\b", re.I)
# What may stand behind a "not" in other words: "rare" behind "not common"
_DENIAL = re.compile(
    r"\b(?:not|no|none|nor|neither|never|cannot|without|lack\w*|fail\w*|absent|absence|except\w*|un\w{3,}|in[a-z]{5,}|non\w*"
    r"|dis\w{4,}|few\w*|little|less|hardly|rare\w*|seldom|instead|rather|although|but|however|despite|unless|refus\w*"
    r"|den(?:y|ie)\w*|avoid\w*|prevent\w*|prohibit\w*|\w+less|\w+n[’']t)\b",
    re.I,
)
_PLAIN = frozenset(
    "a an the in of on at for and or but by to from with as it its this that these those i".split()
)


def missing_fact(sentence: str, passages: Sequence[Passage]) -> str:
    """The first number, date, name or denial that none of the passages has, as a sentence; "" when
    all stand there."""
    text = "\n".join(f"{passage.surroundings}\n{passage.text}" for passage in passages)
    return (
        _missing_number(sentence, text)
        or _missing_denial(sentence, passages)
        or _missing_name(sentence, text)
    )


def _missing_number(sentence: str, text: str) -> str:
    source_quantities = quantities(text)
    for quantity in quantities(sentence):
        if not (
            _negligible(quantity)
            or _stands(quantity, source_quantities, text)
            or _computed(quantity, source_quantities, sentence)
        ):
            return f"“{quantity.text}” is not in the passages it cites."
    return ""


def _missing_denial(sentence: str, passages: Sequence[Passage]) -> str:
    if _NOT.search(sentence) and not any(_DENIAL.search(passage.text) for passage in passages):
        return "It denies something that the passages it cites do not deny."
    return ""


def _missing_name(sentence: str, text: str) -> str:
    there, months = words(text), {date.month for date in dates(text)}
    in_text = {number for _, _, number in countries_in(text)}
    countries = [(start, end) for start, end, number in countries_in(sentence) if number in in_text]
    for name, at in _names(sentence):
        if any(start <= at < end for start, end in countries) or MONTH.get(fold(name), 0) in months:
            continue
        if not _has_name(name, there, text):
            return f"“{name}” is not in the passages it cites."
    return ""


def _negligible(quantity: Quantity) -> bool:
    spelled = not any(character.isdigit() for character in quantity.text)
    return spelled and quantity.kind in ("count", "ordinal") and quantity.value <= _SMALL


def _stands(quantity: Quantity, source_quantities: Sequence[Quantity], text: str) -> bool:
    if any(quantity.covered_by(figure) or quantity.agrees(figure) for figure in source_quantities):
        return True
    return bool(re.search(rf"(?<![\w.,]){re.escape(quantity.text)}(?![\w]|[.,]\d)", text, re.I))


def _computed(quantity: Quantity, source_quantities: Sequence[Quantity], sentence: str) -> bool:
    """Whether a sum, a difference or a ratio that a sentence states comes out of two numbers of the
    passages."""
    if not _COMPUTED.search(sentence):
        return False
    return any(
        abs(result - quantity.value) <= max(_NEAR * abs(quantity.value), quantity.error)
        for a, b in combinations(_operands(quantity, source_quantities, sentence), 2)
        for result in _results(a, b)
        if a.kind == b.kind
    )


def _operands(
    quantity: Quantity, source_quantities: Sequence[Quantity], sentence: str
) -> list[Quantity]:
    """The other numbers of the sentence that the passages state; where these are not two, the
    passages' own."""
    others = [
        other
        for other in quantities(sentence)
        if other is not quantity and any(other.agrees(s) for s in source_quantities)
    ]
    if len(others) > 1:
        return others
    return [s for s in source_quantities if s.kind == quantity.kind][:_MOST_OPERANDS]


def _results(a: Quantity, b: Quantity) -> Iterator[float]:
    yield a.value + b.value
    yield abs(a.value - b.value)
    if a.value and b.value:
        yield a.value / b.value
        yield b.value / a.value


def _names(sentence: str) -> Iterator[tuple[str, int]]:
    """Words with a capital that do not only begin the sentence, each with its place."""
    for match in _NAME.finditer(sentence):
        name = match[0]
        opens = (
            not sentence[: match.start()].strip(" \"'“‘(")
            or sentence[: match.start()].rstrip()[-1:] in ".!?:"
        )
        acronym = sum(map(str.isupper, name)) > 1
        if (opens and not acronym) or fold(name) in _PLAIN or any(map(str.isdigit, name)):
            continue
        yield name, match.start()


def _has_name(name: str, there: Sequence[str], text: str) -> bool:
    """Whether a name stands in a text in one of its forms: inflected, derived, as initials, joined
    or divided."""
    parts = [word for word in words(name) if word not in _PLAIN]
    if not parts or fold(name) in fold(text):
        return True
    return _has_words(parts, set(there)) or _has_initials(name, there)


def _has_words(parts: Sequence[str], have: set[str]) -> bool:
    stems = {stem(word) for word in have}
    return all(word in have or stem(word) in stems or _derived(word, have) for word in parts)


def _has_initials(name: str, there: Sequence[str]) -> bool:
    letters = fold("".join(c for c in name.removesuffix("s") if c.isalpha()))
    return (
        len(letters) <= 6 and name[:2].isupper() and letters in "".join(word[0] for word in there)
    )


def _derived(word: str, have: set[str]) -> bool:
    head = word[: max(4, len(word) - 3)]
    return len(word) >= 4 and any(other.startswith(head) for other in have)
