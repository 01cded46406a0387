import pytest

from prism.errors import ModelMissingError, NotAllowedError, SettingsError
from prism.models.choose import choose_answerer
from prism.settings import load_settings

GROQ = {"GROQ_API_KEY": "gsk_1234567890"}
ELSEWHERE = {"models.remote.base_url": "https://models.example.com/v1", "models.remote.model": "m"}
HERE = {"models.remote.base_url": "http://localhost:8000/v1", "models.remote.model": "m"}
URL_KEY = {"PRISM_REMOTE_API_KEY": "key-1234567890"}


class Person:
    """Answers every question with `says` and remembers the questions."""

    def __init__(self, says: bool) -> None:
        self.says = says
        self.questions: list[str] = []

    def __call__(self, question: str) -> bool:
        self.questions.append(question)
        return self.says


def choose(overlay, environ, ask=None):
    return choose_answerer(load_settings(overlay=overlay, environ={}), environ=environ, ask=ask)


def consent(value, **more):
    return {"privacy.remote_models": value, **more}


def test_with_nothing_configured_the_documents_are_quoted_without_a_word():
    chosen = choose({}, {})
    assert (chosen.kind, chosen.llm, chosen.name, chosen.notices) == ("quote", None, "quote", ())


def test_quote_never_asks():
    person = Person(True)
    assert choose({"models.answerer": "quote"}, GROQ, person).kind == "quote"
    assert person.questions == []


def test_groq_is_used_when_allowed():
    chosen = choose(consent("allow"), GROQ)
    assert (chosen.kind, chosen.name) == ("remote", "api.groq.com/llama-3.3-70b-versatile")


def test_a_person_who_says_yes_is_asked_once_and_told_what_is_sent():
    person = Person(True)
    assert choose({}, GROQ, person).kind == "remote"
    assert len(person.questions) == 1
    assert "api.groq.com" in person.questions[0]
    assert "sent" in person.questions[0]


@pytest.mark.parametrize(
    ("overlay", "ask", "words"),
    [
        (consent("deny"), Person(True), "is deny"),
        (consent("ask"), None, "nobody to ask"),
        (consent("ask"), Person(False), "You chose not to"),
    ],
)
@pytest.mark.parametrize("server", ["groq", "url"])
def test_without_consent_the_documents_are_quoted_and_a_notice_says_so(overlay, ask, words, server):
    where = {} if server == "groq" else ELSEWHERE
    chosen = choose({**overlay, **where}, GROQ if server == "groq" else URL_KEY, ask)
    assert chosen.kind == "quote"
    assert [notice.code for notice in chosen.notices] == ["remote_model_not_used"]
    assert words in chosen.notices[0].message
    assert "privacy.remote_models" in chosen.notices[0].message


def test_deny_is_not_asked():
    person = Person(True)
    choose(consent("deny"), GROQ, person)
    assert person.questions == []


@pytest.mark.parametrize(("privacy", "ask"), [("deny", Person(True)), ("ask", None), ("ask", Person(False))])
def test_insisting_on_remote_without_consent_is_refused_naming_the_setting(privacy, ask):
    with pytest.raises(NotAllowedError, match=r"privacy\.remote_models"):
        choose(consent(privacy, **{"models.answerer": "remote"}), GROQ, ask)


def test_a_server_on_this_machine_needs_no_consent_and_no_key():
    person = Person(False)
    chosen = choose({**consent("deny"), **HERE}, {}, person)
    assert (chosen.kind, chosen.name, chosen.notices) == ("local", "localhost/m", ())
    assert person.questions == []


def test_a_server_on_this_machine_stands_in_for_groq_without_consent():
    chosen = choose({**consent("deny"), **HERE}, GROQ)
    assert (chosen.kind, chosen.name) == ("local", "localhost/m")
    assert chosen.notices[0].code == "remote_model_not_used"


def test_groq_comes_before_an_address():
    assert choose({**consent("allow"), **ELSEWHERE}, {**GROQ, **URL_KEY}).name.startswith("api.groq.com/")


def test_an_unencrypted_connection_is_told():
    url = {"models.remote.base_url": "http://models.example.com/v1", "models.remote.model": "m"}
    assert [n.code for n in choose({**consent("allow"), **url}, URL_KEY).notices] == [
        "remote_model_unencrypted"
    ]


def test_a_missing_key_names_its_variable():
    wanted = consent("allow", **{"models.answerer": "remote"})
    with pytest.raises(SettingsError, match="GROQ_API_KEY"):
        choose(wanted, {})
    with pytest.raises(SettingsError, match="PRISM_REMOTE_API_KEY"):
        choose({**wanted, **ELSEWHERE}, {})
    with pytest.raises(SettingsError, match="GROQ_API_KEY"):
        choose(wanted, {"OPENAI_API_KEY": "sk-1", "GROQ_API_KEY": "  "})


def test_openai_api_key_alone_configures_nothing():
    assert choose(consent("allow"), {"OPENAI_API_KEY": "sk-1"}).kind == "quote"


def test_an_address_without_a_model_is_a_settings_error():
    url = {"models.remote.base_url": "http://localhost:8000/v1"}
    with pytest.raises(SettingsError, match=r"models\.remote\.model"):
        choose(url, {})


def test_dep_08_a_missing_local_model_is_named(tmp_path):
    path = tmp_path / "none.gguf"
    with pytest.raises(ModelMissingError, match=r"none\.gguf.*models\.local\.path"):
        choose({"models.answerer": "local", "models.local.path": path}, {})
