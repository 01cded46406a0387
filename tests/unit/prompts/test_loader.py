from importlib.resources import files

import pytest

from prism.errors import NotFoundError, UsageError
from prism.prompts.loader import Prompt, load_prompt


def test_slots_are_filled():
    prompt = Prompt("p", "Answer {question} in {language}.")
    assert prompt.slots == {"question", "language"}
    assert prompt.render(question="why?", language="Hindi") == "Answer why? in Hindi."


@pytest.mark.parametrize(
    "value", ["{context_str}", "{question}", "{other}", "{{x}}", "{", "}", "%s $x {0}", "\\1 \\g<0>", "{{{"]
)
def test_what_a_user_or_document_says_is_never_a_template(value):
    prompt = Prompt("p", "{question} | {other}")
    assert prompt.render(question=value, other="b") == f"{value} | b"
    assert prompt.render(question="a", other=value) == f"a | {value}"


def test_other_braces_of_a_template_stay():
    assert (
        Prompt("p", 'Reply {"answer": 1} or {} for {word}').render(word="x")
        == 'Reply {"answer": 1} or {} for x'
    )


def test_missing_and_unknown_values_are_named():
    with pytest.raises(UsageError, match=r"no value for language; no slot langauge"):
        Prompt("p", "{language}").render(langauge="en")


def test_a_prompt_is_read_from_its_file(tmp_path):
    (tmp_path / "greet.md").write_text("Hello {name}, नमस्ते\n", encoding="utf-8")
    assert load_prompt("greet", tmp_path).render(name="Ana") == "Hello Ana, नमस्ते"


@pytest.mark.parametrize("name", ["nothing", "../errors", "", "a/b"])
def test_an_unknown_prompt_is_named(name):
    with pytest.raises(NotFoundError, match="There is no prompt"):
        load_prompt(name)


def test_every_prompt_of_prism_loads():
    names = [
        file.name.removesuffix(".md")
        for file in files("prism.prompts").iterdir()
        if file.name.endswith(".md")
    ]
    assert names
    for name in names:
        assert load_prompt(name).template
