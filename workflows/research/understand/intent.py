"""The intent of a question: which form its answer takes. Patterns: tools/data/intents.toml."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from tools.text.asking import document_words, intents_table, without_document_names
from tools.text.language import OTHER_LANGUAGES, has_english, question_languages
from tools.text.name_hints import is_name, is_organisation, is_person
from tools.text.tokens import fold

_LONGEST = 600  # characters; what a question says later does not change its intent
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SUBJECT = re.compile(
    r"^(?:who|what|wer|was|qui|quien|chi|quem"
    r"|wie) (?:is|was|are|ist|war|est|es|e|fue)\s+(?P<name>.+?)\W*$",
    re.I,
)
_WHO = re.compile(r"(?:who|wer|qui|quien|quién|chi|quem|wie)\b", re.I)
_AROUND = " ¿¡\"'“”"
_LAST_ACCENT = re.compile(r"[óò]\b")
_LETTERS = re.compile(r"[^\W\d_]")


class Intent(StrEnum):
    FACT = "fact"
    YES_NO = "yes_no"
    HOW_TO = "how_to"
    WHY = "why"
    LIST = "list"
    COMPARISON = "comparison"
    DEFINITION = "definition"
    OVERVIEW = "overview"
    DISAGREEMENT = "disagreement"
    CLAIM = "claim"
    PERSON = "person"
    UNCLEAR = "unclear"


# What is asked for in words that only one language has
_IN_ANY_LANGUAGE = (
    Intent.DISAGREEMENT,
    Intent.COMPARISON,
    Intent.OVERVIEW,
    Intent.CLAIM,
    Intent.DEFINITION,
)

# The query types of the record, which are older than the intents
QUERY_TYPES: Mapping[Intent, str] = {
    Intent.PERSON: "person",
    Intent.COMPARISON: "comparison",
    Intent.CLAIM: "claim_check",
    Intent.YES_NO: "claim_check",
    Intent.DEFINITION: "concept",
    Intent.HOW_TO: "technical",
}


def intent_of(question: str) -> Intent:
    """The intent of a question or of one of its parts. Words without a question are asked for
    facts.

    Of several sentences the last question decides: "I was called as a juror. Do I lose vacation
    days?"
    """
    text = " ".join(without_document_names(question).split())[:_LONGEST]
    if len(_LETTERS.findall(text)) < 2 and not any(map(str.isdigit, text)):
        return Intent.UNCLEAR
    questions = [sentence for sentence in _SENTENCE_END.split(text) if sentence.endswith("?")]
    sentence = questions[-1] if questions else text
    if asks_for_person(sentence):
        return Intent.PERSON
    if languages := question_languages(sentence):
        # Spanish tells "terminó" from "termino" by the accent, Portuguese by spelling ("terminou")
        folded = fold(_LAST_ACCENT.sub("ou", sentence)).strip(_AROUND)
        return _first(folded, intent_patterns(languages)) or Intent.FACT
    folded = fold(sentence).strip(f"{_AROUND}?")
    return (
        _first(folded, intent_patterns())
        or (not has_english(sentence) and _first(folded, _in_any_language()))
        or Intent.FACT
    )


def _first(folded: str, patterns: Mapping[Intent, Sequence[re.Pattern[str]]]) -> Intent | None:
    """The first intent of which a pattern is found in a folded sentence."""
    found = (
        intent
        for intent, of_intent in patterns.items()
        if any(pattern.search(folded) for pattern in of_intent)
    )
    return next(found, None)


@lru_cache
def _in_any_language() -> Mapping[Intent, Sequence[re.Pattern[str]]]:
    """The patterns of what is asked for in words of its own, which tell it where the language is
    not told."""
    patterns = intent_patterns(OTHER_LANGUAGES)
    return {intent: patterns[intent] for intent in _IN_ANY_LANGUAGE}


def asks_for_person(question: str) -> bool:
    """Whether a question is about one named person: "Who is X?" with a name, "What is X?" with a
    first name."""
    name = named_subject(question)
    who = bool(_WHO.match(question.strip())) and name[:1].isupper()
    return is_person(name) or (who and is_name(name) and not is_organisation(name))


def named_subject(question: str) -> str:
    """X of "Who is X?" and "What is X?", else ""."""
    match = _SUBJECT.match(" ".join(question.split()))
    return match["name"] if match else ""


@lru_cache
def intent_patterns(
    languages: tuple[str, ...] = (),
) -> Mapping[Intent, tuple[re.Pattern[str], ...]]:
    """The patterns of each intent, in the order in which they are tried; English ones, or those of
    some other languages (ISO 639-1)."""
    table = intents_table()
    documents = "|".join(sorted(document_words(), key=len, reverse=True))
    weighty, gist = ("|".join(table["words"][name].split()) for name in ("weighty", "gist"))
    written_out = {"%DOCS%": f"(?:{documents})", "%GIST%": f"(?:{weighty}) (?:{gist})"}

    def compiled(pattern: str) -> re.Pattern[str]:
        for name, words_for_it in written_out.items():
            pattern = pattern.replace(name, words_for_it)
        return re.compile(pattern)

    tables = [table["other_languages"][code] for code in languages] or [table["intents"]]
    return {
        Intent(name): tuple(compiled(pattern) for each in tables for pattern in each[name])
        for name in tables[0]
    }
