"""The keyword leg alone: exact things first, in any script, and nothing when nothing matches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from prism import Prism, Scope
from tests.integration.conftest import OpenPrism
from tests.shelf import KEYWORD_ALONE, first, names, write

GROUPS = {
    "sections": [
        f"Under {section} the bank has a duty." for section in ("7(a)", "7(b)", "17(b)", "70(b)", "7.2(b)")
    ],
    "amounts": [
        f"The cap is {amount} a month." for amount in ("₹1,25,000", "₹2,25,000", "₹25,000", "₹1,250")
    ],
    "codes": [f"Part {code} is in stock." for code in ("LQT-6312", "LQT-2051", "LQT-8840", "LQX-6313")],
    "errors": [f"Code {code} is an error." for code in ("0x80070005", "0x80070057", "0x80004005")],
    "symbols": [
        "The core is written in C++.",
        "The core is written in C.",
        "R&D has a budget of its own.",
        "The IT policy is for staff.",
        "It is a policy for staff.",
        "The core is written in F#.",
        "AT&T is a carrier, and T is a letter.",
    ],
    "hindi": ["हिन्दी में ऋण सीमा दो लाख", "हिन्दी में आवेदन करें", "खाता बंद करने का नियम", "समय सीमित है"],
    "chinese": ["员工每年享有十天年假。", "加班工资按小时计算。", "出差需要提前申请。", "假日值班另行安排。"],
}
EXPECTED = [
    ("sections", "7(b)", 1),
    ("sections", "What does Section 7(b) say?", 1),
    ("sections", "17(b)", 2),
    ("sections", "70(b)", 3),
    ("sections", "7(a)", 0),
    ("amounts", "₹1,25,000", 0),
    ("amounts", "₹ 2,25,000", 1),
    ("amounts", "Rs. 25,000", 2),
    ("amounts", "₹1250", 3),
    ("codes", "LQT-6312", 0),
    ("codes", "6312", 0),
    ("codes", "lqt 8840", 2),
    ("codes", "LQT2051", 1),
    ("errors", "error 0x80070005", 0),
    ("errors", "0X80070057", 1),
    ("errors", "80004005", 2),
    ("symbols", "C++", 0),
    ("symbols", "R&D", 2),
    ("symbols", "IT policy", 3),
    ("symbols", "F#", 5),
    ("symbols", "AT&T", 6),
    ("hindi", "सीमा", 0),
    ("hindi", "आवेदन", 1),
    ("hindi", "खाता", 2),
    ("chinese", "年假", 0),
    ("chinese", "加班", 1),
    ("chinese", "出差申请", 2),
]


@pytest.fixture(scope="module")
def groups(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("groups")
    with make_prism(folder / "storage") as prism:
        for name, sentences in GROUPS.items():
            files = {f"{n}.txt": sentence for n, sentence in enumerate(sentences)}
            prism.ingest(write(folder / name, files), workspace=name)
        yield prism


@pytest.mark.parametrize(("group", "question", "number"), EXPECTED)
def test_the_exact_thing_comes_first_with_a_score(groups: Prism, group, question, number):
    found = groups.with_settings(**KEYWORD_ALONE).retrieve(question, scope=Scope(group))
    assert first(found).document == f"{number}.txt"
    assert first(found).score > 0
    assert first(found).legs == {"dense": None, "keyword": 1}
    leg = groups.trace(found.trace_id)["legs"][0]
    assert leg["hits"][0]["score"] > 0


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("question", ["zxqv", "of the and is", "", "۞", "qqq-9999", "नहीं xqzw"])
def test_without_a_matching_term_the_leg_gives_nothing(groups: Prism, group, question):
    assert groups.with_settings(**KEYWORD_ALONE).retrieve(question, scope=Scope(group)).passages == ()


def test_every_hit_holds_a_term_of_the_question(groups: Prism):
    found = groups.with_settings(**KEYWORD_ALONE).retrieve("LQT-6312", 20, Scope("codes"))
    assert names(found)[0] == "0.txt"
    assert "3.txt" not in names(found)


NOTICES = {
    "wallet.txt": (
        "वॉलेट से एक दिन में अधिकतम दस हज़ार रुपये भेजे जा सकते हैं। "
        "शिकायत का निपटारा सात कार्य दिवसों में किया जाएगा। "
        "खोया हुआ कार्ड तुरंत बंद कराने के लिए सहायता केंद्र को फ़ोन करें।"
    ),
    "leave.txt": "कर्मचारियों को वर्ष में चौबीस दिन का अवकाश मिलता है। अवकाश प्रबंधक स्वीकृत करता है।",
    "english.txt": "The gym opens at six in the morning.",
}


@pytest.mark.parametrize(
    ("question", "expected", "document"),
    [
        ("वॉलेट से एक दिन में कितने रुपये भेजे जा सकते हैं?", "दस हज़ार", "wallet.txt"),
        ("शिकायत का निपटारा कितने दिनों में होगा?", "सात कार्य दिवसों", "wallet.txt"),
        ("कर्मचारियों को वर्ष में कितने दिन का अवकाश मिलता है?", "चौबीस दिन", "leave.txt"),
        ("अवकाश कौन स्वीकृत करता है?", "प्रबंधक", "leave.txt"),
    ],
)
def test_a_hindi_question_is_answered_from_a_hindi_document_by_the_keyword_leg(
    notices: Prism, question, expected, document
):
    answer = notices.ask(question)
    assert not answer.abstained
    assert expected in answer.text
    assert answer.citations[0].passage.document == document
    assert notices.trace(answer.trace_id)["fusion"]["weights"].keys() == {"keyword"}


@pytest.fixture(scope="module")
def notices(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("notices")
    with make_prism(folder / "storage") as prism:
        prism.ingest(write(folder / "files", NOTICES))
        yield prism
