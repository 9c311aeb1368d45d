"""Identifiers hidden in addresses."""

from tests.tables import each
from tools.sources.work_ids import dois, pubmed_id


@each(
    ("url", "doi"),
    [
        (
            "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)31180-6/fulltext",
            "10.1016/s0140-6736(20)31180-6",
        ),
        (
            "https://www.sciencedirect.com/science/article/pii/S002438419600047X",
            "10.1016/s0024-3841(96)00047-x",
        ),
        ("https://www.nature.com/articles/nature12968.pdf", "10.1038/nature12968"),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf",
            "10.1101/2020.01.01.123456",
        ),
        ("https://link.springer.com/content/pdf/10.1007/BF03028212.pdf", "10.1007/bf03028212"),
        (
            "https://www.nejm.org/doi/10.1056/NEJMoa2007621/epdf?needAccess=1",
            "10.1056/nejmoa2007621",
        ),
        ("https://arxiv.org/pdf/2312.12345v3", "10.48550/arxiv.2312.12345"),
        ("https://dx.doi.org/10.1016%2FS0140-6736(97)11096-0", "10.1016/s0140-6736(97)11096-0"),
    ],
)
def test_dois_in_addresses(url: str, doi: str) -> None:
    assert doi in dois(url)


def test_piis_count_only_on_hosts_that_use_them() -> None:
    assert dois("https://evil.example/PIIS0140-6736(97)11096-0") == ()
    assert dois("https://www.nature.com/") == ()


def test_pubmed_ids() -> None:
    assert pubmed_id("https://pubmed.ncbi.nlm.nih.gov/9500320/") == "9500320"
    assert pubmed_id("https://www.ncbi.nlm.nih.gov/pubmed/9500320") == "9500320"
    assert pubmed_id("https://x.example/9500320") is None
    assert pubmed_id("https://x.example/", "0") is None
    assert pubmed_id("https://x.example/", "0042") == "42"
    assert pubmed_id("https://x.example/", "²") is None


def test_hostile_addresses_end_quickly() -> None:
    for text in (
        "10.1000/" + "/full" * 5000,
        "https://sciencedirect.com/" + "S0140" * 20000,
        "10." * 50000,
    ):
        assert len(dois(text)) < 10
