"""Which places are trusted as much as others and which more: moved by a fifth, a place leaves its
rank."""

from itertools import pairwise

import pytest

from tests.tables import each
from tools.credibility.base_rules import registering_doi
from tools.credibility.credibility_tables import tables
from tools.credibility.eeat import authority, quality
from tools.research.credibility_scorer import Facts, assess, citation_modifier
from tools.sources.ages import field_of
from tools.sources.source import Source, make_source

# Hosts by rank, most trusted first: leading journals stand with governments, tabloids between
# agencies and blogs
RANKS = (
    "nature.com canada.ca cdc.gov parlament.ch",
    "cell.com un.org unlisted-body.int",
    "plos.org ethz.ch mit.edu tu-chemnitz.de ecole-navale.fr",
    "sciencedirect.com pubmed.ncbi.nlm.nih.gov reuters.com britannica.com ourworldindata.org "
    "healthdata.org",
    "mdpi.com bbc.com",
    "forbes.com wikipedia.org weforum.org readingeagle.com",
    "arxiv.org nobody-lists-this.com",
    "dailymail.co.uk",
    "medium.com",
    "blogspot.com",
    "infowars.com reddit.com",
    "pinterest.com",
)


def base(source: Source) -> float:
    return assess(source, as_of="2026-11-01").base_score


def test_places_of_one_rank_are_trusted_alike_and_each_rank_more_than_the_next() -> None:
    ranks = [
        {base(make_source(f"https://{host}/a", "A title")) for host in hosts.split()}
        for hosts in RANKS
    ]
    assert all(len(rank) == 1 for rank in ranks), ranks
    values = [rank.pop() for rank in ranks]
    assert all(high - low >= 0.045 for high, low in pairwise(values)), values
    assert values[0] < 0.9 and values[-1] <= 0.2


def test_a_preprint_is_trusted_alike_whether_its_host_or_its_doi_says_so() -> None:
    by_doi = make_source(
        "https://example.org/a", "A title", doi="10.26434/chemrxiv-2023-x", source_type="academic"
    )
    assert base(by_doi) == base(make_source("https://arxiv.org/abs/2301.00001", "A title"))


def test_a_record_of_pubmed_is_trusted_as_its_address_is() -> None:
    by_id = make_source(
        "https://example.org/a",
        "A title",
        pmid="123",
        source_type="academic",
        providers=("pubmed",),
    )
    assert base(by_id) == base(make_source("https://pubmed.ncbi.nlm.nih.gov/123/", "A title"))


def test_a_doi_counts_at_its_resolver_and_not_on_any_page() -> None:
    for host, doi in (("doi.org", "10.1000/x.1"), ("blog.example", None)):
        assert registering_doi(f"https://{host}/10.1000/x.1", host, None, "web", tables()) == doi


@pytest.mark.parametrize(("published", "factor"), [("2025-12-01", 1.0), ("2025-10-01", 0.8)])
def test_a_work_of_less_than_a_year_is_not_punished_for_having_no_citations(
    published: str, factor: float
) -> None:
    assert (
        citation_modifier(
            Facts(citations=0, published=published, as_of="2026-11-01"), scholarly=True
        )
        == factor
    )


@pytest.mark.parametrize(
    ("title", "field"), [("A vaccine for patients", "medicine"), ("A vaccine for all", None)]
)
def test_two_words_place_a_work_in_a_field(title: str, field: str | None) -> None:
    assert (
        field_of(Source("a", "https://x.example/", title), {"medicine": 5, "default": 9}) == field
    )


# --- what makes a page deep: one feature at a time, full at its bound and not before --------------

BARE = Source("a", "https://x.example/", "x")


FILLER = "b " * 1000  # deep enough for what is not about words


@each(
    ("less", "full", "more"),
    [
        ("word " * 760, "word " * 800, "word " * 840),
        ("a\n" * 10 + FILLER, "a\n" * 11 + FILLER, "a\n" * 12 + FILLER),
        (
            "7. " * 6 + "a. " * 14 + FILLER,
            "7. " * 7 + "a. " * 13 + FILLER,
            "7. " * 8 + "a. " * 12 + FILLER,
        ),
        (
            "(Nyman, 2021) " * 9 + FILLER,
            "(Nyman, 2021) " * 10 + FILLER,
            "(Nyman, 2021) " * 11 + FILLER,
        ),
    ],
)
def test_each_feature_of_a_page_counts_up_to_its_bound(less: str, full: str, more: str) -> None:
    assert quality(BARE, less) < quality(BARE, full) == quality(BARE, more)


@pytest.mark.parametrize(("more", "less"), [((10, 1000), (9, 1000)), ((10, 1000), (10, 900))])
def test_authority_is_full_at_ten_references_and_a_thousand_citations(
    more: tuple[int, int], less: tuple[int, int]
) -> None:
    def of(references: int, cited: int) -> float:
        listed = tuple(f"doi:10.1/{n}" for n in range(references))
        return authority(Source("a", "u", "t", references=listed, cited_by_count=cited), "")

    assert of(*more) > of(*less)
    assert of(*more) == of(more[0] + 5, more[1] + 150) == 0.5
