"""Queries fitted to a service: length, operators, quoting. Quoted phrases (the anchors) are never lost."""

import re
from calendar import monthrange

from tools.text.tokens import STOP, fold

_LONGEST_WORD = 80
_PHRASE = re.compile(r"[\"“”„]([^\"“”„]{1,200})[\"“”„]")
_WORD = re.compile(r"[^\W_]+(?:[-'’.+#][^\W_]+|[+#]{1,2})*")


def phrases_and_words(query: str) -> tuple[list[str], list[str]]:
    """Quoted phrases, and the content words outside of them, each once, in order."""
    phrases = [" ".join(_words(match)) for match in _PHRASE.findall(query)]
    rest = _words(_PHRASE.sub(" ", query))
    words = [word for word in rest if fold(word) not in STOP] or rest
    return list(dict.fromkeys(filter(None, phrases))), list(dict.fromkeys(words))


def _words(text: str) -> list[str]:
    return [word[:_LONGEST_WORD] for word in _WORD.findall(text)]


def plain_query(query: str, longest: int, most_words: int = 50) -> str:
    """Phrases in quotes, then words, cut at a word within `longest` characters; operators of the service are gone."""
    phrases, words = phrases_and_words(query)
    parts = [f'"{phrase}"' if " " in phrase else phrase for phrase in phrases] + words[:most_words]
    taken: list[str] = []
    for part in parts:
        if len(" ".join([*taken, part])) > longest and taken:
            break
        taken.append(part)
    return " ".join(taken)[: longest + 200]


def boolean_query(query: str, longest: int, all_of: int = 4, field: str = "") -> str:
    """For services with AND and OR: phrases must occur, up to `all_of` words must, of more words some must.

    longest: characters; field: what stands before every term ("all:" for arXiv).
    """
    phrases, words = phrases_and_words(query)
    parts = [f'{field}"{phrase}"' if " " in phrase else field + phrase for phrase in phrases]
    room = longest - sum(map(len, parts))
    taken: list[str] = []
    for word in words:
        room -= len(field) + len(word) + 5
        if room < 0 and (taken or parts):
            break
        taken.append(field + word)
    if len(taken) <= all_of:
        return " AND ".join([*parts, *taken])
    return " AND ".join([*parts, f"({' OR '.join(taken)})"])


def web_query(query: str, sites: tuple[str, ...], excluded: tuple[str, ...], longest: int) -> str:
    """The question as typed, shortened when long, with site operators as web search engines know them."""
    text = " ".join(query.split())
    text = text if len(text) <= longest else plain_query(text, longest)
    allowed = " OR ".join(f"site:{site}" for site in sites[:5])
    return " ".join(filter(None, (text, allowed, *(f"-site:{site}" for site in excluded[:5]))))


def spoken(lang: str | None) -> tuple[str, str]:
    """(language, country) of a filter like "de", "pt-BR" or "en_GB", in lower case; empty where it says none."""
    parts = re.split(r"[-_]", (lang or "").strip().lower())
    language = parts[0] if re.fullmatch(r"[a-z]{2,3}", parts[0]) else ""
    country = next((part for part in parts[1:] if re.fullmatch(r"[a-z]{2}", part)), "")
    return language, country if language else ""


def first_day(date: str) -> str:
    """An ISO date as exact as a day: the first of its month or year."""
    return (date + "-01-01")[:10] if len(date) < 7 else (date + "-01")[:10]


def last_day(date: str) -> str:
    """An ISO date as exact as a day: the last of its month or year."""
    parts = [int(part) for part in date.split("-") if part.isdigit()]
    if len(date) >= 10 or not parts or not 1 <= parts[0] <= 9999:
        return date[:10]
    month = min(max(parts[1], 1), 12) if len(parts) > 1 else 12
    return f"{parts[0]:04d}-{month:02d}-{monthrange(parts[0], month)[1]:02d}"
