"""The chat cases (CHT-…): turns that build on each other and never on anyone else's."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from prism import Answer, NotFoundError, Prism, Scope, TextDelta
from tests.integration.conftest import OpenPrism, Shelf
from tests.shelf import answering, id_of, names, only, prompts_of, says, write

OFFICE = {
    "leave.txt": "Employees get 24 days of annual leave in a year. Leave is approved by the line manager.",
    "laptops.txt": "Laptops are replaced after four years. A lost laptop must be reported within two hours.",
    "travel.txt": "Travel claims are paid within ten working days. Taxis need a receipt.",
    "people.txt": (
        "Meera Nair leads the HR department. Her email is meera.nair@example.org.\n\n"
        "Arjun Rao leads the IT department. His email is arjun.rao@example.org."
    ),
}


@pytest.fixture(scope="module")
def office(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("office")
    with make_prism(folder / "storage") as prism:
        assert prism.ingest(write(folder / "files", OFFICE)).count("added") == len(OFFICE)
        yield prism


SUBJECTS = [
    ("How many days of annual leave do employees get?", "24 days", "leave.txt"),
    ("When are laptops replaced?", "four years", "laptops.txt"),
    ("How soon are travel claims paid?", "ten working days", "travel.txt"),
    ("Who leads the HR department?", "Meera Nair", "people.txt"),
]


@pytest.mark.parametrize("first_turn", SUBJECTS)
@pytest.mark.parametrize("second_turn", SUBJECTS)
def test_cht_01_every_turn_retrieves_for_itself(office: Prism, first_turn, second_turn):
    conversation = office.conversation()
    for question, expected, document in (first_turn, second_turn):
        answer = conversation.ask(question)
        assert expected in answer.text
        assert names(answer)[0] == document


def test_cht_01_a_long_conversation_still_retrieves_for_the_last_turn(office: Prism):
    conversation = office.conversation()
    for turn in range(13):
        question, expected, document = SUBJECTS[turn % len(SUBJECTS)]
        answer = conversation.ask(question)
        assert expected in answer.text
        assert names(answer)[0] == document
    assert len(conversation.turns()) == 13


@pytest.mark.parametrize(
    "third", ["shorten your last reply", "Summarize your previous answer.", "make that reply shorter please"]
)
def test_cht_03_each_turn_keeps_its_own_sources(office: Prism, third):
    conversation = office.conversation()
    answers = [conversation.ask(question) for question, _, _ in SUBJECTS[:2]]
    about_the_last = conversation.ask(third)
    assert set(names(about_the_last)) <= {"laptops.txt"}
    for turn, answer in zip(conversation.turns(), [*answers, about_the_last], strict=True):
        assert turn.answer == answer.text
        assert [(item.n, item.document, item.quote) for item in turn.citations] == [
            (item.n, item.passage.document, item.quote) for item in answer.citations
        ]
    again = office.conversation(conversation.id).turns()
    assert [turn.citations[0].document for turn in again[:2]] == ["leave.txt", "laptops.txt"]


def test_cht_03_old_answers_keep_their_sources_after_a_restart(open_prism: OpenPrism, tmp_path):
    with open_prism() as prism:
        prism.ingest(write(tmp_path, OFFICE))
        conversation = prism.conversation()
        for question, _, _ in SUBJECTS[:3]:
            conversation.ask(question)
        before = conversation.turns()
    with open_prism() as prism:
        assert prism.conversation(conversation.id).turns() == before
        assert prism.conversations() == [conversation.id]


def test_cht_03_a_models_numbers_are_this_turns_and_old_marks_never_reach_it(shelf: Shelf):
    answerer = says("As the source says [1].")
    prism = shelf(OFFICE, answerer=answerer)
    conversation = prism.conversation()
    for question, _, document in SUBJECTS[:3]:
        answer = conversation.ask(question)
        assert names(answer) == [document]
    for prompt in prompts_of(answerer):
        earlier = "\n".join(message.content or "" for message in prompt[1:-1])
        assert "[1]" not in earlier


@pytest.mark.parametrize(
    ("opening", "follow_up", "expected"),
    [
        ("Who leads HR?", "her email?", "meera.nair@example.org"),
        ("Who leads the HR department?", "What is her email?", "meera.nair@example.org"),
        ("Who leads the IT department?", "and his email?", "arjun.rao@example.org"),
        ("How many days of annual leave do employees get?", "Who approves it?", "line manager"),
        ("When are laptops replaced?", "And if one is lost?", "two hours"),
    ],
)
def test_cht_05_a_follow_up_is_read_with_the_question_before_it(office: Prism, opening, follow_up, expected):
    conversation = office.conversation()
    conversation.ask(opening)
    answer = conversation.ask(follow_up)
    assert expected in answer.text
    assert answer.question != follow_up


def test_cht_05_a_model_sees_the_last_turns(shelf: Shelf):
    answerer = answering(lambda messages: [f"Turn {len(messages)} says so [1]."])
    prism = shelf(OFFICE, answerer=answerer)
    conversation = prism.conversation()
    for question, _, _ in [*SUBJECTS, *SUBJECTS, *SUBJECTS, *SUBJECTS]:
        conversation.ask(question)
    last = prompts_of(answerer)[-1]
    said = [message.content for message in last[1:-1]]
    assert len(said) == 2 * prism.settings.conversation.window_turns
    assert said[0] == SUBJECTS[1][0]


def test_cht_05_a_first_turn_is_searched_as_typed(office: Prism):
    assert office.conversation().ask("her email?").question == "her email?"
    assert office.conversation().ask("And what about it?").question == "And what about it?"


def test_cht_06_interleaved_sessions_share_no_word(open_prism: OpenPrism, tmp_path):
    answerer = answering(lambda messages: [f"You asked: {messages[-1].content.split('Question: ')[1]} [1]"])
    prism = open_prism(answerer=answerer)
    prism.ingest(write(tmp_path, OFFICE))
    words = {f"Secret{n}word": prism.conversation() for n in range(4)}
    assert len({conversation.id for conversation in words.values()}) == 4
    for turn in range(3):
        for word, conversation in words.items():
            conversation.ask(f"Turn {turn}: how many days of annual leave for {word}?")
    for prompt in prompts_of(answerer):
        everything = "\n".join(message.content or "" for message in prompt)
        assert sum(word in everything for word in words) == 1
    for word, conversation in words.items():
        history = "\n".join(turn.question + turn.answer for turn in conversation.turns())
        assert [other for other in words if other in history] == [word]


def test_cht_06_sessions_in_threads_share_no_word(office: Prism):
    conversations = [office.conversation() for _ in SUBJECTS]
    problems: list[str] = []

    def talk(number: int) -> None:
        question, expected, document = SUBJECTS[number]
        for _ in range(5):
            answer = conversations[number].ask(question)
            if expected not in answer.text or document not in names(answer):
                problems.append(f"{question}: {answer.text}")

    talkers = [threading.Thread(target=talk, args=(number,)) for number in range(len(SUBJECTS))]
    for talker in talkers:
        talker.start()
    for talker in talkers:
        talker.join()
    assert problems == []
    assert [len(conversation.turns()) for conversation in conversations] == [5] * len(SUBJECTS)


def test_cht_06_filters_belong_to_their_session(office: Prism):
    about_leave = office.conversation(scope=only(office, "leave.txt"))
    about_laptops = office.conversation(scope=only(office, "laptops.txt"))
    for _ in range(2):
        assert set(names(about_leave.ask("What is reported or approved?"))) <= {"leave.txt"}
        assert set(names(about_laptops.ask("What is reported or approved?"))) <= {"laptops.txt"}


def test_cht_06_uploads_and_conversations_belong_to_their_workspace(open_prism: OpenPrism, tmp_path):
    prism = open_prism()
    prism.ingest(write(tmp_path / "a", {"a.txt": "The Wombat allowance is 7 rupees."}), workspace="ann")
    prism.ingest(write(tmp_path / "b", {"b.txt": "The Quokka allowance is 9 rupees."}), workspace="bob")
    ann, bob = (prism.conversation(scope=Scope(workspace)) for workspace in ("ann", "bob"))
    for _ in range(2):
        assert "Quokka" not in ann.ask("What is the allowance of Wombat and Quokka?").text
        assert "Wombat" not in bob.ask("What is the allowance of Wombat and Quokka?").text
    assert prism.conversations("ann") == [ann.id]
    with pytest.raises(NotFoundError):
        prism.conversation(ann.id, scope=Scope("bob"))


def test_a_stream_that_is_broken_off_leaves_no_turn(office: Prism):
    conversation = office.conversation()
    stream = conversation.stream(SUBJECTS[0][0])
    assert isinstance(next(stream), TextDelta)
    stream.close()
    assert conversation.turns() == []
    assert isinstance(list(conversation.stream(SUBJECTS[0][0]))[-1], Answer)
    assert len(conversation.turns()) == 1


@pytest.mark.parametrize("gone_by", ["delete", "replace"])
def test_an_answer_from_a_document_that_is_gone_never_reaches_a_model_again(shelf: Shelf, tmp_path, gone_by):
    answerer = says("Wombat is the word [1].")
    prism = shelf({"secret.txt": "The Wombat word opens the vault.", **OFFICE}, answerer=answerer)
    conversation = prism.conversation()
    conversation.ask("What is the vault word?")
    if gone_by == "delete":
        prism.delete(id_of(prism, "secret.txt"))
    else:
        prism.ingest(write(tmp_path / "new", {"secret.txt": "The vault is open."}))
    conversation.ask("Why? When are laptops replaced?")
    assert not any("Wombat" in (message.content or "") for message in prompts_of(answerer)[-1])
    (old, _) = conversation.turns()
    assert not old.usable
    assert old.citations[0].quote == ""
    assert old.citations[0].state == {"delete": "deleted", "replace": "replaced"}[gone_by]


@pytest.mark.parametrize(
    ("turns", "expected", "document"),
    [
        (["When are laptops replaced?", "And travel claims?"], "ten working days", "travel.txt"),
        (["How soon are travel claims paid?", "And a lost laptop?"], "two hours", "laptops.txt"),
        (["Who leads the HR department?", "What is her email?"], "meera.nair@", "people.txt"),
        (["When are laptops replaced?", "What about annual leave?"], "24 days", "leave.txt"),
    ],
)
def test_cht_05_what_a_follow_up_asks_itself_is_answered_first(office: Prism, turns, expected, document):
    conversation = office.conversation()
    *_, answer = [conversation.ask(turn) for turn in turns]
    assert expected in answer.text.splitlines()[0]
    assert document in names(answer)


def test_cht_03_the_last_reply_of_a_chain_is_the_one_made_shorter(office: Prism):
    conversation = office.conversation()
    for turn in ("Who leads the HR department?", "What is her email?"):
        conversation.ask(turn)
    assert "meera.nair@" in conversation.ask("shorten your last reply").text
