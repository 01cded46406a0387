from __future__ import annotations

import pytest

from prism.query.follow_up import asks_about_reply, asks_for_shorter, leans_on_history


@pytest.mark.parametrize(
    "question",
    [
        # pronouns
        "her email?",
        "What is its limit?",
        "When does it expire?",
        "Is it mandatory?",
        "Is it allowed in April?",
        "Is it mandatory for directors?",
        "Who approves those?",
        "How are they paid?",
        "What is the penalty for their delay?",
        "Does it apply to contractors?",
        "Does the policy cover it?",
        "Is that taxable?",
        "What happens after that?",
        "How long does it take?",
        "Is it true?",
        "Does the same apply to interns?",
        "Which one is cheaper?",
        "Who else can sign?",
        "If it exceeds the cap, what happens?",
        "And when they leave, do they get paid?",
        # ellipses and openings
        "And for contractors?",
        "For contractors?",
        "In Kerala?",
        "What about interns?",
        "Why?",
        "How so?",
        "And LQT-2051?",
        "But since when?",
        "Maximum amount?",
        # other languages
        "उसकी सीमा क्या है?",
        "और ठेकेदारों के लिए?",
        "इसे कौन मंजूर करता है?",
        "它的上限是多少？",
        "那合同工呢？",
        "その上限はいくらですか？",
        "¿Y para contratistas?",
        "Und für Praktikanten?",
    ],
)
def test_cht_05_pronouns_and_ellipses_lean_on_what_was_said(question: str) -> None:
    assert leans_on_history(question)


@pytest.mark.parametrize(
    "question",
    [
        # new and complete
        "How many days of sick leave do employees get?",
        "Who leads HR?",
        "What is the laptop policy?",
        "Why does error 0x80070005 occur?",
        "Where is the head office?",
        "List the fees for wire transfers",
        "Explain Section 7(b)",
        # it that stands for nothing
        "Is it mandatory to file online?",
        "Is it possible to carry forward leave?",
        "Is it ok if I work from Goa?",
        "How long does it take to get a refund?",
        "How long does it take for a claim to be paid?",
        "Does it cost more to renew online?",
        "Is it true that unused leave lapses?",
        "When is it necessary to inform the bank?",
        "What makes it possible to rotate keys?",
        # IT that is no pronoun
        "What is the IT policy on laptops?",
        "Who runs IT support?",
        # what the pronoun stands for is in the question
        "Can employees carry forward their leave?",
        "Must a bank keep its records for ten years?",
        "If a company exceeds the cap, what must it do?",
        "When employees resign, do they get their bonus?",
        "When was the policy updated and who signed it?",
        "Which branches publish their fees?",
        "What is the limit for those who retire early?",
        "Do both plans have the same premium?",
        "Is the cap equal to that of banks?",
        # other languages
        "ऋण की सीमा क्या है?",
        "जो कर्मचारी इस्तीफा देते हैं, उनका बोनस कितना है?",
        "年假有多少天？",
        "其他费用是多少？",
        "その他の費用はいくらですか？",
        "¿Cuál es el límite?",
        "Wie hoch ist das Limit?",
        "Quel est le plafond ?",
        "Какой лимит?",
        "연차는 며칠입니까?",
    ],
)
def test_cht_01_new_complete_questions_stand_alone(question: str) -> None:
    assert not leans_on_history(question)


@pytest.mark.parametrize(
    ("question", "shorter"),
    [
        ("shorten your last reply", True),
        ("Please summarize that in one line.", True),
        ("Can you make it shorter?", True),
        ("shorter", True),
        ("Give me a shorter answer", True),
        ("tl;dr", True),
        ("Elaborate on that", False),
        ("Explain your last answer in more detail", False),
        ("Translate it into Hindi", False),
        ("Repeat your answer", False),
        ("again", False),
    ],
)
def test_cht_03_a_request_about_the_reply_is_told_from_a_question(question: str, shorter: bool) -> None:
    assert asks_about_reply(question)
    assert asks_for_shorter(question) is shorter


@pytest.mark.parametrize(
    "question",
    [
        "Summarize the policy on leave that applies in Goa",
        "Summarize this policy",
        "How do I repeat the training if I fail it?",
        "Explain Section 7(b)",
        "What must the response to a notice contain?",
        "Who can shorten the notice period?",
        "What is the short answer form?",
    ],
)
def test_a_question_that_only_sounds_like_it_is_not_about_the_reply(question: str) -> None:
    assert not asks_about_reply(question)


def test_a_shouted_pronoun_still_points_back() -> None:
    assert leans_on_history("WHEN DOES IT EXPIRE?")
