"""The shipped tables are well formed: every suffix is one that only its owners can register under,
ISSNs check out."""

import re
import tomllib
from importlib.resources import files

import pytest

from tools.credibility.credibility_tables import issn_key, listed_hosts, tables, title_key
from tools.sources.domains import host_of, longest, registrable_domain, suffixes
from tools.sources.source import find_doi

# Suffixes that are registered names themselves, held by the state they name
HELD = {
    "europa.eu",
    "bund.de",
    "admin.ch",
    "gov.scot",
    "gov.wales",
    "gouv.qc.ca",
    "gov.on.ca",
    "gov.bc.ca",
}


def check_digit_holds(issn: str) -> bool:
    digits = [10 if c == "X" else int(c) for c in issn.replace("-", "")]
    return sum((8 - i) * digit for i, digit in enumerate(digits)) % 11 == 0


def test_the_table_holds_a_few_hundred_places_with_sane_bases() -> None:
    lists = tables()
    assert len(lists.hosts) + len(lists.platforms) >= 500
    every = [
        *lists.hosts.values(),
        *lists.suffixes.values(),
        *lists.platforms.values(),
        *lists.venues.values(),
    ]
    assert all(0.2 <= rule.base <= 0.85 and rule.category for rule in every)


def test_suffixes_cannot_be_registered_under_by_anybody() -> None:
    for suffix in tables().suffixes:
        name = f"somebody.{suffix}"
        is_consistent = (
            suffix in HELD
            or registrable_domain(f"https://{name}/") == name
            or suffix in ("gov", "mil", "int", "edu")
        )
        assert is_consistent or registrable_domain(f"https://www.{suffix}/") == suffix, suffix


def test_hosts_are_plain_hosts() -> None:
    lists = tables()
    for host in [*lists.hosts, *lists.platforms, *lists.predatory_hosts, *lists.disputed]:
        assert (
            host_of(f"https://{host}/") == host and "." in host and not host.startswith("www.")
        ), host
    assert not lists.hosts.keys() & lists.platforms.keys()
    assert not lists.hosts.keys() & lists.predatory_hosts.keys()


@pytest.mark.lab
def test_listed_hosts_are_registered_domains_that_no_other_rule_knows() -> None:
    lists = tables()
    others = (lists.hosts, lists.suffixes, lists.platforms, lists.predatory_hosts)
    assert len(listed_hosts()) >= 5000
    for host, rule in listed_hosts().items():
        assert registrable_domain(host) == host_of(f"https://{host}/") == host, host
        assert not any(longest(host, table) for table in others), host
        assert 0.5 < rule.base <= 0.85 and rule.category.endswith(f"by the {rule.name}")


def test_every_list_of_hosts_names_where_it_is_from_and_its_licence() -> None:
    groups = tomllib.loads(files("tools.data").joinpath("listed_hosts.toml").read_text("utf-8"))[
        "lists"
    ]
    licences = files("tools.data").joinpath("listed_hosts.LICENSE.txt").read_text("utf-8")
    for group in groups:
        assert re.fullmatch(r"[0-9a-f]{12}", group["commit"]) and group["address"] in licences
        assert group["name"] in licences and group["licence"].startswith(("MIT", "CC0"))


def test_issns_are_valid_and_belong_to_one_title() -> None:
    for issn in tables().issns:
        assert issn_key(issn) == issn and check_digit_holds(issn), issn


def test_retracted_works_have_a_doi_a_date_and_a_reason() -> None:
    notices = tables().retracted_dois
    assert len(notices) >= 20
    for doi, notice in notices.items():
        assert find_doi(doi) == doi
        assert notice.label and notice.mark.reason and len(notice.mark.date or "") == 10


def test_titles_are_compared_without_case_accents_and_punctuation() -> None:
    assert title_key("The  Énergie & Environment:") == "energie and environment"
    assert title_key("The") == "the"
    assert title_key("!!!") == ""
    assert issn_key(" 0028 0836") == "0028-0836"
    assert issn_key("0028-08366") == ""


def test_hosts_match_by_whole_labels() -> None:
    table = {"b.org": 1, "a.b.org": 2}
    assert longest("x.a.b.org", table) == 2
    assert longest("ab.org", table) is None
    assert longest("b.org.", table) is None
    assert suffixes("127.0.0.1") == ()
    assert suffixes("a..b") == ()
    assert len(suffixes("a." * 100 + "org")) == 8


def test_registrable_domains() -> None:
    cases = {
        "https://www.bbc.co.uk/x": "bbc.co.uk",
        "https://a.b.example.org:8080/": "example.org",
        "https://me.github.io/": "me.github.io",
        "https://127.0.0.1/": "127.0.0.1",
        "https://co.uk/": "co.uk",
        "https://a.b.c.ck/": "b.c.ck",
        "https://a.www.ck/": "www.ck",
        "https://host.invalid-tld-of-nobody/": "host.invalid-tld-of-nobody",
        "mailto:a@nature.com": "",
    }
    assert {url: registrable_domain(url) for url in cases} == cases
