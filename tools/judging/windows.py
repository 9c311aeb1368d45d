"""Windows over a long passage: runs of whole sentences, of which those that share most with a claim
are read."""

from tools.judging.sentence import read_sentence, sentence_spans, weight

WINDOW = 3  # sentences that are read together
LONGEST = 200_000  # characters of a passage that are read


def windows(claim: str, text: str, *, step: int, most: int) -> list[str]:
    """At most `most` windows in the order of the text, each beginning `step` sentences after the
    one before."""
    text = text[:LONGEST]
    spans = sentence_spans(text)
    starts = range(0, max(1, len(spans) - WINDOW + step), step) if spans else range(0)
    places = [(spans[i][0], spans[min(i + WINDOW, len(spans)) - 1][1]) for i in starts]
    terms = read_sentence(claim).terms
    sentences = [read_sentence(text[start:end]).terms for start, end in spans]
    shared = [
        round(weight(terms & frozenset().union(*sentences[i : i + WINDOW])), 6) for i in starts
    ]
    best = sorted(range(len(places)), key=lambda i: (-shared[i], i))[:most]
    return [text[start:end] for start, end in (places[i] for i in sorted(best))]
