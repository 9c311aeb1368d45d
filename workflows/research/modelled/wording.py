"""Queries and questions that a model words: what keeps them from being searched for, in words."""

import re

from tools.text.instructions import speaks_to_machines

_MARKS = re.compile(r"[<>{}\[\]*_#`|\\]|https?:|www\.|\"")
# A search is made of words: no address, no path, no operator of a search engine, nothing that is
# packed into one word
_NO_SEARCH = re.compile(
    r"[<>{}\[\]|\\`]|\w:/|//|www\.|(?<!\w)\w{2,}\.\w{2,}\.[^\W\d_]|(?:^|\s)[.~]{0,2}/\w|@|[^\s]{41}|[\w%+-]=[\w%+-]"
    r"|\b(?:site|link|cache|inurl|intitle|intext|filetype|url):",
    re.I,
)
_DIGITS = re.compile(r"\d[\d.,]*\d|\d")


def query_problem(query: str, question: str) -> str:
    """What is wrong with a query, "" when nothing is; what stands in the user's question may stand
    in it."""
    if not query.isprintable():
        return "it contains invisible characters"
    for word in query.split():
        if _NO_SEARCH.search(word) and word not in question.split():
            return f"“{word[:60]}” is not a search term"
    return "it gives orders" if speaks_to_machines(query) else ""


def question_problem(text: str, question: str) -> str:
    """What is wrong with a question that a model made: numbers of its own, marks, or orders."""
    asked_numbers = {match.rstrip(".,") for match in _DIGITS.findall(question)}
    numbers = [match for match in _DIGITS.findall(text) if match.rstrip(".,") not in asked_numbers]
    if numbers:
        return f"the number {numbers[0]} is not in the question"
    if not text.isprintable() or _MARKS.search(text):
        return "marks and addresses have no place in it"
    return "it gives orders" if speaks_to_machines(text) else ""
