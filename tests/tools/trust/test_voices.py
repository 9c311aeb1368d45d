"""Who counts as one voice."""

from dataclasses import replace

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
