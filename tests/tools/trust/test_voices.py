"""Who counts as one voice."""

from dataclasses import replace

import pytest

from tools.research.domains import registrable_domain
from tools.research.source import Source, make_source
from tools.text.tokens import shingles, words
from tools.trust.hosts import hosts_many_authors
from tools.trust.voices import Supporter, voices

PASSAGE = "Large batteries lowered evening prices in Norland by nine per cent in the winter of 2024."
OTHER = "Evening prices fell nine per cent after storage came, a market study of Norland found in 2024."
TEXTS = {"a": "one two three four five six seven eight nine ten " * 3, "b": "quite other words stand in this text " * 5}


def count(*supporters: tuple[Source, str]) -> int:
    listed = [Supporter(source, passage) for source, passage in supporters]
    grouped = voices(
        listed, lambda snapshot: shingles(words(TEXTS[snapshot]), 5), registrable_domain, hosts_many_authors
    )
    return len(grouped)


def web(url: str, **fields: object) -> Source:
    return make_source(url, url, **fields)


def test_two_sites_are_two_voices() -> None:
    assert count((web("https://a.example.com/1"), PASSAGE), (web("https://b.example.net/1"), OTHER)) == 2


def test_pages_of_one_domain_are_one_voice() -> None:
    assert count((web("https://news.example.com/1"), PASSAGE), (web("https://www.example.com/2"), OTHER)) == 1


def test_hosts_of_many_authors_are_excepted() -> None:
    assert count((web("https://medium.com/a"), PASSAGE), (web("https://medium.com/b"), OTHER)) == 2


def test_the_same_wire_story_is_one_voice() -> None:
    assert count((web("https://a.example.com/1"), PASSAGE), (web("https://b.example.net/1"), PASSAGE)) == 1


def test_documents_with_one_text_are_one_voice() -> None:
    first = replace(web("local://1", source_type="local", document_id="1"), snapshot_id="a")
    second = replace(web("local://2", source_type="local", document_id="2"), snapshot_id="a")
    assert count((first, PASSAGE), (second, OTHER)) == 1


def test_texts_are_near_copies_when_four_fifths_of_the_shorter_stand_in_the_other() -> None:
    held = {name: frozenset((str(n),) for n in range(start, end)) for name, start, end in (
        ("whole", 0, 1000), ("near", 200, 1200), ("apart", 201, 1201))}  # fmt: skip

    def grouped(name: str) -> int:
        pair = [replace(web(f"https://{one}.example/"), snapshot_id=one) for one in ("whole", name)]
        listed = [Supporter(pair[0], PASSAGE), Supporter(pair[1], OTHER)]
        return len(voices(listed, held.__getitem__, registrable_domain, hosts_many_authors))

    assert (grouped("near"), grouped("apart")) == (1, 2)


def test_the_same_first_author_by_full_name_is_one_voice_and_initials_are_not() -> None:
    papers = [
        web(f"https://doi.org/10.1/{i}", doi=f"10.1000/{i}", source_type="academic", authors=(name,))
        for i, name in enumerate(["Ada Okafor", "Okafor, Ada", "A. Okafor"])
    ]
    assert count((papers[0], PASSAGE), (papers[1], OTHER)) == 1
    assert count((papers[0], PASSAGE), (papers[2], OTHER)) == 2


def test_a_sentence_that_names_its_source_is_the_same_voice() -> None:
    said = "Evening prices fell by nine per cent, according to the Norland Storage Review."
    review = replace(web("https://b.example.net/1"), title="Norland Storage Review")
    assert count((web("https://a.example.com/1"), said), (review, PASSAGE)) == 1


def paper(number: int, author: str, **fields: object) -> Source:
    return web(
        f"https://doi.org/10.1/{number}", doi=f"10.1000/{number}", source_type="academic", authors=(author,), **fields
    )


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Ada Okafor", "Bola Okafor", 2),  # one family name, two people
        ("James Martin", "Martin James", 2),  # the words of one name are not the name
        ("Ada B. Okafor", "Ada Okafor", 1),
        ("Ada B. Okafor", "Ada C. Okafor", 2),
        ("Okafor, Ada B.", "Ada Okafor", 1),
        ("J. Smith", "J. Smith", 2),  # an initial could be anybody
        ("van der Berg, Anna", "Anna van der Berg", 2),  # which words are the family name cannot be told
        ("Müller, Jörg", "Jorg Muller", 1),
    ],
)
def test_the_first_author_makes_one_voice_only_by_full_name(first: str, second: str, expected: int) -> None:
    assert count((paper(1, first), PASSAGE), (paper(2, second), OTHER)) == expected


def test_a_second_author_in_common_leaves_two_voices() -> None:
    first = replace(paper(1, "Ada Okafor"), authors=("Ada Okafor", "Bo Lind"))
    second = replace(paper(2, "Cai Wen"), authors=("Cai Wen", "Bo Lind"))
    assert count((first, PASSAGE), (second, OTHER)) == 2


def test_pages_by_one_author_on_two_sites_are_two_voices() -> None:
    pages = [replace(web(f"https://{site}.example/1"), authors=("Ada Okafor",)) for site in ("one", "two")]
    assert count((pages[0], PASSAGE), (pages[1], OTHER)) == 2


def test_a_web_page_and_a_paper_of_one_author_are_two_voices() -> None:
    page = replace(web("https://blog.example/1"), authors=("Ada Okafor",))
    assert count((paper(1, "Ada Okafor"), PASSAGE), (page, OTHER)) == 2


def test_the_author_id_decides_where_both_have_one() -> None:
    same = [replace(paper(i, name), fields={"author_ids": ["orcid:1"]}) for i, name in enumerate(("A. Li", "Anna Li"))]
    other = replace(paper(3, "Anna Li"), fields={"author_ids": ["orcid:2"]})
    assert count((same[0], PASSAGE), (same[1], OTHER)) == 1
    assert count((same[1], PASSAGE), (other, OTHER)) == 2


def test_a_preprint_and_its_published_version_are_one_work() -> None:
    first = replace(paper(1, "Ada Okafor"), arxiv_id="2401.00001", doi=None)
    second = replace(paper(2, "B. Other"), arxiv_id="2401.00001")
    assert count((first, PASSAGE), (second, OTHER)) == 1


def test_a_wire_story_on_ten_sites_is_ten_sources_and_one_voice() -> None:
    sites = [(web(f"https://paper{n}.example/story"), f"{PASSAGE} ") for n in range(10)]
    grouped = voices(
        [Supporter(*site) for site in sites], lambda snapshot: frozenset(), registrable_domain, hosts_many_authors
    )
    assert len(grouped) == 1 and len(grouped[0]) == 10


def test_the_same_words_with_another_number_are_two_voices() -> None:
    changed = PASSAGE.replace("nine per cent", "4 per cent")
    assert count((web("https://a.example.com/1"), PASSAGE), (web("https://b.example.net/1"), changed)) == 2


def test_voices_pass_on_through_a_third_source() -> None:
    first, second = web("https://example.com/1"), web("https://www.example.com/2")
    third = web("https://example.net/3")
    assert count((first, PASSAGE), (second, OTHER), (third, OTHER)) == 1


def test_local_documents_of_one_folder_are_not_one_domain() -> None:
    documents = [web(f"local://{n}", source_type="local", document_id=str(n)) for n in (1, 2)]
    assert count((documents[0], PASSAGE), (documents[1], OTHER)) == 2


@pytest.mark.parametrize(
    ("said", "title", "expected"),
    [
        ("The Norland Storage Review reported a fall of nine per cent in evening prices.", "Norland Storage Review", 1),
        ("Evening prices fell by nine per cent, as young people said in a survey.", "Young", 2),
        ("The Norland Storage Review has a green cover and prices fell by nine per cent.", "Norland Storage Review", 2),
        ("Evening prices fell by nine per cent, according to the grid office.", "Norland Storage Review", 2),
    ],
)
def test_attribution_needs_the_name_where_it_is_told(said: str, title: str, expected: int) -> None:
    named = replace(web("https://b.example.net/1"), title=title)
    assert count((web("https://a.example.com/1"), said), (named, PASSAGE)) == expected


def test_a_source_is_named_by_its_outlet_its_venue_and_its_first_author_too() -> None:
    said = "Evening prices fell by nine per cent, according to the {}."
    other = web("https://b.example.net/1")
    for named in (
        replace(other, fields={"outlet": "Norland Herald"}),
        replace(other, venue="Norland Herald"),
        replace(other, authors=("Norland Herald, Editors of",)),
    ):
        assert count((web("https://a.example.com/1"), said.format("Norland Herald")), (named, PASSAGE)) == 1
        assert count((web("https://a.example.com/1"), said.format("Sudland Herald")), (named, PASSAGE)) == 2
