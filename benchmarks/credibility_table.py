"""Credibility, right or wrong: the reference values, the table's tiers, the facets on constructed
texts, other ratings.

Reference values must hold exactly. The separations are of E-E-A-T overall between constructed pairs
that differ in one thing. A CSV of domains and ratings (a header with `domain` and `rating`, any
scale) is compared by rank: how often the better rated of two domains has the better score, ties
left out, and by Spearman's correlation. Halves by sha256 of the domain: which lists to ship was
decided on the first.
"""

import csv
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from statistics import correlation, mean

from benchmarks.options import Row, at_least, shown
from tools.credibility.base_rules import UNKNOWN
from tools.credibility.eeat import facets
from tools.research.credibility_scorer import score_source_credibility
from tools.sources.source import make_source

AS_OF = "2026-11-01"
_MOST = 1500  # domains of a CSV whose pairs are compared
NOT_RATED = UNKNOWN.base
_RETRACTED = "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(97)11096-0/fulltext"
# (url, citations, voices, score, category or None)
REFERENCE: tuple[tuple[str, int | None, int | None, float, str | None], ...] = (
    ("https://www.nature.com/articles/s41586-019-0001-1", 500, 4, 0.95, None),
    ("https://www.nature.com/articles/s41586-019-0001-1", 523, 4, 0.95, None),
    ("https://arxiv.org/abs/2312.12345", 2, 1, 0.405, None),
    (_RETRACTED, None, None, 0.0, "retracted"),
    *(
        (f"https://{host}/a", None, None, 0.20, "predatory_publisher")
        for host in (
            "scirp.org", "waset.org", "omicsonline.org", "hilarispublisher.com",
            "austinpublishinggroup.com", "crimsonpublishers.com", "lupinepublishers.com",
        )
    ),
    ("https://www.eia.gov/data", None, None, 0.85, None),
    ("https://www.gov.uk/guidance", None, None, 0.85, None),
    *(
        (f"https://{address}", None, None, 0.50, "Unknown source")
        for address in (
            "random-blog.xyz/post", "signature-reviews.com/a", "example.org/"
                                                               "human-nature?ref=nature.com",
                                                               "fun.org/x",
            "excell.com/x", "x.gov.example.com", "notarxiv.org/abs/1",
        )
    ),
)  # fmt: skip
# Base scores of the specification's tiers
TIERS = {
    0.85: "nature.com science.org nejm.org thelancet.com x.gov x.gov.za x.gouv.fr x.gob.mx x.go.jp",
    0.80: "cell.com europa.eu un.org worldbank.org who.int",
    0.75: "x.edu x.ac.uk x.ac.za",
    0.70: "pubmed.ncbi.nlm.nih.gov/1 reuters.com apnews.com bloomberg.com",
    0.65: "bbc.com bbc.co.uk wsj.com nytimes.com ft.com economist.com",
    0.60: "en.wikipedia.org/wiki/X",
    0.50: "arxiv.org biorxiv.org medrxiv.org unheard-of.example",
    0.40: "medium.com x.substack.com",
    0.30: "x.blogspot.com x.wordpress.com",
    0.25: "reddit.com quora.com",
    0.20: "pinterest.com",
}
_BARE = (
    "You will not believe what happened next. Click here for more of the best tricks of all time."
)
_DEEP = "\n\n".join(
    f"Part {n}. In 20{n:02d} the share rose to {n}.5% [{n}] (Nyman et al., 2021). Table {n} lists "
    "the figures." + " Every measure was taken twice and compared with the one before it." * 8
    for n in range(1, 14)
)


def exact() -> list[Row]:
    """Share of the reference values and of the tiers that hold exactly."""
    values = [_holds(*row) for row in REFERENCE]
    tiers = [
        _score(f"https://{host}") == base for base, hosts in TIERS.items() for host in hosts.split()
    ]
    return [
        at_least(
            f"reference values that hold exactly, of {len(values)}",
            sum(values) / len(values),
            "",
            1.0,
        ),
        at_least(
            f"hosts of the table with their base, of {len(tiers)}", sum(tiers) / len(tiers), "", 1.0
        ),
    ]


def _holds(
    url: str, cites: int | None, voices: int | None, score: float, category: str | None
) -> bool:
    scored = score_source_credibility(url, cites, voices, as_of=AS_OF)
    return scored["score"] == score and category in (None, scored["category"])


def _score(url: str) -> float:
    return score_source_credibility(url, as_of=AS_OF)["score"]


def separations() -> list[Row]:
    """How far the overall E-E-A-T of two constructed sources lies apart that differ in one
    thing."""
    blog = make_source("https://unheard-of.example/a", "A post", published="2026")
    old = make_source("https://unheard-of.example/a", "A post", published="2010")
    signed = make_source(
        "https://unheard-of.example/a", "A post", published="2026", authors=("A. Nyman",)
    )
    cited = make_source(
        "https://unheard-of.example/a", "A post", published="2026", cited_by_count=400
    )

    def overall(source: object, text: str, trust: float = 0.5) -> float:
        return facets(source, text, trust, AS_OF)["overall"]  # type: ignore[arg-type]

    pairs = {
        "a deep text over a thin one": overall(blog, _DEEP) - overall(blog, _BARE),
        "a new page over an old one": overall(blog, _DEEP) - overall(old, _DEEP),
        "a named author over none": overall(signed, _DEEP) - overall(blog, _DEEP),
        "a cited work over an unknown one": overall(cited, _DEEP) - overall(blog, _DEEP),
        "a trusted host over a platform": overall(blog, _DEEP, 0.85) - overall(blog, _DEEP, 0.25),
    }
    return [at_least(f"E-E-A-T: {name}", round(gap, 3), "", 0.05) for name, gap in pairs.items()]


def rated(path: Path) -> list[Row]:
    """Agreement with somebody's ratings of domains, on the half that lists were chosen by and on
    the other one."""
    rows = [(rating, _base(domain), domain) for domain, rating in ratings(path)]
    table = [shown("domains rated", len(rows))]
    for half, name in enumerate(("chosen by", "other")):
        part = [row for row in rows if sha256(row[2].encode()).digest()[0] % 2 == half]
        scored = [(rating, base or NOT_RATED) for rating, base, _ in part]
        rated_pairs = [(rating, base) for rating, base, _ in part if base]
        table += [
            shown(
                f"{name} half: share not rated by the table",
                round(1 - len(rated_pairs) / len(part), 3) if part else 0,
            ),
            shown(f"{name} half: Spearman, not rated counting as {NOT_RATED}", spearman(scored)),
            shown(f"{name} half: Spearman where rated", spearman(rated_pairs)),
            shown(
                f"{name} half: pairs of different scores in the same order",
                concordance(rated_pairs),
            ),
        ]
    return table


def _base(domain: str) -> float | None:
    """The score of a domain; None where no rule knows it."""
    score = score_source_credibility(f"https://{domain}", as_of=AS_OF)
    return None if score["category"] == UNKNOWN.category else score["score"]


def ratings(path: Path) -> list[tuple[str, float]]:
    """Domain and rating of each usable row; the columns may be called domain, host or url, and
    rating or score."""
    ratings = []
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            fields = {
                (key or "").strip().lower(): str(value or "").strip() for key, value in row.items()
            }
            domain = next((fields[key] for key in ("domain", "host", "url") if fields.get(key)), "")
            rating = next((fields[key] for key in ("rating", "score") if fields.get(key)), "")
            try:
                ratings.append(
                    (domain.removeprefix("https://").removeprefix("http://"), float(rating))
                )
            except ValueError:
                continue
    return [row for row in ratings if row[0]]


def is_ratings(path: Path) -> bool:
    """Whether a CSV holds domains and ratings, rather than retractions."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        names = {name.strip().strip('"') for name in file.readline().lower().split(",")}
    return bool(names & {"domain", "host", "url"}) and bool(names & {"rating", "score"})


def concordance(scored: Sequence[tuple[float, float]]) -> float:
    """Share of the pairs with different ratings and different scores that both put in the same
    order."""
    some = scored[:: len(scored) // _MOST + 1]
    pairs = [(a, b) for a, b in combinations(some, 2) if a[0] != b[0] and a[1] != b[1]]
    right = sum((a[0] > b[0]) == (a[1] > b[1]) for a, b in pairs)
    return round(right / len(pairs), 3) if pairs else 0.0


def spearman(scored: Sequence[tuple[float, float]]) -> float:
    """Correlation of the ranks, equal values sharing theirs; 0 where either side is constant."""
    if len({a for a, _ in scored}) < 2 or len({b for _, b in scored}) < 2:
        return 0.0
    return round(correlation(*(_ranks(side) for side in zip(*scored, strict=True))), 3)


def _ranks(values: Sequence[float]) -> list[float]:
    places = defaultdict(list)
    for place, value in enumerate(sorted(values)):
        places[value].append(place)
    return [mean(places[value]) for value in values]
