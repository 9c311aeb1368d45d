"""Which addresses may be read: the SSRF guard against every form an address can take."""

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.net.guard import Guard, target_of

PRIVATE = """127.0.0.1 127.8.9.1 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
    169.254.169.254 100.64.0.1 100.100.100.200 192.0.0.192 198.18.0.1 224.0.0.1 240.0.0.1
    255.255.255.255 168.63.129.16 192.0.2.1 [::1] [::] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1]
    [::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [::127.0.0.1] [2002:7f00:1::] [64:ff9b::7f00:1]
    [64:ff9b::10.0.0.1] [2001:db8::1] [fe80::1%25eth0] [100::1] [2001::1]""".split()
ODD = """2130706433 0x7f000001 0x7f.0.0.1 017700000001 0177.0.0.1 127.1 127.0.1 0 0x7f.1 134744072
    8.8.2056 08.08.08.08""".split()
MALFORMED = """http://127.0.0.1:99999/ http://[::1/ http:///x http://a..b/ http://exa mple.com/ http://a\\@127.0.0.1/
    http://user@example.com/ http://user:pw@example.com/ http://exam%70le.com/ http://-a-/
    http://.example.com/""".split("\n")
OTHER_SCHEMES = (
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "local://1/a",
    "//example.com",
    "x",
)


def nowhere(host: str, port: int) -> list[str]:
    raise AssertionError(f"{host} must not be looked up")


@each("host", PRIVATE)
def test_private_addresses_are_refused(host: str) -> None:
    with pytest.raises(SourceError, match="private network"):
        Guard(resolver=nowhere).addresses(target_of(f"http://{host}/"))


@each("host", ODD)
def test_numbers_in_odd_forms_are_refused_before_any_look_up(host: str) -> None:
    with pytest.raises(SourceError):
        Guard(resolver=nowhere).addresses(target_of(f"http://{host}/"))


@each("url", [u for line in MALFORMED for u in line.strip().split(" http")])
def test_malformed_addresses_are_refused(url: str) -> None:
    with pytest.raises(SourceError):
        Guard(resolver=nowhere).addresses(
            target_of(url if url.startswith("http") else "http" + url)
        )


@each("url", OTHER_SCHEMES)
def test_other_schemes_are_refused(url: str) -> None:
    with pytest.raises(SourceError, match="only http and https"):
        target_of(url)


@each("port", [80, 443, 8080, 8443])
def test_ports_of_the_web_are_open(port: int) -> None:
    target = target_of(f"http://example.com:{port}/")
    assert Guard(resolver=lambda *_: ["8.8.8.8"]).addresses(target) == ["8.8.8.8"]


@each("port", [22, 25, 3306, 5000, 6379, 81])
def test_ports_of_other_services_are_refused(port: int) -> None:
    with pytest.raises(SourceError, match=f"port {port}"):
        Guard(resolver=lambda *_: ["8.8.8.8"]).addresses(target_of(f"http://example.com:{port}/"))


def test_public_addresses_pass_and_keep_their_order() -> None:
    guard = Guard(resolver=lambda *_: ["2606:4700::1111", "8.8.8.8", "8.8.8.8"])
    assert guard.addresses(target_of("https://example.com/")) == ["2606:4700::1111", "8.8.8.8"]
    assert guard.addresses(target_of("http://1.1.1.1:8080/")) == ["1.1.1.1"]


def test_one_private_answer_among_public_ones_is_enough_to_refuse() -> None:
    guard = Guard(resolver=lambda *_: ["8.8.8.8", "127.0.0.1"])
    with pytest.raises(SourceError, match="private network"):
        guard.addresses(target_of("http://example.com/"))


def test_names_for_loopback_are_judged_by_what_they_resolve_to() -> None:
    for answer in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.1.1"):
        with pytest.raises(SourceError, match="private network"):
            Guard(resolver=lambda *_, a=answer: [a]).addresses(
                target_of("http://localtest.example/")
            )


def test_a_place_the_user_named_is_exempt_and_only_that_port() -> None:
    guard = Guard(
        ["127.0.0.1:5001", "[::1]:5002", "wiki.internal:8080"], resolver=lambda *_: ["10.0.0.7"]
    )
    assert guard.addresses(target_of("http://127.0.0.1:5001/")) == ["127.0.0.1"]
    assert guard.addresses(target_of("http://[::1]:5002/")) == ["::1"]
    assert guard.addresses(target_of("http://WIKI.internal:8080/")) == ["10.0.0.7"]
    with pytest.raises(SourceError):
        guard.addresses(target_of("http://127.0.0.1:8080/"))


def test_international_names_become_ascii_and_full_width_digits_are_no_way_in() -> None:
    assert target_of("http://bücher.example/").host == "xn--bcher-kva.example"
    with pytest.raises(SourceError):
        Guard(resolver=nowhere).addresses(target_of("http://１２７.0.0.1/"))


def test_a_name_that_cannot_be_found_says_so() -> None:
    def fail(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    with pytest.raises(SourceError, match="name is not known"):
        Guard(resolver=fail).addresses(target_of("http://nowhere.example/"))
    with pytest.raises(SourceError, match="name is not known"):
        Guard(resolver=lambda *_: []).addresses(target_of("http://nowhere.example/"))


def test_a_look_up_that_hangs_is_given_up() -> None:
    import threading

    never = threading.Event()

    def hang(host: str, port: int) -> list[str]:
        never.wait(5)
        return []

    with pytest.raises(SourceError, match="in time"):
        Guard(resolver=hang, resolve_seconds=0.05).addresses(target_of("http://slow.example/"))
    never.set()
