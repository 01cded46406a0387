from __future__ import annotations

from prism.query.condense import MAX_JOINED_CHARS, condense


def test_a_first_turn_is_never_rewritten() -> None:
    found = condense("  What about it?  ")
    assert (found.searches, found.text, found.focus) == (
        ("What about it?",),
        "What about it?",
        "What about it?",
    )
    assert not found.joined
    assert not found.brief


def test_cht_05_a_follow_up_is_searched_joined_to_the_question_before_and_alone() -> None:
    found = condense("her email?", ["Old question?", "Who leads HR?"])
    assert found.searches == ("Who leads HR? her email?", "her email?")
    assert found.focus == "her email?"
    assert found.joined


def test_cht_01_a_new_subject_is_searched_as_it_is() -> None:
    found = condense("How many laptops may I order?", ["How long is annual leave?"])
    assert found.searches == ("How many laptops may I order?",)
    assert not found.joined


def test_cht_03_a_request_for_a_shorter_reply_asks_the_question_before_again() -> None:
    found = condense("shorten your last reply", ["Who leads HR?"])
    assert (found.searches, found.focus) == (("Who leads HR?",), "Who leads HR?")
    assert (found.joined, found.brief) == (True, True)


def test_a_request_for_more_is_not_answered_with_less() -> None:
    assert not condense("Elaborate on that", ["Who leads HR?"]).brief


def test_a_chain_of_follow_ups_is_cut_at_a_word() -> None:
    before = "start " + "word " * 200
    found = condense("And for interns?", [before])
    assert len(found.text) <= MAX_JOINED_CHARS + len(" And for interns?")
    assert found.text.split()[0] == "word"


def test_a_long_question_without_blanks_is_cut_all_the_same() -> None:
    found = condense("那合同工呢？", ["长" * 900])
    assert len(found.text) == MAX_JOINED_CHARS + len(" 那合同工呢？")


def test_cht_03_a_shorter_reply_is_about_the_last_question_of_a_chain() -> None:
    found = condense("shorten your last reply", ["Who leads HR? What is her email? Where is her office?"])
    assert found.text == "Who leads HR? What is her email? Where is her office?"
    assert found.focus == "Where is her office?"


def test_a_short_question_without_pronoun_is_joined_as_a_guess() -> None:
    before = ["What is the cash limit at Belvan Harbour?"]
    assert condense("capital of Mongolia?", before).is_guess
    assert not condense("and for Belvan Fort?", before).is_guess
    assert not condense("who manages it?", before).is_guess
    assert not condense("What is the capital of Mongolia?", before).is_guess
