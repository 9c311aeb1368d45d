"""What makes a written sentence say more than its passage although all else fits: words that generalise, assure, blame
or join cause and effect, and words that the passage does not have at all."""

import re

from tools.text.tokens import STOP, stem, words
from workflows.research.backtrack import synonyms

# Each of these needs itself in the passage
STRONG = frozenset(
    stem(word)
    for word in """all every each always everywhere everyone everybody any anyone entire entirely whole complete
    completely total totally fully universal universally general generally typically usually most mostly worldwide
    globally never nobody nowhere none only solely exclusively first last best worst largest biggest smallest highest
    lowest cheapest fastest main single prove proved proves proven proof certain certainly definite definitely
    undoubtedly clearly guarantee guaranteed guarantees confirm confirmed confirms must inevitable inevitably
    significant significantly dramatic dramatically drastic drastically massive massively huge rapidly should ought
    recommend recommended dangerous safe unsafe illegal illegally criminal fraud fraudulent scandal fake secret
    secretly nearly almost exactly permanently permanent forever will shall unprecedented record leading famous
    successful successfully failed failure popular expensive cheap double doubled triple tripled half halved
    day week month year hour minute decade century daily weekly monthly yearly annual annually
    up down above below before after without against off instead despite""".split()
)
# Of these any one will do for any other
_CAUSE = re.compile(
    r"\b(?:because|therefore|thus|hence|due to|owing to|thanks to|caus(?:e|es|ed|ing)|leads? to|led to|leading to"
    r"|result(?:s|ed|ing)? (?:in|from)|as a result|consequently|drives?|drove|driven|made possible|so that|since then"
    r"|which is why|contribut(?:e|es|ed|ing) to|responsible for|brought about|triggered|through the|by using"
    r"|in response)"
    r"\b",
    re.I,
)
# Words of the frame around a statement, which say nothing of their own
FRAME = frozenset(
    stem(word)
    for word in """also additionally moreover however meanwhile while whereas during within between among about around
    over under since until per such including include includes included use used using made have had become became
    remain remained remains being been occur occurred take took taken both respectively""".split()
)
_SUPERLATIVE = re.compile(r"[a-z]{2,}[^aeou]iest|[a-z]{2,}[^aiou]est")


def says_more(text: str, passage: str) -> str:
    """Why a sentence says more than its passage, in words; "" when it does not."""
    held = {stem(word) for word in words(passage)}
    mine = {stem(word): word for word in words(text)}
    strong = sorted(word for one, word in mine.items() if _strong(one, word) and one not in held)
    if strong:
        return f"“{strong[0]}” says more than the passage"
    if (cause := _CAUSE.search(text)) and not _CAUSE.search(passage):
        return f"“{cause.group()}” joins what the passage does not join"
    content = [word for one, word in mine.items() if _content(one, word)]
    new = sorted(word for word in content if not _held(stem(word), held))
    if new:
        return f"the passage has none of {', '.join(new[:4])}"
    return ""


def _strong(one: str, word: str) -> bool:
    return one in STRONG or bool(_SUPERLATIVE.fullmatch(word))


def _content(one: str, word: str) -> bool:
    return word not in STOP and one not in FRAME and not word[0].isdigit()


def _held(one: str, held: set[str]) -> bool:
    """Whether a stem is in the passage, itself or by a synonym of the shipped list."""
    return one in held or stem(synonyms().get(one, one)) in held
