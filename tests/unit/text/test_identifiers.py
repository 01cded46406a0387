from __future__ import annotations

import pytest

from prism.text.identifiers import address_tokens, identifier_tokens


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("LQT-6312", ["=lqt-6312", "lqt-6312", "lqt6312", "lqt", "6312"]),
        ("LQT6312", ["=lqt6312", "lqt6312", "lqt", "6312"]),
        ("7(b)", ["=7(b)", "7(b)", "7b", "7", "b"]),
        ("4.2.1(a)(iii)", ["=4.2.1(a)(iii)", "4.2.1(a)(iii)", "4.2.1(a)", "4.2.1", "4.2", "a", "iii"]),
        ("K_TRN_BX_07", ["=k_trn_bx_07", "k_trn_bx_07", "k", "trn", "bx", "07"]),
        ("RBI/2025-26/01", ["=rbi/2025-26/01", "rbi/2025-26/01", "rbi", "2025-26", "2025", "26", "01"]),
        ("0x80070005", ["=0x80070005", "0x80070005", "80070005"]),
        ("v2.3.1", ["=v2.3.1", "v2.3.1", "2.3.1", "2.3"]),
        ("01.04.2025", ["=01.04.2025", "01.04.2025", "2025-04-01", "01", "04", "2025"]),
        ("01/04/2025", ["=01/04/2025", "01/04/2025", "2025-04-01", "2025-01-04", "01", "04", "2025"]),
        ("45.13.2025", ["=45.13.2025", "45.13.2025", "45", "13", "2025"]),
        ("C++", ["=c++", "c++"]),
        ("R&D", ["=r&d", "r&d", "r", "d"]),
        (".NET", ["=.net", ".net", "net"]),
        ("10th", ["=10th", "10th", "10"]),
        ("제7조에", ["=제7조에", "제7조에", "7", "7조"]),
    ],
)
def test_whole_first_then_parts(identifier: str, expected: list[str]) -> None:
    assert list(identifier_tokens(identifier)) == expected


def test_addresses_lose_their_scheme_and_trailing_punctuation() -> None:
    assert address_tokens("https://www.example.org/rules.")[:3] == (
        "=example.org/rules",
        "example.org/rules",
        "example.org",
    )
    assert address_tokens("a.b@example.org")[:3] == ("=a.b@example.org", "a.b@example.org", "a.b")
